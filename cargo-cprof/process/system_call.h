/*
 * Where a thread that is in the kernel asked for it. While a system call lasts the program's instruction
 * pointer is where it returns to, which may be another line's code, or another function's.
 */
#ifndef PROCESS_SYSTEM_CALL_H
#define PROCESS_SYSTEM_CALL_H

#include "process/modules.h"
#include "process/processes.h"

enum { KNOWN_SYSTEM_CALLS = 256 };

/* What was found before, each where its hash says. Zero-initialised is ready. */
struct known_system_calls {
    struct known_system_call {
        uint64_t ip;
        uint32_t generation; /* of the process's memory; 0: nothing is known */
        uint8_t length;      /* of the instruction that ends there; 0: none does */
    } items[KNOWN_SYSTEM_CALLS];
};

/*
 * The address of the instruction for system calls that ends at `ip`, the instruction pointer of a thread that
 * is in the kernel, or `ip` itself where none does, or its code cannot be read: faults and interrupts leave
 * it at the instruction that they came at. Of a fault at the very instruction behind a system call that one
 * is told.
 */
uint64_t system_call_before(struct known_system_calls *known, struct modules *modules,
                            const struct process_space *process, uint64_t ip);

#endif
