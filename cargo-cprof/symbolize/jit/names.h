/*
 * Names of code that processes made, by the time at which it was there (symbolize/jit/timeline.h). Where an
 * address was used again, each sample gets the location of the code that stood there when it was taken.
 */
#ifndef SYMBOLIZE_JIT_NAMES_H
#define SYMBOLIZE_JIT_NAMES_H

#include "process/jit_dumps.h"
#include "profile/profile.h"

/* Why names that a module's process told were not read, or not all of them. */
struct jit_unread {
    uint32_t module;
    uint32_t path; /* the profile's string: of the file */
    struct error why;
};

/* What a process told of a place in its code. */
struct jit_name {
    uint32_t text; /* the profile's string; PROFILE_NO_STRING: nothing */
    uint32_t file; /* likewise, of the source */
    uint32_t line; /* from 1; 0: not known */
};

/* Records of lines of code with samples that are not as they must be: that code has no lines. */
struct jit_damage {
    uint64_t record_count;
    size_t file_count; /* that they are in, */
    uint32_t path;     /* and the first of these: the profile's string */
};

/* What there is to doubt of names of code made at run time, where addresses were used again. */
struct jit_doubts {
    bool has_newest; /* some have the last name for all samples, as the times of these and of names are
                        by different clocks */
    struct jit_damage damaged_lines;
    uint64_t untimed_count; /* the first series' samples that were taken in such code, whose names no times
                               were told of (symbolize/jit/perf_map.h) */
};

/* To be released with jit_names_done. Zero-initialised is none. */
struct jit_names {
    VEC(struct jit_name) items; /* by location; past the end: none */
    VEC(struct jit_unread) unread;
    bool has_newest;                 /* as of struct jit_doubts, */
    struct jit_damage damaged_lines; /* too */
};

void jit_names_done(struct jit_names *names);

/*
 * Finds names for what samples saw of the code of MODULE_JIT. `dumps` have the modules of their uses. To be
 * called when the profile is finished, before it is symbolized. Returns 0, or -1 with ERROR_IO when samples
 * cannot be read back.
 */
MUST_CHECK int jit_names_find(struct profile *profile, const struct jit_dumps *dumps, struct jit_names *names,
                              struct error *err);

/* What the process told of it; zeros when that is nothing. */
struct jit_name jit_names_at(const struct jit_names *names, uint32_t location);

/* Why not; NULL: nothing is known. */
const struct jit_unread *jit_names_unread(const struct jit_names *names, uint32_t module);

#endif
