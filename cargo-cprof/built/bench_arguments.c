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

static bool asks_for_others(const char *const *arguments)
{
    for (; *arguments; arguments++)
        for (size_t i = 0; i < ARRAY_COUNT(others); i++)
            if (is_option(*arguments, others[i]))
                return true;
    return false;
}

/* Criterion is the only one with an option of that name. */
static bool is_criterion(const char *path)
{
    struct image image;
    struct error ignored = {0};
    const struct section *section = NULL;
    struct slice text = {0};
    bool is_found = false;

    if (image_open(path, &image, &ignored) < 0)
        return false;
    section = sections_find(&image.sections, SLICE(".rodata"));
    is_found = section && image_read_section(&image, section, &text, &ignored) == 0 &&
               slice_find(text, SLICE("profile-time")) < text.length;
    image_close(&image);
    return is_found;
}

bool bench_arguments_add(const char *const *arguments, const char *path, struct cargo_words *out)
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
    if (!is_told || asks_for_others(arguments + 1) || !is_criterion(path))
        return false;
    cargo_words_add(out, "--profile-time");
    cargo_words_add(out, "5");
    return true;
}
