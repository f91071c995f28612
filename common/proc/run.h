/* Running a program to its end while taking what it writes to its standard output. */
#ifndef PROC_RUN_H
#define PROC_RUN_H

#include <stddef.h>

#include "base/slice.h"
#include "base/text.h"
#include "proc/spawn.h"

/* Called for each line, without its "\n" or "\r\n". Returns 0, or -1 to stop. */
typedef int run_line_fn(void *context, struct slice line, struct error *err);

/*
 * Runs the program and hands each line of its standard output to `each` as soon as it is there;
 * a last line without "\n" counts. Of `what` the output is a pipe, whatever it says; input and error
 * are inherited or null.
 *
 * Returns 0 with `status` when the program has ended, however it ended. -1 when it could not be
 * started (failures as of spawn_start), reading failed, a line was longer than `limit_bytes`
 * (ERROR_FORMAT), or `each` said so; a program that runs is then ended as of process_end.
 *
 * A signal that ends us meanwhile (proc/ending) ends the program and what came from it first: within two
 * seconds, if need be against its will. Where a handler lets us go on, `status` tells that signal.
 */
MUST_CHECK int run_lines(const struct spawn *what, size_t limit_bytes, run_line_fn *each, void *context,
                         struct process_status *status, struct error *err);

/* The same, appending all of its standard output to `output`: at most `limit_bytes`. */
MUST_CHECK int run_capture(const struct spawn *what, size_t limit_bytes, struct text *output,
                           struct process_status *status, struct error *err);

#endif
