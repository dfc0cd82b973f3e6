// A library that stores where it is told to, and counts in a variable of its own.
int library_counter;

void poke(int* place, int value) { *place = value; }
int count(void) { return ++library_counter; }
