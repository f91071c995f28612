/*
 * A profile: what every input makes and every output reads. Strings, modules, locations and stacks are there
 * once and go by dense ids; one or more series of samples share them. The recording loop adds all but
 * functions and frames, which symbolize/ fills in. Known things are found without allocation.
 */
#ifndef PROFILE_PROFILE_H
#define PROFILE_PROFILE_H

#include "base/error.h"
#include "base/intern.h"
#include "base/pair_index.h"
#include "base/text.h"
#include "profile/heap_lacks.h"
#include "profile/series.h"

enum { PROFILE_NO_STRING = 0 }; /* the id of the empty string, which stands for "not known" */

enum module_kind {
    MODULE_NONE, /* code outside any file, of no known process */
    MODULE_EXECUTABLE,
    MODULE_LIBRARY,
    MODULE_VDSO,
    MODULE_KERNEL, /* the kernel with its modules */
    MODULE_JIT,    /* what is in no file that can be read, in one process; its path is that of the perf map */
    MODULE_KIND_COUNT,
};

struct profile_module {
    enum module_kind kind;
    uint32_t path;     /* string; "[vdso]", "[kernel]" where there is no file */
    uint32_t build_id; /* string of raw bytes; PROFILE_NO_STRING when unknown */
    bool is_replaced;  /* not kept in profile files, as what follows: another file is at the path by now */
    uint32_t place;    /* string: where it is to be opened instead of the path; PROFILE_NO_STRING: there */
    uint32_t root; /* string: the folder in which paths of its system begin; PROFILE_NO_STRING: our root */
    uint64_t begun_unix_ns;  /* when the process of MODULE_JIT began; 0: not known */
    uint64_t reused_unix_ns; /* when another one began that has its number now; 0: none, or not known */
    uint32_t forked_from;    /* of MODULE_JIT: another whose code it has, too; PROFILE_NONE: none */
    bool is_denied; /* of MODULE_JIT: any code, as we may not see which files the process has where */
};

/* A place in the code: what was interrupted, or a call (one byte before its return address, to be in it). */
struct profile_location {
    uint64_t svma;   /* in the module's file; the address itself for the kernel, MODULE_JIT and MODULE_NONE */
    uint32_t module; /* PROFILE_NONE: in no module */
    uint32_t first_frame; /* in `frames`, the innermost inlined call first; */
    uint32_t frame_count; /* 0 until symbolized, then at least 1 */
};

/* Whose code a function is. */
enum category {
    CATEGORY_UNKNOWN,
    CATEGORY_OWN, /* a crate of the user's workspace */
    CATEGORY_DEPENDENCY,
    CATEGORY_STD, /* what comes with Rust: std, core, alloc and the crates they are built with */
    CATEGORY_KERNEL,
    CATEGORY_OTHER, /* C, assembly, any other language */
    CATEGORY_COUNT,
};

struct profile_function {
    uint32_t name;  /* string, demangled, without hashes */
    uint32_t crate; /* string; for what is not Rust the module's file name */
    enum category category;
    uint32_t why_unnamed; /* string: why the code has no name of its own; PROFILE_NO_STRING when it has */
};

/* One call at a location. */
struct profile_frame {
    uint32_t function;
    uint32_t file;   /* string */
    uint32_t line;   /* from 1; 0 when unknown */
    bool is_inlined; /* into the next frame of the location */
    bool is_future;  /* the code of a future that was made of an async fn, block or closure */
};

/* One call in a stack: all samples with the same callers share it. */
struct profile_stack {
    uint32_t parent; /* the caller's, always a smaller id; PROFILE_NONE for the thread's start */
    uint32_t location;
};

struct profile_thread {
    uint32_t pid;
    uint32_t tid;
    uint32_t name;         /* string: the last one it had */
    uint32_t process_name; /* string: its process's name */
    uint32_t run;          /* of which run it is, from 0, as far as that is told */
};

/* To be set up with profile_init and released with profile_done. */
struct profile {
    struct intern strings;
    VEC(struct profile_module) modules;
    struct pair_index location_index; /* module, svma */
    VEC(struct profile_location) locations;
    struct pair_index function_index; /* name, crate */
    VEC(struct profile_function) functions;
    VEC(struct profile_frame) frames;
    VEC(struct profile_stack) stacks;
    struct pair_index branch_index; /* parent, location: of stacks that do not follow their parent */
    VEC(uint32_t) branches;         /* the stack of each there */
    VEC(struct profile_thread) threads;
    VEC(struct profile_series) series;
    struct text file;              /* what the profile was read from; packed samples are still in it */
    struct block_file *block_file; /* owned; where samples go from their memory; NULL: nowhere */
    uint32_t command;              /* string: what was run, as shown to people */
    uint32_t why_no_calls;         /* string: why some code has no inlined calls, and what to do about it */
    uint32_t unwatched;            /* string: a program that the kernel let nobody watch; PROFILE_NO_STRING */
    uint64_t wall_ns;              /* from its start to its end; 0 when unknown */
    uint64_t cpu_ns;               /* user and system time it took, as the system tells; 0 when unknown */
    uint64_t user_ns;              /* of it the user's, without the kernel's; 0 when unknown */
    uint64_t run_delay_ns;         /* it may have waited for a processor, at most; UINT64_MAX: all the time */
    uint32_t run_count;            /* runs of one program, of which all of this is; 0 when unknown */
    uint64_t started_unix_ns;      /* when it began, since 1970; 0 when unknown */
    uint64_t started_ns;           /* the same by the samples' clock; 0 when unknown */
    uint64_t disk_bytes;           /* read from disks in all runs; UINT64_MAX: unknown */
    uint64_t ready_ns;             /* its threads were off their processors for others; 0: not recorded */
    struct heap_lacks heap_lacks;  /* what is not in figures of the heap */
    bool is_part; /* a given time or a signal ended it: it does not tell how much was to do */
};

void profile_init(struct profile *profile);
void profile_done(struct profile *profile);
uint32_t profile_string(struct profile *profile, struct slice text);
struct slice profile_text(const struct profile *profile, uint32_t string);

/* Each adds one and gives its id; what it holds can be changed afterwards. */
uint32_t profile_add_module(struct profile *profile, enum module_kind kind, struct slice path,
                            struct slice build_id);
uint32_t profile_add_thread(struct profile *profile, uint32_t pid, uint32_t tid, struct slice name);
uint32_t profile_add_series(struct profile *profile, struct slice event, struct slice unit,
                            uint32_t frequency_hz);

/* The id of what is the same, new or known. The category counts the first time. */
uint32_t profile_location(struct profile *profile, uint32_t module, uint64_t svma);
uint32_t profile_stack(struct profile *profile, uint32_t parent, uint32_t location);
uint32_t profile_function(struct profile *profile, struct profile_function function);

/* Whether it is an address of the kernel's. */
bool profile_is_kernels(const struct profile *profile, uint32_t location);

void profile_add_sample(struct profile *profile, uint32_t series, struct profile_sample sample);
/* Adds samples up, before anything else reads them; again after more. 0, or -1: ERROR_IO of `block_file`. */
MUST_CHECK int profile_finish(struct profile *profile, struct error *err);

/* Sets the frames of a location that has none yet; `frames` is copied, at least one. */
void profile_set_frames(struct profile *profile, uint32_t location, const struct profile_frame *frames,
                        uint32_t count);

#endif
