# The simulator's command line. Sourced by cli_test.sh.
# shellcheck shell=bash disable=SC2154,SC2016

check "simulate: races, three machines, the parameters" 66 out="fasttrack" out="radish" \
  out="race at event 18: write of 8 bytes at owner by bob at bank.c:51" out="l3.size=16M" \
  out="per 1,000 instructions" silent-err -- "$steward" simulate "$account"
check "simulate: no race" 0 no-out="race at event" -- sh_c 'printf "T0|w(V)\n" | "$steward" simulate -'
check "simulate: a flag" 66 out="machine.cores=2*" out="l3.size=4M*" \
  -- "$steward" simulate "$account" --cores 2 --l3 4M
printf '[l3]\nsize = "8M"\n[machine]\ncores = 4\n' >m.toml
check "simulate: a file, --set over it, a flag over both" 66 out="l3.size=8M*" \
  out="machine.cores=3*" out="l1.latency=2*" \
  -- "$steward" simulate "$account" --config m.toml --set l1.latency=2 --set machine.cores=5 --cores 3
check "simulate: one machine" 66 no-out="fasttrack   " \
  -- "$steward" simulate "$account" --machines radish
check "simulate: a sweep" 66 out="l3.size" out="64M" \
  -- "$steward" simulate "$account" --sweep l3.size=4M,64M
check "simulate: parameters" 0 out="radish.hardware_check" out="cycles of a hardware race check" \
  -- "$steward" simulate --parameters
check "simulate: help" 0 out="--figures" -- "$steward" simulate --help

check "simulate: no cores" 2 err="steward simulate: machine.cores: a machine needs at least one core" \
  silent-out -- "$steward" simulate "$account" --cores 0
check "simulate: ways that do not divide" 2 err="l1.size: 64K bytes do not divide into 7 ways" \
  -- "$steward" simulate "$account" --set l1.ways=7
check "simulate: an unknown key" 2 err="unknown key 'l4.size'" \
  -- "$steward" simulate "$account" --set l4.size=5
printf '[l3]\nways = many\n' >bad.toml
check "simulate: a bad file" 2 err="bad.toml:2: l3.ways: expected a whole number, found 'many'" \
  -- "$steward" simulate "$account" --config bad.toml
check "simulate: no such file" 2 err="none.toml: No such file" \
  -- "$steward" simulate "$account" --config none.toml
check "simulate: a sweep with a bad value" 2 err="l3.size: 5M bytes" silent-out \
  -- "$steward" simulate "$account" --sweep l3.size=4M,5M
check "simulate: a sweep of a pipe" 2 err="give a file" \
  -- "$steward" simulate - --sweep l3.size=4M,8M
check "simulate: an unknown machine" 2 err="found 'pacer'" \
  -- "$steward" simulate "$account" --machines pacer

check "simulate: no such trace" 1 err="nowhere.std: No such file or directory" silent-out \
  -- "$steward" simulate nowhere.std
check "simulate: a truncated trace, to its end" 1 out="cut.trace" out=": partial" \
  err="the result is partial" out="radish" -- "$steward" simulate cut.trace
check "simulate: a broken line" 1 err="broken.std:3: expected an operation" \
  err="2 events before this place were simulated" out="partial" -- "$steward" simulate broken.std
printf 'T0|acq(L)\nT1|acq(L)\n' >infeasible.std
check "simulate: infeasible" 1 err="event 2: T1 acquires L" err="--lenient" \
  -- "$steward" simulate infeasible.std
check "simulate: lenient" 0 -- "$steward" simulate infeasible.std --lenient

"$steward" simulate "$account" --format json >json 2>err
json "simulate json: exit code" /exit_code 66
json "simulate json: races" /traces/0/machines/2/counts/racy_accesses 2
json "simulate json: a parameter" /parameters/l3.size 16M
check "simulate: csv" 66 out="trace,machine,parameter,value,partial,cycles,overhead,events" \
  out=",radish,l3.size,8M,no," -- "$steward" simulate "$account" --format csv --sweep l3.size=8M

"$steward" simulate "$account" --figures figs --set run.sample=10 >out 2>err
for f in figure7 figure8 figure9 figure10 figure11-account; do
  if grep -q '^</svg>' "figs/$f.svg" 2>/dev/null; then pass; else fail "simulate: $f" "no figure"; fi
done
check "simulate: figures where nothing can be written" 1 err="/dev/null/x" \
  -- "$steward" simulate "$account" --figures /dev/null/x
check "simulate: the example file is the default machine" 66 no-out="* " \
  -- "$steward" simulate "$account" --config "$examples/radish.toml"
