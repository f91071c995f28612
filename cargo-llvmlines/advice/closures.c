#include "advice/find.h"
#include "advice/names.h"
#include "base/units.h"
#include "rust/drop_glue.h"
#include "rust/symbol_path.h"

/* A copy that a closure of the user's is an argument of. */
struct variant {
    uint32_t group; /* whose advice it is: the function's own, or that which the user's code calls */
    bool is_own;    /* that is of the user's own */
    uint32_t unit;
    uint32_t family; /* what all have that would be one function with these behind a reference */
    uint32_t node;
};

struct variants {
    struct intern families;
    struct intern labels; /* of groups; their ids are groups, by `group_of` */
    VEC(uint32_t) group_of;
    VEC(struct variant) items;
};

static void variants_done(struct variants *variants)
{
    intern_done(&variants->families);
    intern_done(&variants->labels);
    vec_done(&variants->group_of);
    vec_done(&variants->items);
}

static void index_labels(const struct program *program, struct variants *variants)
{
    for (uint32_t group = 0; group < program->measurement->groups.items.count; group++)
        if (intern_add(&variants->labels, program->labels[group]) == variants->group_of.count)
            *vec_add(&variants->group_of) = group;
}

/* The group of a function, and for its closures that of the function. */
static uint32_t group_around(const struct variants *variants, const struct program *program, uint32_t group)
{
    struct slice label = program->labels[group];
    size_t closure = slice_find(label, SLICE("::{closure"));
    uint32_t id = intern_find(&variants->labels, slice_range(label, 0, closure));

    return id < variants->group_of.count ? variants->group_of.items[id] : group;
}

/* The function of others that the user's own calls on the way to the node; NO_NODE when nothing leads there.
 */
static uint32_t entry_of(const struct advisor *advisor, uint32_t node)
{
    const struct program *program = advisor->program;
    uint32_t entry = node;

    while (!program->nodes.items[node].is_own) {
        uint32_t before = advisor->ways.before[node];

        if (before == NO_NODE || before == node)
            return NO_NODE;
        if (program->nodes.items[node].group != INTERN_NONE)
            entry = node;
        node = before;
    }
    return entry;
}

/*
 * Whether it is a closure that the user wrote, and no derive; and no future, whose result no name tells. What
 * implements a trait of the user's is the user's, whoever has the type.
 */
static bool is_written_by_user(const void *context, struct slice path)
{
    const struct advisor *advisor = context;
    static const char *const derived[] = {" as clap_builder::derive::", " as serde"};

    return !slice_has_any(path, derived, ARRAY_COUNT(derived)) &&
           (advised_is_own_path(advisor, path) || advised_is_own_path(advisor, name_trait(path))) &&
           intern_find(&advisor->futures, path) == INTERN_NONE;
}

/* Whether the function takes a closure from the user who calls it. A chain has got its closures before. */
static bool takes_own_closure(const struct advisor *advisor, struct slice entry)
{
    struct slice path;

    if (name_is_of_iterator(entry) || slice_has(entry, SLICE(" as core::ops::function::Fn")))
        return false;
    for (size_t at = 0; name_next_closure_argument(entry, &at, &path);)
        if (is_written_by_user(advisor, path))
            return true;
    return false;
}

/*
 * Whose advice a copy is that is not the user's: of the generic of the user's own that was itself given the
 * closure, or of that which the user's code gives it to.
 */
static uint32_t group_of_others(const struct advisor *advisor, const struct variants *variants, uint32_t node,
                                bool *is_own)
{
    const struct program *program = advisor->program;
    const struct closure_test test = {is_written_by_user, advisor};
    uint32_t start = ways_start(&advisor->ways, node);
    uint32_t entry = entry_of(advisor, node);
    SCOPED(text_done) struct text scratch = {0};

    if (entry == NO_NODE || drop_glue_path_length(advisor->names[node]) > 0)
        return INTERN_NONE;
    *is_own = name_add_without_closures(&scratch, advisor->names[start], &test);
    if (*is_own)
        return group_around(variants, program, program->nodes.items[start].group);
    return takes_own_closure(advisor, advisor->names[entry]) && !name_is_of_iterator(advisor->names[node])
               ? program->nodes.items[entry].group
               : INTERN_NONE;
}

static void add_variant(struct advisor *advisor, struct variants *variants, struct text *family,
                        uint32_t node)
{
    const struct program *program = advisor->program;
    const struct program_node *at = &program->nodes.items[node];
    const struct closure_test test = {is_written_by_user, advisor};
    struct variant variant = {.is_own = at->is_own, .unit = at->unit, .node = node};

    text_clear(family);
    if (advisor->names[node].length == 0 || !name_add_without_closures(family, advisor->names[node], &test))
        return;
    variant.group = at->is_own ? group_around(variants, program, at->group)
                               : group_of_others(advisor, variants, node, &variant.is_own);
    variant.family = intern_add(&variants->families, text_slice(family));
    if (variant.group != INTERN_NONE)
        *vec_add(&variants->items) = variant;
}

static int compare_variants(const void *left, const void *right)
{
    const struct variant *a = left;
    const struct variant *b = right;

    if (a->group != b->group)
        return a->group < b->group ? -1 : 1;
    if (a->unit != b->unit)
        return a->unit < b->unit ? -1 : 1;
    if (a->family != b->family)
        return a->family < b->family ? -1 : 1;
    return (a->node > b->node) - (a->node < b->node);
}

/* What the copies of one group could do without. */
struct sum {
    uint64_t lines; /* of the function and of what is made with it */
    uint64_t copies;
    uint64_t own_lines; /* of these, the function's alone, as its row in the table counts them */
    uint64_t own_copies;
    uint64_t left_copies; /* one of each family, the largest */
    uint64_t left_lines;
    uint32_t largest; /* node */
};

/* Whether the table counts the node in the row of the group, or in one of the same name. */
static bool is_row_of(const struct program *program, uint32_t group, uint32_t node)
{
    uint32_t counted = program->nodes.items[node].group;

    return counted == group ||
           (counted != INTERN_NONE && slice_equal(program->labels[counted], program->labels[group]));
}

/* One family's; where it ends. */
static size_t sum_family(const struct advisor *advisor, const struct variants *variants, size_t first,
                         struct sum *sum)
{
    const struct variant *items = variants->items.items;
    const struct program *program = advisor->program;
    uint64_t most = 0;
    size_t i = first;

    for (; i < variants->items.count && items[i].group == items[first].group &&
           items[i].unit == items[first].unit && items[i].family == items[first].family;
         i++) {
        uint64_t lines = advised_lines(advisor, items[i].node);

        if (sum->copies == 0 || lines > advised_lines(advisor, sum->largest))
            sum->largest = items[i].node;
        most = lines > most ? lines : most;
        sum->lines += lines;
        sum->copies++;
        if (is_row_of(program, items[first].group, items[i].node)) {
            sum->own_lines += lines;
            sum->own_copies++;
        }
    }
    sum->left_lines += most;
    sum->left_copies++;
    return i;
}

/* "12 copies with 3,400 lines", "12 of its 14 copies with 3,400 lines" */
static void add_figures(struct text *text, uint64_t copies, uint64_t all, const char *of_what, uint64_t lines)
{
    units_add_count(text, copies);
    if (copies < all) {
        text_add_string(text, " of its ");
        units_add_count(text, all);
    }
    text_format(text, copies > 1 || all > 1 ? " copies%s with " : " copy%s with ", of_what);
    units_add_things(text, lines, "line");
}

/* The function's own figures first, as its row has them; what is made with it has rows of its own. */
static void add_evidence(struct text *text, bool is_own, const struct sum *sum, uint64_t row_copies)
{
    uint64_t made = sum->copies - sum->own_copies;

    text_add_string(text, sum->own_copies > 0 ? "is" : "calls what is");
    text_add_string(text, is_own ? " compiled anew for types that are or hold closures: "
                                 : " compiled anew for closures of yours: ");
    if (sum->own_copies > 0)
        add_figures(text, sum->own_copies, row_copies, "", sum->own_lines);
    if (sum->own_copies > 0 && made > 0)
        text_add_string(text, ", and ");
    if (made > 0)
        add_figures(text, made, made, is_own ? " of what is made for it" : " of what it calls",
                    sum->lines - sum->own_lines);
    text_add_string(text, sum->own_copies > 0 && made > 0 ? "; of all these " : ", of which ");
    units_add_count(text, sum->copies - sum->left_copies);
    text_add_string(text, " differ from another in the closures alone");
}

static void tell_group(struct advisor *advisor, uint32_t group, bool is_own, const struct sum *sum)
{
    enum { LEAST_COPIES = 4 };
    SCOPED(text_done) struct text evidence = {0};

    if (sum->copies - sum->left_copies < LEAST_COPIES)
        return;
    add_evidence(&evidence, is_own, sum, advisor->program->measurement->groups.items.items[group].copies);
    advisor_add(advisor,
                (struct advice){
                    .kind = is_own ? ADVICE_CLOSURES : ADVICE_BOXING,
                    .subject = advisor->program->labels[group],
                    .from = is_own ? (struct slice){0} : advised_origin(advisor, sum->largest),
                    .lines = sum->lines,
                    .copies = sum->copies,
                    .bound = sum->lines - sum->left_lines,
                },
                text_slice(&evidence));
}

void advice_find_closures(struct advisor *advisor)
{
    const struct program *program = advisor->program;
    SCOPED(variants_done) struct variants variants = {0};
    SCOPED(text_done) struct text family = {0};

    index_labels(program, &variants);
    for (uint32_t node = 0; node < program->nodes.count; node++)
        add_variant(advisor, &variants, &family, node);
    vec_sort(&variants.items, compare_variants);
    for (size_t i = 0; i < variants.items.count;) {
        const struct variant *first = &variants.items.items[i];
        bool is_own = first->is_own;
        uint32_t group = first->group;
        struct sum sum = {0};

        while (i < variants.items.count && variants.items.items[i].group == group)
            i = sum_family(advisor, &variants, i, &sum);
        tell_group(advisor, group, is_own, &sum);
    }
}

/* --- Chains of iterators ----------------------------------------------------------------- */

/* Lines by the function of the user's that they are there for. */
struct origins {
    struct intern labels;
    VEC(uint64_t) lines; /* by id of a label */
};

static void origins_done(struct origins *origins)
{
    intern_done(&origins->labels);
    vec_done(&origins->lines);
}

static void add_origin(struct origins *origins, struct slice label, uint64_t lines)
{
    uint32_t id = intern_add(&origins->labels, label);

    if (id == origins->lines.count)
        *vec_add(&origins->lines) = 0;
    origins->lines.items[id] += lines;
}

static uint32_t largest_origin(const struct origins *origins)
{
    uint32_t best = 0;

    for (uint32_t id = 1; id < origins->lines.count; id++)
        if (origins->lines.items[id] > origins->lines.items[best])
            best = id;
    return best;
}

/* Whether the user's own code made the chain: what it calls on the way is std's. */
static bool is_own_chain(const struct advisor *advisor, uint32_t node)
{
    uint32_t entry = entry_of(advisor, node);
    SCOPED(symbol_done) struct symbol symbol = {0};

    if (entry == NO_NODE)
        return false;
    symbol_parse(&symbol, program_symbol(advisor->program, entry));
    return symbol_crate_is_std(symbol_defining_crate(&symbol).crate.name);
}

void advice_find_iterators(struct advisor *advisor)
{
    const struct program *program = advisor->program;
    SCOPED(origins_done) struct origins origins = {0};
    SCOPED(text_done) struct text evidence = {0};
    struct advice advice = {.kind = ADVICE_ITERATORS, .subject = SLICE("chains of iterators")};

    for (uint32_t node = 0; node < program->nodes.count; node++) {
        uint64_t lines = 0;

        if (program->nodes.items[node].is_own || !name_has_iterator(advisor->names[node]) ||
            !is_own_chain(advisor, node))
            continue;
        lines = advised_lines(advisor, node);
        advice.lines += lines;
        advice.copies++;
        add_origin(&origins, advised_origin(advisor, node), lines);
    }
    if (advice.copies == 0)
        return;
    advice.bound = advice.lines;
    advice.from = intern_text(&origins.labels, largest_origin(&origins));
    text_add_string(&evidence, "make ");
    units_add_count(&evidence, advice.copies);
    text_add_string(&evidence, advice.copies == 1 ? " function of std's with " : " functions of std's with ");
    units_add_count(&evidence, advice.lines);
    text_add_string(&evidence, " lines for ");
    units_add_count(&evidence, origins.lines.count);
    text_add_string(&evidence, origins.lines.count == 1 ? " function of yours" : " functions of yours");
    advisor_add(advisor, advice, text_slice(&evidence));
}
