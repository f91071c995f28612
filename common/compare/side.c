#include "compare/side.h"

#include <errno.h>
#include <string.h>

#include "base/file.h"
#include "cargo/args.h"
#include "compare/baseline.h"
#include "revision/named_revision.h"
#include "revision/side_word.h"

enum { SAVED_BYTES_MAX = 512 * 1024 * 1024 };

static void side_done(struct side *side)
{
    json_document_done(&side->document);
    if (side->kind == SIDE_REVISION)
        revision_done(&side->revision);
    else
        options_done(&side->options);
}

void sides_done(struct sides *sides)
{
    side_done(&sides->head);
    side_done(&sides->base);
    repository_close(&sides->repository);
    arena_done(&sides->arena);
}

bool side_is_built(const struct side *side)
{
    return side->kind == SIDE_REVISION ||
           (side->kind == SIDE_SUBJECT && side->options.positionals.count == 0);
}

/* --- Files ----------------------------------------------------------------------------- */

static bool is_any_of(const char *name, const char *const *names)
{
    for (; *names; names++)
        if (strcmp(*names, name) == 0)
            return true;
    return false;
}

/* The command line with one more file, and without what is about a build. */
static void add_file(const struct sides_request *request, const char *path, struct side *out)
{
    const struct options *options = request->options;

    if (out->kind != SIDE_FILES) {
        options_done(&out->options);
        out->options = (struct options){.command = options->command};
        for (size_t i = 0; i < options->uses.count; i++) {
            const struct option_use *use = &options->uses.items[i];

            if (!cargo_option_tells_what_to_build(use->spec) &&
                !is_any_of(use->spec->name, request->not_for_files))
                *vec_add(&out->options.uses) = *use;
        }
    }
    out->kind = SIDE_FILES;
    *vec_add(&out->options.positionals) = path;
}

/* Whether it is meant to be JSON: by its name, or its first byte, which no file to measure begins with. */
static bool is_saved(const char *path, struct slice content)
{
    struct slice trimmed = slice_trim(content);

    return slice_ends_with(slice_of(path), SLICE(".json")) || (trimmed.length > 0 && trimmed.data[0] == '{');
}

static int read_saved(const char *path, struct side *out, struct error *err)
{
    SCOPED(text_done) struct text content = {0};

    out->kind = SIDE_SAVED;
    if (file_read(path, SAVED_BYTES_MAX, &content, err) < 0)
        return -1;
    if (json_parse(text_slice(&content), SAVED_BYTES_MAX, &out->document, err) < 0)
        return error_wrap(err, "%s", path);
    return baseline_check(&out->document, path, err);
}

/* Looks into the file for what it is. Returns 0, or -1 with errno. */
static int look_into(const char *path, bool *saved)
{
    SCOPED(file_close) FILE *file = fopen(path, "re");
    char start[64];
    size_t length = file ? fread(start, 1, sizeof(start), file) : 0;

    if (!file)
        return -1;
    *saved = is_saved(path, (struct slice){start, length});
    return 0;
}

/* Only results are read whole. */
static int take_path(const struct sides_request *request, const char *path, struct side *out,
                     struct error *err)
{
    bool saved = false;

    if (look_into(path, &saved) < 0)
        return error_set(err, errno == ENOENT ? ERROR_MISSING : ERROR_IO, "--diff %s: %s", path,
                         strerror(errno));
    out->label = path;
    if (saved)
        return read_saved(path, out, err);
    add_file(request, path, out);
    return 0;
}

/* --- Revisions ------------------------------------------------------------------------- */

static int take_revision(struct sides *sides, const struct options *options, const char *name,
                         struct side *out, struct error *err)
{
    if (named_revision_find(&sides->arena, options, &sides->repository, name, &out->revision, err) < 0)
        return -1;
    out->kind = SIDE_REVISION;
    out->label = named_revision_label(&sides->arena, &out->revision);
    return 0;
}

static int refuse_two_heads(const struct options *options, const struct options *head, const char *range,
                            struct error *err)
{
    if (options_has(options, "rev"))
        return error_set(err, ERROR_USAGE, "--diff %s names both sides, and --rev %s one of them", range,
                         options_value(options, "rev"));
    if (head->positionals.count > 0)
        return error_set(err, ERROR_USAGE, "--diff %s names both sides, and the file %s one of them", range,
                         head->positionals.items[0]);
    return 0;
}

static int take_range(struct sides *sides, const struct options *options, const struct range *range,
                      const char *typed, struct error *err)
{
    if (refuse_two_heads(options, &sides->head.options, typed, err) < 0 ||
        take_revision(sides, options, range->left, &sides->base, err) < 0)
        return -1;
    options_done(&sides->head.options);
    if (take_revision(sides, options, range->right, &sides->head, err) < 0)
        return -1;
    if (!range->is_merge_base)
        return 0;
    if (named_revision_merge_base(&sides->arena, range, &sides->head.revision, &sides->base.revision, err) <
        0)
        return -1;
    sides->base.label = named_revision_label(&sides->arena, &sides->base.revision);
    return 0;
}

/* --- Words ----------------------------------------------------------------------------- */

/* A word that does not say by itself what it is. */
static int take_name(const struct sides_request *request, struct sides *sides, const char *name,
                     struct error *err)
{
    struct error unknown = {0};
    bool is_revision = take_revision(sides, request->options, name, &sides->base, &unknown) == 0;

    if (is_revision && side_word_is_file(name))
        return side_word_refuse_both("--diff ", name, err);
    if (is_revision)
        return 0;
    if (side_word_is_file(name))
        return take_path(request, name, &sides->base, err);
    *err = unknown;
    return unknown.kind == ERROR_MISSING
               ? error_set(err, ERROR_MISSING, "--diff %s is no file, and no revision: %s", name,
                           unknown.message)
               : error_wrap(err, "--diff %s", name);
}

static int take_base(const struct sides_request *request, struct sides *sides, const char *typed,
                     struct error *err)
{
    struct side_word word;

    side_word_read(&sides->arena, typed, &word);
    switch (word.kind) {
    case SIDE_WORD_FILE:
        return take_path(request, word.text, &sides->base, err);
    case SIDE_WORD_REVISION:
        return take_revision(sides, request->options, word.text, &sides->base, err);
    case SIDE_WORD_RANGE:
        return take_range(sides, request->options, &word.range, typed, err);
    case SIDE_WORD_NAME:
        break;
    }
    return take_name(request, sides, typed, err);
}

static int read_base(const struct sides_request *request, struct sides *sides, struct error *err)
{
    const struct options *options = request->options;
    size_t count = options_count(options, "diff");

    for (size_t i = 0; i < options->uses.count; i++) {
        const struct option_use *use = &options->uses.items[i];

        if (strcmp(use->spec->name, "diff") != 0)
            continue;
        if (take_base(request, sides, use->value, err) < 0)
            return -1;
        if (count > 1 && sides->base.kind != SIDE_FILES)
            return error_set(err, ERROR_USAGE, "--diff %s: only files to measure can be several", use->value);
    }
    if (count > 1)
        sides->base.label = arena_format(&sides->arena, "%zu files", count);
    sides->has_base = count > 0;
    return 0;
}

/* --- The head -------------------------------------------------------------------------- */

/* Files that an option names become words, before the others. */
static void copy_options(const struct sides_request *request, struct options *out)
{
    const struct options *options = request->options;

    *out = (struct options){.command = options->command, .program_arguments = options->program_arguments};
    for (size_t i = 0; i < options->uses.count; i++) {
        const struct option_use *use = &options->uses.items[i];

        if (request->file_option && strcmp(use->spec->name, request->file_option) == 0)
            *vec_add(&out->positionals) = use->value;
        else
            *vec_add(&out->uses) = *use;
    }
    for (size_t i = 0; i < options->positionals.count; i++)
        *vec_add(&out->positionals) = options->positionals.items[i];
}

/* What a pipe holds is not to be lost. */
static bool is_saved_head(const char *path)
{
    bool saved = false;

    return file_is_regular(path) && look_into(path, &saved) == 0 && saved;
}

static int take_saved_head(const struct options *options, const char *path, struct side *out,
                           struct error *err)
{
    if (!options_has(options, "diff")) {
        error_hint(err, "--diff BASE compares it with another, a revision or a file");
        return error_set(err, ERROR_USAGE, "%s is a result that was saved", path);
    }
    out->label = path;
    return read_saved(path, out, err);
}

static int read_head(const struct sides_request *request, struct sides *sides, struct error *err)
{
    const struct options *options = request->options;
    const char *revision = options_value(options, "rev");
    struct side *head = &sides->head;
    const char *const *files = NULL;
    size_t count = 0;

    copy_options(request, &head->options);
    files = head->options.positionals.items;
    count = head->options.positionals.count;
    if (revision && count > 0)
        return error_set(err, ERROR_USAGE, "--rev %s is about what cargo builds, but the file %s was named",
                         revision, files[0]);
    if (revision) {
        options_done(&head->options);
        return take_revision(sides, options, revision, head, err);
    }
    if (count == 1 && is_saved_head(files[0]))
        return take_saved_head(options, files[0], head, err);
    head->label = count == 0   ? "the working tree"
                  : count == 1 ? files[0]
                               : arena_format(&sides->arena, "%zu files", count);
    return 0;
}

/* Beside a revision cargo's options are for that, and those files are measured without. */
static void part_options(const struct sides_request *request, struct sides *sides)
{
    struct options given = sides->head.options;

    if (sides->base.kind != SIDE_REVISION || sides->head.kind != SIDE_SUBJECT || given.positionals.count == 0)
        return;
    sides->head.options = (struct options){0};
    for (size_t i = 0; i < given.positionals.count; i++)
        add_file(request, given.positionals.items[i], &sides->head);
    options_done(&given);
}

int sides_read(const struct sides_request *request, struct sides *out, struct error *err)
{
    out->file_option = request->file_option;
    if (read_head(request, out, err) < 0 || read_base(request, out, err) < 0)
        return -1;
    part_options(request, out);
    return 0;
}

static void leave_out(const char *name, struct options *options)
{
    size_t kept = 0;

    for (size_t i = 0; i < options->uses.count; i++)
        if (strcmp(options->uses.items[i].spec->name, name) != 0)
            options->uses.items[kept++] = options->uses.items[i];
    options->uses.count = kept;
}

int side_enter(struct sides *sides, struct side *side, const struct options *options,
               struct revision_notes *notes, struct error *err)
{
    if (side_is_built(side) && side->kind == SIDE_SUBJECT && sides->repository.root)
        revision_take_working_tree(&sides->repository, options, &side->revision);
    if (side->kind != SIDE_REVISION)
        return 0;
    if (revision_prepare(&sides->arena, options, &side->revision, notes, err) < 0)
        return -1;
    /* The files of the other side. */
    if (sides->file_option)
        leave_out(sides->file_option, &side->revision.options);
    /* Borrowed: revision_done releases it. */
    side->options = side->revision.options;
    return revision_enter(&side->revision, err);
}

void side_leave(struct side *side)
{
    if (side->kind == SIDE_REVISION)
        revision_leave(&side->revision);
}
