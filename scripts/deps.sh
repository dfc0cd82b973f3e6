#!/usr/bin/env bash
# Installs the Debian packages that are missing, and says which. A no-op when all is there.
#   scripts/deps.sh [--check] [GROUP...]  groups: build test bench tidy coverage llvm (default: build)
# --check only says what is missing and exits 1 if anything is. Of the group llvm, more clangs for the
# pass, only what this system's archive has is asked for.
set -euo pipefail

build=(g++ cmake ninja-build make pkg-config libcli11-dev libfmt-dev nlohmann-json3-dev libzstd-dev
  libxxhash-dev libsimdjson-dev libdw-dev libelf-dev llvm-19-dev)
test=(libgtest-dev git clang-19 libclang-rt-19-dev llvm-19 libboost-context-dev libboost-fiber-dev
  libgc-dev python3-jsonschema chromium dpkg-dev)
bench=(libbenchmark-dev valgrind jq)
tidy=(clang-tidy-19)
coverage=(gcovr)
llvm=(llvm-14-dev clang-14 llvm-22-dev clang-22)

check=0
groups=()
for arg in "$@"; do
  case "$arg" in
    --check) check=1 ;;
    build | test | bench | tidy | coverage | llvm) groups+=("$arg") ;;
    *)
      echo "deps.sh: unknown argument '$arg' (groups: build test bench tidy coverage llvm)" >&2
      exit 2
      ;;
  esac
done
[ ${#groups[@]} -gt 0 ] || groups=(build)

# Versions of it exclude each other: whichever is there will do.
if ! dpkg-query -W -f='${Status}\n' 'libomp-[0-9]*-dev' 2>/dev/null | grep -q 'install ok installed'; then
  test+=(libomp-dev)
fi

want=()
for g in "${groups[@]}"; do
  declare -n list=$g
  for p in "${list[@]}"; do
    if [ "$g" = llvm ] && ! apt-cache policy "$p" 2>/dev/null | grep -q 'Candidate: [^(]'; then
      continue
    fi
    want+=("$p")
  done
done

if ! command -v dpkg-query >/dev/null; then
  echo "deps.sh: no dpkg here. Install by hand what these Debian packages hold: ${want[*]}" >&2
  exit 1
fi
missing=()
for p in "${want[@]}"; do
  status=$(dpkg-query -W -f='${Status}' "$p" 2>/dev/null || echo none)
  [ "$status" = "install ok installed" ] || missing+=("$p")
done
[ ${#missing[@]} -gt 0 ] || exit 0
if [ $check = 1 ]; then
  echo "missing: ${missing[*]}"
  exit 1
fi

sudo=()
if [ "$(id -u)" != 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "deps.sh: not root and no sudo. As root: apt-get install ${missing[*]}" >&2
    exit 1
  fi
  sudo=(sudo)
fi
echo "Installing Debian packages: ${missing[*]}"
log=$(mktemp)
if ! { "${sudo[@]}" apt-get update && "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get install -y --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
  tail -n 20 "$log" >&2
  echo "deps.sh: apt-get failed; its output is in $log" >&2
  exit 1
fi
rm -f "$log"
