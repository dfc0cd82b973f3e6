# Where output goes, and what happens when it cannot. Sourced by cli_test.sh.
# shellcheck shell=bash disable=SC2154,SC2016

if [ -w /dev/full ]; then
  check "full disk: races" 1 err="No space left on device" \
    -- sh_c '"$steward" analyze "$examples/account.std" >/dev/full'
  check "full disk: more than a buffer" 1 err="No space left on device" \
    -- sh_c '"$steward" analyze shop.std --json -d generic,fasttrack >/dev/full'
  check "full disk: help" 1 err="No space left on device" -- sh_c '"$steward" --help >/dev/full'
  check "full disk: convert" 1 err="No space left on device" \
    -- sh_c '"$steward" convert shop.std - >/dev/full'
fi
check "a reader that leaves early is no error" 0 silent-err out="{" \
  -- sh_c 'set +o pipefail; "$steward" analyze shop.std --json | head -n 1'
check "a reader that leaves early, SIGPIPE ignored" 0 silent-err out="{" \
  -- sh_c 'trap "" PIPE; set +o pipefail; "$steward" analyze shop.std --json -d generic,pacer:3% | head -n 1'

escape=$'\x1b'
check "colour: not in a pipe" 66 no-out="$escape" -- "$steward" analyze "$account"
check "colour: always" 66 out="${escape}[1;31mdata race" -- "$steward" analyze "$account" --color always
check "colour: never in JSON" 66 no-out="$escape" -- "$steward" analyze "$account" --color always --json
# A terminal, where there is a tool to make one.
if command -v script >/dev/null; then
  check "colour: on a terminal" 66 out="${escape}[1;31mdata race" \
    -- env TERM=xterm script -qec "'$steward' analyze '$account'" /dev/null
  check "colour: NO_COLOR" 66 no-out="$escape" out="data race on" \
    -- env TERM=xterm NO_COLOR=1 script -qec "'$steward' analyze '$account'" /dev/null
  check "colour: a dumb terminal" 66 no-out="$escape" out="data race on" \
    -- env TERM=dumb script -qec "'$steward' analyze '$account'" /dev/null
  check "colour: --color never" 66 no-out="$escape" out="data race on" \
    -- env TERM=xterm script -qec "'$steward' analyze '$account' --color never" /dev/null
fi
