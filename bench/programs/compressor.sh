# A program that compresses a text as a row of the benchmarks, the text as long as the row's scale says. What it writes
# is the same every time. Sourced by a row.sh, which defines row_compress DIR TEXT, the command, and row_decompress DIR.
# shellcheck shell=bash disable=SC2034
row_script=$ROW/../$(basename "$ROW").sh
row_sources=("$row_script" "$ROW/../common.sh" "$ROW/../compressor.sh")
row_build() { "$row_script" --build "$1"; }
row_command() {
  local text=$1/text-$2
  if [ ! -f "$text" ]; then
    "$row_script" --text "$text.new" "$2"
    mv "$text.new" "$text"
  fi
  row_compress "$1" "$text"
}
row_is_right() { row_decompress "$1" <"$3" | cmp -s - "$1/text-$2"; }
