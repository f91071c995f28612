#include "changes/alike.h"

#include "changes/chance.h"

/* How much of all samples is of the side after, which of a function that kept its share is so, too. */
static double sampled_after(const struct changes *changes)
{
    const struct measure_side *sides = changes->measure.sides;
    double all = sides[JOINED_BEFORE].samples + sides[JOINED_AFTER].samples;

    return all > 0 ? sides[JOINED_AFTER].samples / all : 0;
}

bool alike_by_share(const struct changes *changes, const struct change_figure *figure)
{
    double share_after = sampled_after(changes);

    return share_after > 0 && share_after < 1 &&
           chance_of_counts(change_samples(changes, figure, JOINED_BEFORE),
                            change_samples(changes, figure, JOINED_AFTER), share_after) > changes->chance;
}

/* Whether a side of so few samples would tell that its share is another: where it might have none by chance,
 * it does not. */
static bool tells_share(const struct changes *changes, const struct change_figure *figure)
{
    double share_after = sampled_after(changes);
    uint64_t together =
        change_samples(changes, figure, JOINED_BEFORE) + change_samples(changes, figure, JOINED_AFTER);
    bool is_less_before = share_after > 0.5;

    return share_after > 0 && share_after < 1 &&
           chance_of_counts(is_less_before ? 0 : together, is_less_before ? together : 0, share_after) <=
               changes->chance;
}

/* What has nearly all of the time has nearly the same share of it whatever it takes: that the machine was
 * slower only what stands beside it can tell, by having moved, too. */
static bool moved_beside(const struct changes *changes, const struct change_figure *figure)
{
    struct change_figure rest = {0};

    for (size_t side = 0; side < JOINED_SIDES; side++) {
        rest.amounts[side] = changes->measure.sides[side].whole - figure->amounts[side];
        rest.weights[side] = changes->measure.sides[side].weight - figure->weights[side];
    }
    return !change_is_noise(changes, &rest);
}

void alike_find(struct changes *changes)
{
    bool is_alike = changes->itself_count > 0;
    bool is_alone = false;

    for (size_t i = 0; i < changes->items.count; i++) {
        const struct change *change = &changes->items.items[i];

        /* What calls a function of many more often is slower, and no part of it is itself. */
        is_alike = is_alike && (change->total.is_noise || alike_by_share(changes, &change->total));
        if (change->self.is_noise)
            continue;
        is_alike = is_alike && !change->is_apart && alike_by_share(changes, &change->self) &&
                   tells_share(changes, &change->self);
        is_alone = is_alone || !moved_beside(changes, &change->self);
    }
    changes->moved_alike = is_alike && !is_alone;
    changes->moved_alone = is_alike && is_alone;
}
