# shellcheck shell=bash
# Sourced by the runners: which rows and configurations there are. A name that is none would only
# leave dashes in a table, minutes later.
# Needs: programs, the folder of those that are rows; of configurations, configurations.sh.

# shellcheck disable=SC2154  # the sourcing script's
all_rows() {
  local file kernels
  kernels=$(dirname "${BASH_SOURCE[0]}")/kernels
  for file in "$kernels"/*.c "$kernels"/*.cpp; do basename "${file%.*}"; done | sort
  for file in "$programs"/*/row.sh; do
    [ -f "$file" ] && basename "$(dirname "$file")"
  done
  return 0
}

is_rate() { # is_rate R: percent
  [[ $1 =~ ^[0-9]+(\.[0-9]+)?$ ]] && awk -v rate="$1" 'BEGIN { exit !(rate <= 100) }'
}

# no_such KIND NAME KNOWN...: ends the run
no_such() {
  echo "run.sh: no such $1: $2 (there are: ${*:3})" >&2
  exit 2
}
must_be_rows() {
  local name known
  mapfile -t known < <(all_rows)
  for name in "$@"; do
    case " ${known[*]} " in *" $name "*) ;; *) no_such row "$name" "${known[@]}" ;; esac
  done
}
# shellcheck disable=SC2154  # of configurations.sh
must_be_configurations() {
  local name
  for name in "$@"; do
    case " ${configurations[*]} " in *" $name "*) continue ;; esac
    case "$name" in pacer-*) ! is_rate "${name#pacer-}" || continue ;; esac
    no_such configuration "$name" "${configurations[@]}" 'pacer-R, R in percent'
  done
}
