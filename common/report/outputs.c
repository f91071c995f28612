#include "report/outputs.h"

#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/command.h"

static const struct option_spec specs[] = {
    {"wide", 'w', OPTION_FLAG, NULL, "Do not cut names to the terminal's width", NULL, NULL},
    {"format", 0, OPTION_VALUE, "FORMAT", "Shape of the result", render_format_names, NULL},
    {"message-format", 0, OPTION_VALUE, "FORMAT", NULL, NULL, "format"},
    {"output", 'o', OPTION_MANY, "FILE",
     "Write the result to FILE too, in the format its name asks for: .json, .csv, .md or .txt", NULL, NULL},
};

const struct option_table outputs_options = {"Output", specs, ARRAY_COUNT(specs)};

/* The next file to write from use `*at` on, and its format as its name tells it; NULL when there is none. */
static const char *next_file(const struct options *options, size_t *at, bool *has_format,
                             enum render_format *format)
{
    while (*at < options->uses.count) {
        const struct option_use *use = &options->uses.items[(*at)++];

        if (strcmp(use->spec->name, "output") != 0)
            continue;
        *has_format = render_format_of_name(use->value, format);
        return use->value;
    }
    return NULL;
}

int outputs_read(const struct options *options, size_t usual_rows, struct outputs *out, struct error *err)
{
    size_t at = 0;
    bool has_format = false;
    enum render_format format = RENDER_TABLE;
    uint64_t limit = 0;
    const char *path = NULL;

    while ((path = next_file(options, &at, &has_format, &format)) != NULL)
        if (!has_format) {
            error_hint(err, "use a name that ends in .json, .csv, .md or .txt");
            return error_set(err, ERROR_USAGE, "--output %s: the name does not tell the format", path);
        }
    if (options_number(options, "top", usual_rows, &limit, err) < 0)
        return -1;
    *out = (struct outputs){
        .options = options,
        .format = (enum render_format)options_choice(options, "format", RENDER_TABLE),
        .is_wide = options_has(options, "wide"),
        .has_limit = options_has(options, "top"),
        .limit = (size_t)limit,
    };
    return 0;
}

static void render_as(struct text *text, const struct outputs *outputs, struct rows *rows,
                      enum render_format format, struct render_look look)
{
    bool for_people = format == RENDER_TABLE || format == RENDER_MARKDOWN;

    rows->limit = outputs->has_limit || for_people ? outputs->limit : 0;
    rows->how_to_see_all = "-n 0 shows all";
    render(text, rows, format, look);
}

int outputs_write(const struct outputs *outputs, struct rows *rows, struct error *err)
{
    struct terminal terminal = terminal_of(STDOUT_FILENO, command_color(outputs->options));
    struct render_look look = {outputs->is_wide ? 0 : terminal.columns, terminal.has_color};
    SCOPED(text_done) struct text text = {0};
    size_t at = 0;
    bool has_format = false;
    enum render_format format = RENDER_TABLE;
    const char *path = NULL;

    while ((path = next_file(outputs->options, &at, &has_format, &format)) != NULL) {
        text_clear(&text);
        render_as(&text, outputs, rows, format, (struct render_look){0});
        if (file_replace(path, text_slice(&text), err) < 0)
            return -1;
    }
    text_clear(&text);
    render_as(&text, outputs, rows, outputs->format, look);
    return file_write_stdout(text_slice(&text), err);
}
