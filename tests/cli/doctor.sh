# 'steward doctor', but for the trial, which needs the live detector. Sourced by cli_test.sh.
# shellcheck shell=bash disable=SC2154,SC2016

check "doctor: this machine" 0 out="runtime" out="compiler" out="plugin" out="ASLR" out="ptrace" \
  no-out="BAD" -- "$steward" doctor --no-trial
check "doctor: no such program" 1 out="BAD" out="No such file" -- "$steward" doctor --no-trial ./none
cp /bin/true plain
check "doctor: not instrumented" 1 out="was not built with -fsanitize=thread; rebuild with: steward c++" \
  out="1 thing must be mended" -- "$steward" doctor --no-trial ./plain
check "doctor: colour when wanted" 0 out="$(printf '\033')[32mok" -- "$steward" doctor --no-trial --color always
# a sanitizer's own shadow would not fit either
if sh_c 'ulimit -v 4000000; $steward --version' >/dev/null 2>&1; then
  check "doctor: an address space too small" 1 out="ulimit -v unlimited" \
    -- sh_c 'ulimit -v 4000000; $steward doctor --no-trial'
fi
