#include "symbolize/jit_told.h"

#include "symbolize/jit_lines.h"

uint32_t jit_told_text(struct jit_code_files *code, struct jit_module *module, uint32_t number)
{
    const struct jit_code *made = NULL;
    struct jit_record record;

    if (number == JIT_CODE_NONE)
        return PROFILE_NO_STRING;
    made = &module->timeline.codes.items[number];
    if (module->texts[number] == JIT_CODE_NONE)
        module->texts[number] = jit_dump_at(&code->files[made->file], made->record_at, &record)
                                    ? profile_string(code->profile, slice_trim(record.name))
                                    : PROFILE_NO_STRING;
    return module->texts[number];
}

/* --- Lines -------------------------------------------------------------------------------------------- */

/* Where the code begins by now. */
static bool find_start(struct jit_dump_file *file, const struct jit_code *made, uint64_t *start_avma)
{
    struct jit_record record;

    if (!jit_dump_at(file, made->moved_at > 0 ? made->moved_at : made->record_at, &record))
        return false;
    *start_avma = record.start_avma;
    return true;
}

/* The lines of code, which borrow from `bytes` and from the file's window. */
static bool read_record(struct jit_code_files *code, const struct jit_code *made, struct text *bytes,
                        struct jit_lines *lines)
{
    struct jit_dump_file *file = &code->files[made->file];
    struct jit_record record;

    if (code->lines_bytes >> 30 >= JIT_LINES_MOST_GIB || !jit_dump_whole_at(file, made->lines_at, bytes))
        return false;
    code->lines_bytes += bytes->length;
    if (!jit_dump_at(file, made->record_at, &record) || record.kind != JIT_LOAD ||
        !jit_lines_read(&file->header, text_slice(bytes), &record, lines))
        return false;
    code->has_inlined_lines |= lines->items.count > 0 && jit_lines_are_inlined(&file->header, &record);
    return true;
}

/* The path of "file:///src/a.mjs", as scripts that are modules are called. */
static struct slice without_scheme(struct slice file)
{
    struct slice scheme = SLICE("file://");

    if (!slice_starts_with(file, SLICE("file:///")) || slice_find_byte(file, '%') < file.length)
        return file;
    return slice_range(file, scheme.length, file.length);
}

static uint32_t line_at(struct jit_code_files *code, const struct jit_lines *lines, uint64_t offset)
{
    const struct jit_line *line = jit_lines_at(lines, offset);

    if (!line || line->line == 0 || line->file.length == 0)
        return 0;
    return pair_index_add(&code->lines, profile_string(code->profile, without_scheme(line->file)),
                          line->line);
}

/* Of all addresses in the code at once: its record is read once. */
static void read_lines(struct jit_code_files *code, struct jit_module *module, uint32_t number)
{
    const struct jit_code *made = &module->timeline.codes.items[number];
    SCOPED(text_done) struct text bytes = {0};
    SCOPED(jit_lines_done) struct jit_lines lines = {0};
    uint64_t start_avma = 0;

    if (module->lines.count + (made->end - made->first) > JIT_LINES_MOST)
        return;
    if (!find_start(&code->files[made->file], made, &start_avma) || !read_record(code, made, &bytes, &lines))
        lines.items.count = 0;
    for (uint32_t i = made->first; i < made->end; i++) {
        (void)pair_index_add(&module->read_lines, number, i);
        *vec_add(&module->lines) = line_at(code, &lines, module->avmas[i] - start_avma);
    }
}

uint32_t jit_told_line(struct jit_code_files *code, struct jit_module *module, uint32_t number,
                       uint32_t address)
{
    uint32_t id = 0;

    if (number == JIT_CODE_NONE || module->timeline.codes.items[number].lines_at == 0)
        return 0;
    id = pair_index_find(&module->read_lines, number, address);
    if (id == UINT32_MAX) {
        read_lines(code, module, number);
        id = pair_index_find(&module->read_lines, number, address);
    }
    return id == UINT32_MAX ? 0 : module->lines.items[id];
}

struct jit_name jit_told_name(const struct jit_code_files *code, uint32_t text, uint32_t line)
{
    const struct pair *place = &code->lines.pairs.items[line];

    return (struct jit_name){text, (uint32_t)place->first, (uint32_t)place->second};
}
