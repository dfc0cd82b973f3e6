// A thread-local object's destructor runs before the thread is joined.
// EXPECT: none
#include <thread>

int x;

struct AtEnd {
  int mine = 1;
  ~AtEnd() { x += mine; }
};
thread_local AtEnd at_end;

int main() {
  for (int i = 0; i < 5; ++i) std::thread([] { at_end.mine = 2; }).join();
  return x == 10 ? 0 : 1;
}
