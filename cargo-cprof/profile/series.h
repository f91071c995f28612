/* The samples of one event, and how good they are. */
#ifndef PROFILE_SERIES_H
#define PROFILE_SERIES_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/heap_events.h"
#include "profile/sample_store.h"

/*
 * How the walk up a stack ended. All but STACK_COMPLETE, STACK_COMPLETED and STACK_UNCHECKED are cut: outer
 * frames are missing. Profile files count them in this order: new ones come last.
 */
enum stack_end {
    STACK_COMPLETE,    /* at the thread's start */
    STACK_CUT_BY_COPY, /* the copy of the stack was too small */
    STACK_CUT_NO_RULE, /* no unwind information for an address */
    STACK_CUT_BAD,     /* the information led to memory or an address that cannot be */
    STACK_CUT_DEEP,    /* more frames than are kept */
    STACK_NO_USER,     /* the sample came without the program's registers or stack */
    STACK_CUT_CHANGED, /* the copy was too small, and memory had changed before the rest was read */
    STACK_CUT_UNREAD,  /* the copy was too small, and memory could not be read */
    STACK_COMPLETED,   /* the copy was too small, and memory had the rest up to the thread's start */
    STACK_UNCHECKED,   /* as frame pointers tell, or not asked for: whether it is whole is not known */
    STACK_CUT_HANDLER, /* in a signal handler on a stack of its own: what it interrupted is on another */
    STACK_CUT_LENGTH,  /* deeper than what is read of a process's stack */
    STACK_CUT_SWITCH,  /* the program had gone over to another stack: of a coroutine, or a larger one */
    STACK_CUT_MADE,    /* in code made at run time */
    STACK_CUT_NO_FILE, /* in code of a file that could not be read */
    STACK_CUT_DENIED,  /* in code of a file that we may not read */
    STACK_CUT_OUTSIDE, /* of a process outside of our PID namespace */
    STACK_CUT_GONE,    /* the copy was too small, and memory was gone, as after an exec, before it was read */
    STACK_CUT_BEYOND_LIMIT, /* in code of a file that could not be opened beside so many others */
    STACK_CUT_CALLS,        /* more calls than are followed by frame pointers */
    STACK_CUT_OTHERS,       /* in a process of another user, of which we may not see what code it has where */
    STACK_LOST,             /* of a wait: there was no room for the program's registers and stack */
    STACK_CUT_ABSENT,       /* the stack's innermost page was not there yet: nothing was copied */
    STACK_END_COUNT,
};

/* What a series was before some of its samples were left out. */
struct series_whole {
    uint64_t sample_count; /* 0: none was left out, and the rest is not set */
    uint64_t value_sum;
    uint64_t lost_count; /* as those of the series, and of its profile */
    uint64_t happened_count;
    uint64_t cpu_ns;
    uint64_t user_ns;
};

/* Samples from there on were picked where one of so many bytes is in the mean; before the first, all are
 * told. */
struct heap_interval {
    uint64_t from_ns; /* rising */
    uint64_t bytes;   /* 0: these stand for themselves alone */
};

/* The event of a series that was read from folded stacks, which do not tell it. */
#define SERIES_FOLDED "folded stacks"

struct profile_series {
    uint32_t event;           /* string: "cpu-clock" */
    uint32_t unit;            /* string: "ns", "cycles"; "samples": values count samples */
    uint32_t frequency_hz;    /* as asked for; 0 when sampled otherwise */
    enum heap_event heap;     /* of memory that was given what std asks for is its callers' own (totals.h) */
    bool is_user_only;        /* the kernel's own time was not sampled */
    bool is_summed;           /* what each stands for is of any number of samples: how many is not known */
    uint64_t lost_count;      /* samples the kernel could not store */
    uint64_t happened_count;  /* how often the event happened; 0 when unknown; ns of a clock */
    VEC(uint64_t) run_counts; /* the same of each run; not kept in profile files; empty: not known */
    uint64_t ended_counts[STACK_END_COUNT]; /* samples by how their stacks ended */
    struct series_whole whole;              /* of which this is a part */
    VEC(struct heap_interval) intervals;    /* of the heap's */
    struct sample_store samples;
};

/* Whether samples were left out of what was recorded. */
static inline bool series_is_part(const struct profile_series *series)
{
    return series->whole.sample_count > 0;
}

/* How many samples were kept and lost of all that was recorded, whatever was left out since. */
static inline uint64_t series_all_kept(const struct profile_series *series)
{
    return series_is_part(series) ? series->whole.sample_count : series->samples.count;
}

static inline uint64_t series_all_lost(const struct profile_series *series)
{
    return series_is_part(series) ? series->whole.lost_count : series->lost_count;
}

#endif
