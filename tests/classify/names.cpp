// One access for each kind of name; the test reads the section steward_sites.
#include <atomic>
#include <thread>

namespace {
struct Hidden {
  int field;
  struct {
    int part;
  } nameless;
};
Hidden* hidden;
}  // namespace
namespace shop {
struct Price {
  int euros, cents;
};
struct Item {
  long id;
  Price price;
  std::atomic<int> stock;
};
class Till : public Item {
 public:
  int drawer = 0;
  static int count;
};
int Till::count = 0;
int table[4];
Item window;
Till* till;
}  // namespace shop
int plain;
int* heap;

int main(int argc, char**) {
  std::thread t([argc] {
    shop::till = new shop::Till;
    shop::till->drawer = argc;
    shop::till->price.cents = argc;
    shop::till->stock.store(argc);
    shop::Till::count = argc;
    shop::table[argc] = argc;
    shop::window.id = argc;
    plain = argc;
    hidden = new Hidden;
    hidden->field = argc;
    hidden->nameless.part = argc;
    heap = new int[4];
    heap[argc] = argc;
  });
  t.join();
  return hidden->field + hidden->nameless.part - 2 * argc;
}
