#include "built/build_profile.h"

#include <string.h>

#include "base/file.h"
#include "built/frame_pointers.h"
#include "cargo/args.h"
#include "proc/spawn.h"

#define PROFILE "profiling"

/* A target that no package has: cargo looks at the profile first, and never gets to building. */
#define NO_SUCH_TARGET "--bin=cargo-cprof-asks-for-the-profile"

/* Settings of the command line would override a profile of the user's: they are given only if there is none.
 */
static const char *const definition[] = {
    "profile." PROFILE ".inherits=\"release\"",
    "profile." PROFILE ".debug=1",
    "profile." PROFILE ".strip=false",
    "profile." PROFILE ".split-debuginfo=\"off\"",
};

/* Those options of the user's that decide which settings cargo reads. */
static void add_settings(struct arena *arena, const struct options *options, struct cargo_words *words)
{
    static const char *const names[] = {"manifest-path", "config", "unstable-flags",
                                        "offline",       "frozen", "locked"};
    struct options settings = {.command = options->command};

    for (size_t i = 0; i < options->uses.count; i++)
        for (size_t at = 0; at < ARRAY_COUNT(names); at++)
            if (strcmp(options->uses.items[i].spec->name, names[at]) == 0)
                *vec_add(&settings.uses) = options->uses.items[i];
    cargo_words_add_build(arena, &settings, words);
    options_done(&settings);
}

/* What cargo says when it is asked to build nothing with the profile. */
static int ask_cargo(const struct options *options, struct text *answer, struct error *err)
{
    enum { MOST_BYTES = 1 << 20 };
    SCOPED(arena_done) struct arena arena = {0};
    SCOPED(cargo_words_done) struct cargo_words words = {0};
    struct process process;
    struct process_status status;
    int result = 0;

    cargo_words_add(&words, cargo_program());
    cargo_words_add(&words, "build");
    cargo_words_add(&words, "--color=never");
    cargo_words_add(&words, "--profile=" PROFILE);
    cargo_words_add(&words, NO_SUCH_TARGET);
    add_settings(&arena, options, &words);
    cargo_words_add(&words, NULL);
    if (spawn_start(
            &(struct spawn){
                .argv = words.items.items, .input = SPAWN_NULL, .output = SPAWN_NULL, .error = SPAWN_PIPE},
            &process, err) < 0)
        return -1;
    result = file_read_descriptor(process.error, "cargo's answer", MOST_BYTES, answer, err);
    process_close_pipes(&process);
    return process_wait(&process, &status, err) < 0 ? -1 : result;
}

static void add_use(struct options *out, const char *name, const char *value)
{
    *vec_add(&out->uses) = (struct option_use){command_find_option(out->command, name), value};
}

/* Those that are not about which profile is built with. */
static void copy_uses(const struct options *options, struct options *out)
{
    static const char *const names[] = {"profile", "release"};

    *out = (struct options){.command = options->command, .program_arguments = options->program_arguments};
    for (size_t i = 0; i < options->positionals.count; i++)
        *vec_add(&out->positionals) = options->positionals.items[i];
    for (size_t i = 0; i < options->uses.count; i++) {
        const char *name = options->uses.items[i].spec->name;

        if (strcmp(name, names[0]) != 0 && strcmp(name, names[1]) != 0)
            *vec_add(&out->uses) = options->uses.items[i];
    }
}

/* A profile like `base`, in a folder of its own: what is built with other flags does not replace the rest. */
static int add_frame_pointers(struct arena *arena, const char *base, struct options *out, struct error *err)
{
    const char *setting = NULL;

    if (frame_pointers_ask(arena, out, &setting, err) < 0)
        return -1;
    if (setting)
        add_use(out, "config", setting);
    add_use(out, "config", arena_format(arena, "profile.%s-fp.inherits=\"%s\"", base, base));
    add_use(out, "profile", arena_format(arena, "%s-fp", base));
    return 0;
}

int build_profile_choose(struct arena *arena, const struct options *options, bool has_frame_pointers,
                         struct options *out, struct error *err)
{
    SCOPED(text_done) struct text answer = {0};
    const char *chosen = options_value(options, "profile");
    const char *base = chosen ? chosen : PROFILE;

    if (!chosen && ask_cargo(options, &answer, err) < 0)
        return error_wrap(err, "asking cargo for the profile " PROFILE);
    copy_uses(options, out);
    if (chosen && options_has(options, "release"))
        add_use(out, "release", NULL);
    if (slice_find(text_slice(&answer), SLICE("profile `" PROFILE "` is not defined")) < answer.length)
        for (size_t i = 0; i < ARRAY_COUNT(definition); i++)
            add_use(out, "config", definition[i]);
    /* A single setting of it, as by --config profile.profiling.debug=2. */
    if (slice_find(text_slice(&answer), SLICE("profile `" PROFILE "` is missing an `inherits` directive")) <
        answer.length)
        add_use(out, "config", definition[0]);
    if (has_frame_pointers)
        return add_frame_pointers(arena, base, out, err);
    add_use(out, "profile", base);
    return 0;
}
