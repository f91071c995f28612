#include "unwind/outer.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "unwind/readings.h"

enum {
    PAGE_BYTES = 4096,
    FIRST_BYTES = 256 << 10,   /* read above the copy while the end of the stack is not known */
    MOST_BYTES = 4 << 20,      /* of one reading */
    MOST_IN_ALL = 16 << 20,    /* of all readings that are kept */
    MOST_TRIES_IN_A_LOOK = 16, /* to read a thread's stack */
    MOST_RETRIES = 4,          /* of a reading that differs from the one before */
    RETRY_PAUSE = 8,           /* readings between two that are tried again */
    OLD_LOOKS = 32,            /* when a stack stands though the thread was not read since */
    RECENT_LOOKS = 3,          /* how long a reading stands for a process that is gone */
};

struct outer_thread {
    struct readings readings;
    uint32_t try_count; /* in the look of the newest */
    uint64_t top;       /* what needed to be read so far ends here; 0: not known */
    uint32_t retried;   /* the last reading that was tried again for being different; 0: none */
};

/* One walk. */
struct walk {
    struct outer *outer;
    struct outer_thread *thread; /* NULL while the copy is enough */
    const struct outer_request *request;
    struct unwinder *unwinder;
    const struct reading *reading; /* in use */
    size_t known_count;            /* frames that the copy told; 0: nothing past it was asked for */
    bool is_too_short;             /* the walk needs more than was read */
    bool was_refused;
    bool needs_proof;
};

void outer_init(struct outer *outer, reading_fn *read)
{
    *outer = (struct outer){.read = read};
}

void outer_done(struct outer *outer)
{
    for (size_t i = 0; i < outer->threads.count; i++) {
        outer_end_thread(outer, (uint32_t)i);
        free(outer->threads.items[i]);
    }
    vec_done(&outer->threads);
    callers_done(&outer->scratch);
}

void outer_begin_look(struct outer *outer)
{
    outer->look++;
}

static void give_back(struct outer *outer, struct reading *reading)
{
    outer->total_bytes -= reading->capacity;
    reading_done(reading);
}

static struct outer_thread *known_thread(const struct outer *outer, uint32_t id)
{
    return id < outer->threads.count ? outer->threads.items[id] : NULL;
}

void outer_end_thread(struct outer *outer, uint32_t thread)
{
    struct outer_thread *known = known_thread(outer, thread);

    if (!known)
        return;
    give_back(outer, &known->readings.newest);
    give_back(outer, &known->readings.before);
}

static struct outer_thread *thread_of(struct outer *outer, uint32_t id)
{
    while (outer->threads.count <= id)
        *vec_add(&outer->threads) = NULL; /* NOLINT(bugprone-sizeof-expression): items are pointers */
    if (!outer->threads.items[id])
        outer->threads.items[id] = memory_new(1, sizeof(struct outer_thread));
    return outer->threads.items[id];
}

/* Reads the stack that the sample's copy shows and what is above, up to `top` if that is known. */
static bool read_stack(struct walk *walk, uint64_t top)
{
    struct outer *outer = walk->outer;
    struct outer_thread *thread = walk->thread;
    struct reading *newest = &thread->readings.newest;
    const struct unwind_request *request = &walk->request->walk;
    struct reading_source source = {outer->read, walk->request->context};
    uint64_t start = reading_start_for(request);
    uint64_t end = 0;

    if (request->stack_start > UINT64_MAX / 2)
        return false;
    if (thread->readings.log.count == 0 || newest->look != outer->look) {
        readings_begin(&thread->readings, outer->look);
        thread->try_count = 0;
    }
    thread->try_count++;
    newest->length = 0;
    if (top <= reading_end_of_copy(request))
        top = reading_end_of_copy(request) + FIRST_BYTES;
    end = (top + PAGE_BYTES - 1) & ~(uint64_t)(PAGE_BYTES - 1);
    if (end - start > MOST_BYTES || outer->total_bytes - newest->capacity + (end - start) > MOST_IN_ALL)
        return false;
    outer->total_bytes -= newest->capacity;
    reading_make_room(newest, end - start);
    outer->total_bytes += newest->capacity;
    if (!reading_fill(newest, source, request, end))
        return false;
    readings_notice(&thread->readings, outer->look, request);
    return true;
}

/* Makes the newest reading one of this look that reaches down to the end of the sample's copy. */
static bool refresh(struct walk *walk)
{
    struct outer_thread *thread = walk->thread;
    const struct reading *newest = &thread->readings.newest;
    const struct unwind_request *request = &walk->request->walk;
    uint64_t tail_start = reading_tail_start(request);
    bool is_fresh = thread->readings.log.count > 0 && newest->look == walk->outer->look;

    if (is_fresh && (reading_holds(newest, tail_start, reading_end_of_copy(request) - tail_start) ||
                     thread->try_count >= MOST_TRIES_IN_A_LOOK))
        return newest->length > 0;
    return read_stack(walk, thread->top);
}

/* The reading to go on with, or NULL. */
static const struct reading *choose_reading(struct walk *walk)
{
    const struct unwind_request *request = &walk->request->walk;
    const struct readings *readings = &walk->thread->readings;
    bool was_read = refresh(walk);
    bool is_good = readings_is_before_good(readings, request);

    walk->needs_proof = !is_good;
    if (was_read && readings_differ(readings))
        return is_good ? &readings->before : NULL;
    if (was_read)
        return reading_has_tail(&readings->newest, request) ? &readings->newest : NULL;
    walk->was_refused = true;
    return is_good && walk->outer->look - readings->before.look <= RECENT_LOOKS ? &readings->before : NULL;
}

/* What a sample's copy tells of the reading before it; nothing is read for it yet. */
static void explain(const struct walk *walk, size_t count)
{
    struct outer_thread *thread = known_thread(walk->outer, walk->request->thread);

    if (thread)
        readings_explain(&thread->readings, walk->outer->look, walk->unwinder->frames, count);
}

/* --- Walking ------------------------------------------------------------------------------------------- */

static bool read_word(void *context, uint64_t address, uint64_t *out)
{
    struct walk *walk = context;

    /* Nothing but the same stack's outer part is proved by its words. */
    if (!walk->request->is_cut || address < reading_end_of_copy(&walk->request->walk))
        return false;
    if (walk->known_count == 0) {
        walk->known_count = walk->unwinder->frame_count;
        explain(walk, walk->known_count - 1); /* the CFA of the last one is not known yet */
        walk->thread = thread_of(walk->outer, walk->request->thread);
        walk->reading = choose_reading(walk);
    }
    if (!walk->reading)
        return false;
    if (!reading_holds(walk->reading, address, sizeof(*out))) {
        walk->is_too_short = address - walk->reading->start < MOST_BYTES;
        return false;
    }
    memcpy(out, walk->reading->bytes + (address - walk->reading->start), sizeof(*out));
    return true;
}

static void find(void *context, uint64_t address, struct unwind_rule *out)
{
    const struct walk *walk = context;
    const struct unwind_request *request = &walk->request->walk;

    request->find(request->context, address, out);
}

static enum unwind_end walk_on(struct walk *walk)
{
    struct unwind_request request = walk->request->walk;

    request.read = read_word;
    request.find = find;
    request.context = walk;
    walk->is_too_short = false;
    return unwind(walk->unwinder, &request);
}

/* Reads more than before, while the end of the stack is not known. False: there is no more. */
static bool reach_further(struct walk *walk)
{
    struct outer_thread *thread = walk->thread;
    const struct reading *newest = thread ? &thread->readings.newest : NULL;
    uint64_t end = 0;

    if (!thread || !walk->is_too_short || walk->reading != newest ||
        thread->try_count >= MOST_TRIES_IN_A_LOOK)
        return false;
    end = newest->start + newest->length;
    walk->reading = NULL;
    if (!read_stack(walk, end + newest->length) || newest->start + newest->length <= end ||
        !reading_has_tail(newest, &walk->request->walk))
        return false;
    walk->reading = newest;
    return true;
}

/* How the callers are others in the reading before. The frames are the same afterwards. */
static enum callers_difference compare_with_before(struct walk *walk)
{
    struct callers *kept = &walk->outer->scratch;
    struct unwinder *unwinder = walk->unwinder;
    struct readings *readings = &walk->thread->readings;
    enum callers_difference result = CALLERS_SAME;
    enum unwind_end end = UNWIND_COMPLETE;

    callers_keep(kept, unwinder, walk->known_count);
    walk->reading = &readings->before;
    end = walk_on(walk);
    walk->reading = &readings->newest;
    result = readings_compare(readings, kept, unwinder, walk->known_count, end == UNWIND_COMPLETE);
    callers_put_back(kept, unwinder, walk->known_count);
    return result;
}

/*
 * Takes the callers that the reading before shows, where the newest shows others. That stands if the thread
 * turns out to have been between two calls then.
 */
static enum unwind_end go_back(struct walk *walk)
{
    const struct readings *readings = &walk->thread->readings;

    walk->reading = readings_is_before_good(readings, &walk->request->walk) ? &readings->before : NULL;
    return walk->reading ? walk_on(walk) : UNWIND_UNREADABLE;
}

/* Reads the stack anew for the same sample, and compares again. CALLERS_SAME: `*end` is how the walk ended.
 */
static enum callers_difference try_again(struct walk *walk, enum unwind_end *end)
{
    struct outer_thread *thread = walk->thread;

    if (!read_stack(walk, thread->top) || !reading_has_tail(&thread->readings.newest, &walk->request->walk))
        return CALLERS_OTHER;
    *end = walk_on(walk);
    return *end == UNWIND_COMPLETE ? compare_with_before(walk) : CALLERS_OTHER;
}

/*
 * Once a look the newest reading is compared with the one before. A thread that calls the same function again
 * and again may just have been between two calls, so now and then it is tried again; code whose callers
 * change all the time needs that at every other reading.
 */
static enum unwind_end compare_readings(struct walk *walk, enum unwind_end end)
{
    struct outer_thread *thread = walk->thread;
    struct readings *readings = &thread->readings;
    uint32_t number = readings->newest.number;
    enum callers_difference difference = CALLERS_SAME;

    if (readings->is_compared || walk->reading != &readings->newest ||
        !reading_has_tail(&readings->before, &walk->request->walk))
        return end;
    readings->is_compared = true;
    difference = compare_with_before(walk);
    if (difference != CALLERS_SAME && (thread->retried == 0 || number >= thread->retried + RETRY_PAUSE)) {
        thread->retried = number;
        for (unsigned i = 0; i < MOST_RETRIES && difference != CALLERS_SAME; i++)
            difference = try_again(walk, &end);
    }
    readings_note_difference(readings, difference);
    return difference == CALLERS_SAME ? end : go_back(walk);
}

static bool is_whole(enum unwind_end end)
{
    return end == UNWIND_COMPLETE || end == UNWIND_DEEP;
}

/* Walks as far as memory leads and tells in `end` how that ended. Whether the frames may be taken. */
static bool walk_through(struct walk *walk, enum unwind_end *end)
{
    *end = walk_on(walk);
    while (*end == UNWIND_UNREADABLE && reach_further(walk))
        *end = walk_on(walk);
    if (!walk->reading || !is_whole(*end))
        return false;
    walk->thread->readings.has_told |= walk->reading == &walk->thread->readings.newest;
    if (*end == UNWIND_COMPLETE && walk->unwinder->frame_count > 1)
        walk->thread->top = walk->unwinder->frames[walk->unwinder->frame_count - 2].cfa + PAGE_BYTES;
    *end = compare_readings(walk, *end);
    return is_whole(*end);
}

/* Leaves the frames that the sample's own copy told. */
static void cut(const struct walk *walk)
{
    walk->unwinder->frame_count = walk->known_count;
    walk->unwinder->frames[walk->known_count - 1].cfa = 0;
}

struct outer_result outer_unwind(struct outer *outer, const struct outer_request *request,
                                 struct unwinder *unwinder)
{
    struct outer_thread *thread = known_thread(outer, request->thread);
    struct walk walk = {.outer = outer, .request = request, .unwinder = unwinder};
    struct outer_result result = {0};
    bool is_sound = false;

    if (thread)
        readings_notice(&thread->readings, outer->look, &request->walk);
    is_sound = walk_through(&walk, &result.end);
    if (walk.known_count == 0) {
        explain(&walk, unwinder->frame_count);
        return result;
    }
    if (is_sound) {
        result.outcome = OUTER_COMPLETED;
        result.known_count = walk.known_count;
        result.claim = (struct outer_claim){request->thread, walk.thread->readings.log.count, outer->look,
                                            walk.needs_proof, reading_tail_start(&request->walk)};
        return result;
    }
    cut(&walk);
    if (result.end == UNWIND_OTHER_STACK)
        return result;
    result.end = UNWIND_UNREADABLE;
    result.outcome = walk.was_refused ? OUTER_REFUSED : OUTER_REJECTED;
    return result;
}

enum outer_verdict outer_verdict(const struct outer *outer, struct outer_claim claim, bool is_final)
{
    const struct reading_log *log = &known_thread(outer, claim.thread)->readings.log;
    const struct reading_note *note = reading_log_seen(log, claim.reading);
    bool is_proved = note->is_proved && note->is_confirmed && note->sp <= claim.known_start;
    bool is_old = outer->look >= claim.look + OLD_LOOKS;

    if (!is_final && !is_old && log->count < claim.reading + READING_LOG_AFTER)
        return OUTER_OPEN;
    if (note->differs && !note->is_explained)
        return OUTER_TAKE_BACK;
    return reading_log_is_trusted(log, claim.reading) && (is_proved || !claim.needs_proof) ? OUTER_KEEP
                                                                                           : OUTER_TAKE_BACK;
}
