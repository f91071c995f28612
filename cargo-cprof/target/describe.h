/* What is watched, in the words that people know it by. */
#ifndef TARGET_DESCRIBE_H
#define TARGET_DESCRIBE_H

#include "base/text.h"
#include "process/pid_list.h"
#include "target/machine.h"

/* "./server --port 80": the words, a space between. */
void describe_command(struct text *text, const char *const *argv);

/* "process 12 (server)", "processes 12 (server), 34 (worker)" */
void describe_processes(struct text *text, const struct pids *pids);

/* "the machine", "processors 0, 3" */
void describe_machine(struct text *text, const int *cpus, size_t count);

#endif
