#include "compare/compare_doubts.h"

#include <string.h>

#include "compare/build_facts.h"

/* What is compared. All borrowed. */
struct compared {
    const struct compare_request *request;
    const struct sides *sides;
    struct rows *const *rows; /* by place */
    struct warnings *warnings;
};

/* What makes the two sides differ beside the code. */
static void warn_of_builds(const struct compared *compared)
{
    SCOPED(text_done) struct text differing = {0};

    build_facts_compare(
        compared->rows[COMPARE_BASE], compared->rows[COMPARE_HEAD],
        revision_locks_are_code(&compared->sides->base.revision, &compared->sides->head.revision),
        &differing);
    if (differing.length > 0)
        warnings_add(compared->warnings, compared->request->options, "%s against %s: %s",
                     compared->sides->head.label, compared->sides->base.label, text_string(&differing));
}

/* Of two builds the facts tell it; a file tells by itself what it was made for. */
static void warn_of_files_targets(const struct compared *compared)
{
    const struct sides *sides = compared->sides;
    SCOPED(text_done) struct text differing = {0};

    build_facts_compare_made_for(compared->rows[COMPARE_BASE], compared->rows[COMPARE_HEAD], &differing);
    if (differing.length > 0)
        warnings_add(compared->warnings, compared->request->options, "%s against %s: the target differs: %s",
                     sides->head.label, sides->base.label, text_string(&differing));
}

/* How many rows have a symbol that begins so. */
static size_t count_symbols(const struct rows *rows, struct slice start)
{
    size_t count = 0;

    for (size_t column = 0; column < rows->column_count; column++)
        if (rows->columns[column].key && strcmp(rows->columns[column].key, "symbol") == 0)
            for (size_t i = 0; i < rows_count(rows); i++)
                count += slice_starts_with(rows_at(rows, i)[column].text, start);
    return count;
}

/* Instances have other names by each mangling; where both sides were built it is told that flags differ. */
static void warn_of_manglings(const struct compared *compared)
{
    const struct sides *sides = compared->sides;
    const char *labels[] = {sides->head.label, sides->base.label};
    size_t legacy[2];

    for (size_t i = 0; i < 2; i++) {
        legacy[i] = count_symbols(compared->rows[i], SLICE("_ZN"));
        if (legacy[i] + count_symbols(compared->rows[i], SLICE("_R")) == 0)
            return;
    }
    if ((legacy[COMPARE_HEAD] > 0) == (legacy[COMPARE_BASE] > 0) ||
        (side_is_built(&sides->head) && side_is_built(&sides->base)))
        return;
    warnings_add(
        compared->warnings, compared->request->options,
        "the names of %s tell type arguments, those of %s, legacy ones, do not: instances of generics "
        "are new on one side and gone on the other; build both with --exact, or compare --crates",
        labels[legacy[COMPARE_HEAD] > 0 ? COMPARE_BASE : COMPARE_HEAD],
        labels[legacy[COMPARE_HEAD] > 0 ? COMPARE_HEAD : COMPARE_BASE]);
}

/* Whether the libraries of a build told whose code it is: of what is measured now the head's tell, of both.
 */
static bool was_told_by_build(const struct compared *compared, enum compare_place place)
{
    const struct sides *sides = compared->sides;
    const struct side *side = place == COMPARE_HEAD ? &sides->head : &sides->base;

    return side->kind == SIDE_SAVED ? build_facts_are_known(compared->rows[place])
                                    : side_is_built(&sides->head);
}

/* What a build's libraries told of one side alone is no change of the code. */
static void warn_of_file(const struct compared *compared)
{
    const char *base = compared->sides->base.label;
    const char *head = compared->sides->head.label;
    bool base_is_known = was_told_by_build(compared, COMPARE_BASE);

    if (!compared->request->inferred_fact || base_is_known == was_told_by_build(compared, COMPARE_HEAD))
        return;
    warnings_add(
        compared->warnings, compared->request->options,
        "of %s the build told whose code it is, of %s the file alone: what is gone from one crate and "
        "new in another, or is of [Unknown], may have stayed; save both from a build",
        base_is_known ? base : head, base_is_known ? head : base);
}

/* How many targets, or files, the figures of a side are of; 0 where that is not told. */
static size_t count_targets(const struct rows *rows)
{
    const struct rows *beside = rows->beside;

    return beside && beside->list_key && strcmp(beside->list_key, "targets") == 0 ? rows_count(beside) : 0;
}

/* A file of one crate beside all targets of a package: what the others have is no change. */
static void warn_of_targets(const struct compared *compared)
{
    const struct sides *sides = compared->sides;
    bool is_base_built = side_is_built(&sides->base);
    const struct side *files = is_base_built ? &sides->head : &sides->base;
    const struct side *built = is_base_built ? &sides->base : &sides->head;
    size_t file_count = count_targets(compared->rows[is_base_built ? COMPARE_HEAD : COMPARE_BASE]);
    size_t target_count = count_targets(compared->rows[is_base_built ? COMPARE_BASE : COMPARE_HEAD]);

    if (is_base_built == side_is_built(&sides->head) || files->kind == SIDE_SAVED ||
        target_count <= file_count)
        return;
    warnings_add(compared->warnings, compared->request->options,
                 "%s has %zu targets, and %s %zu: --lib, --bin NAME and the like select what to compare with",
                 built->label, target_count, files->label, file_count);
}

/* How much of a side is of crates that are inferred, from 0 to 1. */
static double inferred_share(const struct compare_request *request, const struct rows *rows)
{
    uint64_t inferred = 0;
    uint64_t whole = 0;

    if (!rows_find_fact(rows, request->inferred_fact, &inferred) ||
        !rows_find_fact(rows, request->whole_fact, &whole) || whole == 0)
        return 0;
    return (double)inferred / (double)whole;
}

/*
 * Of two sides that know whose code is whose in different ways much moves from crate to crate by that alone;
 * where neither knows much of it, what grew may be another crate's.
 */
static void warn_of_inferred(const struct compared *compared)
{
    const double telling = 0.05;
    const double much = 0.25;
    double base = 0;
    double head = 0;

    if (!compared->request->inferred_fact)
        return;
    base = inferred_share(compared->request, compared->rows[COMPARE_BASE]);
    head = inferred_share(compared->request, compared->rows[COMPARE_HEAD]);
    if (base - head > -telling && base - head < telling) {
        if (compared->request->rows_are_crates && base >= much && head >= much)
            warnings_add(compared->warnings, compared->request->options,
                         "the crates of %.0f%% are inferred from names alone: what changed may be another "
                         "crate's; build both sides with line tables, or with --exact",
                         100 * head);
        return;
    }
    warnings_add(
        compared->warnings, compared->request->options,
        "the crates of %.0f%% of %s are inferred from names alone, of %s %.0f%%: what is gone from one "
        "crate and new in another may have stayed; build both sides with line tables, or with --exact",
        100 * base, compared->sides->base.label, compared->sides->head.label, 100 * head);
}

void compare_doubts_add(const struct compare_request *request, const struct sides *sides,
                        struct rows *const rows[COMPARE_PLACES], struct warnings *warnings)
{
    const struct compared compared = {request, sides, rows, warnings};

    warn_of_builds(&compared);
    warn_of_files_targets(&compared);
    warn_of_file(&compared);
    warn_of_targets(&compared);
    warn_of_manglings(&compared);
    warn_of_inferred(&compared);
}
