#!/usr/bin/env bash
# The HTML report in headless Chromium: it opens, filters, expands, answers the keyboard, and nothing
# goes wrong in its console.
#   html_test.sh STEWARD          exit code 77: no Chromium
set -euo pipefail

steward=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [ -z "$browser" ]; then
  echo "no Chromium here"
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# opened NAME: the page after its script and the steps of html_steps.js, as the browser has it
opened() {
  # listens before the page's own script, and acts after it
  sed -e 's|^<script type="application/json"|<script>window.faults = []; window.onerror = (m) => { faults.push(m); };\nconsole.error = (...m) => faults.push(m.join(" "));\naddEventListener("securitypolicyviolation", (e) => faults.push("blocked: " + e.blockedURI));</script>\n&|' \
    "$1.html" >page.html
  { echo '<script>'; cat "$here/html_steps.js"; echo '</script>'; } >>page.html
  timeout 120 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage \
    --user-data-dir="$work/profile" --window-size="${2:-1280,900}" --virtual-time-budget=4000 \
    --dump-dom "file://$work/page.html" 2>browser.log >dom.html
  sed -n 's/.*<pre id="steps">//; /^STEP/,/^END/p' dom.html >steps
  if ! grep -q '^END' steps; then
    echo "$1: the steps did not come to their end:"
    head -c 2000 steps
    tail -n 5 browser.log
    exit 1
  fi
  if grep -q '^STEP .*: FAILED' steps; then
    echo "$1:"
    cat steps
    exit 1
  fi
  grep -c '^STEP' steps | sed "s|^|$1: steps that went well: |"
  grep '^TIME' steps || true
}

report() { # NAME ARGUMENT...
  local name=$1 code=0
  shift
  "$steward" report "$@" --format html -o "$name.html" 2>/dev/null || code=$?
  if [ $code -ne 66 ] && [ $code -ne 0 ]; then
    echo "steward report $*: exit code $code"
    exit 1
  fi
}

"$here/make_reports.py" few --runs 20 --races 12 --per-run 5 --verdicts --source
"$here/make_reports.py" known --runs 1 --races 9 --source
"$here/make_reports.py" many --runs 50 --races 1000 --per-run 100 --verdicts --source
"$here/make_reports.py" one --runs 1 --races 1
"$here/make_reports.py" none --runs 1 --races 1
echo 'race:*' >all.supp

report few few --baseline known
opened few
opened few 390,800 # a phone
report many many
opened many
report one one
opened one
report none none --suppressions all.supp
opened none

# names that are no markup: a </script> in a report ends nothing
sed -e 's|task_0()|</script><img src=x onerror=alert(1)>|; s|"store_|"<b>\&amp;store_|' one/run00000.json >hostile.json
report hostile hostile.json
opened hostile
echo "all pages are fine"
