/* Which threads' samples are wanted: by what they and their processes are called, or by number. */
#ifndef VIEW_THREAD_CHOICE_H
#define VIEW_THREAD_CHOICE_H

#include <stdbool.h>

#include "base/regex.h"
#include "base/text.h"
#include "process/pid_list.h"
#include "profile/profile.h"

/* A thread is chosen that all that is set allows. Zero-initialised is all; see thread_choice_done. */
struct thread_choice {
    struct regex *names;     /* owned; the last name that it had; NULL: any */
    struct regex *processes; /* owned; its process's; NULL: any */
    struct pids tids;        /* empty: any */
    struct pids pids;
};

void thread_choice_done(struct thread_choice *choice);

/* Whether it may leave any thread out. */
bool thread_choice_is_set(const struct thread_choice *choice);

/*
 * Sets `chosen`, which has a place for each thread of the profile. Returns 0, or -1 with ERROR_MISSING when
 * the profile does not tell what is asked for, ERROR_FORMAT when an expression backtracks without end.
 */
MUST_CHECK int thread_choice_mark(const struct thread_choice *choice, const struct profile *profile,
                                  bool *chosen, struct error *err);

/* Appends the options that make the choice: "--process and --tid". */
void thread_choice_add_options(const struct thread_choice *choice, struct text *text);

/* By what `report` groups samples to show which there are: "thread", "process,pid". */
const char *thread_choice_groups(const struct thread_choice *choice);

#endif
