/*
 * What a file of perf's tells about itself: its events, and in "features" the machine, the command and the
 * files that ran (tools/perf/Documentation/perf.data-file-format.txt of Linux). The bytes may be anything:
 * what does not fit the form is refused, and of features left out.
 */
#ifndef SAMPLER_PERF_DATA_ABOUT_H
#define SAMPLER_PERF_DATA_ABOUT_H

#include <linux/perf_event.h>

#include "base/arena.h"
#include "base/intern.h"
#include "base/pair_index.h"
#include "base/slice.h"
#include "sampler/perf/decode.h"

/* The features that are read here: HEADER_* of tools/perf/util/header.h, */
enum perf_data_feature {
    PERF_DATA_BUILD_IDS = 2,
    PERF_DATA_RELEASE = 4,
    PERF_DATA_MACHINE = 6,
    PERF_DATA_COMMAND = 11,
    PERF_DATA_EVENTS = 12,
    PERF_DATA_FOLDERS = 24, /* the records of each thread of perf's are in a file of their own */
    PERF_DATA_CLOCK = 29,
    PERF_DATA_FEATURE_COUNT = 256, /* bits that the header has for them */
};

/* and PERF_RECORD_* of tools/lib/perf/include/perf/event.h: what perf itself adds to the kernel's records. */
enum perf_data_record {
    PERF_DATA_RECORD_FIRST = 64,
    PERF_DATA_RECORD_ATTRIBUTES = 64,
    PERF_DATA_RECORD_TRACING = 66,
    PERF_DATA_RECORD_BUILD_ID = 67,
    PERF_DATA_RECORD_AUXTRACE = 71,
    PERF_DATA_RECORD_UPDATE = 78,
    PERF_DATA_RECORD_FEATURE = 80,
    PERF_DATA_RECORD_COMPRESSED = 81,
    PERF_DATA_RECORD_COMPRESSED2 = 83,
};

struct perf_data_event {
    struct perf_event_attr attributes;
    struct decode_form form;
    struct slice name; /* as perf writes it, "cpu-clock:ppp"; empty when it is not told */
    uint64_t sample_count;
    uint64_t idle_count; /* of these of processors that had nothing to do */
};

/* Which file it was that was mapped first at a path. */
struct perf_data_mapped {
    uint64_t device;
    uint64_t inode;
    uint64_t generation; /* 0: not known yet, as /proc does not tell it */
    bool is_several;     /* another one was, too */
};

/* To be released with about_done. Zero-initialised is empty. What slices refer to lives as long. */
struct perf_data_about {
    struct arena arena;
    VEC(struct perf_data_event) events;
    struct pair_index ids; /* of an event on one processor or thread: high and low half */
    VEC(uint32_t) event_of_id;
    struct intern paths;         /* of files that samples were taken in, */
    VEC(struct slice) build_ids; /* and their build ids: raw bytes */
    struct intern mapped_paths;  /* of files that were mapped, */
    VEC(struct perf_data_mapped) mapped;
    struct slice machine; /* as uname(2) tells it: "x86_64"; empty when unknown, as all that follows */
    struct slice release; /* of the kernel */
    struct slice command;
    bool has_outside;       /* process 0 are all that are outside of the PID namespace that perf was in */
    uint64_t clock_unix_ns; /* since 1970, when the samples' clock had */
    uint64_t clock_ns;      /* this; 0: unknown */
    bool has_folders;
};

void about_done(struct perf_data_about *about);

/* struct perf_event_attr of any length, and the numbers of the event; false for what is none. */
bool about_add_event(struct perf_data_about *about, struct slice attributes, struct slice ids);

/* Whether a feature is one that is read. */
bool about_wants_feature(uint64_t feature);

void about_add_feature(struct perf_data_about *about, uint64_t feature, struct slice section);

/* Records, header included. */
void about_add_build_id(struct perf_data_about *about, struct slice record);
void about_add_update(struct perf_data_about *about, struct slice record);

/* Whether it tells of records that found no room, and not of samples that perf record --filter kept out. */
bool about_is_of_lost(const struct perf_event_header *header);

/* That a file was mapped. */
void about_note_mapping(struct perf_data_about *about, const struct sample_mapping *mapping);

/*
 * Whether a sample is of a clock's time in which a processor had nothing to do: the kernel's task of no
 * process, unless `has_outside`, which is known when all records were seen. Samples of what processors count
 * are of what they have done.
 */
bool about_is_idle(const struct perf_event_header *header, const struct perf_data_event *event, uint32_t pid,
                   uint32_t tid);

/* The event with this number; 0, the first, where none has it. There is at least one. */
uint32_t about_event_of(const struct perf_data_about *about, uint64_t id);

/* Of the file at this path; empty when it is not told. */
struct slice about_build_id(const struct perf_data_about *about, struct slice path);

/*
 * Of a file that was mapped at this path; empty also where several were: perf asks the files when it ends,
 * and each as it is at its path then.
 */
struct slice about_build_id_of_mapped(const struct perf_data_about *about, struct slice path);

#endif
