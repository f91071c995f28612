#include "hints/hints.h"

#include "base/units.h"
#include "facts/other_allocator.h"
#include "facts/quality.h"
#include "facts/series_unit.h"
#include "facts/short_stacks.h"
#include "hints/hint_weights.h"

/* Where a cost comes from: a function of the user's, and how much. */
struct origin {
    uint32_t function;
    uint64_t weight;
};

/* What is told of one series. */
struct hinter {
    const struct profile *profile;
    const struct hint_weights *of;
    bool has_other_allocator; /* than the system's */
};

static int compare_origins(const void *left, const void *right)
{
    const struct origin *a = left;
    const struct origin *b = right;

    if (a->weight != b->weight)
        return a->weight > b->weight ? -1 : 1;
    return a->function < b->function ? -1 : a->function > b->function;
}

static bool is_over(uint64_t part, uint64_t whole, unsigned percent)
{
    return whole > 0 && (unsigned __int128)part * 100 >= (unsigned __int128)whole * percent;
}

static void add_origins(struct text *text, const struct hinter *hinter, enum hint_kind kind)
{
    enum { ORIGINS_SHOWN = 3, LEAST_PERCENT = 1 };
    const size_t most = kind == HINT_HOT_INLINED ? 1 : ORIGINS_SHOWN;
    VEC(struct origin) origins = {0};

    for (size_t i = 0; i < hinter->of->origins.pairs.count; i++)
        if (hinter->of->origins.pairs.items[i].first == kind)
            *vec_add(&origins) = (struct origin){(uint32_t)hinter->of->origins.pairs.items[i].second,
                                                 hinter->of->origin_weights.items[i]};
    vec_sort(&origins, compare_origins);
    for (size_t i = 0; i < origins.count && i < most; i++) {
        const struct origin *origin = &origins.items[i];

        if (!is_over(origin->weight, hinter->of->whole, LEAST_PERCENT))
            break;
        text_add_string(text, ", ");
        units_add_percent(text, origin->weight, hinter->of->whole);
        text_add_string(text, " in ");
        text_add_terminal(
            text, profile_text(hinter->profile, hinter->profile->functions.items[origin->function].name));
    }
    vec_done(&origins);
}

static void add_hint(struct text *text, const struct hinter *hinter, enum hint_kind kind, uint64_t part,
                     uint64_t whole)
{
    const struct hint_rule *rule = &hint_rules[kind];

    text_format(text, "hint (%s): ", rule->name);
    units_add_percent(text, part, whole);
    text_format(text, " %s", rule->what);
    if (kind != HINT_IDLE)
        add_origins(text, hinter, kind);
    text_format(text, "\n  %s", hint_remedy(hinter->profile, kind));
    if (hint_allocator_remedies[kind] && !hinter->has_other_allocator)
        text_format(text, "; %s", hint_allocator_remedies[kind]);
    text_add_byte(text, '\n');
}

/* The heaviest that is over its threshold and not told yet; HINT_KIND_COUNT when there is none. */
static enum hint_kind next_hint(const struct hinter *hinter, const bool *is_told)
{
    enum hint_kind best = HINT_KIND_COUNT;

    for (unsigned kind = 0; kind < HINT_KIND_COUNT; kind++)
        if (!is_told[kind] &&
            is_over(hinter->of->weights[kind], hinter->of->whole, hint_rules[kind].least_percent) &&
            (best == HINT_KIND_COUNT || hinter->of->weights[kind] > hinter->of->weights[best]))
            best = kind;
    return best;
}

/* A program that takes this little of the time it runs is told of what it waits for, when it runs long
 * enough. */
static void add_idle(struct text *text, const struct hinter *hinter)
{
    const struct profile *profile = hinter->profile;
    const uint64_t least_wall_ns = 1000000000;
    /* On a busy machine it may have been ready to run: then nothing is said, rather than a part of it. */
    uint64_t busy_ns = profile->cpu_ns < UINT64_MAX - profile->run_delay_ns
                           ? profile->cpu_ns + profile->run_delay_ns
                           : UINT64_MAX;
    uint64_t idle_ns = profile->wall_ns > busy_ns ? profile->wall_ns - busy_ns : 0;

    /* What was waited for is told. */
    if (series_of_waits_exist(profile))
        return;
    if (profile->cpu_ns > 0 && profile->wall_ns >= least_wall_ns &&
        is_over(idle_ns, profile->wall_ns, hint_rules[HINT_IDLE].least_percent))
        add_hint(text, hinter, HINT_IDLE, profile->wall_ns - profile->cpu_ns, profile->wall_ns);
}

/*
 * Where most stacks have no callers, as by frame pointers in a program that keeps none: what is seen by
 * callers is not seen there, and what is seen without them comes from nobody.
 */
static void add_missing_callers(struct text *text, const struct profile *profile, uint32_t series)
{
    const struct profile_series *of = &profile->series.items[series];
    uint64_t cut = quality_cut_count(of);
    SCOPED(text_done) struct text share = {0};

    if (short_stacks_are_most(profile, of, &share))
        text_add_string(&share, " of stacks end after one or two calls");
    else if (quality_is_known(of) && cut > of->samples.count / 2) {
        units_add_percent(&share, cut, of->samples.count);
        text_add_string(&share, " of stacks are cut");
    } else
        return;
    text_format(text, "hints take callers, and %s: costs may be larger than told here, or not told at all\n",
                text_string(&share));
}

static bool has_lines(const struct profile *profile)
{
    for (size_t i = 0; i < profile->modules.count; i++)
        if (profile->modules.items[i].kind == MODULE_EXECUTABLE)
            return true;
    return false;
}

void hints_add(struct text *text, const struct profile *profile, uint32_t series)
{
    SCOPED(hint_weights_done) struct hint_weights weights = {0};
    const struct hinter hinter = {profile, &weights, other_allocator_exists(profile)};
    bool is_told[HINT_KIND_COUNT] = {[HINT_IDLE] = true, [HINT_NO_LINES] = !has_lines(profile)};

    /* Page faults and the like do not tell where time goes. */
    if (series_counts_things(profile, series))
        return;
    hint_weights_find(profile, series, &weights);
    add_idle(text, &hinter);
    if (weights.whole < HINT_LEAST_SAMPLES)
        return;
    for (int told = 0; told < HINTS_MOST; told++) {
        enum hint_kind kind = next_hint(&hinter, is_told);

        if (kind == HINT_KIND_COUNT)
            break;
        is_told[kind] = true;
        add_hint(text, &hinter, kind, weights.weights[kind], weights.whole);
    }
    add_missing_callers(text, profile, series);
}
