#include "built/listed_benchmarks.h"

#include "cargo/args.h"
#include "proc/run.h"

struct listed {
    struct text *first;
    size_t count;
};

/* "module::name: benchmark" */
static int note_line(void *context, struct slice line, struct error *err)
{
    static const struct slice ending = SLICE(": benchmark");
    struct listed *listed = context;

    (void)err;
    if (!slice_ends_with(line, ending))
        return 0;
    if (listed->count++ == 0)
        text_add(listed->first, slice_range(line, 0, line.length - ending.length));
    return 0;
}

size_t listed_benchmarks_count(const struct launch *launch, struct text *first)
{
    enum { LINE_BYTES_MOST = 1 << 20 };
    SCOPED(arena_done) struct arena arena = {0};
    SCOPED(cargo_words_done) struct cargo_words words = {0};
    struct listed listed = {.first = first};
    struct process_status status = {0};
    struct error ignored = {0};
    struct spawn spawn = {.environment = launch->environment,
                          .directory = launch->directory,
                          .input = SPAWN_NULL,
                          .error = SPAWN_NULL,
                          .blocked = launch->signals};

    for (size_t i = 0; launch->argv[i]; i++)
        cargo_words_add(&words, launch->argv[i]);
    cargo_words_add(&words, "--list");
    spawn.argv = cargo_words_keep(&arena, &words);
    if (run_lines(&spawn, LINE_BYTES_MOST, note_line, &listed, &status, &ignored) < 0)
        return 0;
    return status.exit_code == 0 ? listed.count : 0;
}
