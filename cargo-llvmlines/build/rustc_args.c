#include "build/rustc_args.h"

#include <stdint.h>

#include "base/file.h"
#include "base/scan.h"
#include "base/vec.h"

enum { ARGUMENT_FILE_BYTES_MAX = 64 * 1024 * 1024 };

/* All arguments, those of files in their place. */
struct arguments {
    VEC(struct slice) all;
    size_t next;
    VEC(struct slice) dependencies;
    VEC(struct slice) externs;
    VEC(struct slice) folders;
    bool has_crate_type;
};

static void arguments_done(struct arguments *arguments)
{
    vec_done(&arguments->all);
    vec_done(&arguments->dependencies);
    vec_done(&arguments->externs);
    vec_done(&arguments->folders);
}

static int add_file(struct arguments *arguments, struct arena *arena, const char *path, struct error *err)
{
    SCOPED(text_done) struct text content = {0};
    struct scan scan;
    struct slice line;

    if (file_read(path, ARGUMENT_FILE_BYTES_MAX, &content, err) < 0)
        return error_wrap(err, "rustc's arguments");
    scan = scan_of(slice_of(arena_copy(arena, text_slice(&content))));
    while (scan_line(&scan, &line))
        *vec_add(&arguments->all) = line;
    return 0;
}

static int arguments_expand(struct arguments *arguments, struct arena *arena, const char *const *strings,
                            struct error *err)
{
    for (; *strings; strings++) {
        if (**strings != '@')
            *vec_add(&arguments->all) = slice_of(*strings);
        else if (add_file(arguments, arena, *strings + 1, err) < 0)
            return -1;
    }
    return 0;
}

/*
 * Takes the option `name` with its value: "NAME=VALUE", "NAME VALUE" and, for a letter with one
 * dash, "NAMEVALUE".
 */
static bool take_option(struct arguments *arguments, const char *name, struct slice *value)
{
    struct scan scan = scan_of(arguments->all.items[arguments->next]);
    bool is_letter = name[1] != '-';

    if (!scan_text(&scan, name))
        return false;
    if (scan_at_end(&scan)) {
        if (arguments->next + 1 >= arguments->all.count)
            return false;
        *value = arguments->all.items[arguments->next + 1];
        arguments->next += 2;
        return true;
    }
    if (!is_letter && !scan_byte(&scan, '='))
        return false;
    *value = scan.rest;
    arguments->next++;
    return true;
}

static void note_codegen(struct rustc_unit *unit, struct slice option)
{
    struct scan scan = scan_of(option);

    if (scan_text(&scan, "extra-filename="))
        unit->extra_filename = scan.rest;
}

/* rustc takes each dash for an underscore, too. */
static void note_unstable(struct rustc_unit *unit, struct slice option)
{
    struct slice name = slice_range(option, 0, slice_find_byte(option, '='));

    if (slice_is(name, "codegen-backend") || slice_is(name, "codegen_backend"))
        unit->has_backend = true;
}

/* A list as "dep-info,metadata=PATH,link". */
static void note_emits(struct rustc_unit *unit, struct slice list)
{
    while (list.length > 0) {
        size_t end = slice_find_byte(list, ',');
        struct slice item = slice_range(list, 0, end);
        struct slice kind = slice_range(item, 0, slice_find_byte(item, '='));

        if (slice_is(kind, "metadata"))
            unit->emits_metadata = true;
        else if (slice_is(kind, "link"))
            unit->emits_link = true;
        list = slice_range(list, end + 1, list.length);
    }
}

/* "NAME=…/libCRATE-HASH.rmeta", perhaps with options and ":" in front. Others are linked: they run now. */
static void note_extern(struct arguments *arguments, struct slice value)
{
    struct slice path = slice_range(value, slice_find_byte(value, '=') + 1, value.length);
    struct slice file = slice_file_name(path);

    if (!slice_starts_with(file, SLICE("lib")) || !slice_ends_with(file, SLICE(".rmeta")))
        return;
    *vec_add(&arguments->dependencies) = slice_range(file, 3, file.length - SLICE(".rmeta").length);
    *vec_add(&arguments->externs) = value;
}

/* A list as "lib,cdylib". */
static void note_crate_types(struct arguments *arguments, struct rustc_unit *unit, struct slice list)
{
    arguments->has_crate_type = true;
    while (list.length > 0) {
        size_t end = slice_find_byte(list, ',');
        struct slice type = slice_range(list, 0, end);

        if (!slice_is(type, "lib") && !slice_is(type, "rlib"))
            unit->is_linked = true;
        list = slice_range(list, end + 1, list.length);
    }
}

static void note_folder(struct arguments *arguments, struct slice value)
{
    struct scan scan = scan_of(value);

    if (scan_text(&scan, "dependency="))
        *vec_add(&arguments->folders) = scan.rest;
}

static void take_argument(struct arguments *arguments, struct rustc_unit *unit)
{
    struct slice value;

    if (take_option(arguments, "--emit", &value))
        note_emits(unit, value);
    else if (take_option(arguments, "-C", &value) || take_option(arguments, "--codegen", &value))
        note_codegen(unit, value);
    else if (take_option(arguments, "-Z", &value))
        note_unstable(unit, value);
    else if (take_option(arguments, "--crate-name", &value))
        unit->crate_name = value;
    else if (take_option(arguments, "--extern", &value))
        note_extern(arguments, value);
    else if (take_option(arguments, "--out-dir", &value))
        unit->out_dir = value;
    else if (take_option(arguments, "--crate-type", &value))
        note_crate_types(arguments, unit, value);
    else if (take_option(arguments, "-L", &value))
        note_folder(arguments, value);
    else if (slice_is(arguments->all.items[arguments->next++], "--test"))
        unit->is_linked = true;
}

static void hand_over_lists(const struct arguments *arguments, struct arena *arena, struct rustc_unit *out)
{
    size_t count = arguments->dependencies.count;
    struct slice *dependencies = ARENA_ARRAY(arena, count, struct slice);
    struct slice *externs = ARENA_ARRAY(arena, count, struct slice);
    const char **folders = ARENA_ARRAY(arena, arguments->folders.count, const char *);

    for (size_t i = 0; i < count; i++) {
        dependencies[i] = arguments->dependencies.items[i];
        externs[i] = arguments->externs.items[i];
    }
    for (size_t i = 0; i < arguments->folders.count; i++)
        folders[i] = arena_copy(arena, arguments->folders.items[i]);
    out->dependencies = dependencies;
    out->externs = externs;
    out->dependency_count = count;
    out->folders = folders;
    out->folder_count = arguments->folders.count;
}

int rustc_unit_parse(struct arena *arena, const char *const *arguments, struct rustc_unit *out,
                     struct error *err)
{
    SCOPED(arguments_done) struct arguments expanded = {0};

    if (arguments_expand(&expanded, arena, arguments, err) < 0)
        return -1;
    *out = (struct rustc_unit){0};
    while (expanded.next < expanded.all.count)
        take_argument(&expanded, out);
    out->is_linked = out->is_linked || !expanded.has_crate_type;
    hand_over_lists(&expanded, arena, out);
    return 0;
}

bool rustc_unit_is_counted(const struct rustc_unit *unit)
{
    return unit->emits_metadata && !unit->emits_link && unit->crate_name.length > 0 &&
           unit->out_dir.length > 0 && unit->extra_filename.length > 0;
}

const char *rustc_unit_stem(const struct rustc_unit *unit, struct arena *arena)
{
    return arena_format(arena, "%.*s/%.*s%.*s", SLICE_ARGUMENTS(unit->out_dir),
                        SLICE_ARGUMENTS(unit->crate_name), SLICE_ARGUMENTS(unit->extra_filename));
}
