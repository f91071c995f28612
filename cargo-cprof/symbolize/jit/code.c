#include "symbolize/jit/code.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"

void jit_code_done(struct jit_code_files *code)
{
    for (size_t i = 0; i < code->items.count; i++) {
        free(code->items.items[i].avmas);
        free(code->items.items[i].texts);
        pair_index_done(&code->items.items[i].read_lines);
        vec_done(&code->items.items[i].lines);
        jit_timeline_done(&code->items.items[i].timeline);
    }
    for (size_t i = 0; code->files && i < code->dumps->items.count; i++)
        jit_dump_close(&code->files[i]);
    for (size_t i = 0; code->positions && i < code->dumps->items.count; i++)
        v8_positions_done(&code->positions[i]);
    vec_done(&code->items);
    free(code->files);
    free(code->failures);
    free(code->positions);
    free(code->places);
    pair_index_done(&code->lines);
}

/* --- Which locations there are ------------------------------------------------------------------------ */

/* Each module that a process has told of, once, with no location yet. */
static void add_modules(struct jit_code_files *code, uint32_t *item_of_module)
{
    for (size_t i = 0; i < code->dumps->uses.count; i++) {
        uint32_t module = code->dumps->uses.items[i].module;

        if (module == PROFILE_NONE || item_of_module[module] != JIT_CODE_NONE)
            continue;
        item_of_module[module] = (uint32_t)code->items.count;
        *vec_add(&code->items) = (struct jit_module){.module = module};
    }
}

static int compare_addresses(const void *left, const void *right, void *context)
{
    const struct profile *profile = context;
    uint64_t a = profile->locations.items[*(const uint32_t *)left].svma;
    uint64_t b = profile->locations.items[*(const uint32_t *)right].svma;

    return a < b ? -1 : a > b;
}

/* Numbers the locations of all modules by address. */
static void number_locations(struct jit_code_files *code, uint32_t *locations, size_t count)
{
    struct profile *profile = code->profile;

    if (count > 0)
        qsort_r(locations, count, sizeof(*locations), compare_addresses, profile);
    for (size_t i = 0; i < count; i++)
        code->items.items[code->places[locations[i]].item].count++;
    for (size_t i = 0; i < code->items.count; i++) {
        struct jit_module *module = &code->items.items[i];

        module->avmas = memory_new(module->count, sizeof(*module->avmas));
        module->count = 0;
    }
    for (size_t i = 0; i < count; i++) {
        struct jit_place *place = &code->places[locations[i]];
        struct jit_module *module = &code->items.items[place->item];

        place->number = (uint32_t)module->count;
        module->avmas[module->count++] = profile->locations.items[locations[i]].svma;
    }
}

static void find_locations(struct jit_code_files *code)
{
    const struct profile *profile = code->profile;
    SCOPED(memory_free_at)
    uint32_t *item_of_module = memory_new(profile->modules.count + 1, sizeof(*item_of_module));
    SCOPED(memory_free_at) uint32_t *locations = memory_new(profile->locations.count + 1, sizeof(*locations));
    size_t count = 0;

    for (size_t i = 0; i < profile->modules.count; i++)
        item_of_module[i] = JIT_CODE_NONE;
    add_modules(code, item_of_module);
    code->place_count = profile->locations.count;
    code->places = memory_new(code->place_count + 1, sizeof(*code->places));
    for (uint32_t i = 0; i < code->place_count; i++) {
        uint32_t module = profile->locations.items[i].module;

        code->places[i].item = module == PROFILE_NONE ? JIT_CODE_NONE : item_of_module[module];
        if (code->places[i].item != JIT_CODE_NONE)
            locations[count++] = i;
    }
    number_locations(code, locations, count);
}

/* --- What the files tell of them ---------------------------------------------------------------------- */

/* The open file, or NULL with the reason. */
static struct jit_dump_file *file_of(struct jit_code_files *code, const struct jit_dump_use *use)
{
    struct jit_dump *dump = &code->dumps->items.items[use->dump];
    const struct profile_module *module = &code->profile->modules.items[use->module];
    struct jit_dump_file *file = &code->files[use->dump];
    struct error *failure = &code->failures[use->dump];
    char place[sizeof("/proc/self/fd/2147483647")];
    struct told_file told = {
        .path = text_string(&dump->path),
        .place = place,
        /* What was told before a fork is older than the new process. */
        .begun_unix_ns = use->told_until_ns == UINT64_MAX ? module->begun_unix_ns : 0,
        .reused_unix_ns = module->reused_unix_ns,
    };

    if (file->window)
        return file;
    if (dump->descriptor < 0)
        *failure = dump->failure;
    snprintf(place, sizeof(place), "/proc/self/fd/%d", dump->descriptor);
    if (failure->kind != ERROR_NONE || jit_dump_open(&told, file, failure) < 0)
        return NULL;
    return file;
}

/* A file that a process and its children write to after a fork tells of each what it has told itself. */
static bool is_of_use(const struct jit_record *record, const struct jit_dump_file *file,
                      const struct jit_dump_use *use, bool has_other_clock)
{
    return jit_record_is_code(record) && record->pid == file->header.pid &&
           (has_other_clock || record->time_ns <= use->told_until_ns);
}

static void take_records(struct jit_module *module, struct jit_dump_file *file,
                         const struct jit_dump_use *use, bool has_other_clock)
{
    struct jit_record record;
    bool has_room = true;

    jit_timeline_begin_file(&module->timeline);
    jit_dump_rewind(file);
    while (has_room && jit_dump_next(file, &record)) {
        if (!is_of_use(&record, file, use, has_other_clock))
            continue;
        if (has_other_clock)
            record.time_ns = 0;
        has_room = jit_timeline_take(&module->timeline, &record, use->dump, file->record_at);
    }
    if (!has_room)
        (void)error_set(&file->problem, ERROR_FORMAT, "%s tells of more code than is kept: %d times",
                        file->path, JIT_CODE_MOST);
    if (!jit_timeline_has_moved(&module->timeline))
        return;
    jit_dump_rewind(file);
    while (jit_dump_next(file, &record))
        if (is_of_use(&record, file, use, has_other_clock))
            jit_timeline_take_again(&module->timeline, &record, file->record_at);
}

static void note_unread(struct jit_module *module, uint32_t dump, const struct error *why)
{
    module->why_unread = *why;
    module->unread_dump = dump;
}

static void take_use(struct jit_code_files *code, struct jit_module *module, const struct jit_dump_use *use)
{
    struct jit_dump_file *file = file_of(code, use);
    bool has_other_clock = false;

    if (!file) {
        note_unread(module, use->dump, &code->failures[use->dump]);
        return;
    }
    has_other_clock = code->dumps->items.items[use->dump].has_other_clock || file->header.has_own_clock;
    module->has_other_clock |= has_other_clock;
    take_records(module, file, use, has_other_clock);
    if (file->problem.kind != ERROR_NONE)
        note_unread(module, use->dump, &file->problem);
    if (use->until_ns != UINT64_MAX && !has_other_clock)
        jit_timeline_take_end(&module->timeline, use->until_ns);
}

static void read_module(struct jit_code_files *code, struct jit_module *module)
{
    jit_timeline_init(&module->timeline, module->avmas, module->count);
    for (size_t i = 0; i < code->dumps->uses.count; i++)
        if (code->dumps->uses.items[i].module == module->module)
            take_use(code, module, &code->dumps->uses.items[i]);
    jit_timeline_begin(&module->timeline);
    module->texts = memory_new(module->timeline.codes.count + 1, sizeof(*module->texts));
    for (size_t i = 0; i < module->timeline.codes.count; i++)
        module->texts[i] = JIT_CODE_NONE;
}

void jit_code_read(struct profile *profile, const struct jit_dumps *dumps, struct jit_code_files *out)
{
    *out = (struct jit_code_files){
        .profile = profile,
        .dumps = dumps,
        .files = memory_new(dumps->items.count + 1, sizeof(*out->files)),
        .failures = memory_new(dumps->items.count + 1, sizeof(*out->failures)),
        .positions = memory_new(dumps->items.count + 1, sizeof(*out->positions)),
    };
    (void)pair_index_add(&out->lines, PROFILE_NO_STRING, 0);
    find_locations(out);
    for (size_t i = 0; i < out->items.count; i++)
        read_module(out, &out->items.items[i]);
}
