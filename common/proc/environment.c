#include "proc/environment.h"

#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "base/slice.h"

static struct slice variable_name(const char *variable)
{
    struct slice whole = slice_of(variable);

    return slice_range(whole, 0, slice_find_byte(whole, '='));
}

static bool is_changed(const char *variable, const char *const *changes)
{
    for (size_t i = 0; changes[i]; i++)
        if (slice_equal(variable_name(variable), variable_name(changes[i])))
            return true;
    return false;
}

char **environment_changed(struct arena *arena, const char *const *changes)
{
    size_t ours = 0;
    size_t change_count = 0;
    size_t count = 0;
    char **result = NULL;

    if (!changes)
        return environ;
    while (environ[ours])
        ours++;
    while (changes[change_count])
        change_count++;
    result = ARENA_ARRAY(arena, ours + change_count + 1, char *);
    for (size_t i = 0; i < ours; i++)
        if (!is_changed(environ[i], changes))
            result[count++] = environ[i];
    for (size_t i = 0; changes[i]; i++)
        if (strchr(changes[i], '='))
            result[count++] = arena_copy(arena, slice_of(changes[i]));
    return result;
}
