/*
 * Files in which processes tell of the code that they make, and when, jit-PID.dump: a process shows that it
 * writes one by mapping it to be executed (linux/tools/perf/Documentation/jitdump-specification.txt),
 * wherever it is. They are opened as they are mapped, where the process has them: they may be gone when names
 * are looked for.
 */
#ifndef PROCESS_JIT_DUMPS_H
#define PROCESS_JIT_DUMPS_H

#include "base/error.h"
#include "base/pair_index.h"
#include "base/text.h"
#include "sampler/sample.h"

enum { JIT_DUMPS_NONE = UINT32_MAX };

struct jit_dump {
    struct text path; /* owned; as the process has it, below the folder where it was looked for */
    uint64_t inode;
    int descriptor;       /* owned; -1: it could not be opened */
    struct error failure; /* why */
    bool has_other_clock; /* its CLOCK_MONOTONIC is not what the samples' times are by */
};

/* That a process has told, or the one that it was forked from. */
struct jit_dump_use {
    uint32_t pid;
    uint32_t dump;          /* in `items` */
    uint64_t told_until_ns; /* by the samples' clock: what it tells of later is not of this process; */
    uint64_t until_ns;      /* since then nothing is, as of an exec; UINT64_MAX: all is */
    uint32_t module;        /* the caller's own id */
    uint32_t next;          /* use of the same process, the newest first; JIT_DUMPS_NONE: none */
};

/* Zero-initialised is empty; to be released with jit_dumps_done. */
struct jit_dumps {
    VEC(struct jit_dump) items;
    VEC(struct jit_dump_use) uses;
    struct pair_index pids; /* 0, pid */
    VEC(uint32_t) newest;   /* of each its newest use; JIT_DUMPS_NONE: none */
};

/* Where paths lead, and by which clock times are. */
struct jit_dumps_place {
    bool is_past;         /* nothing of the process is there any more: the file is looked for at its path, */
    const char *root;     /* from this folder on, where it is taken at its word; NULL: ours */
    bool has_other_clock; /* then: the times of events are not by CLOCK_MONOTONIC */
};

void jit_dumps_done(struct jit_dumps *dumps);

/* Whether a file that is mapped to be executed is one of them, by its name. */
bool jit_dumps_is(struct slice path);

/* Takes notice of that the process has mapped one. */
void jit_dumps_map(struct jit_dumps *dumps, uint32_t pid, const struct sample_mapping *mapping,
                   struct jit_dumps_place place);

/* A new process goes on with what its parent has told by now. */
void jit_dumps_fork(struct jit_dumps *dumps, uint32_t pid, uint32_t parent, uint64_t time_ns);

/* The process has all memory anew, or its number is another's now. */
void jit_dumps_end(struct jit_dumps *dumps, uint32_t pid, uint64_t time_ns);

/* The newest use of a process; JIT_DUMPS_NONE: it has none. */
uint32_t jit_dumps_of(const struct jit_dumps *dumps, uint32_t pid);

#endif
