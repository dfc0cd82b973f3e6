# What audit says of traces. Sourced by cli_test.sh.
# shellcheck shell=bash disable=SC2154,SC2016

traces=$source_dir/tests/traces
check "audit: memory used again" 0 silent-err out="no data race in 8 events" \
  out="Without your clear-history calls this run would have had 1 false report at 1 site; first one: write at 12 by T1 with earlier write at 3 by T0 (event 8), false." \
  out="Without your copy-history calls nothing would have changed in this run." out="NoClear" \
  -- "$steward" audit "$traces/memory.std"
check "audit: threads and system accesses" 0 out="data races, 1 report at 1 site in 17 events" \
  out="Without your thread switches this run would have had 1 missed report at 1 site; first one: read at 7 by T2 with earlier write at 3 by T1 (event 14), missed." \
  out="Without your system regions (for accesses) this run would have had 1 false report" \
  -- "$steward" audit "$traces/runtime.std"
check "audit: the table of two" 0 out="memory.std" out="runtime.std" out="F acc" no-out="Without" \
  -- "$steward" audit --table "$traces/memory.std" "$traces/runtime.std"
check "audit: a program that cannot be recorded" 1 err="not built with -fsanitize=thread" silent-out \
  -- "$steward" audit "$steward"
check "audit: no such trace" 1 err="none.trace" silent-out -- "$steward" audit none.trace
check "audit: nothing given" 2 err="TRACE" -- "$steward" audit
printf 'T1|acq(L)\nT2|acq(L)\n' >two_holders.std
check "audit: infeasible" 1 err="event 2" err="the result is partial" -- "$steward" audit two_holders.std
"$steward" audit --json "$traces/memory.std" >json 2>err
json "audit json: version" /version 1
json "audit json: name" /traces/0/detectors/3/name NoClear
json "audit json: false" /traces/0/detectors/3/false/accesses 1
json "audit json: missed" /traces/0/detectors/3/missed/accesses 0
json "audit json: first" /traces/0/detectors/3/false/first/event 8
json "audit json: exit code" /exit_code 0
