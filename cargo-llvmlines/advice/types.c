#include "advice/find.h"
#include "advice/names.h"
#include "base/units.h"
#include "rust/drop_glue.h"

/* Functions of one sort, the largest first among those told by name. */
struct sort {
    uint64_t lines;
    uint64_t copies;
    uint64_t most_lines;
    uint32_t largest; /* node; means nothing while there are no copies */
};

static void add_to_sort(const struct advisor *advisor, struct sort *sort, uint32_t node)
{
    uint64_t lines = advised_lines(advisor, node);

    sort->lines += lines;
    sort->copies++;
    if (lines > sort->most_lines) {
        sort->most_lines = lines;
        sort->largest = node;
    }
}

/* ", the largest app::Error with 560" */
static void add_largest(struct text *text, const struct sort *sort, struct slice name)
{
    text_add_string(text, ", the largest ");
    text_add(text, name);
    text_add_string(text, " with ");
    units_add_count(text, sort->most_lines);
}

/* "12 functions with 3,400 lines" */
static void add_figures(struct text *text, const struct sort *sort)
{
    units_add_count(text, sort->copies);
    text_add_string(text, sort->copies == 1 ? " function with " : " functions with ");
    units_add_count(text, sort->lines);
    text_add_string(text, " lines");
}

/* Of "<T as core::fmt::Debug>::fmt": "T"; the whole name where it is of no such form. */
static struct slice self_type(struct slice name)
{
    size_t end = slice_find(name, SLICE(" as core::fmt::"));

    return end < name.length && name.data[0] == '<' ? slice_range(name, 1, end) : name;
}

static void tell_sort(struct advisor *advisor, enum advice_kind kind, struct slice subject,
                      const struct sort *sort, struct slice evidence)
{
    advisor_add(advisor,
                (struct advice){.kind = kind,
                                .subject = subject,
                                .lines = sort->lines,
                                .copies = sort->copies,
                                .bound = sort->lines},
                evidence);
}

/* --- Derives ----------------------------------------------------------------------------- */

static void tell_impls(struct advisor *advisor, enum advice_kind kind, struct slice subject,
                       const struct sort *sort)
{
    SCOPED(text_done) struct text evidence = {0};

    if (sort->copies == 0)
        return;
    text_add_string(&evidence, "is ");
    add_figures(&evidence, sort);
    add_largest(&evidence, sort, self_type(advisor->names[sort->largest]));
    tell_sort(advisor, kind, subject, sort, text_slice(&evidence));
}

static void find_formatting(struct advisor *advisor)
{
    const struct program *program = advisor->program;
    struct sort debug = {0};
    struct sort display = {0};

    for (uint32_t node = 0; node < program->nodes.count; node++) {
        struct slice name = advisor->names[node];

        if (!program->nodes.items[node].is_own)
            continue;
        /* Without a match there are no arms to share anything. */
        if (slice_ends_with(name, SLICE(" as core::fmt::Display>::fmt"))) {
            if (program_counted(program, node)->switches > 0)
                add_to_sort(advisor, &display, node);
        } else if (slice_ends_with(name, SLICE(" as core::fmt::Debug>::fmt")) &&
                   advised_names_any(advisor, node, name_is_of_derived_debug))
            add_to_sort(advisor, &debug, node);
    }
    tell_impls(advisor, ADVICE_DEBUG, SLICE("derive(Debug)"), &debug);
    tell_impls(advisor, ADVICE_DISPLAY, SLICE("Display"), &display);
}

static void find_deserialize(struct advisor *advisor)
{
    const struct program *program = advisor->program;
    SCOPED(text_done) struct text evidence = {0};
    struct intern types = {0};
    struct sort sort = {0};

    for (uint32_t node = 0; node < program->nodes.count; node++) {
        struct slice type;

        if (!name_derived_deserialize(advisor->names[node], &type) || !advised_is_own_path(advisor, type))
            continue;
        add_to_sort(advisor, &sort, node);
        intern_add(&types, type);
    }
    if (sort.copies > 0) {
        text_add_string(&evidence, "of ");
        units_add_count(&evidence, types.entries.count);
        text_add_string(&evidence, types.entries.count == 1 ? " type makes " : " types makes ");
        add_figures(&evidence, &sort);
        tell_sort(advisor, ADVICE_DESERIALIZE, SLICE("derive(Deserialize)"), &sort, text_slice(&evidence));
    }
    intern_done(&types);
}

void advice_find_derives(struct advisor *advisor)
{
    find_formatting(advisor);
    find_deserialize(advisor);
}

/* --- Drop glue --------------------------------------------------------------------------- */

void advice_find_drop_glue(struct advisor *advisor)
{
    enum { LEAST_GLUE_LINES = 60 };
    const struct program *program = advisor->program;
    SCOPED(text_done) struct text evidence = {0};
    struct sort sort = {0};

    for (uint32_t node = 0; node < program->nodes.count; node++) {
        struct slice type = dropped_type(advisor->names[node]);

        /* Glue has a switch for an enum of three variants and more, and for what a future waits at. */
        if (type.length == 0 || slice_ends_with(type, SLICE("}")) || !advised_is_own_path(advisor, type) ||
            program_counted(program, node)->switches == 0 || advised_lines(advisor, node) < LEAST_GLUE_LINES)
            continue;
        add_to_sort(advisor, &sort, node);
    }
    if (sort.copies == 0)
        return;
    text_add_string(&evidence, "is ");
    add_figures(&evidence, &sort);
    add_largest(&evidence, &sort, dropped_type(advisor->names[sort.largest]));
    tell_sort(advisor, ADVICE_DROP_GLUE, SLICE("dropping enums of many variants"), &sort,
              text_slice(&evidence));
}
