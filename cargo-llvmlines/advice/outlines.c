#include "advice/find.h"
#include "advice/names.h"
#include "base/search.h"
#include "base/units.h"
#include "rust/demangle.h"

/* Fewer functions in common may as well be chance, and a shorter body is not worth a function. */
enum { LEAST_COPIES = 3, LEAST_SHARED = 5, LEAST_BODY_LINES = 40, LEAST_ALIKE_PERCENT = 80 };

/* What the copies of one function name, as far as it can be compared. */
struct comparison {
    struct advisor *advisor;
    struct advised_nodes closures; /* of the user's own functions, by name */
    struct advised_nodes
        made;            /* what others' generics were made into for closures, by where the way begins */
    struct intern names; /* of all bodies that are compared */
    VEC(uint32_t) seen;  /* by name: in how many bodies */
    VEC(uint32_t) last;  /* by name: the body that it was last seen in, from 1 */
    uint32_t body_count;
    struct text text;     /* scratch */
    struct text bare;     /* scratch */
    struct symbol symbol; /* scratch */
};

static void comparison_done(struct comparison *comparison)
{
    advised_nodes_done(&comparison->closures);
    advised_nodes_done(&comparison->made);
    intern_done(&comparison->names);
    vec_done(&comparison->seen);
    vec_done(&comparison->last);
    text_done(&comparison->text);
    text_done(&comparison->bare);
    symbol_done(&comparison->symbol);
}

static void forget_bodies(struct comparison *comparison)
{
    intern_done(&comparison->names);
    comparison->names = (struct intern){0};
    comparison->seen.count = 0;
    comparison->last.count = 0;
    comparison->body_count = 0;
}

static const struct unit_counts *counts_of(const struct program *program, uint32_t node)
{
    return &program->measurement->units.items[program->nodes.items[node].unit].counts;
}

/* --- Bodies ------------------------------------------------------------------------------ */

static void see_name(struct comparison *comparison, struct slice symbol, struct slice around)
{
    uint32_t name = 0;

    if (symbol.length > 0 && symbol.data[0] == DATA_MARK)
        return;
    text_clear(&comparison->text);
    text_clear(&comparison->bare);
    demangle_add_name(&comparison->text, &comparison->symbol, symbol, DEMANGLE_SHORT);
    name_add_with_bare_closures(&comparison->bare, text_slice(&comparison->text), around);
    name = intern_add(&comparison->names, text_slice(&comparison->bare));
    if (name == comparison->seen.count) {
        *vec_add(&comparison->seen) = 0;
        *vec_add(&comparison->last) = 0;
    }
    if (comparison->last.items[name] == comparison->body_count)
        return;
    comparison->last.items[name] = comparison->body_count;
    comparison->seen.items[name]++;
}

static void see_uses(struct comparison *comparison, uint32_t node, struct slice around)
{
    const struct program *program = comparison->advisor->program;
    const struct counted_node *counted = program_counted(program, node);
    const struct unit_counts *counts = counts_of(program, node);

    for (size_t i = 0; i < counted->use_count; i++)
        see_name(comparison, counts->symbols.items[counts->uses.items[counted->first_use + i]], around);
}

/* What the node, which is of the function called `around`, names, and what the vtables and constants do that
 * it names. */
static void see_node(struct comparison *comparison, uint32_t node, struct slice around)
{
    const struct program *program = comparison->advisor->program;

    see_uses(comparison, node, around);
    for (size_t use = program->first_use[node]; use < program->first_use[node + 1]; use++)
        if (program_counted(program, program->uses.items[use])->kind == COUNTED_DATA)
            see_uses(comparison, program->uses.items[use], around);
}

/* The first whose way does not begin before `start`. */
static size_t first_made(const struct comparison *comparison, uint32_t start)
{
    return SEARCH_FROM(comparison->made.items.items, comparison->made.items.count, key, start);
}

/* Lines of what is there only for closures of the function called `around`, as far as `node`, it or one of
 * these, leads there. */
static uint64_t made_lines(struct comparison *comparison, uint32_t node, struct slice around)
{
    const struct advised_nodes *made = &comparison->made;
    uint64_t lines = 0;

    for (size_t i = first_made(comparison, node); i < made->items.count && made->items.items[i].key == node;
         i++) {
        text_clear(&comparison->bare);
        name_add_with_bare_closures(&comparison->bare, made->items.items[i].name, around);
        if (comparison->bare.length != made->items.items[i].name.length)
            lines += advised_lines(comparison->advisor, made->items.items[i].node);
    }
    return lines;
}

/* The first of the closures whose name is not before `name`. */
static size_t first_closure(const struct comparison *comparison, struct slice name)
{
    size_t low = 0;
    size_t high = comparison->closures.items.count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (slice_compare(comparison->closures.items.items[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The function with the closures in it; its lines, and those of what is made for the closures. */
static uint64_t see_body(struct comparison *comparison, uint32_t node, uint64_t *made)
{
    const struct advisor *advisor = comparison->advisor;
    uint64_t lines = advised_lines(advisor, node);
    struct slice start;

    text_clear(&comparison->text);
    text_add(&comparison->text, advisor->names[node]);
    text_add_string(&comparison->text, "::{closure#");
    start = slice_of(arena_copy(&comparison->advisor->arena, text_slice(&comparison->text)));
    comparison->body_count++;
    see_node(comparison, node, advisor->names[node]);
    *made = made_lines(comparison, node, advisor->names[node]);
    for (size_t i = first_closure(comparison, start); i < comparison->closures.items.count; i++) {
        uint32_t closure = comparison->closures.items.items[i].node;

        if (!slice_starts_with(advisor->names[closure], start))
            break;
        if (advisor->program->nodes.items[closure].unit != advisor->program->nodes.items[node].unit)
            continue;
        see_node(comparison, closure, advisor->names[node]);
        *made += made_lines(comparison, closure, advisor->names[node]);
        lines += advised_lines(advisor, closure);
    }
    return lines;
}

/* --- Comparing --------------------------------------------------------------------------- */

/* What comparing the bodies has shown. */
struct likeness {
    bool is_inline;      /* a copy is marked so: it is to be part of its caller */
    bool has_closures;   /* in a body, whose lines are those of the closures, too */
    bool has_made;       /* for these */
    uint64_t all_lines;  /* of all copies, with what is made for their closures */
    uint64_t most_all;   /* of the copy that has most of them */
    uint64_t most_lines; /* of the bodies alone */
    uint64_t least_lines;
    uint32_t shared;    /* functions that every copy names and that say something of its work */
    uint32_t converted; /* conversions and drops that only some name */
    uint32_t other;     /* anything else that only some name */
};

static void judge_names(const struct comparison *comparison, struct likeness *out)
{
    for (uint32_t name = 0; name < comparison->seen.count; name++) {
        struct slice text = intern_text(&comparison->names, name);

        if (comparison->seen.items[name] == comparison->body_count)
            out->shared += !name_is_plumbing(text);
        else if (name_is_conversion(text))
            out->converted++;
        else
            out->other++;
    }
}

static void add_evidence(struct text *text, const struct comparison *comparison, const struct likeness *like)
{
    text_add_string(text, "has ");
    units_add_count(text, comparison->body_count);
    text_add_string(text, " instances of ");
    units_add_count(text, like->least_lines);
    if (like->most_lines != like->least_lines) {
        text_add_string(text, " to ");
        units_add_count(text, like->most_lines);
    }
    text_add_string(text, like->has_closures ? " lines with the closures in them" : " lines");
    if (like->has_made)
        text_add_string(text, ", more with what is made for these");
    text_add_string(text, "; all call the same ");
    units_add_count(text, like->shared);
    text_add_string(text, like->converted > 0 ? " functions, and but for conversions and drops no other"
                                              : " functions and no other");
}

static bool asks_for_inlining(const struct program *program, uint32_t node)
{
    uint8_t inlining = program_counted(program, node)->inlining;

    return inlining == IR_INLINE_HINT || inlining == IR_INLINE_ALWAYS;
}

/*
 * Where nothing that is called tells of the types, the constants may: such a body says "match on
 * TypeId::of::<T>()" and hopes for its caller.
 */
static bool is_outline(const struct comparison *comparison, const struct likeness *like)
{
    return comparison->body_count >= LEAST_COPIES && like->other == 0 && like->shared >= LEAST_SHARED &&
           like->most_lines >= LEAST_BODY_LINES &&
           like->least_lines * 100 >= like->most_lines * LEAST_ALIKE_PERCENT &&
           (like->converted > 0 || !like->is_inline);
}

/* Copies in several crates are one body here: each type counts once. */
static void compare_copies(struct comparison *comparison, const struct advised_nodes *nodes, size_t first,
                           size_t end)
{
    const struct advisor *advisor = comparison->advisor;
    struct likeness like = {.least_lines = UINT64_MAX};
    SCOPED(text_done) struct text evidence = {0};
    struct slice before = {0};

    forget_bodies(comparison);
    for (size_t i = first; i < end; i++) {
        uint32_t node = nodes->items.items[i].node;
        uint64_t lines = 0;
        uint64_t made = 0;

        if (slice_equal(advisor->names[node], before))
            continue;
        before = advisor->names[node];
        like.is_inline |= asks_for_inlining(advisor->program, node);
        lines = see_body(comparison, node, &made);
        like.has_closures |= lines > advised_lines(advisor, node);
        like.has_made |= made > 0;
        like.all_lines += lines + made;
        like.most_all = lines + made > like.most_all ? lines + made : like.most_all;
        like.most_lines = lines > like.most_lines ? lines : like.most_lines;
        like.least_lines = lines < like.least_lines ? lines : like.least_lines;
    }
    judge_names(comparison, &like);
    if (!is_outline(comparison, &like))
        return;
    add_evidence(&evidence, comparison, &like);
    advisor_add(comparison->advisor,
                (struct advice){
                    .kind = ADVICE_OUTLINE,
                    .subject = advisor->program->labels[nodes->items.items[first].key],
                    .lines = like.all_lines,
                    .copies = comparison->body_count,
                    .bound = like.all_lines - like.most_all,
                },
                text_slice(&evidence));
}

/* Puts the functions where they are looked for. */
static void sort_out(struct comparison *comparison, struct advised_nodes *functions)
{
    const struct advisor *advisor = comparison->advisor;
    const struct program *program = advisor->program;

    for (uint32_t node = 0; node < program->nodes.count; node++) {
        const struct program_node *at = &program->nodes.items[node];
        struct slice name = advisor->names[node];
        bool has_closures = slice_has(name, SLICE("{closure#"));

        if (at->is_own && has_closures)
            *vec_add(&comparison->closures.items) = (struct advised_node){0, node, name};
        else if (has_closures)
            *vec_add(&comparison->made.items) =
                (struct advised_node){ways_start(&advisor->ways, node), node, name};
        else if (at->is_own && name.length > 0)
            *vec_add(&functions->items) = (struct advised_node){at->group, node, name};
    }
    advised_nodes_sort(&comparison->closures);
    advised_nodes_sort(&comparison->made);
    advised_nodes_sort(functions);
}

void advice_find_outlines(struct advisor *advisor)
{
    SCOPED(comparison_done) struct comparison comparison = {.advisor = advisor};
    SCOPED(advised_nodes_done) struct advised_nodes nodes = {0};

    sort_out(&comparison, &nodes);
    for (size_t i = 0; i < nodes.items.count;) {
        size_t end = advised_nodes_end(&nodes, i);

        if (end - i >= LEAST_COPIES)
            compare_copies(&comparison, &nodes, i, end);
        i = end;
    }
}
