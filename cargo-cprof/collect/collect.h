/*
 * Makes a profile of what a sampler gives: the one place that joins sampler, process, unwind and profile.
 */
#ifndef COLLECT_COLLECT_H
#define COLLECT_COLLECT_H

#include "collect/heap/programs.h"
#include "collect/sampled_modules.h"
#include "process/modules.h"
#include "profile/profile.h"
#include "sampler/sampler.h"

struct recorder; /* opaque */

/* `profile` is borrowed; what is recorded is added to it, not symbolized. To be given to recorder_free. */
struct recorder *recorder_new(struct profile *profile);

/* NULL is let pass. */
void recorder_free(struct recorder *recorder);

/* Before the first drain: a series of the profile for each event of the sampler, unless they are there. */
void recorder_add_series(struct recorder *recorder, const struct sampler *sampler);

/*
 * What was there before the sampler told of it: the memory of a process, a thread with its name, all of
 * both. What has ended meanwhile is let pass.
 */
void recorder_add_memory(struct recorder *recorder, uint32_t pid);
void recorder_add_thread(struct recorder *recorder, uint32_t pid, uint32_t tid);
void recorder_add_all_processes(struct recorder *recorder);

/*
 * To be called when all of the above were: of the threads that wait by now the sampler told nothing as they
 * began to. From now on they do so at "[waiting since before]". Nothing unless waits are sampled.
 */
void recorder_add_waits(struct recorder *recorder);

/* What is known of processes is not what the next sampler tells about. */
void recorder_forget_processes(struct recorder *recorder);

/* Whether the sampler, or one of the above, has told of the thread. */
bool recorder_knows_thread(const struct recorder *recorder, uint32_t tid);

/* How many processes it has told of; those forgotten do not count. */
size_t recorder_process_count(const struct recorder *recorder);

/*
 * What the recorder will be told has happened before, maybe elsewhere: no process, no file of /proc and no
 * memory tells more of it. Before anything is told.
 */
void recorder_set_past(struct recorder *recorder, struct past_times times, struct modules_places places);

/* What samples tell of stacks: SAMPLER_STACKS_COPIED at first. `most_calls` as of sampler_calls_of. */
void recorder_set_stacks(struct recorder *recorder, enum sampler_stacks stacks, uint16_t most_calls);

/* Samples from before `from_ns` or since `until_ns` (CLOCK_MONOTONIC) are not kept. At first all are. */
void recorder_keep(struct recorder *recorder, uint64_t from_ns, uint64_t until_ns);

/* Takes what the sampler has; `to_the_end` as of sampler_begin_round. */
void recorder_drain(struct recorder *recorder, struct sampler *sampler, bool to_the_end);

/*
 * The same of events that no sampler tells: first a series for each source, then one event after the other,
 * by time, and that there are no more.
 */
void recorder_add_source(struct recorder *recorder, struct sampler_source source);
void recorder_take(struct recorder *recorder, const struct sampler_event *event);
void recorder_end(struct recorder *recorder);

/*
 * How long the next drain may wait, in microseconds: INT64_MAX, or a short time while there are stacks whose
 * outer part is read from memory, before it changes.
 */
int64_t recorder_patience_us(const struct recorder *recorder);

/* To be called when all is recorded: notes in the profile which files are others by now. */
void recorder_note_replaced(struct recorder *recorder);

/* As sampled_modules_keep_files. */
void recorder_keep_files(struct recorder *recorder, struct open_files *files);

/* When the last event happened that was told so far, CLOCK_MONOTONIC; 0: none was. */
uint64_t recorder_last_ns(const struct recorder *recorder);

/* Which programs of this run told nothing of their heap, once all is drained to the end. */
struct heap_silent recorder_heap_silent(const struct recorder *recorder, const struct sampler *sampler);

/* Whether it was told in this run that samples were lost. */
bool recorder_has_lost(const struct recorder *recorder);

/* How often the kernel slowed the sampling down. */
uint64_t recorder_throttled_count(const struct recorder *recorder);

#endif
