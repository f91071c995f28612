#include "view/callers.h"

#include "graph/ways.h"
#include "rust/demangle.h"

enum { CALLER_LINES, CALLER_COPIES = 2, CALLER_NAME, CALLER_OWN, CALLER_PATH };

/* One copy and where the way to it begins. */
struct arrival {
    uint32_t node;
    uint32_t start;
    struct slice caller; /* label of the start */
    uint64_t lines;
};

struct arrivals {
    VEC(struct arrival) items;
};

static void arrivals_done(struct arrivals *arrivals)
{
    vec_done(&arrivals->items);
}

static int compare_arrivals(const void *left, const void *right)
{
    const struct arrival *a = left;
    const struct arrival *b = right;
    int order = slice_compare(a->caller, b->caller);

    if (order == 0 && a->lines != b->lines)
        order = a->lines > b->lines ? -1 : 1;
    return order ? order : (a->node > b->node) - (a->node < b->node);
}

static void find_arrivals(const struct ways *ways, struct arrivals *arrivals)
{
    const struct program *program = ways->program;

    for (uint32_t node = 0; node < program->nodes.count; node++) {
        uint32_t start = 0;

        if (!ways_is_meant(ways, node))
            continue;
        start = ways_start(ways, node);
        *vec_add(&arrivals->items) = (struct arrival){
            .node = node,
            .start = start,
            .caller = start == NO_NODE ? SLICE("[nothing in the IR]")
                                       : program->labels[program->nodes.items[start].group],
            .lines = program_lines(program, node),
        };
    }
    vec_sort(&arrivals->items, compare_arrivals);
}

static void add_step(const struct ways *ways, uint32_t node, struct text *path)
{
    const struct program_node *at = &ways->program->nodes.items[node];
    SCOPED(symbol_done) struct symbol symbol = {0};

    if (at->group != INTERN_NONE)
        text_add(path, ways->program->labels[at->group]);
    else if (program_counted(ways->program, node)->kind == COUNTED_STATIC)
        demangle_add_name(path, &symbol, program_symbol(ways->program, node), DEMANGLE_SHORT);
}

/* The nodes of the way, the last one first. */
struct steps {
    VEC(uint32_t) items;
};

static void steps_done(struct steps *steps)
{
    vec_done(&steps->items);
}

static void find_steps(const struct ways *ways, uint32_t node, struct steps *out)
{
    for (; ways->before[node] != NO_NODE; node = ways->before[node]) {
        if (program_counted(ways->program, node)->kind != COUNTED_DATA)
            *vec_add(&out->items) = node;
        if (ways->before[node] == node)
            return;
    }
}

static bool is_same_step(const struct ways *ways, uint32_t a, uint32_t b)
{
    uint32_t group = ways->program->nodes.items[a].group;

    return group != INTERN_NONE && group == ways->program->nodes.items[b].group;
}

/*
 * "app::main > dep::used > core::ptr::drop_in_place (x3)": the way without vtables and constants, instances
 * of one generic that lead to each other together.
 */
static struct slice path_to(const struct ways *ways, uint32_t node, struct arena *arena)
{
    SCOPED(text_done) struct text path = {0};
    SCOPED(steps_done) struct steps steps = {0};
    size_t count = 0;

    find_steps(ways, node, &steps);
    for (size_t i = steps.items.count; i > 0; i -= count) {
        for (count = 1; count < i; count++)
            if (!is_same_step(ways, steps.items.items[i - 1], steps.items.items[i - 1 - count]))
                break;
        if (path.length > 0)
            text_add_string(&path, " > ");
        add_step(ways, steps.items.items[i - 1], &path);
        if (count > 1)
            text_format(&path, " (x%zu)", count);
    }
    return arena_slice(arena, text_slice(&path));
}

static void add_rows(const struct ways *ways, const struct arrivals *arrivals, struct rows *out)
{
    union cell *row = NULL;

    for (size_t i = 0; i < arrivals->items.count; i++) {
        const struct arrival *arrival = &arrivals->items.items[i];

        if (i == 0 || !slice_equal(arrival->caller, arrival[-1].caller)) {
            bool is_own = arrival->start != NO_NODE && ways->program->nodes.items[arrival->start].is_own;

            row = rows_add(out);
            row[CALLER_NAME].text = arrival->caller;
            row[CALLER_OWN].text = is_own ? SLICE("yes") : SLICE("no");
            row[CALLER_PATH].text =
                arrival->start == NO_NODE ? arrival->caller : path_to(ways, arrival->node, &out->arena);
        }
        row[CALLER_LINES].number += arrival->lines;
        row[CALLER_COPIES].number++;
    }
}

static void set_up(const struct groups *groups, struct rows *out, uint64_t lines, uint64_t copies)
{
    out->list_key = "callers";
    out->noun = "function";
    out->total_label = "(TOTAL)";
    rows_add_column(
        out, (struct column){COLUMN_COUNT, groups_lines_title(groups), groups_lines_key(groups), 0, 0});
    rows_add_column(out, (struct column){COLUMN_SHARE, "%", NULL, CALLER_LINES, lines});
    rows_add_column(out, (struct column){COLUMN_COUNT, "Copies", "copies", 0, 0});
    rows_add_column(out, (struct column){COLUMN_TEXT, NULL, "name", 0, 0});
    rows_add_column(out, (struct column){COLUMN_TEXT, "Own", "own", 0, 0});
    rows_add_column(out, (struct column){COLUMN_TEXT, "The way to the largest copy", "path", 0, 0});
    rows_add_fact(out, groups_lines_key(groups), lines);
    rows_add_fact(out, "copies", copies);
}

int callers_fill(struct program *program, const char *name, struct rows *out, struct error *err)
{
    SCOPED(ways_done) struct ways ways = {.program = program};
    SCOPED(arrivals_done) struct arrivals arrivals = {0};
    uint64_t lines = 0;

    if (program_find_groups(program, name, &ways.is_meant, err) < 0)
        return -1;
    ways_find(&ways);
    find_arrivals(&ways, &arrivals);
    for (size_t i = 0; i < arrivals.items.count; i++)
        lines += arrivals.items.items[i].lines;
    set_up(&program->measurement->groups, out, lines, arrivals.items.count);
    add_rows(&ways, &arrivals, out);
    rows_sort(out, CALLER_LINES);
    return 0;
}
