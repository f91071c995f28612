#include "view/instances.h"

#include "rust/demangle.h"
#include "rust/symbol_path.h"

enum { COPY_LINES, COPY_INLINE = 2, COPY_TARGET, COPY_FUNCTION, COPY_TYPES };

/* "u8, alloc::string::String"; the whole name where there is no telling. */
static void add_types(struct text *text, struct symbol *symbol)
{
    size_t start = text->length;

    symbol_add_arguments(text, symbol);
    if (text->length == start)
        demangle_add(text, symbol, DEMANGLE_SHORT);
}

static void add_copy(const struct program *program, struct symbol *symbol, uint32_t node, struct rows *out)
{
    const struct counted_node *counted = program_counted(program, node);
    SCOPED(text_done) struct text types = {0};
    union cell *row = rows_add(out);

    symbol_parse(symbol, program_symbol(program, node));
    add_types(&types, symbol);
    row[COPY_LINES].number = program_lines(program, node);
    row[COPY_INLINE].text = groups_inlining((uint8_t)(1U << counted->inlining));
    row[COPY_TARGET].text =
        slice_of(program->measurement->units.items[program->nodes.items[node].unit].label);
    row[COPY_FUNCTION].text = program->labels[program->nodes.items[node].group];
    row[COPY_TYPES].text = arena_slice(&out->arena, text_slice(&types));
}

static uint64_t lines_of(const struct program *program, const bool *is_meant, size_t *groups)
{
    const struct groups *all = &program->measurement->groups;
    uint64_t lines = 0;

    for (size_t i = 0; i < all->items.count; i++) {
        lines += is_meant[i] ? all->items.items[i].lines : 0;
        *groups += is_meant[i];
    }
    return lines;
}

int instances_list(struct program *program, const char *name, struct rows *out, struct error *err)
{
    SCOPED(symbol_done) struct symbol symbol = {0};
    const struct groups *all = &program->measurement->groups;
    const bool *is_meant = NULL;
    size_t groups = 0;
    uint64_t lines = 0;

    if (program_find_groups(program, name, &is_meant, err) < 0)
        return -1;
    lines = lines_of(program, is_meant, &groups);
    out->list_key = "instances";
    out->noun = "instance";
    out->total_label = "(TOTAL)";
    rows_add_column(out, (struct column){COLUMN_COUNT, groups_lines_title(all), groups_lines_key(all), 0, 0});
    rows_add_column(out, (struct column){COLUMN_SHARE, "%", NULL, COPY_LINES, lines});
    rows_add_column(out, (struct column){COLUMN_TEXT, "Inline", "inline", 0, 0});
    rows_add_column(out, (struct column){COLUMN_TEXT, "Target", "target", 0, 0});
    rows_add_column(out, (struct column){COLUMN_TEXT, groups > 1 ? "Function" : NULL, "name", 0, 0});
    rows_add_column(out, (struct column){COLUMN_TEXT, "Made for", "types", 0, 0});
    for (uint32_t node = 0; node < program->nodes.count; node++)
        if (program->nodes.items[node].group != INTERN_NONE && is_meant[program->nodes.items[node].group])
            add_copy(program, &symbol, node, out);
    rows_sort(out, COPY_LINES);
    rows_add_fact(out, groups_lines_key(all), lines);
    rows_add_fact(out, "copies", rows_count(out));
    return 0;
}
