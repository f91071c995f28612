#include "cargo/user_wrapper.h"

#include <stdlib.h>

#include "cargo/configuration.h"

static const char *find(struct arena *arena, const struct cargo_configuration *configuration)
{
    static const char *const keys[] = {"build", "rustc-wrapper", NULL};
    struct cargo_setting setting = cargo_configuration_find(configuration, keys);
    const char *variable = getenv("CARGO_BUILD_RUSTC_WRAPPER");

    if (setting.value && setting.value->kind != TOML_STRING)
        setting.value = NULL;
    if (variable && !(setting.value && setting.part->is_option))
        return cargo_setting_program(arena, slice_of(variable), NULL);
    return setting.value ? cargo_setting_program(arena, setting.value->text, setting.part->folder) : NULL;
}

const char *user_wrapper_find(struct arena *arena, const struct options *options)
{
    const char *program = getenv("RUSTC_WRAPPER");
    struct cargo_configuration configuration = {0};

    if (program) {
        program = cargo_setting_program(arena, slice_of(program), NULL);
    } else {
        cargo_configuration_read(arena, options, &configuration);
        program = find(arena, &configuration);
        cargo_configuration_done(&configuration);
    }
    return program && *program ? program : NULL;
}
