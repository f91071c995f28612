/*
 * What processes told of the code that they made, of all that a profile has locations in: read from their
 * files (symbolize/jit/dump_file.h), for time to go on over it.
 */
#ifndef SYMBOLIZE_JIT_CODE_H
#define SYMBOLIZE_JIT_CODE_H

#include "process/jit_dumps.h"
#include "profile/profile.h"
#include "symbolize/jit/dump_file.h"
#include "symbolize/jit/timeline.h"
#include "symbolize/jit/v8_positions.h"

/* The code of one process. */
struct jit_module {
    uint32_t module; /* the profile's, of MODULE_JIT */
    uint64_t *avmas; /* owned; rising; of its locations */
    size_t count;    /* of these */
    uint32_t *texts; /* owned; by code: the profile's string of its name; JIT_CODE_NONE: not read yet */
    struct pair_index read_lines; /* code, number of the address: those of which lines were read, */
    VEC(uint32_t) lines;          /* and what they are: in `lines` of struct jit_code_files */
    bool has_other_clock;         /* what was told last counts for all samples */
    struct error why_unread;      /* of no kind: all was read */
    uint32_t unread_dump;         /* else which was not */
    struct jit_timeline timeline;
};

/* Where a location is. */
struct jit_place {
    uint32_t item;   /* in `items`; JIT_CODE_NONE: in none of these */
    uint32_t number; /* of its address there */
};

/* To be released with jit_code_done. */
struct jit_code_files {
    struct profile *profile;        /* borrowed */
    const struct jit_dumps *dumps;  /* borrowed */
    struct jit_dump_file *files;    /* owned; by dump */
    struct error *failures;         /* owned; by dump: why it is not open */
    struct v8_positions *positions; /* owned; by dump: of what V8 told there; empty until it is needed */
    VEC(struct jit_module) items;
    struct jit_place *places; /* owned; by location, of those there were at first */
    size_t place_count;
    struct pair_index lines; /* the profile's string of the file, line; the first is of neither */
    uint64_t lines_bytes;    /* of records of lines read so far */
};

void jit_code_read(struct profile *profile, const struct jit_dumps *dumps, struct jit_code_files *out);
void jit_code_done(struct jit_code_files *code);

#endif
