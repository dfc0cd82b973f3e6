#!/usr/bin/env bash
# x264: encodes 24 frames of moving shapes with two frame threads, then with two sliced threads. x264 does not decode: the
# stream of the frame threads must be the one a build without a detector makes. With sliced threads x264 has a race that
# changes the stream in one run of some 25 (docs/found.md): there it must have as many NAL units.
# Built with --disable-asm: assembly is not instrumented, and would hide most accesses.
. "$(dirname "$0")/common.sh"
package=x264
needs=()

build() {
  ./configure --disable-asm --disable-lavf --disable-swscale --disable-ffms --disable-gpac --disable-lsmash \
    --disable-avs --disable-opencl --bit-depth=8 --extra-cflags="$CFLAGS" && make -j "$jobs" x264
}

# video FILE: 24 frames of 176x144, I420, a bright square and a gradient that move
video() {
  perl -e 'my ($w, $h) = (176, 144); binmode STDOUT;
    for my $f (0 .. 23) { for my $y (0 .. $h - 1) { print pack "C*", map {
        my $in = abs($_ - 20 - 5 * $f) < 16 && abs($y - 30 - 3 * $f) < 16;
        $in ? 235 - ($_ ^ $y) % 32 : (($_ + $y + 2 * $f) * 3 + (($_ * 7 ^ $y * 13) & 15)) % 200 + 16 } 0 .. $w - 1 }
      for my $plane (0, 1) { for my $y (0 .. $h / 2 - 1) { print pack "C*", map { 96 + ($_ + $plane * $y + $f) % 64 } 0 .. $w / 2 - 1 } } }' >"$1"
}

units() { perl -e 'local $/; open my $in, "<:raw", $ARGV[0] or die; my $n = () = <$in> =~ /\x00\x00\x01/g; print $n' "$1"; }

workload() {
  video input.yuv
  local common=(--input-res 176x144 --fps 24 --preset medium --crf 24 --quiet --no-progress)
  checked "$src/x264" "${common[@]}" --threads 2 --lookahead-threads 2 -o frames.264 input.yuv
  checked "$src/x264" "${common[@]}" --threads 2 --sliced-threads -o slices.264 input.yuv
  sha256sum frames.264 slices.264
  [ -s frames.264 ] && [ -s slices.264 ]
  if [ $config = native ]; then
    cp frames.264 slices.264 "$real/$name/"
  else
    [ -f "$real/$name/frames.264" ] || "$0" --config native >&9
    same frames.264 "$real/$name/frames.264" "the stream of frame threads"
    [ "$(units slices.264)" = "$(units "$real/$name/slices.264")" ] || die "WRONG: the stream of sliced threads"
  fi
}
main "$@"
