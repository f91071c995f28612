/* Code that a program has copied to memory of its own where its file was mapped before. */
#ifndef PROCESS_MACHINE_CODE_COPIED_H
#define PROCESS_MACHINE_CODE_COPIED_H

#include "process/processes.h"

/*
 * Where what stands at the address may be such a copy: looks whether the process has there what the file has,
 * and settles that. Nothing is known while the memory cannot be read.
 */
void copied_code_settle(struct processes *processes, struct modules *modules,
                        const struct process_space *process, uint64_t avma);

#endif
