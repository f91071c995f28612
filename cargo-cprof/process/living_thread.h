/*
 * Whom to ask for what all threads of a process share. The first one may have ended before the others, and
 * the kernel then shows its memory and files as none (proc(5)).
 */
#ifndef PROCESS_LIVING_THREAD_H
#define PROCESS_LIVING_THREAD_H

#include <stdint.h>

/* A thread of the process that has not ended: the first one if that has not; 0 when all have. */
uint32_t living_thread(uint32_t pid);

#endif
