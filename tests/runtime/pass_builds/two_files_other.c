long add(volatile long* cell, long i);

// Small enough that link-time optimisation puts it into its caller.
long add(volatile long* cell, long i) {
  *cell += 1;
  return i;
}
