#include "proc/environment.h"

#include <stdbool.h>
#include <stdlib.h>
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

struct variable_before {
    const char *name;
    const char *value; /* NULL: it was not set */
};

static void set(const char *name, const char *value)
{
    if (value)
        setenv(name, value, 1);
    else
        unsetenv(name);
}

void environment_change(struct environment_before *before, const char *change)
{
    const char *name = arena_copy(&before->arena, variable_name(change));
    const char *value = strchr(change, '=');
    const char *former = getenv(name);

    *vec_add(&before->items) = (struct variable_before){
        name,
        former ? arena_copy(&before->arena, slice_of(former)) : NULL,
    };
    set(name, value ? value + 1 : NULL);
}

void environment_restore(struct environment_before *before)
{
    while (before->items.count > 0) {
        const struct variable_before *last = &before->items.items[--before->items.count];

        set(last->name, last->value);
    }
    vec_done(&before->items);
    arena_done(&before->arena);
}
