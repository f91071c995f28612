/*
 * Where a program that was started with preload/ tells what memory it is given: a file that all its processes
 * map, which is a ring of records as the kernel's are, and there for one recording. They wait where it is
 * full, so nothing of it is lost.
 */
#ifndef SAMPLER_HEAP_CHANNEL_H
#define SAMPLER_HEAP_CHANNEL_H

#include "base/error.h"
#include "base/text.h"
#include "base/vec.h"
#include "sampler/perf/ring.h"
#include "sampler/sampler.h"

/* To be released with heap_channel_close. Zero-initialised is none. */
struct heap_channel {
    struct text folder; /* of our own, with the file alone */
    struct text path;
    int descriptor;
    char *memory;                     /* NULL: none */
    VEC(struct heap_counts) at_start; /* of slots */
    VEC(struct heap_counts) at_end;
    bool lacks_slots;
    bool has_ended;
};

/*
 * Makes the file, and removes those of recorders that were killed. Returns 0, or -1 with ERROR_IO when there
 * is no room for it.
 */
MUST_CHECK int heap_channel_open(struct heap_channel *out, struct error *err);

/* What threads have counted by now is from before the recording's window. */
void heap_channel_begin_window(struct heap_channel *channel);

/*
 * Nobody is to tell anything any more: programs that go on are not held up. What was told can still be read,
 * and what threads have counted by now. Only the first time.
 */
void heap_channel_end(struct heap_channel *channel);

/* The same, and the file is gone. */
void heap_channel_close(struct heap_channel *channel);

/* Once its records are to be told in the order of others', whose times differ from ours by so much. */
void heap_channel_begin(struct heap_channel *channel, uint64_t time_offset_ns, struct ring *out);

/* False once a program has made the file shorter, where nothing of it may be looked at any more. */
bool heap_channel_is_whole(const struct heap_channel *channel);

/* Once it has ended. Borrows the channel. */
struct heap_slots heap_channel_slots(const struct heap_channel *channel);

/* How many programs were started with it, each exec counting. */
uint32_t heap_channel_program_count(const struct heap_channel *channel);

/* How many were that are in another PID or time namespace, which tell nothing. */
uint32_t heap_channel_foreign_count(const struct heap_channel *channel);

/* Records that could not be written. */
uint64_t heap_channel_missed_count(const struct heap_channel *channel);

/* What they have that they tell nothing of. */
struct heap_elsewhere heap_channel_elsewhere(const struct heap_channel *channel);

/* Whether a record is one of these. */
bool heap_channel_has(struct slice record);

/*
 * Reads one, header included: SAMPLER_ALLOCATED, SAMPLER_FREED, SAMPLER_COUNTED or SAMPLER_KEPT; the stack is
 * borrowed from `record`. False for bytes that are not of the form.
 */
bool heap_channel_decode(struct slice record, struct sampler_event *out);

#endif
