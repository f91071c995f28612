#include "symbolize/jit/told_names.h"

#include "base/memory.h"
#include "symbolize/jit/names.h"
#include "symbolize/jit/perf_map_file.h"
#include "symbolize/recorded_file.h"

/*
 * The switches are those of Node.js 24, CPython 3.12, OpenJDK 17 and Wasmtime 20: each then tells of its
 * code. The lines are those of perf (tools/perf/Documentation/jit-interface.txt).
 */
static const char *const in_no_file =
    "it is in no file: made at run time, or its mapping was not seen; what has such code named: "
    "node --perf-basic-prof, python -X perf, java -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit "
    "(while it runs, jcmd PID Compiler.perfmap), wasmtime run --profile perfmap, in a program with the crate "
    "wasmtime Config::profiler(ProfilingStrategy::JitDump), or PerfMap where no code is thrown away; "
    "a compiler of your own by a line for each function in /tmp/perf-PID.map: where it starts and its bytes, "
    "both in hexadecimal, and its name";

static const char *const of_others = "it is of another user's process, of which we may not see what code is "
                                     "where: record with --root, or give "
                                     "cargo-cprof the capability cap_sys_ptrace";

/* Why code has no name that its process did not tell of. Which file was not read tells such code apart. */
static uint32_t untold_function(struct symbolizing *work, const struct profile_module *module,
                                uint32_t unread_path, const struct error *unread)
{
    SCOPED(text_done) struct text why = {0};

    if (module->is_denied)
        return naming_unnamed(&work->naming, (struct slice){0}, (struct slice){0}, of_others);
    if (unread_path == PROFILE_NO_STRING)
        return naming_unnamed(&work->naming, (struct slice){0}, (struct slice){0}, in_no_file);
    text_format(&why, "%s; %s", in_no_file, unread->message);
    return naming_unnamed(&work->naming, (struct slice){0},
                          recorded_file_called(profile_text(work->profile, unread_path)), text_string(&why));
}

static uint32_t made_function(struct symbolizing *work, struct slice told)
{
    struct found_name name = {.text = told, .is_readable = true, .module = SLICE("[jit]")};

    return naming_function(&work->naming, &name);
}

/* The file in which the process of the module tells. */
static struct told_file file_of(const struct profile *profile, uint32_t module)
{
    const struct profile_module *about = &profile->modules.items[module];

    return (struct told_file){
        .path = profile_text(profile, about->path).data,
        .place = about->place == PROFILE_NO_STRING ? NULL : profile_text(profile, about->place).data,
        .begun_unix_ns = about->begun_unix_ns,
        .reused_unix_ns = about->reused_unix_ns,
    };
}

/* Finds names in what the process told, and what those did that it was forked from; `unread` is its own
 * failure. */
static void read_told(const struct profile *profile, uint32_t module, struct perf_map *map,
                      struct error *unread)
{
    enum { MOST_FORKS = 16 };
    struct told_file file = file_of(profile, module);

    (void)(perf_map_read(&file, map, unread) == 0);
    map->has_elders = true;
    for (int i = 0; i < MOST_FORKS && map->named_count < map->count; i++) {
        struct error ignored = {0};

        module = profile->modules.items[module].forked_from;
        if (module == PROFILE_NONE)
            return;
        file = file_of(profile, module);
        (void)(perf_map_read(&file, map, &ignored) == 0);
    }
}

/* What the process told in lines without a time. The locations rise by address. */
static void add_untimed(struct symbolizing *work, uint32_t module, const uint32_t *locations, size_t count)
{
    SCOPED(arena_done) struct arena arena = {0};
    SCOPED(perf_map_done) struct perf_map map = {0};
    uint64_t *avmas = ARENA_ARRAY(&arena, count, uint64_t);
    struct slice *names = ARENA_ARRAY(&arena, count, struct slice);
    const struct jit_unread *timed = work->jit_names ? jit_names_unread(work->jit_names, module) : NULL;
    struct error unread = {0};
    uint32_t unread_path = work->profile->modules.items[module].path;

    for (size_t i = 0; i < count; i++)
        avmas[i] = work->profile->locations.items[locations[i]].svma;
    perf_map_init(&map, avmas, count, names, &arena);
    read_told(work->profile, module, &map, &unread);
    if (unread.message[0] == '\0' || unread.kind == ERROR_MISSING) {
        unread = timed ? timed->why : (struct error){0};
        unread_path = timed ? timed->path : PROFILE_NO_STRING;
    }
    for (size_t i = 0; i < count; i++) {
        struct profile_frame frame = {
            .function = names[i].length > 0 ? made_function(work, names[i])
                                            : untold_function(work, &work->profile->modules.items[module],
                                                              unread_path, &unread)};

        if (perf_map_is_reused(&map, i))
            *vec_add(&work->reused) = locations[i];
        profile_set_frames(work->profile, locations[i], &frame, 1);
    }
}

void told_names_add(struct symbolizing *work, uint32_t module, const uint32_t *locations, size_t count)
{
    SCOPED(memory_free_at) uint32_t *untimed = memory_new(count, sizeof(*untimed));
    size_t untimed_count = 0;

    for (size_t i = 0; i < count; i++) {
        struct jit_name told =
            work->jit_names ? jit_names_at(work->jit_names, locations[i]) : (struct jit_name){0};
        struct profile_frame frame = {.file = told.file, .line = told.line};

        if (told.text == PROFILE_NO_STRING) {
            untimed[untimed_count++] = locations[i];
            continue;
        }
        frame.function = made_function(work, profile_text(work->profile, told.text));
        profile_set_frames(work->profile, locations[i], &frame, 1);
    }
    if (untimed_count > 0)
        add_untimed(work, module, untimed, untimed_count);
}

void told_names_none(struct symbolizing *work, const uint32_t *locations, size_t count)
{
    struct profile_frame frame = {
        .function = naming_unnamed(&work->naming, (struct slice){0}, (struct slice){0}, in_no_file)};

    for (size_t i = 0; i < count; i++)
        profile_set_frames(work->profile, locations[i], &frame, 1);
}
