#include "collect/patience.h"

#include <stdint.h>

enum {
    READINGS_ENOUGH = 28, /* of a thread, to trust what they show, the first of them too */
    EAGER_MOST = 40,      /* rounds in a row that are soon after each other; each costs some 50 us */
};

void patience_init(struct patience *patience)
{
    *patience = (struct patience){.eager_left = EAGER_MOST};
}

void patience_note_deep(struct patience *patience, const struct outer *outer, uint32_t thread)
{
    patience->deep_round = outer->round;
    if (outer_reading_count(outer, thread) < READINGS_ENOUGH)
        patience->new_round = outer->round;
}

void patience_note_deep_wait(struct patience *patience, const struct outer *outer)
{
    patience->wait_round = outer->round;
}

/*
 * Whether the next round is to be soon: a stack that is deeper than its copy is completed once its thread was
 * read some times, and a program that ends before that would have none that is whole. Nobody knows of the
 * first ones.
 */
static bool is_eager(const struct patience *patience, const struct outer *outer)
{
    enum { FIRST_ROUNDS = 4, RECENT_ROUNDS = 3 };

    return patience->eager_left > 0 &&
           (outer->round < FIRST_ROUNDS ||
            (patience->new_round > 0 && outer->round - patience->new_round < RECENT_ROUNDS));
}

void patience_begin_round(struct patience *patience, const struct outer *outer)
{
    if (is_eager(patience, outer))
        patience->eager_left--;
    else if (patience->eager_left < EAGER_MOST)
        patience->eager_left++;
}

/*
 * A bit more each time, and another bit, so as not to be in step with a program that does the same every so
 * many milliseconds: its stack would be read at the same point each time, and seem to have one caller alone.
 */
static int64_t varied_us(int64_t ms, uint32_t round)
{
    enum { US_PER_MS = 1000, GOLDEN_US = 618 }; /* which spreads its multiples as evenly as can be */

    return ms * US_PER_MS + (int64_t)round * GOLDEN_US % US_PER_MS;
}

int64_t patience_us(const struct patience *patience, const struct outer *outer)
{
    enum { EAGER_MS = 2, EAGER_VARIED_MS = 3 };
    enum { RECENT_ROUNDS = 16, SHORT_MS = 14, VARIED_MS = 13, STEP_MS = 5 };
    enum { RECENT_WAIT_ROUNDS = 64, WAIT_MS = 3 };
    uint32_t round = outer->round;
    bool has_waits = patience->wait_round > 0 && round - patience->wait_round < RECENT_WAIT_ROUNDS;
    bool is_deep = patience->deep_round > 0 && round - patience->deep_round < RECENT_ROUNDS;

    if (is_eager(patience, outer))
        return varied_us(EAGER_MS + round % EAGER_VARIED_MS, round);
    if (has_waits)
        return varied_us(WAIT_MS, round);
    return is_deep ? varied_us(SHORT_MS + (int64_t)round * STEP_MS % VARIED_MS, round) : INT64_MAX;
}
