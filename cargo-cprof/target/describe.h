/* What is watched, in the words that people know it by. */
#ifndef TARGET_DESCRIBE_H
#define TARGET_DESCRIBE_H

#include "base/text.h"
#include "process/pid_list.h"
#include "target/launch.h"
#include "target/machine.h"

/*
 * "./server --port 80": the words, a space between. What runs in a folder of its own (a test, by its whole
 * path) is called as cargo calls it, by its path from here.
 */
void describe_command(struct text *text, const struct launch *what);

/* "process 12 (server)", "processes 12 (server), 34 (worker)" */
void describe_processes(struct text *text, const struct pids *pids);

/* "the machine", "processors 0, 3" */
void describe_machine(struct text *text, const int *cpus, size_t count);

#endif
