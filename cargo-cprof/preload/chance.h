/* Chance, without the C library's mathematics. */
#ifndef PRELOAD_CHANCE_H
#define PRELOAD_CHANCE_H

#include <stdint.h>

/*
 * How many bytes to the next one that is picked, where one of `interval` is in the mean; 0 where all are.
 * `random` is never 0.
 */
int64_t chance_draw_bytes(uint64_t *random, uint64_t interval);

/* 1 - exp(-x) of x above 0. */
double chance_of(double x);

#endif
