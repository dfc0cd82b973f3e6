# What analyze finds and prints. Sourced by cli_test.sh.
# shellcheck shell=bash disable=SC2154,SC2016

account=$examples/account.std
two="SUMMARY: 2 distinct data races on 2 variables in 27 events of 3 threads (detector fasttrack)"
cat >ordered.std <<'END'
T1|w(V1)|A
T1|fork(T2)
T2|w(V1)|B
END
printf 'T1|w(V1)\nT2|w(V1)\nT3|r(V1,4)\n' >no_sites.std
printf '# nothing but a comment\n' >comment.std

check "two races" 66 silent-err out="$two" \
  out="data race on owner: write at bank.c:51 by bob races with earlier read at bank.c:41 by ann" \
  out="data race on balance: write at bank.c:60 by bob races with earlier write at bank.c:60 by ann" \
  out="    8 bytes at event 18" out="    found by fasttrack (1 time)" -- "$steward" analyze "$account"
check "the pair under one lock is no race" 66 no-out="visits" -- "$steward" analyze "$account"
check "one detector: no table" 66 no-out="peak" -- "$steward" analyze "$account"
check "no race" 0 silent-err \
  out="SUMMARY: no data race in 3 events of 2 threads (detector fasttrack)" \
  -- "$steward" analyze ordered.std
check "no events" 0 out="SUMMARY: no data race in 0 events of 0 threads" -- "$steward" analyze comment.std
check "no sites" 66 out="data race on V1: write by T2 races with earlier write by T1" \
  -- "$steward" analyze no_sites.std
check "a part of a variable" 66 out="4 bytes at event 3" -- "$steward" analyze no_sites.std

check "stdin" 66 out="$two" -- sh_c '"$steward" analyze - <"$examples/account.std"'
check "stdin: a pipe" 66 out="$two" -- sh_c 'cat "$examples/account.std" | "$steward" analyze -'
check "--quiet: the summary alone" 66 out="$two" no-out="data race on" \
  -- "$steward" analyze --quiet "$account" -d fasttrack --stats
check "--max-races 1" 66 out="on owner" no-out="on balance" out="and 1 more (--max-races 2 lists all)" \
  out="$two" -- "$steward" analyze "$account" --max-races 1
check "--max-races 0" 66 no-out="data race on" out="and 2 more" -- "$steward" analyze "$account" --max-races 0
check "--detector twice" 66 out="(detectors fasttrack, generic)" \
  -- "$steward" analyze "$account" -d fasttrack -d generic

check "comparison" 66 out="share of" out="peak" \
  out="found by generic (1 time), fasttrack (1 time), literace (1 time)" \
  out="(detectors generic, fasttrack, literace)" \
  -- "$steward" analyze "$account" --detector generic,fasttrack,literace
check "--stats: fasttrack's rules" 66 out="write exclusive" out="acquire" out="peak" \
  -- "$steward" analyze "$account" --stats
check "--stats: pacer as in the paper" 66 out="VC joins" out="VC copies" out="not sampling" \
  out="copy deep (7.1)" -- "$steward" analyze "$account" --stats -d pacer:100%
check "pacer:0% finds nothing" 0 out="no data race" -- "$steward" analyze "$account" -d pacer:0%

# -- lockset ----------------------------------------------------------------------------------------
lockset=$examples/lockset.std
check "lockset: Figure 1" 66 silent-err \
  out="no common lock on 0x1010: read at account:14 by dec and earlier write at account:8 by inc" \
  out="locks held: no lock; earlier {monitor}; common to all accesses before: {monitor}" \
  out="a happens-before race in this run: not asked" \
  out="SUMMARY: 2 pairs of accesses without a common lock on 2 variables" no-out="data race" \
  -- "$steward" analyze "$lockset" -d lockset
check "lockset: initialised, then handed over" 66 no-out="message" no-out="0x2000" \
  -- "$steward" analyze "$lockset" -d lockset
check "lockset beside fasttrack" 66 out="a happens-before race in this run: yes" \
  out="no common lock on total" \
  out="a happens-before race in this run: no: something other than a common lock orders them" \
  out="SUMMARY: 2 distinct data races and 1 pair of accesses without a common lock on 2 variables" \
  -- "$steward" analyze "$lockset" -d lockset,fasttrack
check "lockset: edges" 66 out="shared modified -> conflict" -- "$steward" analyze "$lockset" -d lockset --stats
check "lockset: the write barrier" 66 out="owned -> escaped (reference stored)" \
  -- "$steward" analyze "$lockset" -d lockset:barrier=write --stats
check "lockset: a special thread" 66 no-out="0x1010" out="no common lock on total" \
  -- "$steward" analyze "$lockset" -d lockset:exclude=T1048578
"$steward" analyze "$lockset" --json -d lockset,fasttrack >json 2>err
json "json: lockset, first" /races/0/lockset/first_held/0 monitor
json "json: lockset, happens-before" /races/0/lockset/happens_before_race pair

"$examples/make_shop.sh" >shop.std
# -- JSON ------------------------------------------------------------------------------------------
"$steward" analyze "$account" --json -d generic,fasttrack,pacer:100%,literace --stats >json 2>err
json "json: version" /version 1
json "json: complete" /partial false
json "json: no error" /error null
json "json: exit code" /exit_code 66
json "json: events" /trace/events 27
json "json: threads" /trace/threads 3
json "json: format" /trace/format text
json "json: variable" /races/0/variable owner
json "json: second access" /races/0/second/site bank.c:51
json "json: first access" /races/0/first/access read
json "json: event, from 1" /races/0/event 18
json "json: found by" /races/1/found_by/3/detector literace
json "json: union" /distinct_races 2
for i in 0 1 2 3; do
  json "detectors agree: $i" /detectors/$i/distinct_races 2
  json "detectors agree: $i by fasttrack" /detectors/$i/share_of_fasttrack 1.0
done
json "json: Table 3" /detectors/2/pacer/copies/sampling/deep 4
json "json: literace analyses all synchronisation" /detectors/3/sampled_syncs 12

"$steward" analyze "$account" --json --quiet >json
json "json: quiet changes nothing" /races/1/variable balance
"$steward" analyze no_sites.std --json >json
json "json: no site" /races/0/first/site null
printf 'T1|w(\xff)\nT2|w(\xff)\n' >latin.std
"$steward" analyze latin.std --json >json
json "json: a name that is not UTF-8" /distinct_races 1

# A period of 5 events covers both accesses of the first pair and neither of the second.
cat >periods.std <<'END'
*|sbegin
T1|w(A)|1
T2|w(A)|2
*|send
T1|w(B)|3
T2|w(B)|4
END
"$steward" analyze periods.std --json -d fasttrack,pacer:trace >json
json "pacer:trace: only what was sampled" /detectors/1/distinct_races 1
json "pacer:trace: half of fasttrack's" /detectors/1/share_of_fasttrack 0.5
json "pacer:trace: sampled accesses" /detectors/1/sampled_accesses 2
json "pacer:trace: sampled syncs are not counted" /detectors/1/sampled_syncs null

# -- Seeds -----------------------------------------------------------------------------------------
races_of() { "$steward" analyze shop.std --json "$@" | "$json_check" /races; }
list=pacer:25%,literace,pacer:10%:scope=thread
races_of -d $list >races1
races_of -d $list >races2
same "the same command finds the same races" races1 races2
races_of -d pacer:25%:seed=7 | sed 's/pacer:25%:seed=7/pacer:25%/g' >races1
races_of -d pacer:25% --seed 7 >races2
same "--seed is the detectors' seed" races1 races2
races_of -d pacer:25% --seed 8 >races1
if cmp -s races1 races2; then fail "another seed" "finds the same races"; else pass; fi
"$steward" analyze shop.std --json -d pacer:25%:seed=3,literace --seed 9 >json
json "--seed overrides: pacer" /detectors/0/seed 9
json "--seed overrides: literace" /detectors/1/seed 9
"$steward" analyze shop.std --json -d pacer:100%,fasttrack >json
json "pacer:100% is fasttrack: distinct" /detectors/0/share_of_fasttrack 1.0
json "pacer:100% is fasttrack: dynamic" /detectors/0/dynamic_races \
  "$("$json_check" /detectors/1/dynamic_races <json)"
