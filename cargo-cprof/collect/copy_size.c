#include "collect/copy_size.h"

#include "base/compiler.h"

static void note_wrong(struct copy_size *size, uint64_t count, uint32_t round)
{
    enum { APART_ROUNDS = 8 };

    if (size->wrong_round == 0 || round - size->last_wrong_round > APART_ROUNDS) {
        size->wrong_round = round;
        size->wrong_count = 0;
        size->completed_count = 0;
    }
    size->wrong_count += count;
    size->last_wrong_round = round;
}

void copy_size_note(struct copy_size *size, enum copy_use use, uint64_t count, uint32_t round)
{
    enum { COMPLETED_A_SMALL = 8 };

    if (count == 0)
        return;
    if (use == COPY_USE_IS_WRONG)
        note_wrong(size, count, round);
    if (use == COPY_USE_COMPLETED)
        size->completed_count += count;
    if (use == COPY_USE_STANDS)
        size->has_stood = true;
    if (size->is_small)
        return;
    if (use == COPY_USE_SMALL)
        size->completed_count -= lesser(size->completed_count, count * COMPLETED_A_SMALL);
    if (use == COPY_USE_IS_WRONG || use == COPY_USE_LARGE)
        size->completed_count = 0;
}

/* Some are cut whatever is copied, as those of threads that end, or once the machine stopped for a moment. */
static bool is_too_small(const struct copy_size *size)
{
    enum { ALWAYS = 16, COMPLETED_A_WRONG = 64 };

    return size->wrong_count > ALWAYS + size->completed_count / COMPLETED_A_WRONG;
}

/* For an eighth of a second: of a compiler's stacks, which change all the time, none were for a shorter one.
 */
static bool is_enough(const struct copy_size *size, uint32_t frequency_hz)
{
    enum { LEAST = 128, PARTS_OF_A_SECOND = 8 };
    uint32_t wanted = frequency_hz / PARTS_OF_A_SECOND;

    return size->has_stood && size->completed_count >= (wanted < LEAST ? LEAST : wanted);
}

enum copy_change copy_size_changes(struct copy_size *size, uint32_t frequency_hz, uint32_t *from_round)
{
    if (size->is_small && is_too_small(size)) {
        *from_round = size->wrong_round - 1;
        *size = (struct copy_size){.was_wrong = true};
        return COPY_MOST;
    }
    if (!size->is_small && !size->was_wrong && is_enough(size, frequency_hz)) {
        *size = (struct copy_size){.is_small = true};
        return COPY_FEWER;
    }
    return COPY_STAYS;
}

void copy_size_begin(struct copy_size *size)
{
    *size = (struct copy_size){.was_wrong = size->was_wrong};
}
