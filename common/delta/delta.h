/*
 * Two results of one command as one: what each of their things was before and is after. Works on any rows:
 * the columns of texts that people see say what is the same thing (same_name.h), those of words (COLUMN_WORD)
 * what is told of it after, or before where it is gone; those of numbers are compared, and parts of these
 * (struct column).
 */
#ifndef DELTA_DELTA_H
#define DELTA_DELTA_H

#include "report/rows.h"

enum { DELTA_VALUES_MAX = 10, DELTA_TEXTS_MAX = 4 };

struct delta_value {
    uint64_t before;
    uint64_t after;
};

/* One thing; its texts are in the delta's arena. */
struct delta_entry {
    struct slice texts[DELTA_TEXTS_MAX]; /* by text column, as shown; without data where not known */
    struct delta_value values[DELTA_VALUES_MAX];
    bool was_there;
    bool is_there;
    bool is_noise;               /* the difference may be chance */
    bool is_moved;               /* other crates have what is as large in all (moved.h) */
    struct delta_value inferred; /* what of the primary value is of crates that names alone tell; 0 without
                                    inferred_key */
};

/* Zero-initialised is empty. */
struct delta {
    const char *inferred_key; /* set by the caller: the column of the primary value's bytes that are of crates
                                 which are inferred; where there is none the rows whose crate-source says so
                                 are of such. NULL: nothing is inferred, as
                                 delta_compute sets it where there is neither column */
    struct arena arena;
    struct column texts[DELTA_TEXTS_MAX]; /* the columns that name a thing or tell of it; headings and keys
                                             are constants */
    size_t text_count;
    struct column values[DELTA_VALUES_MAX]; /* the columns that are compared */
    size_t value_count;
    size_t primary; /* the value that the order goes by */
    VEC(struct delta_entry)
    items; /* unchanged ones too; by absolute difference, then by name; moved ones last */
    const char *list_key;
    const char *noun;
    const char *const *apart; /* as of rows */
};

void delta_done(struct delta *delta);

/*
 * Compares two results of the same columns. Things that have the same names in both, letter by letter, are
 * compared one by one; where only numbers that compilers give differ, those of one name are added up on both
 * sides, and their name is shown without the numbers. `primary_key` names the value that the order goes by;
 * NULL: the first of bytes, else the first.
 *
 * Sums are kept: for each value the entries add up to what the rows of each side add up to. Compared the
 * other way round each `before` is an `after`. Strings of `after`'s columns are borrowed. `out` is zeroed but
 * for inferred_key, and to be given to delta_done.
 */
void delta_compute(const struct rows *before, const struct rows *after, const char *primary_key,
                   struct delta *out);

/* What all entries add up to, of one value. */
struct delta_value delta_total(const struct delta *delta, size_t value);

/* Whether any of its values differs. */
bool delta_entry_is_changed(const struct delta *delta, const struct delta_entry *entry);

/* Whether of one side more than half is of crates that are inferred: what changed may be another crate's. */
bool delta_is_inferred(struct delta_value inferred, struct delta_value value);

/* The place among delta->texts of the column with this key; text_count when there is none. */
size_t delta_find_text(const struct delta *delta, const char *key);

#endif
