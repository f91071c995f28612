#include "unwind/outer.h"

#include <stdlib.h>

#include "unwind/outer_walk.h"

void outer_init(struct outer *outer, reading_fn *read)
{
    *outer = (struct outer){.read = read};
}

static uint32_t number_of(const struct outer_request *request)
{
    return outer_thread_number(request->thread, request->is_of_wait);
}

static void end_readings(struct outer *outer, uint32_t number)
{
    struct outer_thread *known = outer_thread_known(outer, number);

    if (!known)
        return;
    reading_done(&known->newest, &outer->total_bytes);
    reading_done(&known->before, &outer->total_bytes);
    known->log.is_open = false;
}

void outer_done(struct outer *outer)
{
    for (size_t i = 0; i < outer->threads.count; i++) {
        end_readings(outer, (uint32_t)i);
        free(outer->threads.items[i]);
    }
    vec_done(&outer->threads);
    vec_done(&outer->scratch);
    crossings_done(&outer->crossings);
}

void outer_begin_round(struct outer *outer)
{
    outer->round++;
}

void outer_end_thread(struct outer *outer, uint32_t thread)
{
    crossings_end_thread(&outer->crossings, thread);
    end_readings(outer, outer_thread_number(thread, false));
    end_readings(outer, outer_thread_number(thread, true));
}

uint32_t outer_reading_count(const struct outer *outer, uint32_t thread)
{
    uint32_t most = crossings_reading_count(&outer->crossings, thread);

    for (uint32_t i = 0; i < 2; i++) {
        const struct outer_thread *known = outer_thread_known(outer, outer_thread_number(thread, i == 1));

        most = known && known->log.count > most ? known->log.count : most;
    }
    return most;
}

/* Leaves the frames that the sample's own copy told. */
static void cut(const struct outer_walk *walk)
{
    walk->unwinder->frame_count = walk->known_count;
    walk->unwinder->frames[walk->known_count - 1].cfa = 0;
}

/* Why the outer part of the stack is missing. */
static enum outer_outcome reason_of(const struct outer_walk *walk, enum unwind_end end)
{
    const enum outer_outcome usual = walk->was_refused ? OUTER_REFUSED : OUTER_REJECTED;

    if (end == UNWIND_CROSSING)
        return OUTER_ELSEWHERE;
    /* Without a rule, too, the next word was asked for. */
    if ((end != UNWIND_UNREADABLE && end != UNWIND_NO_RULE) ||
        walk->missed < reading_end_of_copy(&walk->request->walk))
        return usual;
    if (outer_walk_has_reading(walk) &&
        walk->missed >= walk->thread->newest.start + walk->thread->newest.length &&
        walk->thread->newest.length > READING_MOST_BYTES - READING_PAGE_BYTES)
        return OUTER_TOO_DEEP;
    return outer_walk_is_elsewhere(walk, walk->missed) ? OUTER_ELSEWHERE : usual;
}

/* Goes on on another stack. Whether the frames may be taken, if what was read is. */
static bool cross(struct outer_walk *walk, const struct crossing_request *request, enum unwind_end *end)
{
    walk->was_interrupted = walk->unwinder->crossing.at.has_left_copy;
    walk->crossed_to = walk->unwinder->crossing.cfa;
    walk->crossed = crossings_follow(&walk->outer->crossings, request, walk->unwinder);
    *end = walk->crossed.is_sound  ? walk->crossed.end
           : walk->was_interrupted ? UNWIND_OTHER_STACK
                                   : UNWIND_CROSSING;
    return walk->crossed.is_sound;
}

static struct outer_candidate candidate_of(const struct outer_walk *walk)
{
    const struct outer *outer = walk->outer;
    const struct outer_thread *thread = walk->thread;
    struct outer_candidate candidate = {.thread = number_of(walk->request),
                                        .round = outer->round,
                                        .is_of_round = true,
                                        .is_of_handler = walk->was_interrupted,
                                        .crossing_count = walk->crossed.count};

    for (uint32_t i = 0; i < walk->crossed.count; i++)
        candidate.crossings[i] = walk->crossed.uses[i];
    if (!walk->has_used)
        return candidate;
    candidate.reading = thread->log.count;
    candidate.needs_proof = walk->needs_proof;
    candidate.known_start = reading_tail_start(&walk->request->walk);
    candidate.is_of_round = walk->reading == &thread->newest && thread->newest.round == outer->round;
    return candidate;
}

/* The frames that the copy told alone. Down the stack unwind information leads where it is wrong, too. */
static void leave_known(const struct outer_walk *walk, struct outer_result *result)
{
    bool is_astray = walk->crossed_to != 0 && walk->crossed_to < walk->request->walk.stack_start &&
                     result->end == UNWIND_CROSSING && !walk->crossed.has_led_on;

    cut(walk);
    if (result->end == UNWIND_OTHER_STACK)
        return;
    if (is_astray) {
        result->end = UNWIND_UNREADABLE;
        return;
    }
    result->outcome = reason_of(walk, result->end);
    result->end = UNWIND_UNREADABLE;
}

struct outer_result outer_unwind(struct outer *outer, const struct outer_request *request,
                                 struct unwinder *unwinder)
{
    struct outer_thread *thread = outer_thread_known(outer, number_of(request));
    struct outer_walk walk = {.outer = outer, .request = request, .unwinder = unwinder};
    const struct crossing_request crossing = {.walk = &request->walk,
                                              .read_own = outer_walk_read,
                                              .own_context = &walk,
                                              .source = {outer->read, request->context},
                                              .thread = request->thread,
                                              .round = outer->round,
                                              .is_of_wait = request->is_of_wait};
    struct outer_result result = {0};
    bool is_sound = false;

    if (thread)
        outer_thread_notice(thread, outer->round, &request->walk);
    is_sound = outer_walk_through(&walk, &result.end);
    if (is_sound && result.end == UNWIND_CROSSING)
        is_sound = cross(&walk, &crossing, &result.end);
    if (walk.known_count > 0 && is_sound) {
        result.outcome = OUTER_COMPLETED;
        result.known_count = walk.known_count;
        result.candidate = candidate_of(&walk);
    } else if (walk.known_count > 0) {
        leave_known(&walk, &result);
    }
    crossings_notice(&outer->crossings, &crossing, unwinder, is_sound && result.end == UNWIND_COMPLETE);
    return result;
}

bool outer_completes_fewer(const struct outer *outer, const struct outer_request *request, size_t bytes)
{
    const struct outer_thread *thread = outer_thread_known(outer, number_of(request));
    struct unwind_request walk = request->walk;

    walk.stack = slice_range(walk.stack, 0, bytes);
    return thread && thread->newest.round == outer->round &&
           reading_has_tail(&thread->newest, &walk, UINT64_MAX);
}

/* Of the copied stack's own outer part. */
static enum outer_verdict own_verdict(const struct outer *outer, const struct outer_candidate *candidate,
                                      bool is_decided)
{
    struct outer_thread *thread = outer_thread_known(outer, candidate->thread);
    struct reading_use use = {.number = candidate->reading, .is_decided = is_decided};

    if (candidate->reading == 0)
        return OUTER_KEEP;
    use.is_proved = !candidate->needs_proof ||
                    reading_log_proves(&thread->log, candidate->reading, candidate->known_start);
    return reading_log_verdict(&thread->log, use);
}

enum outer_verdict outer_verdict(const struct outer *outer, const struct outer_candidate *candidate,
                                 bool is_final)
{
    bool is_decided = is_final || outer->round >= candidate->round + READINGS_OLD_ROUNDS;
    enum outer_verdict verdict = own_verdict(outer, candidate, is_decided);

    for (uint32_t i = 0; i < candidate->crossing_count; i++) {
        enum outer_verdict other = crossings_verdict(&outer->crossings, candidate->crossings[i], is_decided);

        if (verdict == OUTER_KEEP || other == OUTER_TAKE_BACK)
            verdict = other;
    }
    return verdict;
}
