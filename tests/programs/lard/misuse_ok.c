// Every misuse is told and has no other effect: the program still has no race, and its own regions
// and threads are as they were.
// EXPECT: none
// STDOUT: done
#include <stdio.h>

#include "../../../include/steward/lard.h"
#include "../support/in_order.h"

ALONE char memory[64];
ALONE int field, lock;
static steward_lard_thread here, fiber;

static void first(void) {
  steward_lard_system_end();
  steward_lard_copy_history(memory, memory + 8, 16);
  steward_lard_thread_switch(here + 1000);
  steward_lard_thread_switch(here);
  steward_lard_thread_end(here);
  steward_lard_thread_end(here + 1000);
  steward_lard_write_vc(steward_lard_clock_self(), 0);
  steward_lard_write_vc(12345, 7);
  steward_lard_acquire(0);
  steward_lard_clear_history((void*)-8, 64);
  steward_lard_thread_end(fiber);
  steward_lard_thread_end(fiber);
  field = 1;
  steward_lard_release(&lock);
}
static void second(void) {
  steward_lard_acquire(&lock);
  field = 2;
}

int main(void) {
  here = steward_lard_thread_self();
  fiber = steward_lard_thread_create("fiber");
  in_order(first, second);
  puts("done");
  return 0;
}
