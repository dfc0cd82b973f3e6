# Shared by the scripts of this folder; sourced, not run. A script sets
#   package    the Debian source package            needs      Debian packages its build needs
# and defines
#   build      in a fresh copy of the source, with CC, CXX and CFLAGS set
#   workload   in an empty folder, with $src the built tree; its commands go through `checked`
# and ends with `main "$@"`. Everything lands below build/real/, nothing outside but Debian packages.
set -euo pipefail
export LC_ALL=C

name=$(basename "$0" .sh)
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
real=$root/build/real
configs=(native gcc-tsan clang-tsan steward-gcc steward-clang)
config=steward-clang
steward=$root/build/release/bin/steward
jobs=${JOBS:-1}
input_bytes=4000000
limit=${REAL_TIMEOUT:-600} # seconds one command of a workload may take

usage() {
  cat <<EOF
usage: bench/programs/$name.sh [--config C] [--steward FILE] [--rebuild] | --build DIR | --text FILE PERCENT
Fetches the Debian source of $name, builds it unmodified for configuration C, runs a fixed workload and
checks what it answers. C: ${configs[*]} (default $config).
  --steward FILE   the steward to use (default build/release/bin/steward)
  --rebuild        build again although it is built
  --build DIR      only build, into DIR/src, with CC, CXX, CFLAGS, CXXFLAGS and LDFLAGS as they are: a row of bench/live
  --text FILE PERCENT   only make a text of so many percent of $input_bytes bytes: input for a row
Environment: JOBS (1) for make, REAL_TIMEOUT (600) seconds for one command, REAL_TSAN_OPTIONS added to TSAN_OPTIONS.
EOF
}

say() { echo "$name [$config]: $*"; }
exec 9>&2 # a workload's own standard error goes to a file
die() {
  say "$*" >&9
  exit 1
}
# quietly FILE FUNCTION: all output to FILE; shows its end and stops if the function fails. To be called by itself,
# not in a condition: `set -e` would not hold in the function.
quietly() {
  set +e
  (set -e; "$2") >"$1" 2>&1
  local code=$?
  set -e
  [ $code = 0 ] && return
  tr '\r' '\n' <"$1" | tail -n 15 >&2
  die "FAILED to $2: $1"
}
# same FILE FILE WHAT: the workload's answer is right
same() { cmp -s "$1" "$2" || die "WRONG: $3 ($1 and $2 differ)"; }

# as_root COMMAND...: with sudo if need be
as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

# install PACKAGE...: those that are missing
install() {
  local p missing=()
  for p in "$@"; do
    [ "$(dpkg-query -W -f='${Status}' "$p" 2>/dev/null)" = "install ok installed" ] || missing+=("$p")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  say "installing Debian packages: ${missing[*]}"
  { as_root apt-get update && as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y --no-install-recommends "${missing[@]}"; } >"$real/apt.log" 2>&1 ||
    die "apt-get failed; its output is in $real/apt.log"
}

# A private list of sources: the machine's own apt settings stay as they are, and no root is needed.
fetch() {
  local apt=$real/apt codename
  [ ! -d "$real/$name/source" ] || return 0
  codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
  mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/parts" "$real/$name"
  cat >"$apt/sources.list" <<EOF
deb-src http://deb.debian.org/debian $codename main
deb-src http://deb.debian.org/debian-security $codename-security main
EOF
  local options=(-o "Dir::Etc::SourceList=$apt/sources.list" -o "Dir::Etc::SourceParts=$apt/parts"
    -o "Dir::State::Lists=$apt/lists" -o "Dir::Cache=$apt/cache" -o Acquire::Languages=none)
  if [ ! -f "$apt/updated" ]; then
    say "reading Debian's list of sources ($codename) into $apt"
    apt-get "${options[@]}" update >"$apt/update.log" 2>&1 ||
      die "apt-get update failed: $apt/update.log"
    touch "$apt/updated"
  fi
  say "fetching the source of $package"
  rm -rf "$real/$name/fetch"
  mkdir -p "$real/$name/fetch"
  (cd "$real/$name/fetch" && apt-get "${options[@]}" source "$package") >"$real/$name/fetch.log" 2>&1 ||
    die "apt-get source failed: $real/$name/fetch.log"
  (cd "$real/$name/fetch" && sed -n 's/^Version: //p' ./*.dsc | head -n 1) >"$real/$name/version"
  mv "$real/$name"/fetch/*/ "$real/$name/source"
}

compilers() {
  export CFLAGS='-O2 -g'
  case $config in
    native) CC=clang-19 CXX=clang++-19 ;;
    gcc-tsan) CC='gcc -fsanitize=thread' CXX='g++ -fsanitize=thread' ;;
    clang-tsan) CC='clang-19 -fsanitize=thread' CXX='clang++-19 -fsanitize=thread' ;;
    steward-gcc | steward-clang)
      [ -x "$steward" ] || die "no $steward: run make build, or give --steward"
      CC="$steward cc" CXX="$steward c++"
      if [ $config = steward-gcc ]; then
        export STEWARD_CC=gcc STEWARD_CXX=g++
      else
        export STEWARD_CC=clang-19 STEWARD_CXX=clang++-19
      fi
      ;;
    *) die "no such configuration; there are: ${configs[*]}" ;;
  esac
  export CC CXX CXXFLAGS=$CFLAGS
}

# checked COMMAND...: runs it under the configuration's detector, also in the background; its races, CPU time, wall time
# and peak memory go to a folder step.N. Fails unless the command's own exit code is 0 (or one of $accept).
checked() {
  local code=0 under=() n=1 step
  until mkdir "$out/step.$n" 2>/dev/null; do n=$((n + 1)); done
  step=$out/step.$n
  echo "$*" >"$step/command"
  case $config in
    steward-*) under=("$steward" run --exitcode 0 --no-color --log "$step/report" --json "$step/races.json") ;;
    *-tsan)
      TSAN_OPTIONS="exitcode=0 log_path=$step/report external_symbolizer_path=$(symbolizer)"
      export TSAN_OPTIONS="$TSAN_OPTIONS ${REAL_TSAN_OPTIONS:-}"
      ;;
  esac
  timeout --foreground -k 10 "$limit" /usr/bin/time -q -o "$step/time" -f '%U %S %e %M' "${under[@]}" "$@" || code=$?
  case " ${accept:-0} " in
    *" $code "*) ;;
    *) die "FAILED: exit code $code from: $*" ;;
  esac
}
symbolizer() { command -v llvm-symbolizer-19 || command -v llvm-symbolizer || true; }

# text BYTES SEED FILE: words, the same every time; compresses about as English does
text() {
  perl -e 'my ($n, $s, $i) = (@ARGV, 0); srand $s; my @w;
    push @w, join "", map { chr 97 + int rand 26 } 1 .. 2 + int rand 9 for 1 .. 4000;
    while ($i < $n) { my $l = join(" ", map { $w[int(rand() ** 3 * @w)] } 1 .. 12) . "\n";
      $l = substr $l, 0, $n - $i; print $l; $i += length $l }' "$1" "$2" >"$3"
}

# port: one nobody listens on
port() {
  perl -MIO::Socket::INET -e 'my $s = IO::Socket::INET->new(Listen => 1, LocalAddr => "127.0.0.1"); print $s->sockport'
}

# count: distinct races of the run
count() {
  case $config in
    steward-*)
      perl -MJSON::PP -e 'local $/; my $n = 0; $n += @{decode_json($_)->{races}} while <>; print $n' \
        "$out"/step.*/races.json
      ;;
    *-tsan) cat "$out"/step.*/report* 2>/dev/null | grep -c '^WARNING: ThreadSanitizer: data race' || true ;;
    *) echo - ;;
  esac
}

# build_row DIR: see --build
build_row() {
  src=$1/src
  cp -a "$real/$name/source" "$src"
  cd "$src"
  build
}

main() {
  local rebuild=0 row=
  while [ $# -gt 0 ]; do
    case $1 in
      --config) config=$2 && shift ;;
      --steward) steward=$(realpath "$2") && shift ;;
      --rebuild) rebuild=1 ;;
      --build) row=$(realpath "$2") && shift ;;
      --text) text $((input_bytes * $3 / 100)) 1 "$2" && exit 0 ;;
      --help) usage && exit 0 ;;
      *) usage >&2 && exit 2 ;;
    esac
    shift
  done
  mkdir -p "$real/$name"
  install dpkg-dev make perl time clang-19 libclang-rt-19-dev llvm-19 gcc g++ "${needs[@]}"
  fetch
  if [ -n "$row" ]; then
    build_row "$row"
    return
  fi
  compilers
  src=$real/$name/$config/src out=$real/$name/$config/run
  if [ $rebuild = 1 ] || [ ! -f "$src/.built" ]; then
    say "building version $(cat "$real/$name/version") with CC='$CC'"
    rm -rf "$real/$name/$config"
    mkdir -p "$real/$name/$config"
    cp -a "$real/$name/source" "$src"
    cd "$src"
    quietly "$real/$name/$config/build.log" build
    touch "$src/.built"
  fi
  rm -rf "$out"
  mkdir -p "$out/dir"
  cd "$out/dir"
  quietly "$out/output" workload
  awk -v name="$name" -v version="$(cat "$real/$name/version")" -v config="$config" -v races="$(count)" '
    { cpu += $1 + $2; wall += $3; if ($4 > peak) peak = $4 }
    END { printf "%s\t%s\t%s\t%.2f\t%.2f\t%.0f\t%s\n", name, version, config, cpu, wall, peak / 1024, races }' \
    "$out"/step.*/time >"$out/result"
  awk -F'\t' -v out="$out" '{ printf "%s [%s]: right; CPU %.2f s, wall %.2f s, peak %d MB, races reported: %s (%s)\n",
    $1, $3, $4, $5, $6, $7, out }' "$out/result"
}
