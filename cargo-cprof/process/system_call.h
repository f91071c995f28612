/*
 * Where a thread that is in the kernel asked for it. While a system call lasts the program's instruction
 * pointer is where it returns to, which may be another line's code, or another function's.
 */
#ifndef PROCESS_SYSTEM_CALL_H
#define PROCESS_SYSTEM_CALL_H

#include "process/modules.h"
#include "process/processes.h"

/*
 * The address of the instruction for system calls that ends at `ip`, the instruction pointer of a thread that
 * is in the kernel, or `ip` itself where none does, or its code cannot be read: faults and interrupts leave
 * it at the instruction that they came at. Of a fault at the very instruction behind a system call that one
 * is told.
 */
uint64_t system_call_before(struct modules *modules, const struct process_space *process, uint64_t ip);

#endif
