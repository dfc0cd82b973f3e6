// Calls planner.c's library from all threads.
void plan(long n);

int main(void) {
#pragma omp parallel num_threads(4)
  for (int i = 0; i < 100; ++i) plan(i);
  return 0;
}
