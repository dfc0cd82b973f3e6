/* Steward's sampling, from within the program. Costs nothing and does nothing unless the program
 * runs under `steward run --sample`; needs no library. */
#ifndef STEWARD_SAMPLE_H
#define STEWARD_SAMPLE_H

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
int __steward_sample(double rate) __attribute__((weak));
#endif

/* Another rate, 0 to 1, from the next period on. 0 if it was taken up; -1 if the rate is none, or
 * nothing here samples. */
static inline int steward_sample(double rate) {
#if defined(__GNUC__)
  return &__steward_sample != 0 ? __steward_sample(rate) : -1;
#else
  (void)rate;
  return -1;
#endif
}

#ifdef __cplusplus
}
#endif
#endif
