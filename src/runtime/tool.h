// Which detector this library is. The sources are one; a library is built for each tool, so that no
// access asks at run time.
#pragma once

#ifndef STEWARD_SAMPLES
#define STEWARD_SAMPLES 0
#endif
#ifndef STEWARD_BURSTS
#define STEWARD_BURSTS 0
#endif
#ifndef STEWARD_TRACES
#define STEWARD_TRACES 0
#endif
#ifndef STEWARD_LOCKSET
#define STEWARD_LOCKSET 0
#endif

namespace steward::rt {

// PACER: FastTrack in periods chosen by chance, and checks against what was sampled in between.
inline constexpr bool kSamples = STEWARD_SAMPLES != 0;
// LiteRace: FastTrack in some executions of a function, fewer the more often it runs.
inline constexpr bool kBursts = STEWARD_BURSTS != 0;
// Locksets in place of FastTrack's verdicts; its cells tell which accesses need not be looked at.
inline constexpr bool kLockset = STEWARD_LOCKSET != 0;
// The recorder: no checks and no clocks, every event goes into a trace (runtime/trace/).
inline constexpr bool kTraces = STEWARD_TRACES != 0;
static_assert(kSamples + kBursts + kLockset + kTraces <= 1);

}  // namespace steward::rt
