#include "symbolize/crate_sources.h"

void crate_sources_done(struct crate_sources *sources)
{
    vec_done(&sources->local_surplus);
}

void crate_sources_note(struct crate_sources *sources, uint32_t crate, enum crate_source source)
{
    if (source == CRATE_SOURCE_UNKNOWN)
        return;
    while (sources->local_surplus.count <= crate)
        *vec_add(&sources->local_surplus) = 0;
    sources->local_surplus.items[crate] += source == CRATE_SOURCE_LOCAL ? 1 : -1;
}

void crate_sources_settle(const struct crate_sources *sources, struct profile *profile)
{
    for (size_t i = 0; i < profile->functions.count; i++) {
        struct profile_function *function = &profile->functions.items[i];

        if (function->category == CATEGORY_DEPENDENCY && function->crate < sources->local_surplus.count &&
            sources->local_surplus.items[function->crate] > 0)
            function->category = CATEGORY_OWN;
    }
}
