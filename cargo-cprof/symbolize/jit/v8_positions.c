#include "symbolize/jit/v8_positions.h"

void v8_positions_done(struct v8_positions *positions)
{
    pair_index_done(&positions->places);
    vec_done(&positions->items);
    intern_done(&positions->names);
}

static void add_place(struct v8_positions *positions, uint32_t line, uint32_t column,
                      struct v8_position position)
{
    uint32_t id = pair_index_add(&positions->places, line, column);
    struct v8_position *known = NULL;

    if (id == positions->items.count) {
        *vec_add(&positions->items) = position;
        return;
    }
    known = &positions->items.items[id];
    if (known->script != position.script)
        known->script = INTERN_NONE;
    if (known->function != position.function)
        known->function = INTERN_NONE;
}

void v8_positions_add(struct v8_positions *positions, const struct v8_name *name,
                      const struct jit_lines *lines)
{
    struct v8_position position = {0};

    if (lines->items.count == 0)
        return;
    position.script = intern_add(&positions->names, lines->items.items[0].file);
    position.function = intern_add(&positions->names, name->function);
    for (size_t i = 0; i < lines->items.count; i++)
        add_place(positions, lines->items.items[i].line, lines->items.items[i].column, position);
    /* Where a function begins is no place in its bytecode, but one in code that it is inlined into. */
    if (name->line > 0)
        add_place(positions, name->line, name->column, position);
}

static void mend_line(const struct v8_positions *positions, const struct v8_name *name, struct jit_line *line)
{
    uint32_t id = pair_index_find(&positions->places, line->line, line->column);
    const struct v8_position *position = id == UINT32_MAX ? NULL : &positions->items.items[id];
    bool is_known = position && position->script != INTERN_NONE;

    if (is_known && name->compiler == V8_MAGLEV)
        is_known = position->function != INTERN_NONE &&
                   position->function == intern_find(&positions->names, name->function);
    line->file = is_known ? intern_text(&positions->names, position->script) : (struct slice){0};
    line->line = is_known ? line->line : 0;
}

void v8_positions_mend(const struct v8_positions *positions, const struct v8_name *name,
                       struct jit_lines *lines)
{
    if (name->compiler == V8_COMPILER_UNKNOWN || lines->items.count == 0)
        return;
    if (name->compiler == V8_BASELINE) {
        lines->items.items[0].offset = 0;
        lines->items.items[0].line = 0;
        lines->items.count = 1;
        return;
    }
    for (size_t i = 0; i < lines->items.count; i++)
        mend_line(positions, name, &lines->items.items[i]);
}
