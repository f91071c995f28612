/*
 * What changed from one profile to another: how much each function, or crate, takes in both, itself and with
 * what it calls, and whether the difference is more than chance makes of so many samples.
 *
 *     struct joined_part parts[] = {{&before, 0}, {&after, 0}};
 *     struct measure measure;
 *     struct changes changes;
 *
 *     if (measure_make(parts, measure_usual(parts), &measure, err) < 0)
 *         return -1;
 *     changes_make(parts, JOINED_BY_FUNCTION, &measure, &changes);
 *     change_rows_fill(&changes, &words, &rows);
 */
#ifndef CHANGES_CHANGES_H
#define CHANGES_CHANGES_H

#include "changes/measure.h"

/* Before and after, in the measure's unit and as samples. */
struct change_figure {
    uint64_t amounts[JOINED_SIDES];
    uint64_t weights[JOINED_SIDES];
    double run_variance; /* of the difference, in the square of the unit: as runs of one side differ, where
                            measure_tells_runs; of waits and the heap else as what was sampled does; or 0 */
    uint64_t error;      /* chance alone rarely moves it further than so much, either way */
    bool is_noise;       /* the difference may be chance, or there is none */
};

/* In the order in which they are told. */
enum change_rank {
    CHANGE_ITSELF,     /* self is no noise */
    CHANGE_OWN_CALLER, /* of the user's own crates, and total is none: something it calls changed. Where
                          nothing is CHANGE_ITSELF, its share is no noise, either: else it moved as the whole
                          did */
    CHANGE_CALLER,     /* the same of other code */
    CHANGE_NOISE,
};

struct change {
    uint32_t function; /* of the joined profile; PROFILE_NONE: the samples without a stack */
    bool is_apart;     /* the row of what is `apart` in the measure; its weights are of all samples */
    enum change_rank rank;
    struct change_figure self;
    struct change_figure total; /* and in what it calls */
};

/* To be released with changes_done. */
struct changes {
    struct profile joined;
    struct measure measure;
    struct change_figure kernel; /* what all that is the kernel's takes itself, of what is sampled in time;
                                    how far runs differ is not in its error */
    VEC(struct change) items;    /* by rank, then by how far self is moved, of callers total; then name */
    size_t itself_count;         /* the first so many are CHANGE_ITSELF, */
    size_t told_count;           /* and so many that or CHANGE_OWN_CALLER */
    double chance;               /* differences less likely than this are told, */
    double run_deviations;       /* and only such as are more deviations, by run_variance */
    bool moved_alike; /* some are CHANGE_ITSELF, but each is as large a part of its side as it was, within
                         noise that would not hide all of it, and so are its functions, and what is beside it
                         moved, too: that may be the machine's doing */
    bool moved_alone; /* the same but for that: one has nearly all of the time, and so few samples are beside
                         it that nobody knows whether the machine was another */
    bool lacks_callers; /* one side alone has callers: totals are what functions take themselves */
};

/*
 * Compares; only what differs is an item, and the differences of self add up to that of the wholes. Compared
 * the other way round each `before` is an `after`. Of comparisons of runs that took the same at most one in
 * twenty tells a change: the bound holds for all items together, self and total. Chance is that of taking
 * samples; that a run of the same program takes longer for other reasons is not in it, unless runs can be
 * told apart (measure_tell_runs). Then a change is also more than Student's t makes of what runs of one side
 * differ.
 *
 * `measure` is that of the same parts. In time linear to what the profiles hold.
 */
void changes_make(const struct joined_part parts[JOINED_SIDES], enum joined_by by,
                  const struct measure *measure, struct changes *out);

void changes_done(struct changes *changes);

/* How many changed beyond noise: themselves, or of waits, which are the kernel's, with what they call. */
size_t changes_beyond_noise(const struct changes *changes);

/* Of all that either side has, its amounts alone. */
struct change_figure changes_whole(const struct changes *changes);

/* How much more after than before. */
int64_t change_of(const struct change_figure *figure);

/* The same, or how much less. */
uint64_t change_distance(const struct change_figure *figure);

/* How many samples a figure is of. */
uint64_t change_samples(const struct changes *changes, const struct change_figure *figure,
                        enum joined_side side);

/* Whether a figure's difference may be chance, its weights and amounts being set. */
bool change_is_noise(const struct changes *changes, const struct change_figure *figure);

/* Whether it is of the kernel's code, or of all of that. */
bool change_is_kernels(const struct changes *changes, const struct change *change);

/* What a change is of; "[no stack]" for no function, "[kernel]" for all of it. */
struct slice change_name(const struct changes *changes, const struct change *change);

#endif
