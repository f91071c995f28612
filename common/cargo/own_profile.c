#include "cargo/own_profile.h"

#include <string.h>

#include "base/file.h"
#include "cargo/args.h"
#include "cargo/frame_pointers.h"
#include "proc/spawn.h"

#define WITH_FRAME_POINTERS "-fp"

/* A target that no package has: cargo looks at the profile first, and never gets to building. */
#define NO_SUCH_TARGET "--bin=asks-for-the-profile"

#define SETTINGS_OF(profile)                                                                                 \
    "profile." profile ".inherits=\"release\"", "profile." profile ".debug=1",                               \
        "profile." profile ".strip=false", "profile." profile ".split-debuginfo=\"off\""

/* Settings of the command line would override a profile of the user's: they are given only if there is none.
 */
static const char *const definition[] = {SETTINGS_OF(CARGO_PROFILING)};

/* Nor do they override single settings of the user's where `profiling` inherits them. */
#define DEFAULTS CARGO_PROFILING "-defaults"
static const char *const inherited_definition[] = {
    SETTINGS_OF(DEFAULTS),
    "profile." CARGO_PROFILING ".inherits=\"" DEFAULTS "\"",
};

static void add_config(struct options *options, const char *setting)
{
    static const char name[] = "config";

    *vec_add(&options->uses) =
        (struct option_use){command_find_option(options->command, name), setting, name};
}

static void add_configs(struct options *options, const char *const *settings, size_t count)
{
    for (size_t i = 0; i < count; i++)
        add_config(options, settings[i]);
}

/* Those options of the user's that decide which settings cargo reads. */
static void add_settings(struct arena *arena, const struct options *options, struct cargo_words *words)
{
    static const char *const names[] = {"manifest-path", "config", "unstable-flags",
                                        "offline",       "frozen", "locked"};
    struct options settings = {.command = options->command};

    for (size_t i = 0; i < options->uses.count; i++)
        if (slice_is_any(slice_of(options->uses.items[i].spec->name), names, ARRAY_COUNT(names)))
            *vec_add(&settings.uses) = options->uses.items[i];
    cargo_words_add_build(arena, &settings, words);
    options_done(&settings);
}

/* What cargo says when it is asked to build nothing with the profile. */
static int ask_cargo(const struct options *options, const char *profile, struct text *answer,
                     struct error *err)
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
    cargo_words_add(&words, arena_format(&arena, "--profile=%s", profile));
    cargo_words_add(&words, NO_SUCH_TARGET);
    add_settings(&arena, options, &words);
    cargo_words_add(&words, NULL);
    if (spawn_start(
            &(struct spawn){
                .argv = words.items.items, .input = SPAWN_NULL, .output = SPAWN_NULL, .error = SPAWN_PIPE},
            &process, err) < 0) {
        (void)cargo_program_explain(err);
        return error_wrap(err, "asking cargo for the profile %s", profile);
    }
    result = file_read_descriptor(process.error, "cargo's answer", MOST_BYTES, answer, err);
    process_close_pipes(&process);
    return process_wait(&process, &status, err) < 0 ? -1 : result;
}

/* Whether the answer has "profile `NAME` WHAT". */
static bool answer_says(const struct text *answer, const char *profile, const char *what)
{
    SCOPED(text_done) struct text sentence = {0};

    text_format(&sentence, "profile `%s` %s", profile, what);
    return slice_has(text_slice(answer), text_slice(&sentence));
}

static int define_profiling(struct options *options, struct error *err)
{
    SCOPED(text_done) struct text answer = {0};

    if (ask_cargo(options, CARGO_PROFILING, &answer, err) < 0)
        return -1;
    if (answer_says(&answer, CARGO_PROFILING, "is not defined"))
        add_configs(options, definition, ARRAY_COUNT(definition));
    /* Single settings of it, as by --config profile.profiling.lto=true. */
    if (answer_says(&answer, CARGO_PROFILING, "is missing an `inherits` directive"))
        add_configs(options, inherited_definition, ARRAY_COUNT(inherited_definition));
    return 0;
}

int own_profile_add_frame_pointers(struct arena *arena, const char *base, struct options *options,
                                   const char **profile, struct error *err)
{
    const char *setting = NULL;

    if (frame_pointers_ask(arena, options, &setting, err) < 0)
        return -1;
    if (setting)
        add_config(options, setting);
    *profile = arena_format(arena, "%s" WITH_FRAME_POINTERS, base);
    add_config(options, arena_format(arena, "profile.%s.inherits=\"%s\"", *profile, base));
    return 0;
}

int own_profile_define(struct arena *arena, const char *profile, struct options *options, struct error *err)
{
    SCOPED(text_done) struct text answer = {0};
    struct slice name = slice_of(profile);
    const char *base = NULL;

    if (slice_is(name, CARGO_PROFILING))
        return define_profiling(options, err);
    if (!slice_ends_with(name, SLICE(WITH_FRAME_POINTERS)))
        return 0;
    if (ask_cargo(options, profile, &answer, err) < 0)
        return -1;
    if (!answer_says(&answer, profile, "is not defined"))
        return 0;
    base = arena_copy(arena, slice_range(name, 0, name.length - strlen(WITH_FRAME_POINTERS)));
    if (slice_is(slice_of(base), CARGO_PROFILING) && define_profiling(options, err) < 0)
        return -1;
    return own_profile_add_frame_pointers(arena, base, options, &profile, err);
}
