/*
 * Which of the programs that are started while the heap is recorded tell of it: those that the library was
 * loaded into. What the environment of one says it may have cleared, and another user may read neither the
 * library nor the channel.
 */
#ifndef COLLECT_HEAP_PROGRAMS_H
#define COLLECT_HEAP_PROGRAMS_H

#include "base/pair_index.h"
#include "base/slice.h"
#include "profile/heap_lacks.h"
#include "sampler/sample.h"

/* Those that told nothing. */
struct heap_silent {
    uint32_t count;
    uint32_t of_count;                 /* programs in all */
    char names[HEAP_SILENT_NAMES][16]; /* of the first, each once; NUL-terminated, empty: none */
    bool has_more_names;
};

struct heap_program {
    char name[16];
    bool has_library;
    bool has_told;
};

/* Zero-initialised is none; to be released with heap_programs_done. */
struct heap_programs {
    VEC(struct heap_program) all; /* as they were started */
    struct pair_index pids;       /* 0, pid */
    VEC(uint32_t) of_pid;         /* the last that it became */
};

void heap_programs_done(struct heap_programs *programs);

/* A process becomes a program. */
void heap_programs_begin(struct heap_programs *programs, uint32_t pid, struct slice name);

/* It has loaded the library, or has told something. What was not begun is let pass: it is its parent's. */
void heap_programs_note_library(struct heap_programs *programs, uint32_t pid);
void heap_programs_note_told(struct heap_programs *programs, uint32_t pid);

/* `opened_count` is of how many the library has found the channel. */
struct heap_silent heap_programs_silent(const struct heap_programs *programs, uint32_t opened_count);

#endif
