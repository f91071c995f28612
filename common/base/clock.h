/* Time as it passes. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>

/* Nanoseconds of CLOCK_MONOTONIC (clock_gettime(2)). */
uint64_t clock_now_ns(void);

#endif
