/* Numbers of processes or threads, as they are given in options. */
#ifndef PROCESS_PID_LIST_H
#define PROCESS_PID_LIST_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/slice.h"
#include "base/vec.h"

/* Zero-initialised is empty; to be released with vec_done. */
struct pids {
    pid_t *items;
    size_t count;
    size_t capacity;
};

bool pids_have(const struct pids *pids, pid_t pid);

/*
 * Appends "12,34" or "12 34", the value of --`option`. Returns 0, or -1 with ERROR_USAGE for what is no list
 * of numbers from 1 up.
 */
MUST_CHECK int pid_list_read(const char *option, struct slice list, struct pids *out, struct error *err);

/*
 * Hints how a list is given to --pid, of a word in a place of its own that may belong to one. False for other
 * words.
 */
bool pid_list_hint(const char *word, struct error *err);

#endif
