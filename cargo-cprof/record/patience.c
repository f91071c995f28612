#include "record/patience.h"

#include <limits.h>

enum {
    READINGS_ENOUGH = 20, /* of a thread, to trust what they show */
    EAGER_MOST = 40,      /* looks in a row that are soon after each other; each costs some 50 us */
};

void patience_init(struct patience *patience)
{
    *patience = (struct patience){.eager_left = EAGER_MOST};
}

void patience_note_deep(struct patience *patience, const struct outer *outer, uint32_t thread)
{
    patience->deep_look = outer->look;
    if (outer_reading_count(outer, thread) < READINGS_ENOUGH)
        patience->new_look = outer->look;
}

/*
 * Whether to look again soon: a stack that is deeper than its copy is completed once its thread was read some
 * times, and a program that ends before that would have none that is whole. Nobody knows of the first ones.
 */
static bool is_eager(const struct patience *patience, const struct outer *outer)
{
    enum { FIRST_LOOKS = 4, RECENT_LOOKS = 3 };

    return patience->eager_left > 0 &&
           (outer->look < FIRST_LOOKS ||
            (patience->new_look > 0 && outer->look - patience->new_look < RECENT_LOOKS));
}

void patience_begin_look(struct patience *patience, const struct outer *outer)
{
    if (is_eager(patience, outer))
        patience->eager_left--;
    else if (patience->eager_left < EAGER_MOST)
        patience->eager_left++;
}

int patience_ms(const struct patience *patience, const struct outer *outer)
{
    enum { EAGER_MS = 2, EAGER_VARIED_MS = 3 };
    enum { RECENT_LOOKS = 16, SHORT_MS = 14, VARIED_MS = 13, STEP_MS = 5 };
    bool is_deep = patience->deep_look > 0 && outer->look - patience->deep_look < RECENT_LOOKS;

    if (is_eager(patience, outer))
        return EAGER_MS + (int)(outer->look % EAGER_VARIED_MS);
    /* Not in step with a program that does the same every so many milliseconds. */
    return is_deep ? SHORT_MS + (int)(outer->look * STEP_MS % VARIED_MS) : INT_MAX;
}
