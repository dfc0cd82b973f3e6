// Figure 8: a shape is made by one thread; another draws it ten times, if it is there, and reads
// the pointer once to see and once to draw.
#include <cstdio>
#include <thread>

#include "meeting.h"

struct Circle {
  int radius;
  int draw() const { return radius; }
};
Circle* volatile shape = nullptr;  // so that it is read each time it says so
Circle* the_circle = nullptr;
Meeting made(2);

int main() {
  the_circle = new Circle{3};
  std::thread maker([] {
    shape = the_circle;
    made.wait();
  });
  int drawn = 0;
  std::thread painter([&] {
    made.wait();
    for (int i = 0; i < 10; ++i) {
      if (shape != nullptr) drawn += shape->draw() == 3 ? 1 : 100;
    }
  });
  maker.join();
  painter.join();
  std::printf("%s\n", drawn <= 10 ? "drawn" : "wrong shape");
}
