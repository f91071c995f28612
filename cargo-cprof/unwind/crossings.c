#include "unwind/crossings.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "unwind/frame_list.h"

enum {
    BELOW_BYTES = 256,      /* of the CFA: where a call stores what it keeps for its caller */
    FIRST_BYTES = 32 << 10, /* read of a stack while it is not known how far it goes */
    FURTHER = 8,            /* times as much, where that was not enough */
    MOST_OF_THREAD = 24,    /* places that are known of a thread */
};

_Static_assert((int)MOST_OF_THREAD > (int)CROSSINGS_OF_WALK, "not all of a thread are of one walk");

#define NO_THREAD UINT32_MAX

/* A place where a thread's stacks go on on another. */
struct crossing {
    uint32_t thread; /* NO_THREAD: of one that has ended */
    uint32_t serial;
    uint64_t cfa;
    struct reading newest;
    size_t wanted_bytes;            /* what needed to be read so far */
    uint32_t last_round;            /* when a walk came here last */
    uint32_t last_walk;             /* the number of that, or of another that told of the readings */
    VEC(struct unwind_frame) shown; /* what the last reading that led on showed of this stack, */
    uint32_t shown_number;          /* its number; 0: none did */
    struct reading_log log;
};

/* A walk on its way. */
struct crossing_walk {
    struct crossings *crossings;
    const struct crossing_request *request;
    struct unwinder *unwinder;
    struct crossing *places[CROSSINGS_OF_WALK];
    size_t first_frames[CROSSINGS_OF_WALK]; /* on each of these stacks */
    uint32_t count;
    bool is_too_short; /* the walk needs more than was read */
};

/* --- The table ------------------------------------------------------------------------------------- */

static void give_back(struct crossings *crossings, struct crossing *place)
{
    reading_done(&place->newest, &crossings->total_bytes);
    place->log.is_open = false;
}

void crossings_done(struct crossings *crossings)
{
    for (size_t i = 0; i < crossings->items.count; i++) {
        struct crossing *place = crossings->items.items[i];

        give_back(crossings, place);
        vec_done(&place->shown);
        free(place);
    }
    vec_done(&crossings->items);
}

void crossings_end_thread(struct crossings *crossings, uint32_t thread)
{
    for (size_t i = 0; i < crossings->items.count; i++) {
        struct crossing *place = crossings->items.items[i];

        if (place->thread != thread)
            continue;
        give_back(crossings, place);
        place->thread = NO_THREAD;
    }
}

static struct crossing *find(const struct crossings *crossings, uint32_t thread, uint64_t cfa)
{
    for (size_t i = 0; i < crossings->items.count; i++) {
        struct crossing *place = crossings->items.items[i];

        if (place->thread == thread && place->cfa == cfa)
            return place;
    }
    return NULL;
}

bool crossings_have(const struct crossings *crossings, uint32_t thread, uint64_t address)
{
    for (size_t i = 0; i < crossings->items.count; i++) {
        const struct crossing *place = crossings->items.items[i];

        if (place->thread == thread && place->cfa - address <= BELOW_BYTES)
            return true;
    }
    return false;
}

uint32_t crossings_reading_count(const struct crossings *crossings, uint32_t thread)
{
    uint32_t most = 0;

    for (size_t i = 0; i < crossings->items.count; i++) {
        const struct crossing *place = crossings->items.items[i];

        if (place->thread == thread && place->log.count > most)
            most = place->log.count;
    }
    return most;
}

/*
 * The item for a place that is not known yet: of a thread that has ended, when no verdict asks for it any
 * more; of many of one thread that which it has not come to for longest, this walk's aside; or a new one.
 */
static struct crossing *make_item(struct crossings *crossings, uint32_t thread, uint32_t round)
{
    struct crossing *oldest = NULL;
    struct crossing *place = NULL;
    size_t count = 0;

    for (size_t i = 0; i < crossings->items.count; i++) {
        place = crossings->items.items[i];
        if (place->thread == NO_THREAD && round - place->last_round > OUTER_MOST_ROUNDS)
            return place;
        if (place->thread != thread)
            continue;
        count++;
        if (place->last_walk != crossings->walk && (!oldest || place->last_round < oldest->last_round))
            oldest = place;
    }
    if (count >= MOST_OF_THREAD && oldest)
        return oldest;
    place = memory_new(1, sizeof(struct crossing));
    *vec_add(&crossings->items) = place; /* NOLINT(bugprone-sizeof-expression): items are pointers */
    return place;
}

static struct crossing *place_of(struct crossings *crossings, const struct crossing_request *request,
                                 uint64_t cfa)
{
    struct crossing *place = find(crossings, request->thread, cfa);

    if (place)
        return place;
    place = make_item(crossings, request->thread, request->round);
    give_back(crossings, place);
    vec_done(&place->shown);
    *place = (struct crossing){
        .thread = request->thread, .cfa = cfa, .serial = ++crossings->serial, .wanted_bytes = FIRST_BYTES};
    return place;
}

/* --- Readings and samples ------------------------------------------------------------------------------ */

static bool read_stack(struct crossing_walk *walk, struct crossing *place)
{
    const struct reading_source *source = &walk->request->source;
    struct reading *newest = &place->newest;

    newest->length = 0;
    newest->start = (place->cfa - BELOW_BYTES) & ~(uint64_t)(READING_PAGE_BYTES - 1);
    if (place->cfa < BELOW_BYTES || place->cfa > UINT64_MAX / 2 ||
        !reading_make_room(newest, place->wanted_bytes, &walk->crossings->total_bytes))
        return false;
    newest->length = source->read(source->context, newest->start, place->wanted_bytes, newest->bytes);
    return newest->length > place->cfa - newest->start;
}

/* Makes the place's reading one of this round. */
static bool refresh(struct crossing_walk *walk, struct crossing *place)
{
    const struct reading_sight here = {.is_in_it = true};
    uint32_t round = walk->request->round;

    reading_log_notice(&place->log, round, here);
    place->last_round = round;
    place->last_walk = walk->crossings->walk;
    if (place->log.count > 0 && place->log.round == round)
        return place->newest.length > 0;
    reading_log_begin(&place->log, round);
    reading_log_notice(&place->log, round, here);
    return read_stack(walk, place);
}

/* Reads more of the stack. False: there is no more. */
static bool reach_further(struct crossing_walk *walk, struct crossing *place)
{
    if (!walk->is_too_short || place->newest.length < place->wanted_bytes ||
        place->wanted_bytes == READING_MOST_BYTES)
        return false;
    place->wanted_bytes = place->wanted_bytes < READING_MOST_BYTES / FURTHER ? place->wanted_bytes * FURTHER
                                                                             : READING_MOST_BYTES;
    return read_stack(walk, place);
}

/* --- Walking ------------------------------------------------------------------------------------------- */

static bool read_word(void *context, uint64_t address, uint64_t *out)
{
    struct crossing_walk *walk = context;
    const struct reading *last = &walk->places[walk->count - 1]->newest;

    for (uint32_t i = walk->count; i > 0; i--) {
        const struct reading *reading = &walk->places[i - 1]->newest;

        if (!reading_holds(reading, address, sizeof(*out)))
            continue;
        memcpy(out, reading->bytes + (address - reading->start), sizeof(*out));
        return true;
    }
    if (walk->request->read_own(walk->request->own_context, address, out))
        return true;
    walk->is_too_short = address > last->start && address - last->start < READING_MOST_BYTES;
    return false;
}

/* Where the reading may go on, the stack may, too. */
static bool may_cross(void *context, uint64_t cfa)
{
    struct crossing_walk *walk = context;
    const struct crossing *last = walk->places[walk->count - 1];
    bool is_whole = last->newest.length < last->wanted_bytes || last->wanted_bytes == READING_MOST_BYTES;

    return walk->count < CROSSINGS_OF_WALK && (is_whole || !walk->is_too_short) &&
           reading_is_memory(walk->request->source, cfa);
}

static enum unwind_end walk_on(struct crossing_walk *walk)
{
    struct unwind_request request = *walk->request->walk;
    const struct unwind_point point = walk->unwinder->crossing;
    struct crossing *place = place_of(walk->crossings, walk->request, point.cfa);
    enum unwind_end end = UNWIND_UNREADABLE;

    request.read = read_word;
    request.may_cross = may_cross;
    request.read_context = walk;
    walk->first_frames[walk->count] = point.frame_count + 1;
    walk->places[walk->count++] = place;
    if (!refresh(walk, place))
        return end;
    do {
        walk->is_too_short = false;
        end = unwind_across(walk->unwinder, &request, &point);
    } while (end == UNWIND_UNREADABLE && reach_further(walk, place));
    return end;
}

static struct frame_list frames_of(const struct crossing_walk *walk, uint32_t index)
{
    size_t first = walk->first_frames[index];
    size_t end = index + 1 < walk->count ? walk->first_frames[index + 1] : walk->unwinder->frame_count;

    return (struct frame_list){walk->unwinder->frames + first, end - first};
}

/* Once a reading, what it shows is held against what the one before has shown. */
static void compare(struct crossing_walk *walk, uint32_t index)
{
    struct crossing *place = walk->places[index];
    struct frame_list now = frames_of(walk, index);
    struct frame_list before = {place->shown.items, place->shown.count};

    if (place->shown_number == place->log.count)
        return;
    if (place->shown_number > 0 && !walk->request->is_of_wait &&
        frame_list_contradiction(before, now, true) != FRAME_LIST_AGREES)
        reading_log_at(&place->log, place->log.count)->is_doubtful = true;
    place->shown.count = 0;
    for (size_t i = 0; i < now.count; i++)
        *vec_add(&place->shown) = now.items[i];
    place->shown_number = place->log.count;
}

/*
 * Whether the walk came to the thread's start. A stack that was given back meanwhile, and is now one that was
 * never written to, has zeros, as where a thread starts.
 */
static bool is_whole(const struct crossing_walk *walk, enum unwind_end end)
{
    bool has_frames = walk->unwinder->frame_count > walk->first_frames[walk->count - 1];

    return end == UNWIND_DEEP || (end == UNWIND_COMPLETE && has_frames);
}

struct crossing_result crossings_follow(struct crossings *crossings, const struct crossing_request *request,
                                        struct unwinder *unwinder)
{
    struct crossing_walk walk = {.crossings = crossings, .request = request, .unwinder = unwinder};
    struct crossing_result result = {.end = UNWIND_CROSSING, .is_sound = true, .has_led_on = true};

    while (result.end == UNWIND_CROSSING)
        result.end = walk_on(&walk);
    if (!is_whole(&walk, result.end)) {
        struct crossing *last = walk.places[walk.count - 1];

        if (last->shown_number != last->log.count)
            reading_log_at(&last->log, last->log.count)->is_stale = true;
        result.is_sound = false;
        result.has_led_on = walk.places[0]->shown_number > 0;
        return result;
    }
    for (uint32_t i = 0; i < walk.count; i++) {
        compare(&walk, i);
        result.uses[result.count++] =
            (struct crossing_use){walk.places[i]->serial, walk.places[i]->log.count};
        result.is_sound &= request->is_of_wait ||
                           !reading_log_at(&walk.places[i]->log, walk.places[i]->log.count)->is_doubtful;
    }
    return result;
}

/* --- What samples on the other stack tell ---------------------------------------------------------- */

/* Whether the walk came through the calls that the place has shown; the first may be at another call. */
static bool shows(const struct unwinder *unwinder, const struct crossing *place)
{
    size_t count = place->shown.count;
    const struct unwind_frame *shown = place->shown.items;

    for (size_t i = 0; i + count <= unwinder->frame_count; i++) {
        struct frame_list here = {unwinder->frames + i + 1, count - 1};
        struct frame_list there = {shown + 1, count - 1};

        if (unwinder->frames[i].cfa == shown[0].cfa)
            return frame_list_contradiction(there, here, true) == FRAME_LIST_AGREES;
    }
    return false;
}

void crossings_notice(struct crossings *crossings, const struct crossing_request *request,
                      const struct unwinder *unwinder, bool is_whole)
{
    for (size_t i = 0; i < crossings->items.count; i++) {
        struct crossing *place = crossings->items.items[i];
        bool is_in_it = false;

        if (place->thread != request->thread || !place->log.is_open || place->last_walk == crossings->walk)
            continue;
        is_in_it =
            place->shown_number == place->log.count && place->shown.count > 0 && shows(unwinder, place);
        reading_log_notice(
            &place->log, request->round,
            (struct reading_sight){.is_in_it = is_in_it, .is_elsewhere = !is_in_it && is_whole});
    }
    crossings->walk++;
}

/* --- Verdicts -------------------------------------------------------------------------------------- */

static struct crossing *find_serial(const struct crossings *crossings, uint32_t serial)
{
    for (size_t i = 0; i < crossings->items.count; i++)
        if (crossings->items.items[i]->serial == serial)
            return crossings->items.items[i];
    return NULL;
}

enum outer_verdict crossings_verdict(const struct crossings *crossings, struct crossing_use use,
                                     bool is_decided)
{
    struct crossing *place = find_serial(crossings, use.serial);
    struct reading_use by_now = {.number = use.reading, .is_decided = is_decided};

    if (!place) /* others have come up since */
        return OUTER_TAKE_BACK;
    by_now.is_proved = reading_log_at(&place->log, use.reading)->is_proved ||
                       (use.reading > 1 && reading_log_at(&place->log, use.reading - 1)->is_proved);
    return reading_log_verdict(&place->log, by_now);
}
