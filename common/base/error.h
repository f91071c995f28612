/*
 * One failure as a value: what happened, what to do about it, what main returns.
 *
 * A function that can fail returns 0 or -1 and takes `struct error *err` last; on
 * failure its results are untouched. The struct is owned by the caller, usually on
 * its stack and zeroed, and owns no memory, so the failure path never allocates.
 * The message reads outermost step first: "reading baseline: open x.json: No such …".
 */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include "base/compiler.h"

enum error_kind {
    ERROR_NONE,
    ERROR_USAGE,   /* the command line is wrong; exit code 2 */
    ERROR_IO,      /* the system refused to read, write or start something */
    ERROR_FORMAT,  /* input bytes are not of the form they should have */
    ERROR_DENIED,  /* a right is missing */
    ERROR_MISSING, /* something needed is not there: a program, a target, a section */
    ERROR_CHILD,   /* a program that ran for us failed; exit code is its own */
    ERROR_BUDGET,  /* a limit that the user has set is passed; exit code 3 */
};

enum { EXIT_CODE_FAILED = 1, EXIT_CODE_USAGE = 2, EXIT_CODE_OVER_BUDGET = 3 };

struct error {
    enum error_kind kind;
    int exit_code;     /* what main returns */
    char message[512]; /* NUL-terminated; ends in "..." when it was longer */
    char hint[512];    /* what to do about it; empty when nothing is known */
};

/* Records the failure and is -1. A macro, so that analyzers see the value returned. */
#define error_set(err, kind, ...) (error_record(err, kind, __VA_ARGS__), -1)

/* Puts what was being done in front of the message, with ": " between; is -1. */
#define error_wrap(err, ...) (error_prefix(err, __VA_ARGS__), -1)

/* Says what to do about it. May come before or after error_set. */
void error_hint(struct error *err, const char *format, ...) PRINTF_LIKE(2, 3);

/* The work behind error_set and error_wrap; call those. */
void error_record(struct error *err, enum error_kind kind, const char *format, ...) PRINTF_LIKE(3, 4);
void error_prefix(struct error *err, const char *format, ...) PRINTF_LIKE(2, 3);

#endif
