// What PACER asks of all threads at once, and notes of them.
#pragma once

#include "runtime/sample/sweep.h"
#include "runtime/thread/thread_state.h"

namespace steward::rt {

using OrderCounts = std::uint64_t[2][pacer::kOrderRules];  // while not sampling, while sampling

// Of what a thread did, for the sum over those that have ended.
void add_counts(OrderCounts& to, const ThreadState& t);

// The end of a thread's sampling.
void note_sampled(Epoch last);
// It waits for another's end; null: no longer.
void note_joining(ThreadState& t, ThreadState* child);

bool any_thread_lives();
std::uint64_t work_so_far();
void wake_threads(std::uint32_t period);  // each adopts it at its next access, if not before
// Who has received everything that was sampled: not all that are awake, all but idle ones
// (sample/idle.h), or all.
enum class Received { ByFew, ByTheAwake, ByAll };
// Also sets what all living threads have in common.
Received who_has_all(CommonPast& past);
// Has this one? For itself to ask.
bool has_all(const ThreadState& t);
// Of what was sampled nothing is left.
void forget_sampled();
void order_counts(OrderCounts& rules);
// Nothing sampled is left: no history will be asked for, of the living or the dead.
void forget_histories();
// Do all living threads come after that epoch? Of one slot, for its thread's history; no, if that
// cannot be told now.
bool is_behind_all(Epoch30 e);

}  // namespace steward::rt
