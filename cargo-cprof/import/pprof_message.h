/*
 * The message that a profile of pprof is, taken apart: its tables, by the numbers that they go by. Source of
 * the format: proto/profile.proto of github.com/google/pprof.
 */
#ifndef IMPORT_PPROF_MESSAGE_H
#define IMPORT_PPROF_MESSAGE_H

#include "base/error.h"
#include "base/pair_index.h"
#include "import/protobuf.h"

/* What a value of each sample counts. Text is by its place among the strings, here as below. */
struct pprof_type {
    uint64_t type;
    uint64_t unit;
};

/* A file, and where it was mapped. */
struct pprof_mapping {
    uint64_t start_avma;
    uint64_t limit_avma;
    uint64_t file_offset;
    uint64_t file;
    uint64_t build_id; /* in hexadecimal digits, of ELF's */
};

struct pprof_function {
    uint64_t name;
    uint64_t system_name; /* as linkers have it, mangled */
    uint64_t file;
};

struct pprof_line {
    uint64_t function; /* its id; 0: not known */
    int64_t line;
};

struct pprof_location {
    uint64_t mapping; /* its id; 0: not known */
    uint64_t avma;
    size_t first_line; /* in `lines`, the innermost inlined call first; */
    size_t line_count;
};

/* Zero-initialised is empty; to be released with pprof_message_done. All of it is borrowed from the bytes. */
struct pprof_message {
    VEC(struct slice) strings;
    VEC(struct pprof_type) types;
    VEC(struct pprof_mapping) mappings;
    VEC(struct pprof_function) functions;
    VEC(struct pprof_location) locations;
    VEC(struct pprof_line) lines;
    VEC(struct slice) samples;
    /* By id, beside 0. */
    struct pair_index mapping_ids;
    struct pair_index function_ids;
    struct pair_index location_ids;
    struct pprof_type period_type;
    uint64_t period;       /* of which each sample is, in the mean; 0: not known */
    uint64_t default_type; /* string: the type to show; 0: the last one */
    uint64_t drop_frames;  /* string: expression of functions that are left out, with all that they call; */
    uint64_t keep_frames;  /* of those of them that are not; 0: there is none */
    struct protobuf_numbers comments;
    int64_t time_ns;     /* since 1970; 0: not known */
    int64_t duration_ns; /* 0: not known */
};

struct pprof_label {
    uint64_t key;
    uint64_t text;
    uint64_t number;
};

/* One sample, while it is looked at. Zero-initialised is ready for any number of them. */
struct pprof_sample {
    struct protobuf_numbers locations; /* places in `locations`, the innermost call first */
    struct protobuf_numbers values;    /* of each type; signed in the file, and here below 2^63 */
    VEC(struct pprof_label) labels;
};

/* More values a sample are none that a profiler writes. */
enum { PPROF_TYPES_MOST = 256 };

/* Whether a file that begins so is one, whole or damaged. Text is none. */
bool pprof_message_begins(struct slice start);

/*
 * Takes the message apart. Returns 0, or -1 with ERROR_FORMAT when it is cut short, damaged, or has more
 * types than PPROF_TYPES_MOST or none.
 */
MUST_CHECK int pprof_message_read(struct slice bytes, struct pprof_message *out, struct error *err);
void pprof_message_done(struct pprof_message *message);

/*
 * Takes a sample of the message apart, `out` is cleared before. Returns 0, or -1 with ERROR_FORMAT when it is
 * damaged: has values below 0, or not one of each type, or what refers to nothing.
 */
MUST_CHECK int pprof_sample_read(const struct pprof_message *message, struct slice bytes,
                                 struct pprof_sample *out, struct error *err);
void pprof_sample_done(struct pprof_sample *sample);

/* Text that the message has been checked to have. */
struct slice pprof_text(const struct pprof_message *message, uint64_t string);

/* By id; NULL: there is none of that. */
const struct pprof_mapping *pprof_mapping_of(const struct pprof_message *message, uint64_t id);
const struct pprof_function *pprof_function_of(const struct pprof_message *message, uint64_t id);

#endif
