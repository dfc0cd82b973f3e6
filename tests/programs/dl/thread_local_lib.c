// A library with a large thread-local array, which the loader allocates at its first use.
static __thread int cells[1000];

int touch(int value) {
  for (int i = 0; i < 1000; ++i) cells[i] += value;
  return cells[999];
}
