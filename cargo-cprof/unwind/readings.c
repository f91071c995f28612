#include "unwind/readings.h"

enum { MOST_PASSED_OVER = 8 }; /* readings that say nothing, until the one before them is too old */

void readings_begin(struct readings *readings, uint32_t look)
{
    struct reading kept = readings->before;
    uint32_t number = 0;

    if (readings->has_told && !reading_log_note(&readings->log, readings->newest.number)->is_void) {
        readings->before = readings->newest;
        readings->newest = kept;
    }
    reading_log_add(&readings->log);
    number = readings->log.count;
    if (number - readings->before.number > MOST_PASSED_OVER + 1)
        readings->before.length = 0;
    readings->newest.length = 0;
    readings->newest.look = look;
    readings->newest.number = number;
    readings->has_told = false;
    readings->is_open = true;
    readings->is_compared = false;
    readings->other_call = (struct other_call){0};
}

void readings_notice(struct readings *readings, uint32_t look, const struct unwind_request *walk)
{
    const struct reading *newest = &readings->newest;
    struct reading_note *note = reading_log_note(&readings->log, newest->number);
    const struct neighbour *last = &readings->last;
    struct neighbour next = {.sp = walk->stack_start, .is_in_it = reading_is_around(newest, walk)};

    next.is_elsewhere = !next.is_in_it && reading_is_as_deep(newest, walk);
    next.has_left_caller = readings->other_call.cfa != 0 && walk->stack_start >= readings->other_call.cfa;
    readings->is_next = false;
    if (!readings->is_open)
        return;
    if (newest->look == look) {
        readings->last = next;
        return;
    }
    readings->is_open = false;
    readings->is_next = true;
    note->is_proved = last->is_in_it && next.is_in_it;
    note->is_disturbed = last->is_elsewhere || next.is_elsewhere;
    note->is_explained = note->is_explained || last->explains;
    note->is_void = note->is_explained || last->has_left_caller;
    note->sp = next.sp > last->sp ? next.sp : last->sp;
}

/*
 * Whether the frames tell why the newest reading shows other calls: the thread was no longer down where these
 * lead, but had gone back to the caller, which was about something else. What the reading shows further down
 * was left there.
 */
static bool explains(const struct other_call *call, const struct unwind_frame *frames, size_t count)
{
    size_t i = 0;

    while (i < count && frames[i].cfa != call->cfa)
        i++;
    if (call->cfa == 0 || i == count)
        return false;
    return i == 0 || (frames[i].address != call->address_before && frames[i - 1].address != call->callee);
}

void readings_explain(struct readings *readings, uint32_t look, const struct unwind_frame *frames,
                      size_t count)
{
    const struct reading *newest = &readings->newest;
    struct reading_note *note = reading_log_note(&readings->log, newest->number);

    if (!explains(&readings->other_call, frames, count))
        return;
    if (newest->look == look)
        readings->last.explains = true;
    else if (readings->is_next)
        note->is_explained = note->is_void = true;
}

enum callers_difference readings_compare(struct readings *readings, const struct callers *newest,
                                         const struct unwinder *before, size_t first, bool is_complete)
{
    const struct unwind_frame *frames = &before->frames[first];
    size_t i = 0;
    enum callers_difference difference = callers_compare(newest, before, first, is_complete, &i);

    readings->other_call = (struct other_call){0};
    if (difference == CALLERS_OTHER_CALLS)
        readings->other_call = (struct other_call){
            .cfa = frames[i].cfa,
            .address_before = frames[i].address,
            .callee = i > 0 ? newest->frames.items[i - 1].address : before->frames[first - 1].address,
        };
    return difference;
}

void readings_note_difference(struct readings *readings, enum callers_difference difference)
{
    struct reading_note *newest = reading_log_note(&readings->log, readings->newest.number);
    struct reading_note *before = reading_log_note(&readings->log, readings->before.number);

    newest->differs = difference != CALLERS_SAME;
    /* Each thread has one root: this was read while memory changed. */
    newest->is_explained = difference == CALLERS_OTHER_ROOT && before->is_confirmed;
    newest->is_void = newest->is_explained;
    if (difference == CALLERS_SAME)
        newest->is_confirmed = before->is_confirmed = true;
}

bool readings_differ(const struct readings *readings)
{
    return reading_log_seen(&readings->log, readings->newest.number)->differs;
}

bool readings_is_before_good(const struct readings *readings, const struct unwind_request *walk)
{
    const struct reading_note *note = reading_log_seen(&readings->log, readings->before.number);

    return reading_has_tail(&readings->before, walk) && note->is_proved &&
           note->sp <= reading_tail_start(walk);
}
