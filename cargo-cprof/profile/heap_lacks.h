/*
 * What is not in the figures of the heap's events: memory that programs tell nothing of. It is known as a
 * recording is made, and kept with it.
 */
#ifndef PROFILE_HEAP_LACKS_H
#define PROFILE_HEAP_LACKS_H

#include <stdbool.h>
#include <stdint.h>

enum { HEAP_SILENT_NAMES = 3 };

/* Strings are ids of the profile's, of which PROFILE_NO_STRING is "none". */
struct heap_lacks {
    bool is_known;        /* a recording told; nothing else is set where none did */
    bool has_more_silent; /* programs with other names than these told nothing, either */
    bool lacks_slots;     /* some threads counted where it could not be read */
    bool is_followed;     /* what an allocator gives that is linked into a program is told, too */
    uint32_t allocator;   /* string: of a program's own: "jemalloc" */
    uint32_t
        own_malloc; /* string: a program that brings a malloc, or another allocator, that is not followed */
    uint32_t elsewhere; /* string: a program that had `elsewhere_bytes` at a time, hardly any of malloc */
    uint64_t elsewhere_bytes;
    uint32_t told_count;                      /* programs that told of their memory */
    uint32_t foreign_count;                   /* those of another PID or time namespace, which may not */
    uint32_t silent_count;                    /* those that told nothing, of the last run, */
    uint32_t silent_of_count;                 /* of so many */
    uint32_t silent_names[HEAP_SILENT_NAMES]; /* strings: of the first, each once */
    uint64_t missed_count;                    /* how often programs could not tell */
    uint64_t damaged_count;                   /* records that could not be read */
};

#endif
