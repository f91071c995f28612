#include "preload/sampling.h"

#include <stdbool.h>

#include "preload/chance.h"
#include "preload/elsewhere.h"
#include "preload/records.h"
#include "preload/slots.h"
#include "preload/told.h"

/* Of a thread. All zero at first. */
struct sampled_thread {
    int64_t left_bytes[HEAP_CLASSES]; /* until the next allocation that is told */
    uint64_t interval_bytes[HEAP_CLASSES];
    uint64_t begun; /* a bit each: these are set */
    uint64_t random;
    struct heap_slot *counts; /* NULL: none yet */
    struct heap_slot own;     /* for where it has no slot */
    int64_t more_bytes;       /* that it was given than it asked for, and no sum has yet */
    uint32_t slot;            /* its number, or 0 */
    bool is_known;            /* its end is told */
    bool is_busy;             /* a signal's handler came in between */
};

static __thread struct sampled_thread thread;

/* --- What it counts ---------------------------------------------------------------------------------- */

static __attribute__((noinline)) void count_for_itself(void)
{
    thread.counts = &thread.own;
}

static inline struct heap_slot *counts_now(void)
{
    if (__builtin_expect(!thread.counts, 0))
        count_for_itself();
    return thread.counts;
}

static inline void count_kept(struct heap_slot *counts, int64_t asked, int64_t taken)
{
    counts->kept_bytes += asked;
    thread.more_bytes += taken - asked;
}

/* What no sum has of it yet. */
static inline int64_t unsummed_of(const struct heap_slot *counts)
{
    return counts->kept_bytes - counts->summed_bytes;
}

static struct records_given since_of(const struct heap_slot *counts)
{
    return (struct records_given){
        .since_bytes = counts->given_bytes - counts->told_bytes,
        .since_count = counts->given_count - counts->told_count,
        .slot = thread.slot,
    };
}

static void note_told(struct heap_slot *counts, const struct records_given *told)
{
    counts->told_bytes += told->since_bytes;
    counts->told_count += told->since_count;
}

/* What it has counted so far goes on there. */
static void count_in(struct heap_slot *slot)
{
    slot->given_bytes += thread.own.given_bytes;
    slot->given_count += thread.own.given_count;
    slot->kept_bytes += thread.own.kept_bytes;
    slot->summed_bytes += thread.own.summed_bytes;
    thread.counts = slot;
}

/* As soon as it can be told, and before anything is: the recorder is to know whose slot it is. */
static __attribute__((noinline)) void introduce(void)
{
    struct records_given nothing = {0};

    if (records_are_over())
        thread.is_known = true;
    if (thread.is_busy || !records_are_wanted())
        return;
    thread.is_busy = thread.is_known = true;
    records_tell_thread_end();
    thread.slot = slots_take();
    if (thread.slot) {
        count_in(records_slot(thread.slot));
        nothing.slot = thread.slot;
        records_counted(&nothing);
    }
    thread.is_busy = false;
}

/* --- How often ------------------------------------------------------------------------------------- */

/*
 * Sizes with as many bits are picked by themselves: what is kept is often small, and what is given back at
 * once large, so that hardly any of the small ones would be picked among all.
 */
static inline unsigned class_of(uint64_t size)
{
    unsigned bits = 63 - (unsigned)__builtin_clzll(size);

    return bits < HEAP_CLASSES ? bits : HEAP_CLASSES - 1;
}

/* 0 while all are told. */
static uint64_t interval_now(unsigned class)
{
    const struct heap_shared *shared = records_shared();

    if (__atomic_load_n(&shared->told_count, __ATOMIC_RELAXED) < HEAP_ALL_TOLD)
        return 0;
    return __atomic_load_n(&shared->classes[class].interval_bytes, __ATOMIC_RELAXED);
}

/* How many are told until half as many are: of those that are most of all more. */
static uint64_t step_of(uint64_t class_count, uint64_t all_count)
{
    uint64_t step = all_count > 0 ? HEAP_MOST_STEP * class_count / all_count : 0;

    return step < HEAP_LEAST_STEP ? HEAP_LEAST_STEP : step < HEAP_MOST_STEP ? step : HEAP_MOST_STEP;
}

/* Counts one that was told. */
static void count_told(unsigned class)
{
    enum { MOST_BITS = 60 };
    struct heap_shared *shared = records_shared();
    struct heap_class *of = &shared->classes[class];
    uint64_t all_count = __atomic_add_fetch(&shared->told_count, 1, __ATOMIC_RELAXED);
    uint64_t count = __atomic_add_fetch(&of->told_count, 1, __ATOMIC_RELAXED);
    uint64_t next = __atomic_load_n(&of->next_count, __ATOMIC_RELAXED);
    uint64_t interval = __atomic_load_n(&of->interval_bytes, __ATOMIC_RELAXED);

    if (all_count < HEAP_ALL_TOLD || count < HEAP_CLASS_TOLD || count < next ||
        !__atomic_compare_exchange_n(&of->next_count, &next, count + step_of(count, all_count), false,
                                     __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        return;
    /* At first about the double of these sizes. */
    interval = interval == 0 ? UINT64_C(4) << class : interval * 2;
    if (interval >> MOST_BITS == 0)
        __atomic_store_n(&of->interval_bytes, interval, __ATOMIC_RELAXED);
}

/* --- How much there is ------------------------------------------------------------------------------ */

static int64_t kept_bytes;      /* by the process */
static int64_t told_most_bytes; /* of that, so far */
static int64_t most_kept_bytes; /* the most so far, whether it was told or not */
static int64_t more_bytes;      /* that it was given than it asked for, */
static int64_t most_bytes;      /* and the most of both together */

/* NOLINTNEXTLINE(readability-non-const-parameter): what is built in may write */
static void raise_to(int64_t *most, int64_t number)
{
    int64_t before = __atomic_load_n(most, __ATOMIC_RELAXED);

    while (number > before &&
           !__atomic_compare_exchange_n(most, &before, number, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        continue;
}

/* What no sum has yet is in one then. */
static int64_t sum_up(struct heap_slot *counts)
{
    int64_t unsummed = unsummed_of(counts);
    int64_t sum = 0;

    counts->summed_bytes += unsummed;
    sum = __atomic_add_fetch(&kept_bytes, unsummed, __ATOMIC_RELAXED);
    __atomic_add_fetch(&more_bytes, thread.more_bytes, __ATOMIC_RELAXED);
    thread.more_bytes = 0;
    raise_to(&most_kept_bytes, sum);
    return sum;
}

int64_t sampling_kept(void)
{
    int64_t sum = sum_up(counts_now());

    raise_to(&told_most_bytes, sum);
    raise_to(&most_bytes, sum + __atomic_load_n(&more_bytes, __ATOMIC_RELAXED));
    return sum;
}

int64_t sampling_most(void)
{
    return __atomic_load_n(&most_bytes, __ATOMIC_RELAXED);
}

enum { MOST_APART = 16 << 10 };

/* What there was has been clearly more than was ever told. */
static bool has_untold_most(void)
{
    return __atomic_load_n(&most_kept_bytes, __ATOMIC_RELAXED) -
               __atomic_load_n(&told_most_bytes, __ATOMIC_RELAXED) >=
           MOST_APART;
}

/* Before anything is told to come or go: what is there now was there then. */
static void tell_most(void)
{
    int64_t most = __atomic_load_n(&most_kept_bytes, __ATOMIC_RELAXED);

    if (!has_untold_most())
        return;
    raise_to(&told_most_bytes, most);
    records_most(most);
}

static void tell_counted(struct heap_slot *counts)
{
    struct records_given since = since_of(counts);

    thread.is_busy = true;
    tell_most();
    if (records_counted(&since))
        note_told(counts, &since);
    thread.is_busy = false;
}

/*
 * Not each time, as all threads do so. When there is clearly more than ever was told, that is told: as it
 * grows by steps of a 64th, and what was the most of all when there is less again.
 */
static __attribute__((noinline)) void add_up_kept(struct heap_slot *counts)
{
    int64_t told = __atomic_load_n(&told_most_bytes, __ATOMIC_RELAXED);
    int64_t step = told / 64 > MOST_APART ? told / 64 : MOST_APART;
    int64_t sum = sum_up(counts);
    bool is_less = __atomic_load_n(&most_kept_bytes, __ATOMIC_RELAXED) - sum >= MOST_APART;

    if ((sum > told + step || (is_less && has_untold_most())) && !thread.is_busy && records_are_wanted())
        tell_counted(counts);
}

/* After what is told with it. */
static inline void settle_kept(void)
{
    struct heap_slot *counts = NULL;

    if (__builtin_expect(!thread.is_known, 0))
        introduce();
    counts = counts_now();
    if (__builtin_expect(unsummed_of(counts) > MOST_APART || unsummed_of(counts) < -MOST_APART, 0))
        add_up_kept(counts);
}

/* --- A process begins ---------------------------------------------------------------------------------- */

void sampling_begin_child(void)
{
    thread.own = (struct heap_slot){0};
    thread.counts = NULL;
    thread.slot = 0;
    thread.is_known = false;
    records_begin_process();
    slots_begin_child();
    /* All that one process forks off would pick the same. */
    thread.begun = 0;
    for (unsigned i = 0; i < HEAP_CLASSES; i++)
        thread.left_bytes[i] = 0;
    told_begin_child();
    thread.more_bytes = 0;
    kept_bytes = 0;
    more_bytes = 0;
    most_bytes = 0;
    most_kept_bytes = 0;
    told_most_bytes = 0;
    elsewhere_begin_child();
}

/* --- What is given and taken back -------------------------------------------------------------------- */

static void draw_next(unsigned class)
{
    thread.interval_bytes[class] = interval_now(class);
    thread.left_bytes[class] += chance_draw_bytes(&thread.random, thread.interval_bytes[class]);
}

static void begin_class(unsigned class)
{
    if (!thread.begun)
        thread.random = records_seed() | 1;
    thread.begun |= UINT64_C(1) << class;
    draw_next(class);
}

/* What is there of it and of those that were not picked with it. */
static int64_t stands_for(const struct records_given *given)
{
    if (given->interval_bytes == 0)
        return (int64_t)given->size_bytes;
    return (int64_t)((double)given->size_bytes /
                     chance_of((double)given->size_bytes / (double)given->interval_bytes));
}

static void tell(uintptr_t pointer, uint64_t size, unsigned class)
{
    struct records_given given = since_of(thread.counts);

    given.pointer = pointer;
    given.size_bytes = size;
    given.interval_bytes = thread.interval_bytes[class];
    tell_most();
    if (!records_given(&given))
        return;
    note_told(thread.counts, &given);
    told_add(pointer, stands_for(&given));
}

static __attribute__((noinline)) void pick(uintptr_t pointer, uint64_t size, unsigned class)
{
    if (thread.is_busy)
        return;
    records_begin();
    if (!records_are_wanted()) {
        /* Looked at again after so much: what a thread gives before all is set up is as nothing. */
        thread.left_bytes[class] = records_are_over() ? INT64_MAX : 0;
        return;
    }
    if (!thread.is_known)
        introduce();
    thread.is_busy = true;
    if (!(thread.begun >> class & 1))
        begin_class(class);
    if (thread.left_bytes[class] <= 0) {
        tell(pointer, size, class);
        count_told(class);
        thread.left_bytes[class] = 0;
        draw_next(class);
    }
    thread.is_busy = false;
}

void sampling_given(uintptr_t pointer, size_t asked, size_t known, size_t taken)
{
    uint64_t size = asked > 0 ? asked : 1;
    unsigned class = class_of(size);
    struct heap_slot *counts = counts_now();

    count_kept(counts, (int64_t)known, (int64_t)taken);
    counts->given_bytes += size;
    counts->given_count++;
    thread.left_bytes[class] -= (int64_t)size;
    if (__builtin_expect(thread.left_bytes[class] <= 0, 0))
        pick(pointer, size, class);
    settle_kept();
}

void sampling_end_thread(void)
{
    if (!thread.is_busy && records_are_wanted())
        tell_counted(counts_now());
}

void sampling_give_slot(void)
{
    if (thread.slot)
        slots_give(thread.slot);
}

static __attribute__((noinline)) void take_back(uintptr_t pointer, struct sampling_taken *out)
{
    if (thread.is_busy)
        return;
    thread.is_busy = true;
    if (told_take(pointer, &out->told)) {
        tell_most();
        out->is_told = true;
        /* What the process has of its own is no less then. */
        if (told_is_inherited(&out->told))
            counts_now()->kept_bytes += out->told.stands_for_bytes;
        records_taken(pointer);
    }
    thread.is_busy = false;
}

static inline void take(uintptr_t pointer, size_t known, size_t taken, struct sampling_taken *out)
{
    count_kept(counts_now(), -(int64_t)known, -(int64_t)taken);
    if (__builtin_expect(told_may_have(pointer), 0))
        take_back(pointer, out);
    settle_kept();
}

void sampling_taken(uintptr_t pointer, size_t known, size_t taken)
{
    struct sampling_taken ignored;

    take(pointer, known, taken, &ignored);
}

void sampling_try_taken(uintptr_t pointer, size_t known, size_t taken, struct sampling_taken *out)
{
    out->is_told = false;
    take(pointer, known, taken, out);
}

void sampling_kept_still(uintptr_t pointer, size_t known, size_t taken, const struct sampling_taken *after)
{
    count_kept(counts_now(), (int64_t)known, (int64_t)taken);
    if (after->is_told) {
        thread.is_busy = true;
        if (told_is_inherited(&after->told))
            counts_now()->kept_bytes -= after->told.stands_for_bytes;
        told_add_again(&after->told);
        records_kept(pointer);
        thread.is_busy = false;
    }
    settle_kept();
}
