#!/usr/bin/env bash
# Installs the build into a fresh prefix, and the Debian package into another, and uses them as an
# outside project would.
#   install_test.sh BUILD_DIR
set -euo pipefail
build=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset STEWARD_LIBDIR STEWARD_CC STEWARD_CXX STEWARD_OPTIONS CC CXX

expect() { # CODE TEXT COMMAND...
  local want=$1 text=$2 code=0
  shift 2
  "$@" >out 2>&1 || code=$?
  if [ $code -ne "$want" ] || { [ -n "$text" ] && ! grep -qF -e "$text" out; }; then
    echo "FAILED: $*: exit code $code (expected $want), '$text'?"
    tail -n 30 out
    exit 1
  fi
}

cmake --install "$build" --prefix "$work/first" >/dev/null
# a prefix that was moved still works: nothing in it knows where it is
mv first prefix
prefix=$work/prefix
steward=$prefix/bin/steward
case $(cd / && ldd "$steward") in *"$build"*) echo "steward links into the build folder" && exit 1 ;; esac

expect 0 "a small program was built, and its race was found" "$steward" doctor
for compiler in gcc:g++ clang-19:clang++-19; do
  command -v "${compiler#*:}" >/dev/null || continue
  folder=outside-${compiler%:*}
  expect 0 "Build files have been written" cmake -S "$here/outside" -B "$folder" -DCMAKE_PREFIX_PATH="$prefix" \
    -DCMAKE_C_COMPILER="${compiler%:*}" -DCMAKE_CXX_COMPILER="${compiler#*:}" -DCMAKE_BUILD_TYPE=RelWithDebInfo
  expect 0 "" cmake --build "$folder"
  expect 66 "data race on global 'counter'" "$steward" run "$folder/racy"
  expect 66 "data race on global 'counter'" "$folder/racy" # by itself
  expect 0 "" "$folder/plain"
  expect 8 "0% tests passed" ctest --test-dir "$folder"
  expect 66 "counter.c" "$steward" report "$folder/steward-reports"
done
expect 1 "there is no tool 'none'" cmake -S "$here/outside" -B wrong -DCMAKE_PREFIX_PATH="$prefix" \
  -DCMAKE_PROJECT_INCLUDE="$here/wrong_tool.cmake"

if command -v pkg-config >/dev/null; then
  export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
  # shellcheck disable=SC2046
  gcc $(pkg-config --cflags steward) -c "$here/outside/counter.c" -o counter.o
  # shellcheck disable=SC2046
  g++ $(pkg-config --cflags steward) "$here/outside/main.cpp" counter.o -o racy $(pkg-config --libs steward)
  expect 66 "data race on global 'counter'" "$steward" run ./racy
fi

for command in "" -run -cc -c++ -record -analyze -convert -report -doctor; do
  page=$prefix/share/man/man1/steward$command.1
  [ -s "$page" ] || { echo "no manual page $page" && exit 1; }
  if command -v groff >/dev/null; then
    groff -man -Tascii -ww "$page" >page.txt 2>warnings
    [ ! -s warnings ] || { cat warnings && exit 1; }
  fi
done
expect 0 "baseline" grep -F baseline "$prefix/share/man/man1/steward-report.1"

cat >complete.sh <<EOF
. "$prefix/share/bash-completion/completions/steward"
complete_words() { COMP_WORDS=("\$@"); COMP_CWORD=\$((\$# - 1)); _steward; echo "\${COMPREPLY[*]}"; }
complete_words steward re
complete_words steward report --base
complete_words steward report --format m
complete_words steward run --report-style ""
EOF
bash complete.sh >out
printf 'record report\n--baseline\nmarkdown\ntext tsan\n' >want
diff want out

# The Debian package, unpacked: its tree is a prefix too.
if command -v dpkg-deb >/dev/null && command -v dpkg-shlibdeps >/dev/null; then
  (cd "$build" && cpack -G DEB -B "$work/deb") >out 2>&1 || { tail -n 20 out && exit 1; }
  deb=$(echo deb/*.deb)
  expect 0 "libsimdjson" dpkg-deb -f "$deb" Depends
  dpkg-deb -x "$deb" unpacked
  expect 0 "its race was found" unpacked/usr/bin/steward doctor
fi
echo "installed and used"
