/* Time as it passes. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>
#include <sys/types.h>
#include <time.h>

/* A time that is not negative, in nanoseconds. */
uint64_t clock_ns_of(struct timespec time);

/* Microseconds, not negative, as ppoll(2) takes them. */
struct timespec clock_time_of_us(int64_t time_us);

/* Nanoseconds of CLOCK_MONOTONIC (clock_gettime(2)). */
uint64_t clock_now_ns(void);

/* How much of the processors a process has taken (clock_getcpuclockid(3)); 0 when there is no such process.
 */
uint64_t clock_cpu_ns_of_process(pid_t pid);

/*
 * What CLOCK_REALTIME would have shown, in nanoseconds since 1970, when `clock` showed `then_ns`; as far as
 * nobody has set it since.
 */
uint64_t clock_unix_ns(clockid_t clock, uint64_t then_ns);

#endif
