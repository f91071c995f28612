/* Processes that run already: their memory and the names of their threads, as /proc tells. */
#ifndef PROCESS_SNAPSHOT_H
#define PROCESS_SNAPSHOT_H

#include "process/processes.h"

/*
 * Each takes notice of what there is at this moment, as if events had told. What cannot be read (it ends
 * meanwhile, is a thread of the kernel's, somebody else's) is left out.
 */

/* The executable mappings of a process, and when it began. */
void snapshot_add_memory(struct processes *processes, struct modules *modules, uint32_t pid);

/*
 * The executable mappings of all processes that are known, after events were lost: those that nothing has
 * told of, or something else of. The rest stays as it is, as all does where /proc is that of another PID
 * namespace.
 */
void snapshot_catch_up(struct processes *processes, struct modules *modules);

/*
 * To be called when a process was forked: takes notice of that it shares its parent's memory instead of
 * having a copy, which no event tells (clone(2), CLONE_VM). Nothing is noticed where it has ended by now.
 */
void snapshot_note_fork(struct processes *processes, const struct sampler_event *event);

/*
 * Takes notice, too, of a mapping that an event has told of, in the processes whose memory that of the event
 * shares, and in those that share its own. Whose it shares is asked now; where it has ended those are taken
 * that have the same mapping.
 */
void snapshot_share_mapping(struct processes *processes, struct modules *modules,
                            const struct sampler_event *event);

/* A thread and its name. */
void snapshot_add_thread(struct processes *processes, struct modules *modules, uint32_t pid, uint32_t tid);

/* Both, of every process there is. */
void snapshot_add_all(struct processes *processes, struct modules *modules);

#endif
