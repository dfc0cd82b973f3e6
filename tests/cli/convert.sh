# Traces between text and binary. Sourced by cli_test.sh.
# shellcheck shell=bash disable=SC2154,SC2016

check "convert: to binary" 0 silent-out err="27 events, 3 threads" \
  -- "$steward" convert "$account" account.trace
check "convert: the races stay" 66 out="$two" -- "$steward" analyze account.trace
check "convert: so do the names" 66 \
  out="data race on owner: write at bank.c:51 by bob races with earlier read at bank.c:41 by ann" \
  -- "$steward" analyze account.trace
"$steward" convert "$account" first.std 2>/dev/null
"$steward" convert account.trace second.std 2>/dev/null
same "convert: text and binary hold the same" first.std second.std
"$steward" convert second.std again.trace 2>/dev/null
same "convert: binary to text to binary" account.trace again.trace
"$steward" convert account.trace - >third.std 2>/dev/null
same "convert: stdout is text" first.std third.std
check "convert: in a pipe" 66 out="$two" \
  -- sh_c '"$steward" convert "$examples/account.std" - --to binary 2>/dev/null | "$steward" analyze -'
check "convert: missing file" 1 err="nowhere.std" -- "$steward" convert nowhere.std x.trace
check "convert: no such folder" 1 err="No such file or directory" \
  -- "$steward" convert "$account" nowhere/x.trace
check "convert: a broken line is named" 1 err="broken.std:3:" -- "$steward" convert broken.std b.trace
check "convert: what came before it is kept" 66 out="in 2 events" -- "$steward" analyze b.trace
