#include "annotate/marks.h"

#include <string.h>

#include "base/memory.h"

/* While samples are gone over. */
struct weighing {
    struct marks *marks;
    const struct profile *profile;
    uint32_t *nearest;   /* by stack: it, or the nearest of its callers, that has a mark; PROFILE_NONE */
    size_t *seen;        /* by mark: the last sample that counted for it, from 1 */
    size_t *groups_seen; /* by group */
    size_t sample;       /* from 1 */
};

static void weighing_done(struct weighing *weighing)
{
    free(weighing->nearest);
    free(weighing->seen);
    free(weighing->groups_seen);
}

void marks_init(struct marks *marks, const struct profile *profile)
{
    *marks = (struct marks){.of_frames = memory_new_unset((profile->frames.count + 1) * sizeof(uint32_t))};
    memset(marks->of_frames, 0xff, (profile->frames.count + 1) * sizeof(uint32_t));
}

void marks_done(struct marks *marks)
{
    free(marks->of_frames);
    vec_done(&marks->groups);
    free(marks->weights);
    free(marks->group_weights);
    *marks = (struct marks){0};
}

static const struct profile_location *location_of(const struct profile *profile, uint32_t stack)
{
    return &profile->locations.items[profile->stacks.items[stack].location];
}

static bool has_mark(const struct marks *marks, const struct profile_location *location)
{
    for (uint32_t i = 0; i < location->frame_count; i++)
        if (marks->of_frames[location->first_frame + i] != PROFILE_NONE)
            return true;
    return false;
}

/* Callers have smaller numbers. */
static void find_nearest(struct weighing *weighing)
{
    const struct profile *profile = weighing->profile;

    for (uint32_t i = 0; i < profile->stacks.count; i++) {
        uint32_t parent = profile->stacks.items[i].parent;

        weighing->nearest[i] = has_mark(weighing->marks, location_of(profile, i)) ? i
                               : parent == PROFILE_NONE                           ? PROFILE_NONE
                                                                                  : weighing->nearest[parent];
    }
}

static void add_total(struct weighing *weighing, uint32_t mark, uint64_t weight)
{
    struct marks *marks = weighing->marks;
    uint32_t group = marks->groups.items[mark];

    if (weighing->seen[mark] != weighing->sample)
        weight_add(&marks->weights[mark].total, weight);
    weighing->seen[mark] = weighing->sample;
    if (weighing->groups_seen[group] != weighing->sample)
        weight_add(&marks->group_weights[group].total, weight);
    weighing->groups_seen[group] = weighing->sample;
}

static void add_sum(struct weighing *weighing, uint32_t own, uint32_t leaf, uint64_t weight)
{
    struct marks *marks = weighing->marks;
    const struct profile *profile = weighing->profile;
    uint32_t own_mark = own == PROFILE_NONE ? PROFILE_NONE : marks->of_frames[own];
    uint32_t stack = leaf == PROFILE_NONE ? PROFILE_NONE : weighing->nearest[leaf];

    if (own_mark != PROFILE_NONE) {
        weight_add(&marks->weights[own_mark].self, weight);
        weight_add(&marks->group_weights[marks->groups.items[own_mark]].self, weight);
    }
    while (stack != PROFILE_NONE) {
        const struct profile_location *location = location_of(profile, stack);
        uint32_t parent = profile->stacks.items[stack].parent;

        for (uint32_t i = 0; i < location->frame_count; i++)
            if (marks->of_frames[location->first_frame + i] != PROFILE_NONE)
                add_total(weighing, marks->of_frames[location->first_frame + i], weight);
        stack = parent == PROFILE_NONE ? PROFILE_NONE : weighing->nearest[parent];
    }
}

void marks_weigh(struct marks *marks, const struct profile *profile, uint32_t series)
{
    enum weight weight = weight_of_series(profile, series);
    struct sums_cursor cursor = sums_cursor_of(&profile->series.items[series].samples.sums);
    SCOPED(weighing_done)
    struct weighing weighing = {
        .marks = marks,
        .profile = profile,
        .nearest = memory_new(profile->stacks.count + 1, sizeof(uint32_t)),
        .seen = memory_new(marks->groups.count + 1, sizeof(size_t)),
        .groups_seen = memory_new(marks->group_count + 1, sizeof(size_t)),
    };
    struct sample_sum sum;

    marks->weights = memory_new(marks->groups.count + 1, sizeof(struct weights));
    marks->group_weights = memory_new(marks->group_count + 1, sizeof(struct weights));
    find_nearest(&weighing);
    while (sums_cursor_next(&cursor, &sum)) {
        uint64_t of_sum = weight_of_sum(&sum, weight);

        weighing.sample++;
        weight_add(&marks->whole, of_sum);
        add_sum(&weighing, totals_own_frame(profile, series, sum.stack), sum.stack, of_sum);
    }
}
