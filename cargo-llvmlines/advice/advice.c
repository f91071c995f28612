#include "advice/advice.h"

#include "advice/find.h"
#include "advice/names.h"
#include "base/units.h"
#include "rust/demangle.h"

struct advice_rule {
    const char *name;        /* "outline" */
    unsigned least_permille; /* of all lines, that following it can save at most */
    const char *remedy;
};

static const struct advice_rule advice_rules[ADVICE_KIND_COUNT] = {
    [ADVICE_OUTLINE] = {"outline", 2,
                        "keep what depends on the types, such as conversions, and move the rest into a "
                        "function without these "
                        "type parameters"},
    [ADVICE_CLOSURES] =
        {"closures", 5,
         "take or keep them as &mut dyn FnMut(..) or Box<dyn FnOnce(..)>, Fn or FnMut, or have all but their "
         "calls in a function without them"},
    [ADVICE_BOXING] = {"boxing", 10,
                       "closures of one signature are one type behind &mut dyn FnMut(..) or Box<dyn "
                       "FnOnce(..)>: pass that instead, through a function of your own"},
    [ADVICE_ITERATORS] = {"iterators", 150,
                          "each chain is a type of its own, compiled anew: where it need not be fast, a for "
                          "loop, or one function for chains that do the same, makes less"},
    [ADVICE_DEBUG] =
        {"derive-debug", 40,
         "{:?}, unwrap and expect of a Result, assert_eq! and the derive of what holds such a type keep "
         "it: show less there, or leave the derive out"},
    [ADVICE_DISPLAY] =
        {"display", 40,
         "arms that write the same form can share one write!; constant texts go to f.write_str "
         "from a match that gives &str"},
    [ADVICE_DESERIALIZE] = {"derive-serde", 50,
                            "leave it out where nothing is read, and read through one format and one kind of "
                            "input: from_str, from_reader and from_value compile all of it each"},
    [ADVICE_DROP_GLUE] = {"drop-glue", 20,
                          "variants that hold nothing to drop (&'static str, Copy types, indices into one "
                          "Vec) need no glue"},
    [ADVICE_CRATES] =
        {"crates", 10,
         "give that crate a function without type parameters that calls it for these types, and "
         "call that"},
};

void advice_done(struct advice_list *list)
{
    vec_done(&list->items);
    arena_done(&list->arena);
    *list = (struct advice_list){0};
}

/* --- What finders share ------------------------------------------------------------------ */

void advised_nodes_done(struct advised_nodes *nodes)
{
    vec_done(&nodes->items);
}

static int compare_nodes(const void *left, const void *right)
{
    const struct advised_node *a = left;
    const struct advised_node *b = right;
    int order = (a->key > b->key) - (a->key < b->key);

    order = order ? order : slice_compare(a->name, b->name);
    return order ? order : (a->node > b->node) - (a->node < b->node);
}

void advised_nodes_sort(struct advised_nodes *nodes)
{
    vec_sort(&nodes->items, compare_nodes);
}

size_t advised_nodes_end(const struct advised_nodes *nodes, size_t first)
{
    size_t end = first;

    while (end < nodes->items.count && nodes->items.items[end].key == nodes->items.items[first].key)
        end++;
    return end;
}

bool advised_names_any(const struct advisor *advisor, uint32_t node, bool (*is_meant)(struct slice symbol))
{
    const struct program *program = advisor->program;
    const struct counted_node *counted = program_counted(program, node);
    const struct unit_counts *counts =
        &program->measurement->units.items[program->nodes.items[node].unit].counts;

    for (size_t i = 0; i < counted->use_count; i++)
        if (is_meant(counts->symbols.items[counts->uses.items[counted->first_use + i]]))
            return true;
    return false;
}

uint64_t advised_lines(const struct advisor *advisor, uint32_t node)
{
    return program_lines(advisor->program, node);
}

struct slice advised_origin(const struct advisor *advisor, uint32_t node)
{
    uint32_t start = ways_start(&advisor->ways, node);

    return start == NO_NODE ? (struct slice){0}
                            : advisor->program->labels[advisor->program->nodes.items[start].group];
}

bool advised_is_own_path(const struct advisor *advisor, struct slice path)
{
    return own_crates_has_path(&advisor->program->measurement->own, path);
}

void advisor_add(struct advisor *advisor, struct advice advice, struct slice evidence)
{
    struct arena *arena = &advisor->found->arena;

    advice.subject = arena_slice(arena, advice.subject);
    advice.evidence = arena_slice(arena, evidence);
    advice.from = arena_slice(arena, advice.from);
    *vec_add(&advisor->found->items) = advice;
}

/* --- Finding ----------------------------------------------------------------------------- */

static void advisor_done(struct advisor *advisor)
{
    ways_done(&advisor->ways);
    intern_done(&advisor->futures);
    arena_done(&advisor->arena);
}

/* Nobody reads longer ones, and comparing them takes the square of their length where they are hostile. */
enum { NAME_BYTES_MAX = 16384 };

static void name_nodes(struct advisor *advisor)
{
    const struct program *program = advisor->program;
    SCOPED(symbol_done) struct symbol symbol = {0};
    SCOPED(text_done) struct text text = {0};

    advisor->names = ARENA_ARRAY(&advisor->arena, program->nodes.count + 1, struct slice);
    for (uint32_t node = 0; node < program->nodes.count; node++) {
        if (program->nodes.items[node].group == INTERN_NONE)
            continue;
        text_clear(&text);
        demangle_add_name(&text, &symbol, program_symbol(program, node), DEMANGLE_SHORT);
        if (text.length > NAME_BYTES_MAX)
            continue;
        advisor->names[node] = arena_slice(&advisor->arena, text_slice(&text));
    }
}

static void find_futures(struct advisor *advisor)
{
    const struct program *program = advisor->program;
    SCOPED(text_done) struct text type = {0};

    for (uint32_t node = 0; node < program->nodes.count; node++) {
        if (!program->nodes.items[node].is_own || !slice_ends_with(advisor->names[node], SLICE("}")) ||
            !advised_names_any(advisor, node, name_is_of_future))
            continue;
        text_clear(&type);
        name_add_as_type(&type, advisor->names[node]);
        intern_add(&advisor->futures, text_slice(&type));
    }
}

static int compare_advice(const void *left, const void *right)
{
    const struct advice *a = left;
    const struct advice *b = right;

    if (a->bound != b->bound)
        return a->bound > b->bound ? -1 : 1;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    return slice_compare(a->subject, b->subject);
}

static bool is_over(const struct advice *advice, uint64_t all_lines)
{
    return advice->bound >= ADVICE_LEAST_LINES &&
           (unsigned __int128)advice->bound * 1000 >=
               (unsigned __int128)all_lines * advice_rules[advice->kind].least_permille;
}

static void choose(struct advice_list *list, uint64_t all_lines)
{
    size_t kept = 0;

    vec_sort(&list->items, compare_advice);
    for (size_t i = 0; i < list->items.count && kept < ADVICE_MOST; i++)
        if (is_over(&list->items.items[i], all_lines))
            list->items.items[kept++] = list->items.items[i];
    list->items.count = kept;
}

void advice_find(const struct program *program, struct advice_list *out)
{
    SCOPED(advisor_done)
    struct advisor advisor = {.program = program, .ways = {.program = program}, .found = out};

    name_nodes(&advisor);
    find_futures(&advisor);
    ways_find(&advisor.ways);
    advice_find_outlines(&advisor);
    advice_find_closures(&advisor);
    advice_find_iterators(&advisor);
    advice_find_derives(&advisor);
    advice_find_drop_glue(&advisor);
    advice_find_crates(&advisor);
    choose(out, program->measurement->groups.lines);
}

/* --- Telling ----------------------------------------------------------------------------- */

static const char *note_of(const struct advice *advice, uint64_t all_lines, struct arena *arena)
{
    const struct advice_rule *rule = &advice_rules[advice->kind];
    SCOPED(text_done) struct text note = {0};

    text_format(&note, "advice (%s): ", rule->name);
    text_add(&note, advice->subject);
    text_add_byte(&note, ' ');
    text_add(&note, advice->evidence);
    if (advice->from.length > 0)
        text_format(&note, "; the largest for %.*s", SLICE_ARGUMENTS(advice->from));
    text_format(&note, "\n  %s: saves at most ", rule->remedy);
    units_add_percent(&note, advice->bound, all_lines);
    text_add_string(&note, " of all lines");
    return arena_copy(arena, text_slice(&note));
}

static void set_up(struct rows *list)
{
    list->list_key = "advice";
    list->noun = "piece of advice";
    list->is_for_programs = true;
    rows_add_column(list, (struct column){COLUMN_COUNT, "Lines", "lines", 0, 0});
    rows_add_column(list, (struct column){COLUMN_COUNT, "Copies", "copies", 0, 0});
    rows_add_column(list, (struct column){COLUMN_COUNT, "Saves at most", "bound", 0, 0});
    rows_add_column(list, (struct column){COLUMN_TEXT, "Kind", "kind", 0, 0});
    rows_add_column(list, (struct column){COLUMN_TEXT, "About", "name", 0, 0});
    rows_add_column(list, (struct column){COLUMN_TEXT, "From", "from", 0, 0});
    rows_add_column(list, (struct column){COLUMN_TEXT, "Evidence", "evidence", 0, 0});
    rows_add_column(list, (struct column){COLUMN_TEXT, "Remedy", "remedy", 0, 0});
}

void advice_tell(const struct advice_list *found, uint64_t all_lines, struct rows *rows, struct rows *list)
{
    struct rows **last = &rows->beside;

    set_up(list);
    for (size_t i = 0; i < found->items.count; i++) {
        const struct advice *advice = &found->items.items[i];
        const struct advice_rule *rule = &advice_rules[advice->kind];
        union cell *row = rows_add(list);

        row[0].number = advice->lines;
        row[1].number = advice->copies;
        row[2].number = advice->bound;
        row[3].text = slice_of(rule->name);
        row[4].text = arena_slice(&list->arena, advice->subject);
        if (advice->from.length > 0)
            row[5].text = arena_slice(&list->arena, advice->from);
        row[6].text = arena_slice(&list->arena, advice->evidence);
        row[7].text = slice_of(rule->remedy);
        *vec_add(&rows->notes) = note_of(advice, all_lines, &rows->arena);
    }
    while (*last)
        last = &(*last)->beside;
    *last = list;
}
