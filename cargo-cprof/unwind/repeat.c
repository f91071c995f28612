#include "unwind/repeat.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"

enum {
    PLACES = 16, /* threads whose samples come in turn; those whose numbers are as many apart share one */
    MOST_STEPS = 4096, /* that are kept of a walk, the first ones */
};

struct word {
    uint64_t address;
    uint64_t value;
};

struct step {
    struct unwind_state before;
    struct unwind_frame frame;
    uint32_t first_word; /* that it read; up to the next step's */
    bool is_repeatable;
};

struct steps {
    VEC(struct step) items;
    VEC(struct word) words;
    uint32_t generation;
};

struct place {
    struct steps last;
    struct steps now;
};

struct unwind_repeats {
    struct place places[PLACES];
    struct place *place;  /* of the walk at hand */
    size_t at;            /* step of the last walk that comes next */
    uint32_t first_word;  /* of the step at hand */
    bool is_unrepeatable; /* the step at hand */
    bool is_past_copy;    /* this walk has read past the copy */
};

struct unwind_repeats *unwind_repeats_new(void)
{
    return memory_new(1, sizeof(struct unwind_repeats));
}

static void steps_done(struct steps *steps)
{
    vec_done(&steps->items);
    vec_done(&steps->words);
}

void unwind_repeats_free(struct unwind_repeats *repeats)
{
    for (size_t i = 0; repeats && i < PLACES; i++) {
        steps_done(&repeats->places[i].last);
        steps_done(&repeats->places[i].now);
    }
    free(repeats);
}

/*
 * Has the processor fetch what the walk before read of its copy, of this one: another processor wrote it, and
 * where the calls differ the walk waits for each word before it asks for the next. The outer ones of many
 * stay as they are, and to compare them is to ask for all at once.
 */
static void fetch_words(const struct steps *steps, const struct unwind_request *request)
{
    enum { MOST = 256 };
    size_t count = steps->words.count < MOST ? steps->words.count : MOST;

    for (size_t i = 0; i < count; i++) {
        uint64_t address = steps->words.items[i].address;

        if (unwind_is_copied(request, address))
            __builtin_prefetch(request->stack.data + (address - request->stack_start));
    }
}

void repeat_begin(struct unwind_repeats *repeats, const struct unwind_request *request)
{
    struct place *place = &repeats->places[request->thread % PLACES];
    struct steps kept = place->last;

    place->last = place->now;
    place->now = kept;
    place->now.items.count = 0;
    place->now.words.count = 0;
    place->now.generation = request->generation;
    if (place->last.generation != request->generation) {
        place->last.items.count = 0;
        place->last.words.count = 0;
    }
    repeats->place = place;
    repeats->at = 0;
    repeats->first_word = 0;
    repeats->is_unrepeatable = false;
    repeats->is_past_copy = false;
    fetch_words(&place->last, request);
}

void repeat_note_word(struct unwind_repeats *repeats, uint64_t address, uint64_t value)
{
    struct steps *now = &repeats->place->now;

    if (now->items.count < MOST_STEPS)
        *vec_add(&now->words) = (struct word){address, value};
}

void repeat_note_word_past_copy(struct unwind_repeats *repeats, uint64_t address, uint64_t value)
{
    repeats->is_past_copy = true;
    repeat_note_word(repeats, address, value);
}

void repeat_note_other(struct unwind_repeats *repeats)
{
    repeats->is_unrepeatable = true;
}

void repeat_add(struct unwind_repeats *repeats, const struct unwind_state *before,
                const struct unwind_frame *frame)
{
    struct steps *now = &repeats->place->now;
    bool is_unrepeatable = repeats->is_unrepeatable;

    repeats->is_unrepeatable = false;
    if (now->items.count >= MOST_STEPS)
        return;
    *vec_add(&now->items) = (struct step){
        .before = *before,
        .frame = *frame,
        .first_word = repeats->first_word,
        /* Of the innermost frame all registers are known. */
        .is_repeatable = !is_unrepeatable && !before->is_innermost && !before->has_left_copy,
    };
    repeats->first_word = (uint32_t)now->words.count;
}

static bool is_same_register(const struct unwind_register *a, const struct unwind_register *b)
{
    return a->kind == b->kind && a->value == b->value;
}

static bool is_same(const struct unwind_state *a, const struct unwind_state *b)
{
    return a->ip == b->ip && a->sp == b->sp && is_same_register(&a->fp, &b->fp) &&
           is_same_register(&a->bp, &b->bp) && is_same_register(&a->link, &b->link) &&
           a->is_innermost == b->is_innermost && a->is_exact == b->is_exact &&
           a->has_left_copy == b->has_left_copy && a->sp_is_guess == b->sp_is_guess;
}

/* What a step that is taken anew would read there. */
static bool read_again(const struct unwind_repeats *repeats, const struct unwind_request *request,
                       uint64_t address, uint64_t *out)
{
    if (!unwind_is_copied(request, address))
        return repeats->is_past_copy && request->read(request->read_context, address, out);
    memcpy(out, request->stack.data + (address - request->stack_start), sizeof(*out));
    return true;
}

/* Whether the words of the walk before from `first` up to `end` are the same for this request. */
static bool words_hold(const struct unwind_repeats *repeats, size_t first, size_t end,
                       const struct unwind_request *request)
{
    const struct word *words = repeats->place->last.words.items;
    uint64_t found = 0;

    for (size_t i = first; i < end; i++)
        if (!read_again(repeats, request, words[i].address, &found) || found != words[i].value)
            return false;
    return true;
}

/* A step of the walk before once more, with its words, which end before `end`, as one of this walk. */
static void keep(struct place *place, const struct step *step, size_t end)
{
    struct step *kept = NULL;

    if (place->now.items.count >= MOST_STEPS)
        return;
    kept = vec_add(&place->now.items);
    *kept = *step;
    kept->first_word = (uint32_t)place->now.words.count;
    for (size_t i = step->first_word; i < end; i++)
        *vec_add(&place->now.words) = place->last.words.items[i];
}

size_t repeat_steps(struct unwind_repeats *repeats, const struct unwind_request *request,
                    struct unwind_state *state, struct unwind_frame *frames, size_t room)
{
    const struct steps *last = &repeats->place->last;
    const struct step *steps = last->items.items;
    size_t count = 0;

    while (repeats->at < last->items.count && steps[repeats->at].before.sp < state->sp)
        repeats->at++;
    /* Where the last step of a walk led to is not known. */
    if (repeats->at + 1 >= last->items.count || !is_same(&steps[repeats->at].before, state))
        return 0;
    for (; repeats->at + 1 < last->items.count && count < room; count++) {
        const struct step *step = &steps[repeats->at];

        if (!step->is_repeatable || !words_hold(repeats, step->first_word, step[1].first_word, request))
            break;
        keep(repeats->place, step, step[1].first_word);
        frames[count] = step->frame;
        repeats->at++;
    }
    repeats->first_word = (uint32_t)repeats->place->now.words.count;
    *state = steps[repeats->at].before;
    return count;
}
