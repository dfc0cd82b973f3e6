// One green thread that moves between kernel threads does not race with itself.
// EXPECT: none
// FLAGS: -lboost_context
#include "green_threads.h"

#include "../support/in_order.h"

ALONE int x;
static GreenThread* thread;

static void resume_here() { thread->run(); }
static void resume_there() { thread->run(); }

int main() {
  GreenThread a("a", [](GreenThread& self) {
    for (int i = 0; i < 3; ++i) {
      x = x + i;
      self.yield();
    }
  });
  thread = &a;
  in_order3(resume_here, resume_there, resume_here);
  a.run();
  return 0;
}
