# 'steward report': merging, formats, baselines, exit codes. Sourced by cli_test.sh.
# shellcheck shell=bash disable=SC2154,SC2016

make_reports=$source_dir/tests/report/make_reports.py
validate() { # NAME SCHEMA FILE...: against a JSON schema, if there is a validator
  local name=$1
  shift
  /usr/bin/python3 "$source_dir/tests/report/validate.py" "$@" >out 2>err
  case $? in
    0 | 77) pass ;;
    *) fail "$name" "does not validate" ;;
  esac
}

"$make_reports" many --runs 40 --races 10 --per-run 3 --verdicts
"$make_reports" shifted --runs 10 --races 10 --per-run 10 --shift 25 --seed 2
"$make_reports" more --runs 3 --races 12 --per-run 12
"$make_reports" sampled --runs 50 --races 4 --per-run 1 --rate 0.25

check "report: text" 66 out="steward: data race on" out="verdict: destructive: a run crashed" \
  out="seen in 12 of 40 runs; happens in about 30% of runs (95%: 17% to 47%)" \
  out="steward: 10 data races (4 destructive, 3 no harm seen, 3 not exercised) in 40 runs" silent-err \
  -- "$steward" report many
check "report: json" 66 err="10 data races" -- "$steward" report many -f json -o json
json "report: fields of a merged report" /batches/0/runs 40
json "report: runs of a race" /races/0/seen/0/runs 12
cp json json.many
check "report: json of json" 66 -- "$steward" report json -f json -o json2
same "report: merging what is merged changes nothing" json json2
validate "report: json" "$source_dir/docs/report.schema.json" json
check "report: files of all kinds together" 66 out="in 43 runs" -- "$steward" report json more/run0000*.json
check "report: sampled runs" 66 out="seen in 13 of 50 runs at a sampling rate of 25%; happens in about 100% of runs (95%: 59% to 100%)" \
  -- "$steward" report sampled
check "report: markdown" 66 out="| race | | on | access | earlier access | runs |" out="<details>" \
  -- "$steward" report many -f markdown
check "report: no colour into a file" 66 no-out="$(printf '\033')" -- "$steward" report many
check "report: colour when wanted" 66 out="$(printf '\033')[1;31mdata race" -- "$steward" report many --color always

check "baseline: nothing new after a rebuild with other lines" 0 out="known from the baseline" \
  out="(0 new) in 10 runs" -- "$steward" report shifted --baseline many
check "baseline: new races" 66 out="(2 new)" out="  new; seen in 3 of 3 runs" \
  -- "$steward" report more --baseline json
check "baseline: what was not seen" 0 \
  out="6 of the baseline's races were not seen; a race in more than 23% of runs would have been (95%)" \
  -- "$steward" report sampled --baseline json
check "baseline: not there" 1 err="baseline: none.json: No such file" silent-out \
  -- "$steward" report many --baseline none.json
check "fail-on destructive" 66 -- "$steward" report many --fail-on destructive
check "fail-on destructive: none is" 0 out="10 data races in 10 runs" -- "$steward" report shifted --fail-on destructive
check "fail-on nothing" 0 -- "$steward" report many --fail-on nothing
echo 'race:^store_' >supp
check "report: suppressions" 0 out="0 data races in 40 runs; " -- "$steward" report many --suppressions supp

check "report: no file" 2 err="FILE is required" -- "$steward" report
check "report: unknown format" 2 err="xml not in" -- "$steward" report many -f xml
check "report: a file that is not there" 1 err="none.json: No such file" silent-out -- "$steward" report none.json
check "report: an empty folder" 1 err="a folder without reports" -- sh_c 'mkdir -p empty; $steward report empty'
check "report: output that cannot be written" 1 err="no/such: No such file" -- "$steward" report many -o no/such
head -c 3000 many/run00000.json >cut.json
: >void.json
check "report: broken files are named, the others are used" 66 \
  err="cut.json: not JSON, or cut short" err="void.json: empty; was 'steward run' killed" \
  out="3 data races" out="incomplete" -- "$steward" report cut.json many/run00001.json void.json
check "report: a broken file is a failure even without races" 1 out="0 data races" \
  -- "$steward" report cut.json many/run00001.json --suppressions supp

# Raw records of a program that was killed in the middle of a line.
mkdir -p left
{
  echo '{"type":"start","version":1,"pid":7,"tool":"pacer","exe":"/no/app","args":["./app","x y"],"sampling_rate":0.5}'
  echo '{"type":"thread","id":1,"os":8,"parent":0,"stack":[]}'
  echo '{"type":"race","address":"0x10","size":4,"accesses":[{"kind":"write","address":"0x10","size":4,"thread":1,"stack":["0x500"]},{"kind":"read","address":"0x10","size":4,"thread":0,"stack":["0x600"]}],"memory":{"kind":"unknown"}}'
  printf '{"type":"race","address":"0x20","si'
} >left/r.7
check "report: records of a killed program" 66 out="data race on 0x10: write by T1" \
  out="1 data race" out="the report is incomplete" -- "$steward" report left/r.7
check "report: what a killed 'steward run' left behind" 66 err="1 data race" -- "$steward" report left -f json -o json
json "report: records bring their rate" /batches/0/sampling_rate 0.5
json "report: records bring their command" /batches/0/command/1 "x y"

# SARIF, against its official schema.
sarif_schema=$source_dir/tests/report/sarif-2.1.0.schema.json
check "sarif: written" 66 err="12 data races (2 new" -- "$steward" report more --baseline json.many -f sarif -o json
validate "sarif: the schema" "$sarif_schema" json
json "sarif: the baseline" /runs/0/results/0/baselineState new
json "sarif: both threads are in the flow" /runs/0/results/0/codeFlows/0/threadFlows/1/id "T2 'worker'"
json "sarif: the innermost frame is last" /runs/0/results/0/codeFlows/0/threadFlows/0/locations/2/importance essential
json "sarif: the earlier access is related" /runs/0/results/0/relatedLocations/0/id 1
check "sarif: races with verdicts" 66 -- "$steward" report many -f sarif -o json
validate "sarif: verdicts" "$sarif_schema" json
check "sarif: raw records" 66 -- "$steward" report left -f sarif -o json
validate "sarif: frames without names" "$sarif_schema" json
check "sarif: no race at all" 0 -- "$steward" report many --suppressions supp -f sarif -o json
validate "sarif: no race at all" "$sarif_schema" json
json "sarif: no race at all is an array" /runs/0/results '[]'
echo '{"version": "2.1.0", "runs": [{"results": 3}]}' >wrong.sarif
if /usr/bin/python3 -c 'import jsonschema' 2>/dev/null; then
  check "sarif: the validator tells wrong from right" 1 out="runs/0" \
    -- /usr/bin/python3 "$source_dir/tests/report/validate.py" "$sarif_schema" wrong.sarif
fi
