#include "built/build_profile.h"

#include <string.h>

#include "cargo/own_profile.h"

static void add_use(struct options *out, const char *name, const char *value)
{
    *vec_add(&out->uses) = (struct option_use){command_find_option(out->command, name), value, name};
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

int build_profile_choose(struct arena *arena, const struct options *options, bool has_frame_pointers,
                         struct options *out, struct error *err)
{
    const char *chosen = options_value(options, "profile");
    const char *profile = chosen ? chosen : CARGO_PROFILING;

    copy_uses(options, out);
    if (chosen && options_has(options, "release"))
        add_use(out, "release", NULL);
    if (own_profile_define(arena, profile, out, err) < 0)
        return -1;
    if (has_frame_pointers && own_profile_add_frame_pointers(arena, profile, out, &profile, err) < 0)
        return -1;
    add_use(out, "profile", profile);
    return 0;
}
