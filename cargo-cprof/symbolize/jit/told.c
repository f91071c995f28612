#include "symbolize/jit/told.h"

#include "symbolize/jit/lines.h"

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

static bool has_room(const struct jit_code_files *code)
{
    return code->lines_bytes >> 30 < JIT_LINES_MOST_GIB;
}

/* What the record there tells of that code. It borrows from `bytes` and from the code's name. */
static bool read_record(struct jit_code_files *code, struct jit_dump_file *file, uint64_t at,
                        const struct jit_record *made, struct text *bytes, struct jit_lines *lines)
{
    if (!jit_dump_whole_at(file, at, bytes))
        return false;
    code->lines_bytes += bytes->length;
    return jit_lines_read(&file->header, text_slice(bytes), made, lines);
}

/* All that V8 told of functions in that file; nothing where it is more than is kept. */
static void read_positions(struct jit_code_files *code, struct jit_dump_file *file, struct v8_positions *out)
{
    SCOPED(text_done) struct text bytes = {0};
    SCOPED(jit_lines_done) struct jit_lines lines = {0};
    struct jit_record record;

    jit_dump_rewind(file);
    while (has_room(code) && out->items.count <= JIT_LINES_MOST && jit_dump_next(file, &record)) {
        struct v8_name name = v8_name_of(record.name);

        if (name.compiler == V8_BASELINE && record.lines_at > 0 &&
            read_record(code, file, record.lines_at, &record, &bytes, &lines))
            v8_positions_add(out, &name, &lines);
    }
    if (has_room(code) && out->items.count <= JIT_LINES_MOST)
        return;
    v8_positions_done(out);
    *out = (struct v8_positions){0};
}

/* Puts right what V8 told of the code of that name. */
static void mend_lines(struct jit_code_files *code, uint32_t dump, const struct v8_name *name,
                       struct jit_lines *lines)
{
    struct v8_positions *positions = &code->positions[dump];

    if ((name->compiler == V8_MAGLEV || name->compiler == V8_TURBOFAN) && !positions->is_read) {
        read_positions(code, &code->files[dump], positions);
        positions->is_read = true;
    }
    v8_positions_mend(positions, name, lines);
}

/* What is told of the code, which borrows from `bytes` and `name`. */
static void read_told(struct jit_code_files *code, const struct jit_code *made, struct text *bytes,
                      struct text *name, struct jit_lines *lines)
{
    struct jit_dump_file *file = &code->files[made->file];
    struct jit_record record;
    struct v8_name v8_name;

    if (!has_room(code) || !jit_dump_at(file, made->record_at, &record) || record.kind != JIT_LOAD)
        return;
    text_add(name, record.name);
    record.name = text_slice(name);
    if (!read_record(code, file, made->lines_at, &record, bytes, lines)) {
        file->damaged_lines_count++;
        return;
    }
    v8_name = v8_name_of(record.name);
    if (file->header.is_of_v8)
        mend_lines(code, made->file, &v8_name, lines);
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

    if (!line || line->file.length == 0)
        return 0;
    return pair_index_add(&code->lines, profile_string(code->profile, without_scheme(line->file)),
                          line->line);
}

/* Of all addresses in the code at once: its record is read once. */
static void read_lines(struct jit_code_files *code, struct jit_module *module, uint32_t number)
{
    const struct jit_code *made = &module->timeline.codes.items[number];
    SCOPED(text_done) struct text bytes = {0};
    SCOPED(text_done) struct text name = {0};
    SCOPED(jit_lines_done) struct jit_lines lines = {0};
    uint64_t start_avma = 0;

    if (module->lines.count + (made->end - made->first) > JIT_LINES_MOST)
        return;
    if (find_start(&code->files[made->file], made, &start_avma))
        read_told(code, made, &bytes, &name, &lines);
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
