/* The memory of another process, as it is now. */
#ifndef PROCESS_REMOTE_H
#define PROCESS_REMOTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Reads `length` bytes of the process from `start` on. Returns how many could be read, up to the first that
 * could not: 0 when the process is gone or may not be looked into (process_vm_readv(2), ptrace(2) on access).
 */
size_t remote_read(uint32_t pid, uint64_t start, size_t length, char *out);

/*
 * Whether the process has no memory there: it has ended, or there is none at the address, as after an exec.
 * False where it may not be looked into.
 */
bool remote_is_gone(uint32_t pid, uint64_t address);

#endif
