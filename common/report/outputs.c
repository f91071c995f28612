#include "report/outputs.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/command.h"

#define SPECS(endings)                                                                                       \
    {"wide", 'w', OPTION_FLAG, NULL, "Do not cut names to the terminal's width", NULL, NULL},                \
        {"format", 0, OPTION_VALUE, "FORMAT", "Shape of the result", render_format_names, NULL},             \
        {"message-format", 0, OPTION_VALUE, "FORMAT", NULL, NULL, "format"},                                 \
    {                                                                                                        \
        "output", 'o', OPTION_MANY, "FILE",                                                                  \
            "Write the result to FILE too, in the format its name asks for: " endings, NULL, NULL            \
    }

static const struct option_spec specs[] = {SPECS(".json, .csv, .md or .txt")};
static const struct option_spec picture_specs[] = {
    SPECS(".json, .csv, .md or .txt; .html and .svg for a picture of it")};

const struct option_table outputs_options = {"Output", specs, ARRAY_COUNT(specs)};
const struct option_table outputs_picture_options = {"Output", picture_specs, ARRAY_COUNT(picture_specs)};

/* A file to write and what its name says: one of the two, or neither. */
struct wanted_file {
    const char *path;
    bool has_format;
    enum render_format format;
    const struct outputs_form *form;
};

static const struct outputs_form *form_of(const struct outputs_form *forms, const char *path)
{
    for (; forms && forms->ending; forms++)
        if (slice_ends_with(slice_of(path), slice_of(forms->ending)))
            return forms;
    return NULL;
}

/* The next file to write from use `*at` on; false when there is none. */
static bool next_file(const struct options *options, const struct outputs_form *forms, size_t *at,
                      struct wanted_file *file)
{
    while (*at < options->uses.count) {
        const struct option_use *use = &options->uses.items[(*at)++];

        if (strcmp(use->spec->name, "output") != 0)
            continue;
        file->path = use->value;
        file->has_format = render_format_of_name(use->value, &file->format);
        file->form = form_of(forms, use->value);
        return true;
    }
    return false;
}

static int refuse_name(const char *path, const struct outputs_form *forms, struct error *err)
{
    SCOPED(text_done) struct text pictures = {0};

    for (; forms && forms->ending; forms++)
        text_format(&pictures, ", %s", forms->ending);
    error_hint(err, "use a name that ends in .json, .csv, .md, .txt%s", text_string(&pictures));
    return error_set(err, ERROR_USAGE, "--output %s: the name does not tell the format", path);
}

static bool has_option(const struct options *options, const char *name)
{
    return command_find_option(options->command, name) != NULL;
}

int outputs_read(const struct options *options, size_t usual_rows, const struct outputs_form *forms,
                 struct outputs *out, struct error *err)
{
    struct wanted_file file = {0};
    size_t at = 0;
    uint64_t limit = usual_rows;

    while (next_file(options, forms, &at, &file))
        if (!file.has_format && !file.form)
            return refuse_name(file.path, forms, err);
    if (has_option(options, "top") && options_number(options, "top", usual_rows, &limit, err) < 0)
        return -1;
    *out = (struct outputs){
        .options = options,
        .format = has_option(options, "format")
                      ? (enum render_format)options_choice(options, "format", RENDER_TABLE)
                      : RENDER_TABLE,
        .is_wide = has_option(options, "wide") && options_has(options, "wide"),
        .has_limit = has_option(options, "top") && options_has(options, "top"),
        .limit = (size_t)limit,
        .forms = forms,
    };
    return 0;
}

bool outputs_want_form(const struct outputs *outputs)
{
    struct wanted_file file = {0};
    size_t at = 0;

    while (next_file(outputs->options, outputs->forms, &at, &file))
        if (file.form)
            return true;
    return false;
}

bool outputs_want_format(const struct outputs *outputs, enum render_format format)
{
    struct wanted_file file = {0};
    size_t at = 0;

    while (next_file(outputs->options, outputs->forms, &at, &file))
        if (file.has_format && file.format == format)
            return true;
    return outputs->format == format;
}

/* A result in one shape, and where it goes. */
struct shape {
    enum render_format format;
    struct render_look look;
    bool is_on_terminal;
};

/* For people, who see the first rows; programs get them all. */
static bool is_for_people(const struct outputs *outputs, const struct shape *shape)
{
    if (shape->format == RENDER_TABLE)
        return shape->is_on_terminal || outputs->has_limit || !outputs->cuts_on_terminals_alone;
    return shape->format == RENDER_MARKDOWN;
}

static void render_as(struct text *text, const struct outputs *outputs, struct rows *rows,
                      const struct shape *shape)
{
    bool for_people = is_for_people(outputs, shape);

    if (!for_people && rows->unlimited)
        rows = rows->unlimited;
    rows->limit = (outputs->has_limit || for_people) && !outputs->limits_beside ? outputs->limit : 0;
    rows->is_brief = for_people && !outputs->has_limit;
    if (!rows->how_to_see_all)
        rows->how_to_see_all = "-n 0 shows all";
    for (struct rows *beside = rows->beside; beside; beside = beside->beside) {
        beside->limit = for_people ? outputs->limit : 0;
        beside->is_brief = rows->is_brief;
        beside->how_to_see_all = rows->how_to_see_all;
    }
    render(text, rows, shape->format, shape->look);
}

static int write_shown(const struct outputs *outputs, struct rows *rows, struct error *err)
{
    int descriptor = outputs->place == OUTPUTS_STDERR ? STDERR_FILENO : STDOUT_FILENO;
    struct terminal terminal = terminal_of(descriptor, command_color(outputs->options));
    struct shape shape = {
        outputs->format, {outputs->is_wide ? 0 : terminal.columns, terminal.has_color}, terminal.is_terminal};
    SCOPED(text_done) struct text text = {0};

    if (outputs->place == OUTPUTS_NOWHERE)
        return 0;
    render_as(&text, outputs, rows, &shape);
    if (outputs->place == OUTPUTS_STDOUT)
        return file_write_stdout(text_slice(&text), err);
    fwrite(text.data, 1, text.length, stderr);
    return 0;
}

/* One file that cannot be written does not keep the others from it. */
static int write_files(const struct outputs *outputs, struct rows *rows, void *context, struct error *err)
{
    SCOPED(text_done) struct text text = {0};
    struct wanted_file file = {0};
    size_t at = 0;
    int result = 0;

    while (next_file(outputs->options, outputs->forms, &at, &file)) {
        struct error failure = {0};

        text_clear(&text);
        if (file.form)
            file.form->render(context, &text);
        else
            render_as(&text, outputs, rows, &(struct shape){.format = file.format});
        if (file_replace(file.path, text_slice(&text), &failure) < 0) {
            command_add_failure(outputs->options, err, &failure);
            result = -1;
        }
    }
    return result;
}

/* The list and what stands beside it. */
static void make_utf8(struct rows *list)
{
    for (; list; list = list->beside)
        rows_make_utf8(list);
}

int outputs_write(const struct outputs *outputs, struct rows *rows, void *context, struct error *err)
{
    struct error failure = {0};
    int written = 0;

    make_utf8(rows);
    make_utf8(rows->unlimited);
    written = write_files(outputs, rows, context, err);
    if (write_shown(outputs, rows, &failure) == 0)
        return written;
    command_add_failure(outputs->options, err, &failure);
    return -1;
}
