#include "cargo/target.h"

static const char *const kind_options[] = {
    [CARGO_LIB] = "lib",   [CARGO_BIN] = "bin",     [CARGO_EXAMPLE] = "example",
    [CARGO_TEST] = "test", [CARGO_BENCH] = "bench", [CARGO_OTHER] = NULL,
};

const char *cargo_kind_option(enum cargo_kind kind)
{
    return kind_options[kind];
}

bool cargo_target_is_linked(const struct cargo_target *target)
{
    if (target->kind == CARGO_LIB || target->kind == CARGO_EXAMPLE)
        return target->crate_types & (CARGO_TYPE_BIN | CARGO_TYPE_DYLIB | CARGO_TYPE_CDYLIB);
    return target->kind == CARGO_BIN || target->kind == CARGO_TEST || target->kind == CARGO_BENCH;
}

bool cargo_target_is_final(const struct cargo_target *target)
{
    return cargo_target_is_linked(target) ||
           (target->kind == CARGO_LIB && (target->crate_types & CARGO_TYPE_STATICLIB));
}

bool cargo_target_is_program(const struct cargo_target *target)
{
    return target->kind == CARGO_EXAMPLE ? target->crate_types & CARGO_TYPE_BIN
                                         : target->kind != CARGO_LIB && cargo_target_is_linked(target);
}

static enum cargo_kind kind_of(struct slice name)
{
    static const struct {
        const char *name;
        enum cargo_kind kind;
    } kinds[] = {
        {"bin", CARGO_BIN},       {"example", CARGO_EXAMPLE},
        {"test", CARGO_TEST},     {"bench", CARGO_BENCH},
        {"lib", CARGO_LIB},       {"custom-build", CARGO_BUILD_SCRIPT},
        {"rlib", CARGO_LIB},      {"dylib", CARGO_LIB},
        {"cdylib", CARGO_LIB},    {"proc-macro", CARGO_PROC_MACRO},
        {"staticlib", CARGO_LIB},
    };

    for (size_t i = 0; i < ARRAY_COUNT(kinds); i++)
        if (slice_is(name, kinds[i].name))
            return kinds[i].kind;
    return CARGO_OTHER;
}

static unsigned crate_type_of(struct slice name)
{
    static const struct {
        const char *name;
        enum cargo_crate_type bit;
    } types[] = {
        {"bin", CARGO_TYPE_BIN},
        {"lib", CARGO_TYPE_LIB},
        {"rlib", CARGO_TYPE_LIB},
        {"dylib", CARGO_TYPE_DYLIB},
        {"cdylib", CARGO_TYPE_CDYLIB},
        {"staticlib", CARGO_TYPE_STATICLIB},
        {"proc-macro", CARGO_TYPE_PROC_MACRO},
    };

    for (size_t i = 0; i < ARRAY_COUNT(types); i++)
        if (slice_is(name, types[i].name))
            return types[i].bit;
    return 0;
}

int cargo_names_parse(struct arena *arena, const struct json_value *array, struct cargo_names *out,
                      struct error *err)
{
    size_t count = json_count(array);
    struct slice *items = ARENA_ARRAY(arena, count, struct slice);
    struct json_value item;
    size_t at = 0;

    for (bool more = json_first(array, &item); more; more = json_next(&item))
        if (json_as_string(&item, &items[at++], err) < 0)
            return -1;
    *out = (struct cargo_names){items, count};
    return 0;
}

/* The members that say what comes out. */
static int parse_shape(struct arena *arena, const struct json_value *value, struct cargo_target *target,
                       struct error *err)
{
    struct json_value kinds;
    struct json_value types;
    struct cargo_names names;

    if (json_get_array(value, "kind", &kinds, err) < 0 || cargo_names_parse(arena, &kinds, &names, err) < 0)
        return -1;
    /* More than one only for a library: its crate types again. */
    target->kind = names.count > 0 ? kind_of(names.items[0]) : CARGO_OTHER;
    if (json_get_array(value, "crate_types", &types, err) < 0 ||
        cargo_names_parse(arena, &types, &names, err) < 0)
        return -1;
    for (size_t i = 0; i < names.count; i++)
        target->crate_types |= crate_type_of(names.items[i]);
    return 0;
}

int cargo_target_parse(struct arena *arena, const struct json_value *value, struct cargo_target *out,
                       struct error *err)
{
    struct cargo_target target = {0};
    struct json_value required;

    if (json_get_string(value, "name", &target.name, err) < 0 || parse_shape(arena, value, &target, err) < 0)
        return -1;
    if (json_find(value, "required-features", &required) &&
        cargo_names_parse(arena, &required, &target.required_features, err) < 0)
        return -1;
    *out = target;
    return 0;
}
