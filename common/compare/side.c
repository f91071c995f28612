#include "compare/side.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "cargo/args.h"

enum { SAVED_BYTES_MAX = 512 * 1024 * 1024 };

static void copy_options(const struct options *options, struct options *out)
{
    *out = (struct options){.command = options->command, .program_arguments = options->program_arguments};
    for (size_t i = 0; i < options->uses.count; i++)
        *vec_add(&out->uses) = options->uses.items[i];
    for (size_t i = 0; i < options->positionals.count; i++)
        *vec_add(&out->positionals) = options->positionals.items[i];
}

void side_of_subject(struct arena *arena, const struct options *options, struct side *out)
{
    size_t count = options->positionals.count;

    *out = (struct side){.label = "the working tree"};
    copy_options(options, &out->options);
    if (count == 1)
        out->label = arena_copy(arena, slice_of(options->positionals.items[0]));
    else if (count > 1)
        out->label = arena_format(arena, "%zu files", count);
}

void side_done(struct side *side)
{
    json_document_done(&side->document);
    options_done(&side->options);
}

static bool is_any_of(const char *name, const char *const *names)
{
    for (; *names; names++)
        if (strcmp(*names, name) == 0)
            return true;
    return false;
}

/* The command line with one more file, and without what is about the subject alone. */
static void add_file(const struct options *options, const char *const *left_out, const char *path,
                     struct side *out)
{
    out->kind = SIDE_FILES;
    if (out->options.positionals.count == 0) {
        out->options.command = options->command;
        for (size_t i = 0; i < options->uses.count; i++) {
            const struct option_use *use = &options->uses.items[i];

            if (!cargo_option_tells_what_to_build(use->spec) && !is_any_of(use->spec->name, left_out))
                *vec_add(&out->options.uses) = *use;
        }
    }
    *vec_add(&out->options.positionals) = path;
}

/* Whether the content is JSON, by its first byte; no file that can be measured begins like that. */
static bool is_saved(struct slice content)
{
    struct slice trimmed = slice_trim(content);

    return trimmed.length > 0 && trimmed.data[0] == '{';
}

static int read_saved(const char *path, struct slice content, struct side *out, struct error *err)
{
    out->kind = SIDE_SAVED;
    return json_parse(content, SAVED_BYTES_MAX, &out->document, err) < 0 ? error_wrap(err, "%s", path) : 0;
}

/* Looks into the file for what it is: only results are read whole. */
static int take_path(const struct options *options, const char *const *left_out, const char *path,
                     struct side *out, struct error *err)
{
    SCOPED(text_done) struct text content = {0};
    SCOPED(file_close) FILE *file = fopen(path, "re");
    char start[64];
    size_t length = file ? fread(start, 1, sizeof(start), file) : 0;

    if (!file)
        return error_set(err, errno == ENOENT ? ERROR_MISSING : ERROR_IO, "--diff %s: %s", path,
                         strerror(errno));
    if (!is_saved((struct slice){start, length})) {
        add_file(options, left_out, path, out);
        return 0;
    }
    return file_read(path, SAVED_BYTES_MAX, &content, err) < 0
               ? -1
               : read_saved(path, text_slice(&content), out, err);
}

int side_of_base(struct arena *arena, const struct options *options, const char *const *left_out,
                 struct side *out, struct error *err)
{
    size_t count = options_count(options, "diff");

    *out = (struct side){.label = arena_format(arena, "%zu files", count)};
    for (size_t i = 0; i < options->uses.count; i++) {
        const struct option_use *use = &options->uses.items[i];

        if (strcmp(use->spec->name, "diff") != 0)
            continue;
        if (count == 1)
            out->label = arena_copy(arena, slice_of(use->value));
        if (take_path(options, left_out, use->value, out, err) < 0)
            return -1;
        if (count > 1 && out->kind != SIDE_FILES)
            return error_set(err, ERROR_USAGE, "--diff %s: a saved result is compared with alone",
                             use->value);
    }
    return 0;
}
