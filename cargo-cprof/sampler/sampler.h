/*
 * Samples of running programs and what happens to their processes, one stream in the order of time.
 * The stacks are copies as they were when the sample was taken, and borrowed from the sampler.
 */
#ifndef SAMPLER_SAMPLER_H
#define SAMPLER_SAMPLER_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"
#include "sampler/request.h"
#include "sampler/sample.h"

/* One of the events that are sampled. */
struct sampler_source {
    const char *event;
    const char *unit;       /* of sample_raw.period */
    uint32_t frequency_hz;  /* 0: not by frequency */
    bool is_user_only;      /* the kernel's own part is not sampled */
    bool is_denied;         /* that is so because a right is missing */
    bool is_waits;          /* as of sampler_event_kind, */
    enum sampler_heap heap; /* as this */
};

struct sampler; /* opaque */

/*
 * How many calls a sample may tell of that are found by frame pointers, those in the kernel among them:
 * kernel.perf_event_max_stack, 127 when it cannot be read, but no more than SAMPLER_MOST_CALLS.
 */
uint16_t sampler_most_calls(void);

/* The same of the request: what it asks for, else all; 0 where nothing goes by frame pointers. */
uint16_t sampler_calls_of(const struct sampler_request *request);

/*
 * Begins to watch: of SAMPLER_HELD once the program is let go, else at once, so that some is seen before the
 * rest; mappings, names and new threads are told from there on, too. Returns 0 and a sampler to be closed
 * with sampler_close, or -1: ERROR_DENIED when the system does not allow it (the hint says what does),
 * ERROR_MISSING when the machine has no such event, or no thread is left, ERROR_IO for anything else.
 */
MUST_CHECK int sampler_open(const struct sampler_request *request, struct sampler **out, struct error *err);

/*
 * Watches one more thread of SAMPLER_THREADS, from now on. Returns 0, also when there is no such thread any
 * more; -1 as of sampler_open.
 */
MUST_CHECK int sampler_add_thread(struct sampler *sampler, pid_t thread, struct error *err);

/*
 * From now on sampler_fewer_stack_bytes are copied of each stack, or the most again; 0: nothing changes. No
 * sample is missed. What processes do in this moment may be told twice, of one started in it not at all for
 * some rounds.
 */
uint32_t sampler_fewer_stack_bytes(const struct sampler *sampler);
void sampler_copy_fewer(struct sampler *sampler, bool fewer);

/* NULL is let pass. */
void sampler_close(struct sampler *sampler);

size_t sampler_source_count(const struct sampler *sampler);
struct sampler_source sampler_source(const struct sampler *sampler, size_t index);

/*
 * Sleeps until much has been recorded, `timeout_us` have passed, or `descriptor` is readable (-1: none).
 * Returns whether there is anything left to record: false when all processes have ended.
 */
bool sampler_wait(struct sampler *sampler, int descriptor, int64_t timeout_us);

/*
 * Makes what was recorded up to this moment available to sampler_next. With `to_the_end` even what is of a
 * later moment: for the last call, after all has ended.
 */
void sampler_begin_round(struct sampler *sampler, bool to_the_end);

/* The next event, valid until the following call on this sampler. False when there are no more for now. */
bool sampler_next(struct sampler *sampler, struct sampler_event *out);

/* Clocks begin a period now: their next samples are one away. Those of the threads that were asked for, and
 * where other processes hold the events none. */
void sampler_begin_periods(struct sampler *sampler);

/* What the kernel counts of a source from the start, of the threads that have ended, too. */
struct sampler_counts {
    uint64_t happened; /* how often the event happened, ns for a clock; 0 where it is not known */
    uint64_t lost;     /* records that found no room, those that no event has told of included */
};

struct sampler_counts sampler_counts(struct sampler *sampler, size_t source);

/* How many programs tell of their heap, how many are in another PID or time namespace, which do not, and what
 * they could not tell. 0 where the request has no heap. */
uint32_t sampler_heap_program_count(const struct sampler *sampler);
uint32_t sampler_heap_foreign_count(const struct sampler *sampler);
uint64_t sampler_heap_missed_count(const struct sampler *sampler);

struct heap_elsewhere sampler_heap_elsewhere(const struct sampler *sampler);

/* What their threads counted, once the channel has ended. */
struct heap_slots sampler_heap_slots(const struct sampler *sampler);

/* Records that were not of the kernel's form, or the heap's; the rest of what a ring held then is skipped. */
uint64_t sampler_damaged_count(const struct sampler *sampler);

#endif
