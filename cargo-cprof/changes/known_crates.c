#include "changes/known_crates.h"

void known_crates_done(struct known_crates *known)
{
    intern_done(&known->names);
    vec_done(&known->crates);
}

void known_crates_add(struct known_crates *known, const struct profile *profile)
{
    for (size_t i = 0; i < profile->functions.count; i++) {
        const struct profile_function *function = &profile->functions.items[i];
        struct slice crate = profile_text(profile, function->crate);
        uint32_t id = 0;

        if (crate.length == 0)
            continue;
        id = intern_add(&known->names, profile_text(profile, function->name));
        if (id == known->crates.count)
            *vec_add(&known->crates) = crate;
        else if (!slice_equal(known->crates.items[id], crate))
            known->crates.items[id] = (struct slice){0};
    }
}

struct slice known_crates_find(const struct known_crates *known, struct slice name)
{
    uint32_t id = intern_find(&known->names, name);

    return id == INTERN_NONE ? (struct slice){0} : known->crates.items[id];
}
