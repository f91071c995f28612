/*
 * Two profiles as one: functions that are the same on both sides (delta/pairing.h) stand in it once, and
 * each side is a series. So whatever is made of a profile, totals or trees, is made of both in the same
 * terms.
 */
#ifndef CHANGES_JOINED_H
#define CHANGES_JOINED_H

#include "profile/profile.h"

enum joined_side { JOINED_BEFORE, JOINED_AFTER, JOINED_SIDES };

/* The series beside those of the sides: the samples of both, for what they have in common. */
enum { JOINED_BOTH = JOINED_SIDES };

/* What of one profile is compared; borrowed. */
struct joined_part {
    const struct profile *profile; /* all of its locations are symbolized */
    uint32_t series;
};

enum joined_by {
    JOINED_BY_FUNCTION,
    JOINED_BY_CRATE, /* functions of one crate are one, called like it; of none JOINED_UNKNOWN */
};

#define JOINED_UNKNOWN "[unknown]"

/* "function", "crate" */
const char *joined_noun(enum joined_by by);

/*
 * Sets up `out`, to be released with profile_done, with the series JOINED_BEFORE, JOINED_AFTER and
 * JOINED_BOTH and of them what their samples add up to, not the samples. Names that were paired although they
 * differ are shown without what differs; where code has no name, what stands for it is without its address.
 * Where one side is of folded stacks, which do not tell whose code names are, names alone say what is the
 * same, and the other side whose it is. Nothing can be added to `out` that is to be found by its id.
 */
void joined_make(const struct joined_part parts[JOINED_SIDES], enum joined_by by, struct profile *out);

/* Whether the series is of folded stacks: what its numbers count is not known. */
bool joined_is_folded(const struct joined_part *part);

/*
 * Whether one side, or both, was sampled outside of the kernel alone. What the other has of the kernel is
 * left out then: it would be held against nothing. Folded stacks do not tell where they were taken, so
 * nothing is left out beside them.
 */
bool joined_is_user_only(const struct joined_part parts[JOINED_SIDES]);

/*
 * A walk over what a side's samples add up to, as sums_cursor_of, without those that are left out:
 *
 *     struct joined_cursor cursor = joined_cursor_of(parts, JOINED_BEFORE);
 *     while (joined_cursor_next(&cursor, &sum))
 */
struct joined_cursor {
    struct sums_cursor sums;
    const struct profile *profile;
    bool is_user_only;
};

struct joined_cursor joined_cursor_of(const struct joined_part parts[JOINED_SIDES], enum joined_side side);
bool joined_cursor_next(struct joined_cursor *cursor, struct sample_sum *out);

#endif
