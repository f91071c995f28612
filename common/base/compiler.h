/* What the language does not spell, and every part of the suite uses. */
#ifndef BASE_COMPILER_H
#define BASE_COMPILER_H

#include <stdint.h>

/* The result tells of failure: not looking at it is a mistake. */
#define MUST_CHECK __attribute__((warn_unused_result))

/* Checks the arguments from number `first` on (0 for a va_list) against the format at number `at`. */
#define PRINTF_LIKE(at, first) __attribute__((format(printf, at, first)))

/* Calls `done` on the variable's address when its scope ends, whichever way it ends. */
#define SCOPED(done) __attribute__((cleanup(done)))

/* Is seldom called: kept out of its callers, which stay small. */
#define SELDOM __attribute__((noinline, cold))

#define ARRAY_COUNT(array) (sizeof(array) / sizeof((array)[0]))

static inline uint64_t lesser(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

#endif
