#include "symbolize/jit/names.h"

#include "symbolize/jit/code.h"
#include "symbolize/jit/stacks.h"

void jit_names_done(struct jit_names *names)
{
    vec_done(&names->items);
    vec_done(&names->unread);
}

struct jit_name jit_names_at(const struct jit_names *names, uint32_t location)
{
    return location < names->items.count ? names->items.items[location] : (struct jit_name){0};
}

const struct jit_unread *jit_names_unread(const struct jit_names *names, uint32_t module)
{
    for (size_t i = 0; i < names->unread.count; i++)
        if (names->unread.items[i].module == module)
            return &names->unread.items[i];
    return NULL;
}

/* What could not be read of a module, and whether names may be of another time. */
static void note_module(const struct jit_code_files *code, const struct jit_module *module,
                        struct jit_names *names)
{
    if (module->why_unread.kind != ERROR_NONE) {
        struct slice path = text_slice(&code->dumps->items.items[module->unread_dump].path);
        struct jit_unread unread = {module->module, profile_string(code->profile, path), module->why_unread};

        *vec_add(&names->unread) = unread;
    }
    if (module->has_other_clock && jit_timeline_has_reused(&module->timeline))
        names->has_newest = true;
}

static void note_damage(const struct jit_code_files *code, size_t dump, struct jit_damage *damage)
{
    uint64_t count = code->files[dump].damaged_lines_count;

    if (count > 0 && damage->file_count++ == 0)
        damage->path = profile_string(code->profile, text_slice(&code->dumps->items.items[dump].path));
    damage->record_count += count;
}

int jit_names_find(struct profile *profile, const struct jit_dumps *dumps, struct jit_names *names,
                   struct error *err)
{
    SCOPED(jit_code_done) struct jit_code_files code = {0};

    if (dumps->uses.count == 0)
        return 0;
    jit_code_read(profile, dumps, &code);
    for (size_t i = 0; i < code.items.count; i++)
        note_module(&code, &code.items.items[i], names);
    if (code.items.count == 0)
        return 0;
    if (!jit_stacks_make(&code, names))
        return error_set(err, ERROR_IO, "samples cannot be read back from where they were kept");
    for (size_t i = 0; i < dumps->items.count; i++)
        note_damage(&code, i, &names->damaged_lines);
    return profile_finish(profile, err);
}
