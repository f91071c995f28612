/* What the recorder is told, through the file of sampler/heap_record.h. Nothing here sets errno. */
#ifndef PRELOAD_RECORDS_H
#define PRELOAD_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sampler/heap_record.h"

/* Looks for the recorder, if that was not done. */
void records_begin(void);

/* Whether a recorder reads now, */
bool records_are_wanted(void);

/* and whether none will any more. */
bool records_are_over(void);

struct records_given {
    uintptr_t pointer;
    uint64_t size_bytes;
    uint64_t interval_bytes;
    uint64_t since_bytes;
    uint64_t since_count;
    uint32_t slot;
};

/* Waits for room. Whether it was told. */
bool records_given(const struct records_given *given);

/* Of `given` the slot and what is since; and what the process has. Whether it was told. */
bool records_counted(const struct records_given *given);

/* What the process had some time since the record before. */
void records_most(int64_t kept_bytes);

void records_taken(uintptr_t pointer);

/* What was told to be taken back is not. */
void records_kept(uintptr_t pointer);

/* What all processes of the recording have in common; only where records are wanted. */
struct heap_shared *records_shared(void);

/* Of a number from 1 to HEAP_SLOTS; there only where records are or were wanted. */
struct heap_slot *records_slot(uint32_t number);

/* A process was forked off: its memory is its own. */
void records_begin_process(void);

/* Has sampling_end_thread called when this thread ends. */
void records_tell_thread_end(void);

/* Something that differs from thread to thread. */
uint64_t records_seed(void);

/* Lets others go on, the longer the higher `tries` is. */
void records_pause(unsigned tries);

/* Zeroed pages; NULL: there are none. */
void *records_memory(size_t size);

#endif
