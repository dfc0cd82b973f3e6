#!/usr/bin/env bash
# Line coverage of src/ by the tests, as text.
set -euo pipefail
cd "$(dirname "$0")/.."
cmake --preset coverage >/dev/null
cmake --build --preset coverage -j "${JOBS:-$(nproc)}"
ctest --preset coverage -j "${JOBS:-$(nproc)}" -LE slow
gcovr --root . --filter 'src/' --object-directory build/coverage -o build/coverage/report.txt build/coverage
tail -n 40 build/coverage/report.txt
echo "the whole report: build/coverage/report.txt"
