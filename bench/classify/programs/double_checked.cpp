// Figure 2: a point made at its first use, by double-checked locking over a plain pointer.
#include <cstdio>
#include <mutex>
#include <thread>

#include "meeting.h"

struct Point {
  Point() : x(1), y(1) {}
  int x, y;
  static Point* p;
  static std::mutex lock;

  [[gnu::noinline]] static Point* get() {
    Point* t = p;
    if (t != nullptr) return t;
    std::lock_guard guard(lock);
    if (p == nullptr) p = new Point;
    return p;
  }
  static int slope() { return get()->y / get()->x; }
};
Point* Point::p = nullptr;
std::mutex Point::lock;
Meeting first_done(2);

int main() {
  int slopes[2];
  std::thread one([&] {
    slopes[0] = Point::slope();
    first_done.wait();
  });
  std::thread two([&] {
    first_done.wait();
    slopes[1] = Point::slope();
  });
  one.join();
  two.join();
  std::printf("%d %d\n", slopes[0], slopes[1]);
}
