# Help, version, and what is said to a wrong command line. Sourced by cli_test.sh.
# shellcheck shell=bash disable=SC2154,SC2016

check "no arguments: help" 0 out="Usage: steward" out="analyze" out="convert" silent-err -- "$steward"
check "--help" 0 out="Exit codes: 0 no race, 66 races found" silent-err -- "$steward" --help
check "-h" 0 out="Usage: steward" -- "$steward" -h
check "--version" 0 out="steward 0." silent-err -- "$steward" --version
check "analyze --help: options" 0 out="--max-races" out="--lenient" out="--json" out="--seed" \
  silent-err -- "$steward" analyze --help
check "analyze --help: detectors" 0 out="pacer:RATE" out="burst=N" -- "$steward" analyze --help
check "convert --help" 0 out="Convert a trace" out="--to" -- "$steward" convert --help
check "--detector help: needs no trace" 0 out="pacer:RATE" out="literace" silent-err \
  -- "$steward" analyze --detector help

check "unknown command: near one" 2 err="unknown command 'analyse' (did you mean 'analyze'?)" \
  silent-out -- "$steward" analyse x
check "unknown command: the start of one" 2 err="did you mean 'convert'?" -- "$steward" conv
check "unknown command: near none" 2 err="unknown command 'frobnicate'" no-err="did you mean" \
  err="steward --help" -- "$steward" frobnicate
check "unknown command: empty" 2 err="unknown command ''" -- "$steward" ""
check "unknown option" 2 err="--nope" silent-out -- "$steward" --nope
check "analyze: no trace" 2 err="steward analyze: TRACE is required" -- "$steward" analyze
check "analyze: two traces" 2 err="not expected" -- "$steward" analyze a b
check "analyze: unknown option" 2 err="--nope" err="steward analyze --help" -- "$steward" analyze a --nope
check "analyze: unknown detector" 2 err="unknown detector 'eraser'" err="known: fasttrack" silent-out \
  -- "$steward" analyze a --detector eraser
check "analyze: unknown setting" 2 err="unknown setting 'colour=red' in detector 'pacer:colour=red'" \
  -- "$steward" analyze a --detector pacer:colour=red
check "analyze: rate above 100%" 2 err="between 0% and 100%" -- "$steward" analyze a -d pacer:101%
check "analyze: no detector" 2 err="unknown detector ''" -- "$steward" analyze a -d ""
check "analyze: one of a list is unknown" 2 err="unknown detector 'x'" \
  -- "$steward" analyze a -d fasttrack,x
check "analyze: seed is no number" 2 err="--seed" -- "$steward" analyze a --seed abc
check "analyze: seed is too large" 2 err="--seed" -- "$steward" analyze a --seed 18446744073709551616
check "analyze: negative --max-races" 2 err="--max-races: expected a whole number below 2^64, found '-1'" -- "$steward" analyze a --max-races=-1
check "analyze: unknown colour wish" 2 err="blue not in {auto,always,never}" \
  -- "$steward" analyze a --color blue
check "convert: one file" 2 err="OUT is required" -- "$steward" convert a
check "convert: unknown format" 2 err="xml not in" -- "$steward" convert a b --to xml
