/*
 * How cargo starts a program that it built: arguments, variables and folder, exactly as `cargo run`, `cargo
 * test` and `cargo bench` have them. We are the runner of that cargo (target.TRIPLE.runner): started with
 * the program and its arguments, we write what we were given to standard output, as one line among
 * cargo's messages, and end. The line is
 *
 *     cargo-cprof-start FOLDER COUNT ARGUMENT... VARIABLE...
 *
 * where COUNT is that of the arguments in decimal, the words between are "x" and the bytes in hexadecimal,
 * and variables are "NAME=value".
 */
#ifndef BUILT_RUN_REPORT_H
#define BUILT_RUN_REPORT_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"

/* A variable that is set for that cargo, and so makes our program a runner that reports. */
#define RUN_REPORT_VARIABLE "CARGO_CPROF_REPORTS_START"

/* Strings live in the arena. Zero-initialised is none. */
struct run_report {
    const char *folder;
    const char *const *arguments;   /* ends in NULL; the program first */
    const char *const *environment; /* changes to ours, as of struct spawn: all variables it has, and that
                                       those of ours which it has not are removed */
};

/* Whether we are the runner. */
bool run_report_is_wanted(void);

/* Writes the line about ourselves: `arguments` are those that follow our own name. The process's exit code.
 */
int run_report_write(const char *const *arguments);

/* Appends the line to `out`. `environment` is the whole of it, NULL-terminated. */
void run_report_add(struct text *out, const char *folder, const char *const *arguments,
                    const char *const *environment);

/*
 * Takes a line that cargo wrote. Returns 0 with `out` set when it is such a line and untouched when it is
 * another; -1 with ERROR_FORMAT when it begins like one and is not of the form above, or names no program.
 */
MUST_CHECK int run_report_take(struct arena *arena, struct slice line, struct run_report *out,
                               struct error *err);

#endif
