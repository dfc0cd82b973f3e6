# Traces that are missing, broken, cut short or impossible. Sourced by cli_test.sh.
# shellcheck shell=bash disable=SC2154,SC2016

printf '' >empty.std
printf 'T1|w(V1)|A\nT2|w(V1)|B\nT1|frob(V1)|C\nT1|w(V2)\n' >broken.std
printf 'T1|w(V1)|A\nT1|frob(V1)|C\n' >broken_early.std

check "missing file" 1 err="steward analyze: nowhere.std: No such file or directory" silent-out \
  -- "$steward" analyze nowhere.std
check "a directory" 1 err="Is a directory" silent-out -- "$steward" analyze .
check "an empty file" 1 err="empty.std: expected a trace, found nothing" silent-out \
  -- "$steward" analyze empty.std
check "empty stdin" 1 err="<stdin>" -- "$steward" analyze -
check "a broken line is named" 1 err="broken.std:3: expected an operation" \
  -- "$steward" analyze broken.std
check "a broken line: races before it" 1 out="data race on V1" \
  out="1 distinct data race on 1 variable in the first 2 events of 2 threads" out="partial" \
  err="the result is partial: 2 events before this place were analysed" -- "$steward" analyze broken.std
check "a broken line: no race before it" 1 out="no data race in the first 1 event" out="partial" \
  -- "$steward" analyze broken_early.std
check "a broken line: stdin" 1 err="<stdin>:3:" -- sh_c '"$steward" analyze - <broken.std'
"$steward" analyze --json broken.std >json 2>err
json "a broken line: json is partial" /partial true
json "a broken line: json has the races" /races/0/variable V1
json "a broken line: json has the exit code" /exit_code 1
if "$json_check" /error <json | grep -q 'broken.std:3:'; then pass; else fail "json: error" "lacks the line"; fi

# -- Binary ----------------------------------------------------------------------------------------
# Large enough for several blocks; the race is in the first.
awk 'BEGIN {
  print "T1|w(V)|A"; print "T2|w(V)|B"
  for (i = 0; i < 200000; ++i) {
    x = (x * 1103515245 + 12345) % 2147483648
    print "T" i % 3 "|r(X" int(x / 1000) % 1000 ")|S" int(x / 7) % 97
  }
}' >long.std
"$steward" convert long.std long.trace 2>/dev/null
size=$(stat -c %s long.trace)
head -c $((size / 2)) long.trace >cut.trace
head -c 10 long.trace >stub.trace
cp long.trace flipped.trace
printf '\xa5\x5a\xa5\x5a' | dd of=flipped.trace bs=1 seek=$((size / 2)) conv=notrunc status=none

check "binary: whole" 66 out="1 distinct data race on 1 variable in 200,002 events of 3 threads" \
  silent-err -- "$steward" analyze long.trace
check "binary: cut in half" 1 out="data race on V: write at B by T2" out="the result is partial" \
  err="cut.trace: offset" err="partial" -- "$steward" analyze cut.trace
check "binary: cut in its header" 1 out="in the first 0 events" err="stub.trace" -- "$steward" analyze stub.trace
check "binary: a flipped byte" 1 out="data race on V: write at B by T2" out="partial" \
  err="flipped.trace: offset" -- "$steward" analyze flipped.trace
check "binary: cut, from a pipe" 1 out="data race on V" err="<stdin>: offset" \
  -- sh_c 'cat cut.trace | "$steward" analyze -'
"$steward" analyze --json cut.trace >json 2>err
json "binary: cut: json is partial" /partial true
json "binary: cut: json has the format" /trace/format binary

# -- Infeasible ------------------------------------------------------------------------------------
cat >infeasible.std <<'END'
T1|w(V1)|A
T2|w(V1)|B
T1|acq(L)
T2|acq(L)
T1|w(V2)|C
T2|w(V2)|D
END
printf 'T1|w(V1)|A\n' >unheld.std
for _ in 1 2 3 4 5; do echo 'T1|rel(L)' >>unheld.std; done
printf 'T1|join(T9)\n' >>unheld.std

check "infeasible: why, and where" 1 err="infeasible.std: event 4: T2 acquires L, which T1 holds" \
  err="--lenient" out="in the first 3 events" out="partial" -- "$steward" analyze infeasible.std
check "infeasible: races before, not after" 1 out="data race on V1" no-out="V2" \
  -- "$steward" analyze infeasible.std
"$steward" analyze --json infeasible.std >json 2>err
json "infeasible: json is partial" /partial true
check "lenient: goes on" 66 err="warning: infeasible.std: event 4: T2 acquires L" out="data race on V2" \
  out="2 distinct data races on 2 variables in 6 events" no-out="partial" \
  -- "$steward" analyze --lenient infeasible.std
check "lenient: no race" 0 out="no data race in 7 events" -- "$steward" analyze --lenient unheld.std
check "lenient: the first of a kind, and a count" 0 err="event 4:" no-err="event 5:" \
  err="warning: and 2 more like it (rel)" err="event 7: T1 joins T9" \
  -- "$steward" analyze --lenient unheld.std
"$steward" analyze --json --lenient unheld.std >json 2>err
json "lenient: json counts" /warnings/0/count 5
json "lenient: json keeps the first" /warnings/0/first/0 \
  "unheld.std: event 2: T1 releases L, which it does not hold"
json "lenient: json names the operation" /warnings/1/operation join
json "lenient: the result is whole" /partial false
cat >dead.std <<'END'
T1|fork(T2)
T2|end
T1|join(T2)
T2|w(V)|A
T1|w(V)|B
T1|fork(T2)
T1|fork(T1)
T2|r(V)|C
END
check "lenient: the dead act" 66 err="T2 acts after it was joined" out="data race on V" \
  -- "$steward" analyze --lenient -d generic,fasttrack,pacer:50%:period=2,literace dead.std
