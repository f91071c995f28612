#include "unwind/outer_walk.h"

#include <string.h>

#include "unwind/frame_list.h"

enum {
    FIRST_BYTES = 256 << 10,    /* read above the copy while the end of the stack is not known */
    MOST_TRIES_IN_A_ROUND = 16, /* to read a thread's stack */
    RECENT_ROUNDS = 3,          /* how long a reading stands where a later one tells nothing */
};

_Static_assert(READING_MOST_BYTES == 9 << 20, "facts/quality.c says so");

/* --- Readings and samples ------------------------------------------------------------------------------ */

/* Reads the stack that the sample's copy shows and what is above, up to `top` if that is known. */
static bool read_stack(struct outer_walk *walk, uint64_t top)
{
    struct outer *outer = walk->outer;
    struct outer_thread *thread = walk->thread;
    struct reading *newest = &thread->newest;
    const struct unwind_request *request = &walk->request->walk;
    struct reading_source source = {outer->read, walk->request->context};
    uint64_t start = reading_start_for(request);
    uint64_t end = 0;

    if (request->stack_start > UINT64_MAX / 2)
        return false;
    if (thread->log.count == 0 || newest->round != outer->round)
        outer_thread_begin_reading(thread, outer->round);
    thread->try_count++;
    newest->length = 0;
    newest->frame_start = walk->frame_start;
    if (top <= reading_end_of_copy(request))
        top = reading_end_of_copy(request) + FIRST_BYTES;
    end = (top + READING_PAGE_BYTES - 1) & ~(uint64_t)(READING_PAGE_BYTES - 1);
    if (end - start > READING_MOST_BYTES || !reading_make_room(newest, end - start, &outer->total_bytes) ||
        !reading_fill(newest, source, request, end))
        return false;
    outer_thread_notice(thread, outer->round, request);
    return true;
}

/* Makes the newest reading one of this round that reaches down to the end of the sample's copy. */
static bool refresh(struct outer_walk *walk)
{
    struct outer_thread *thread = walk->thread;
    const struct unwind_request *request = &walk->request->walk;
    uint64_t tail_start = reading_tail_start(request);
    bool is_fresh = thread->log.count > 0 && thread->newest.round == walk->outer->round;

    if (is_fresh && outer_thread_status(thread, thread->newest.number)->is_stale)
        return false;
    if (is_fresh && (reading_holds(&thread->newest, tail_start, reading_end_of_copy(request) - tail_start) ||
                     thread->try_count >= MOST_TRIES_IN_A_ROUND))
        return thread->newest.length > 0;
    return read_stack(walk, thread->top);
}

static bool is_recent(const struct outer *outer, const struct reading *reading)
{
    return outer->round - reading->round <= RECENT_ROUNDS;
}

/* Whether the reading before this round's is good for the sample. */
static bool is_before_good(const struct outer_walk *walk)
{
    struct outer_thread *thread = walk->thread;
    const struct unwind_request *request = &walk->request->walk;

    return thread->before.length > 0 && reading_has_tail(&thread->before, request, walk->frame_start) &&
           reading_log_proves(&thread->log, thread->before.number, reading_tail_start(request));
}

/* The reading to go on with, or NULL. */
static const struct reading *choose_reading(struct outer_walk *walk)
{
    const struct unwind_request *request = &walk->request->walk;
    struct outer_thread *thread = walk->thread;
    bool was_read = refresh(walk);
    bool is_good = is_before_good(walk);

    walk->needs_proof = !is_good;
    if (was_read)
        return reading_has_tail(&thread->newest, request, walk->frame_start) ? &thread->newest : NULL;
    walk->was_refused = !outer_thread_status(thread, thread->log.count)->is_stale;
    return is_good && is_recent(walk->outer, &thread->before) ? &thread->before : NULL;
}

/* --- Walking ------------------------------------------------------------------------------------------- */

/* The variables of the innermost call are its own to change: they prove nothing unless they are the same. */
static void note_known_frames(struct outer_walk *walk)
{
    const struct unwinder *unwinder = walk->unwinder;

    walk->known_count = unwinder->frame_count;
    walk->frame_start = UINT64_MAX;
    if (walk->known_count > 1)
        walk->frame_start = unwinder->frames[walk->known_count - 2].cfa;
}

bool outer_walk_read(void *context, uint64_t address, uint64_t *out)
{
    struct outer_walk *walk = context;

    /* Nothing but the same stack's outer part is proved by its words. */
    if (!walk->request->is_cut || address < reading_end_of_copy(&walk->request->walk) ||
        crossings_have(&walk->outer->crossings, walk->request->thread, address))
        return false;
    if (walk->known_count == 0) {
        note_known_frames(walk);
        walk->thread = outer_thread_of(walk->outer,
                                       outer_thread_number(walk->request->thread, walk->request->is_of_wait));
        walk->reading = choose_reading(walk);
    }
    walk->missed = address;
    if (!walk->reading)
        return false;
    if (!reading_holds(walk->reading, address, sizeof(*out))) {
        walk->is_too_short = !walk->reading->is_to_end && address - walk->reading->start < READING_MOST_BYTES;
        return false;
    }
    walk->missed = 0;
    walk->has_used = true;
    memcpy(out, walk->reading->bytes + (address - walk->reading->start), sizeof(*out));
    return true;
}

static bool is_memory(const struct outer_walk *walk, uint64_t address)
{
    return reading_is_memory((struct reading_source){walk->outer->read, walk->request->context}, address);
}

bool outer_walk_has_reading(const struct outer_walk *walk)
{
    const struct reading *newest = walk->thread ? &walk->thread->newest : NULL;

    return newest && newest->round == walk->outer->round &&
           reading_has_tail(newest, &walk->request->walk, walk->frame_start);
}

bool outer_walk_is_elsewhere(const struct outer_walk *walk, uint64_t address)
{
    const struct unwind_request *request = &walk->request->walk;
    bool is_read = outer_walk_has_reading(walk);
    uint64_t memory_end =
        is_read ? walk->thread->newest.start + walk->thread->newest.length : reading_end_of_copy(request);

    if (address < memory_end)
        return address < reading_start_for(request) && is_memory(walk, address);
    return (address - memory_end >= READING_MOST_BYTES ||
            ((is_read || walk->was_refused) && !is_memory(walk, memory_end))) &&
           is_memory(walk, address);
}

static bool may_cross(void *context, uint64_t cfa)
{
    struct outer_walk *walk = context;
    const struct outer_request *request = walk->request;

    if (!request->is_cut || walk->is_too_short ||
        !(crossings_have(&walk->outer->crossings, request->thread, cfa) ||
          outer_walk_is_elsewhere(walk, cfa)))
        return false;
    if (walk->known_count == 0)
        note_known_frames(walk);
    return true;
}

static enum unwind_end walk_on(struct outer_walk *walk)
{
    struct unwind_request request = walk->request->walk;

    request.read = outer_walk_read;
    request.may_cross = may_cross;
    request.read_context = walk;
    walk->is_too_short = false;
    return unwind(walk->unwinder, &request);
}

/* Reads more than before, while the end of the stack is not known. False: there is no more. */
static bool reach_further(struct outer_walk *walk)
{
    struct outer_thread *thread = walk->thread;
    const struct reading *newest = thread ? &thread->newest : NULL;
    uint64_t end = 0;
    uint64_t top = 0;

    if (!thread || !walk->is_too_short || walk->reading != newest ||
        thread->try_count >= MOST_TRIES_IN_A_ROUND)
        return false;
    end = newest->start + newest->length;
    top = end + newest->length;
    if (top - newest->start > READING_MOST_BYTES)
        top = newest->start + READING_MOST_BYTES;
    if (top <= end)
        return false;
    walk->reading = NULL;
    if (!read_stack(walk, top) || newest->start + newest->length <= end ||
        !reading_has_tail(newest, &walk->request->walk, walk->frame_start))
        return false;
    walk->reading = newest;
    return true;
}

/* Whether the reading before shows other callers. The frames are the same afterwards. */
static bool differs_from_before(struct outer_walk *walk)
{
    struct outer_thread *thread = walk->thread;
    struct outer *outer = walk->outer;
    struct unwinder *unwinder = walk->unwinder;
    size_t known = walk->known_count;
    size_t count = unwinder->frame_count;
    const struct unwind_point crossing = unwinder->crossing;
    enum unwind_end end = UNWIND_COMPLETE;
    size_t differs_at = 0;

    outer->scratch.count = 0;
    for (size_t i = known; i < count; i++)
        *vec_add(&outer->scratch) = unwinder->frames[i];
    walk->reading = &thread->before;
    end = walk_on(walk);
    walk->reading = &thread->newest;
    differs_at =
        frame_list_contradiction((struct frame_list){outer->scratch.items, outer->scratch.count},
                                 (struct frame_list){unwinder->frames + known, unwinder->frame_count - known},
                                 end == UNWIND_COMPLETE || end == UNWIND_CROSSING);
    for (size_t i = known; i < count; i++)
        unwinder->frames[i] = outer->scratch.items[i - known];
    unwinder->frame_count = count;
    unwinder->crossing = crossing;
    walk->differs_at = known + differs_at;
    return differs_at != FRAME_LIST_AGREES;
}

/*
 * Whether the walk came to the first frame that the reading before does not show over a call that cannot have
 * been one: there what is left of other frames ends.
 */
static bool is_between_calls(const struct outer_walk *walk)
{
    const struct unwind_frame *frames = walk->unwinder->frames;
    const struct outer_request *request = walk->request;
    size_t at = walk->differs_at;

    return request->may_call && at < walk->unwinder->frame_count &&
           !request->may_call(request->walk.context, frames[at].address, frames[at - 1].address);
}

/* Goes on without the newest reading. */
static enum unwind_end give_up_newest(struct outer_walk *walk)
{
    struct outer_thread *thread = walk->thread;
    bool is_good = is_before_good(walk);

    outer_thread_status(thread, thread->log.count)->is_stale = true;
    thread->newest.length = 0;
    thread->log.is_open = false;
    walk->reading = is_good ? &thread->before : NULL;
    walk->needs_proof = !is_good;
    return is_good ? walk_on(walk) : UNWIND_UNREADABLE;
}

/* Reads the stack once more. Whether the reading before does not show other callers than that. */
static bool try_again(struct outer_walk *walk, enum unwind_end *end)
{
    struct outer_thread *thread = walk->thread;

    if (thread->retried > 0 && thread->log.count < thread->retried + READINGS_NEAR)
        return false;
    thread->retried = thread->log.count;
    if (!read_stack(walk, thread->top) ||
        !reading_has_tail(&thread->newest, &walk->request->walk, walk->frame_start))
        return false;
    *end = walk_on(walk);
    return *end == UNWIND_COMPLETE && !differs_from_before(walk);
}

/*
 * Once a round the newest reading is compared with the one before. A thread that calls the same function
 * again and again may just have been between two calls, so now and then a second try is allowed; code whose
 * callers change all the time needs it at every other reading.
 */
static enum unwind_end compare_readings(struct outer_walk *walk, enum unwind_end end)
{
    struct outer_thread *thread = walk->thread;

    if (walk->request->is_of_wait || thread->is_compared || walk->reading != &thread->newest ||
        !reading_has_tail(&thread->before, &walk->request->walk, walk->frame_start))
        return end;
    thread->is_compared = true;
    if (!differs_from_before(walk) || try_again(walk, &end))
        return end;
    if (end == UNWIND_COMPLETE && thread->newest.length > 0 && is_between_calls(walk))
        return give_up_newest(walk);
    outer_thread_status(thread, thread->log.count)->is_doubtful = true;
    return end;
}

/*
 * Whether the newest reading leads nowhere from where the one before led to the thread's start: the thread
 * was between two calls, and what was left of the frames lay under words that are no frames.
 */
static bool is_newest_broken(const struct outer_walk *walk)
{
    const struct outer_thread *thread = walk->thread;

    return !walk->request->is_of_wait && walk->reading == &thread->newest && !walk->is_too_short &&
           thread->before.is_whole && is_recent(walk->outer, &thread->before) && is_before_good(walk);
}

/* Of this stack. */
static bool is_whole(enum unwind_end end)
{
    return end == UNWIND_COMPLETE || end == UNWIND_DEEP || end == UNWIND_CROSSING;
}

bool outer_walk_through(struct outer_walk *walk, enum unwind_end *end)
{
    *end = walk_on(walk);
    if (is_whole(*end) && !walk->has_used) { /* what was asked for was one of several ways to go on */
        walk->known_count = *end == UNWIND_CROSSING ? walk->known_count : 0;
        return true;
    }
    while (*end == UNWIND_UNREADABLE && reach_further(walk))
        *end = walk_on(walk);
    if (walk->reading && !is_whole(*end) && is_newest_broken(walk))
        *end = give_up_newest(walk);
    if (!walk->reading || !is_whole(*end))
        return false;
    walk->thread->newest.is_whole |= walk->reading == &walk->thread->newest && *end == UNWIND_COMPLETE;
    /* A walk may come to its end with the first frame, at a return address of 0 that was read. */
    if (*end == UNWIND_COMPLETE && walk->unwinder->frame_count > 1)
        walk->thread->top = walk->unwinder->frames[walk->unwinder->frame_count - 2].cfa + READING_PAGE_BYTES;
    *end = compare_readings(walk, *end);
    return is_whole(*end) && (walk->request->is_of_wait ||
                              !outer_thread_status(walk->thread, walk->thread->log.count)->is_doubtful);
}
