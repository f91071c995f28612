#include "cli/choices.h"

#include <string.h>

bool choices_take_others(const struct option_spec *spec)
{
    return !spec->choices || spec->choices[choices_count(spec)];
}

bool choices_form_lists(const struct option_spec *spec)
{
    return spec->choices && choices_take_others(spec);
}

bool choices_are_files(const struct option_spec *spec)
{
    /* "KEY=VALUE|PATH"; what to compare with may be a revision, too. */
    static const char *const words[] = {"FILE", "FOLDER", "PATH", "BASE", "COMMAND", "SHELL"};

    for (size_t i = 0; !spec->choices && spec->value && i < ARRAY_COUNT(words); i++)
        if (strstr(spec->value, words[i]))
            return true;
    return false;
}

size_t choices_count(const struct option_spec *spec)
{
    size_t count = 0;

    while (spec->choices && spec->choices[count] && strcmp(spec->choices[count], CHOICES_OTHERS_TOO) != 0)
        count++;
    return count;
}

struct slice choices_word(const char *choice)
{
    struct slice word = slice_of(choice);

    return slice_range(word, 0, slice_find(word, SLICE("[,")));
}
