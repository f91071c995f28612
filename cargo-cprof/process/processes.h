/*
 * The watched processes and their threads as they are at one moment of the recording: fed with events in
 * the order of time, asked about samples in between.
 */
#ifndef PROCESS_PROCESSES_H
#define PROCESS_PROCESSES_H

#include "base/pair_index.h"
#include "process/address_space.h"
#include "process/jit_dumps.h"
#include "process/modules.h"
#include "process/past_times.h"
#include "sampler/sampler.h"

enum {
    THREAD_NO_MARK = UINT32_MAX,
    THREAD_FEW_SAMPLES =
        10, /* with so many it is still beginning: the name that it is given then is its own */
};

/* Whose code a thread begins with. */
enum thread_owner {
    THREAD_NOT_ASKED,
    THREAD_OF_PROGRAM,
    THREAD_OF_KERNEL, /* it has no calls of a program at all: kworker, an io_uring's workers in its process */
};

struct process_thread {
    uint32_t pid;
    uint32_t tid;
    uint32_t name;         /* in `names` */
    uint32_t first_name;   /* the one that it was given as it began; else its parent's */
    uint32_t name_count;   /* that it was given: 0 while it has its parent's */
    uint32_t sample_count; /* the caller's: of it so far, and not more than matters */
    enum thread_owner owner;
    uint32_t mark;       /* the caller's own ids: what it is now, */
    uint32_t first_mark; /* and what it was first; THREAD_NO_MARK for a new thread, an id used again too */
};

struct process_space {
    uint32_t pid;
    struct address_space space;
    uint32_t generation; /* another number whenever any memory layout changes */
    bool is_past;        /* it ran before: what has its number now is another process */
    bool is_gone;        /* its memory could not be read, and no event has told of it since */
    bool is_denied;      /* what its memory was when we came may not be read: it is another user's */
    uint32_t
        forked_from; /* the process whose program it goes on with; 0: nothing tells, or none since an exec */
    uint64_t begun_unix_ns; /* when its program began, by a fork or an exec; 0: nothing has told */
};

/* A process that was started with the memory of another one, not with a copy of it (clone(2), CLONE_VM). */
struct memory_share {
    uint32_t pid;
    uint32_t parent;
};

/* What the kernel tells of a thread that has no number any more, as in its last switch (perf_event_pid_type
 * in its events/core.c). All of a process's are one. */
#define PROCESSES_NO_TID UINT32_MAX

/* Zero-initialised is empty. */
struct processes {
    struct intern names;
    struct pair_index thread_index; /* 0, tid; of PROCESSES_NO_TID one and pid, tid */
    VEC(struct process_thread) threads;
    struct pair_index process_index; /* 0, pid */
    VEC(struct process_space) spaces;
    VEC(struct memory_share) shares; /* the caller's (snapshot.h): in the order of their starts */
    uint32_t last_generation;
    struct jit_dumps jit_dumps; /* the caller may take them, to keep them for longer */
    bool is_contained; /* set by the caller: 0 is the number of all processes outside of our PID namespace,
                          and not of an idle processor */
    bool
        has_foreign_proc; /* likewise: /proc does not tell of these processes, as of pid_namespace_has_proc */
    bool is_past;         /* likewise: they ran before, maybe elsewhere, and has_foreign_proc is set, too */
    struct past_times past; /* of what is past */
};

void processes_done(struct processes *processes);

/*
 * Takes notice of an event; samples and the like change nothing, nor does what processes outside do. New
 * files are added to `modules`.
 */
void processes_apply(struct processes *processes, struct modules *modules, const struct sampler_event *event);

/* Known or new; valid until the next call here. */
struct process_thread *processes_thread(struct processes *processes, uint32_t pid, uint32_t tid);
const struct process_space *processes_space(struct processes *processes, uint32_t pid);

/* Whether it is the number of processes outside of our PID namespace, whatever and however many they are. */
bool processes_is_outside(const struct processes *processes, uint32_t pid);

/* Takes notice of that the memory of a process could not be read: it has ended, */
void processes_set_gone(struct processes *processes, uint32_t pid);
/* or may not be looked into. */
void processes_set_denied(struct processes *processes, uint32_t pid);

/* As of address_space_settle. */
void processes_settle_copy(struct processes *processes, uint32_t pid, uint64_t avma, bool is_copy);

/* Whether code may be at the address: anywhere, where we may not see what a process has. */
bool processes_may_have_code(const struct process_space *process, uint64_t address);

/* Takes notice of when a program that runs already has begun. */
void processes_set_begun(struct processes *processes, uint32_t pid, uint64_t begun_unix_ns);

/* Whether an event has told of the thread. */
bool processes_has_thread(const struct processes *processes, uint32_t tid);

/* Asked the first time, while the thread lives; of one that has ended by then as far as its name tells. */
bool processes_is_kernel_thread(struct processes *processes, uint32_t pid, uint32_t tid);

/* The name of a thread; empty when it is not known. */
struct slice processes_name(const struct processes *processes, const struct process_thread *thread);

/* That of a process: what its first thread was called when the program began. */
struct slice processes_process_name(struct processes *processes, uint32_t pid);

#endif
