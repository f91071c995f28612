#include "built/listed_benchmarks.h"

#include "cargo/args.h"
#include "proc/run.h"

static int take_line(void *context, struct slice line, struct error *err)
{
    static const struct slice endings[] = {SLICE(": benchmark"), SLICE(": bench")};
    struct intern *names = context;

    (void)err;
    for (size_t i = 0; i < ARRAY_COUNT(endings); i++)
        if (slice_ends_with(line, endings[i])) {
            intern_add(names, slice_range(line, 0, line.length - endings[i].length));
            return 0;
        }
    return 0;
}

int listed_benchmarks_read(const struct launch *launch, struct intern *names, struct error *err)
{
    enum { LINE_BYTES_MOST = 16 << 20 };
    SCOPED(arena_done) struct arena arena = {0};
    SCOPED(cargo_words_done) struct cargo_words words = {0};
    struct process_status status = {0};
    struct spawn spawn = {.environment = launch->environment,
                          .directory = launch->directory,
                          .input = SPAWN_NULL,
                          .error = SPAWN_NULL};

    for (size_t i = 0; launch->argv[i]; i++)
        cargo_words_add(&words, launch->argv[i]);
    cargo_words_add(&words, "--list");
    spawn.argv = cargo_words_keep(&arena, &words);
    return run_lines(&spawn, LINE_BYTES_MOST, take_line, names, &status, err);
}
