/* Commands before and after each run of a program, of which nothing is recorded. */
#ifndef RECORD_AROUND_RUN_H
#define RECORD_AROUND_RUN_H

#include "record/one_run.h"

/*
 * Runs the command, if there is one and no signal has ended the session yet; one that comes meanwhile ends
 * both. Processes that it leaves are none of the program's. `what` names its option. Returns 0, or -1 with
 * the failures of spawn_start and process_check, whose exit code is then 1.
 */
MUST_CHECK int around_run(struct session *session, const char *const *command, const char *what,
                          struct error *err);

#endif
