#include "built/bench_arguments.h"

#include <string.h>

#include "elf/image.h"

/* Options of Criterion's that ask for more, or for something else, than to run. */
static const char *const others[] = {
    "--profile-time",
    "--save-baseline",
    "--baseline",
    "--baseline-lenient",
    "--load-baseline",
    "--list",
    "--test",
    "--quick",
    "-s",
    "-b",
    "--help",
    "-h",
};

/* As in --baseline=main and -bmain, too. */
static bool is_option(const char *argument, const char *option)
{
    size_t length = strlen(option);
    bool is_letter = option[1] != '-';

    return strncmp(argument, option, length) == 0 &&
           (is_letter || argument[length] == '\0' || argument[length] == '=');
}

static bool has_any(const char *const *arguments, const char *const *options, size_t count)
{
    for (; *arguments; arguments++)
        for (size_t i = 0; i < count; i++)
            if (is_option(*arguments, options[i]))
                return true;
    return false;
}

bool bench_arguments_are_for_once(const char *const *arguments, enum bench_harness harness)
{
    static const char *const once[] = {"--list", "--test"};

    return has_any(arguments, once, harness == BENCH_LIBTEST ? 1 : ARRAY_COUNT(once));
}

const char *bench_arguments_filter(const char *const *arguments)
{
    static const char *const flags[] = {
        "--bench",  "--exact", "--ignored", "--include-ignored", "--nocapture",   "--no-capture",
        "--noplot", "--quiet", "--test",    "--verbose",         "--show-output",
    };
    bool is_value = false;

    for (; *arguments; arguments++) {
        if ((*arguments)[0] != '-' && !is_value)
            return *arguments;
        is_value = (*arguments)[0] == '-' && !strchr(*arguments, '=');
        for (size_t i = 0; i < ARRAY_COUNT(flags); i++)
            is_value = is_value && strcmp(*arguments, flags[i]) != 0;
    }
    return NULL;
}

enum bench_harness bench_harness_of(const char *path)
{
    struct image image;
    struct error ignored = {0};
    const struct section *section = NULL;
    struct slice text = {0};
    enum bench_harness harness = BENCH_OTHER;

    if (image_open(path, &image, &ignored) < 0)
        return BENCH_OTHER;
    section = sections_find(&image.sections, SLICE(".rodata"));
    if (section && image_read_section(&image, section, &text, &ignored) == 0) {
        /* Criterion can print what libtest does. */
        if (slice_has(text, SLICE("profile-time")))
            harness = BENCH_CRITERION;
        else if (slice_has(text, SLICE(" ns/iter (+/- ")))
            harness = BENCH_LIBTEST;
        else if (slice_has(text, SLICE("DIVAN_MIN_TIME")))
            harness = BENCH_DIVAN;
    }
    image_close(&image);
    return harness;
}

bool bench_arguments_add(const char *const *arguments, enum bench_harness harness, struct cargo_words *out)
{
    size_t count = 0;
    bool is_told = false;

    while (arguments[count])
        count++;
    for (size_t i = 0; i < count; i++) {
        bool is_bench = i > 0 && strcmp(arguments[i], "--bench") == 0;

        if (!is_bench || !is_told)
            cargo_words_add(out, arguments[i]);
        is_told |= is_bench;
    }
    if (!is_told || harness != BENCH_CRITERION || has_any(arguments + 1, others, ARRAY_COUNT(others)))
        return false;
    cargo_words_add(out, "--profile-time");
    cargo_words_add(out, "5");
    return true;
}

const char *bench_arguments_for_longer(const char *const *arguments, enum bench_harness harness)
{
    /* What says how long already, or that nothing is to be timed. */
    static const char *const said[] = {"--min-time", "--max-time", "--test", "--list"};

    return harness == BENCH_DIVAN && !has_any(arguments, said, ARRAY_COUNT(said))
               ? "have divan run each benchmark for longer: -- --min-time 5"
               : NULL;
}
