// Objects go from new to delete in threads with no order between them, aligned ones too.
// EXPECT: none
#include "../support/in_order.h"

struct Plain {
  long values[5];
};
struct alignas(64) Aligned {
  long values[8];
};

static void use() {
  for (int i = 0; i < 50; ++i) {
    Plain* p = new Plain();
    Aligned* q = new Aligned();
    int* r = new int[17];
    keep_address(p), keep_address(q), keep_address(r);
    p->values[2] = i, q->values[3] = i, r[4] = i;
    delete p;
    delete q;
    delete[] r;
  }
}

int main() { in_order3(use, use, use); }
