/*
 * Where the rows of a command go: its options for that, and standard output and the files they
 * name. The same for every command that shows rows.
 */
#ifndef REPORT_OUTPUTS_H
#define REPORT_OUTPUTS_H

#include "cli/options.h"
#include "report/render.h"

/* -w/--wide, --format (and --message-format from habit), -o/--output. The command itself has -n/--top. */
extern const struct option_table outputs_options;

/* The same for a command whose outputs may be .html and .svg too. */
extern const struct option_table outputs_picture_options;

/* A shape that files may have beside those of render.h. */
struct outputs_form {
    const char *ending; /* of the file's name: ".html"; NULL ends a list of forms */
    void (*render)(void *context, struct text *out);
};

enum outputs_place {
    OUTPUTS_STDOUT,
    OUTPUTS_STDERR, /* where standard output is the program's that we run */
    OUTPUTS_NOWHERE,
};

struct outputs {
    const struct options *options;    /* borrowed */
    enum outputs_place place;         /* of what is no file */
    enum render_format format;        /* of standard output */
    bool is_wide;                     /* cut no names */
    bool has_limit;                   /* the number of rows was given */
    bool cuts_on_terminals_alone;     /* a table for no terminal has all rows unless their number was given */
    bool limits_beside;               /* the number is of rows that stand beside the others: of these all */
    size_t limit;                     /* rows to show; 0: all */
    const struct outputs_form *forms; /* borrowed; NULL for none */
};

/*
 * Reads the options, of which the command may lack --wide, --format and --top; `usual_rows` is what people
 * get to see without -n. Returns 0, or -1 with ERROR_USAGE when -n is no number or the name of an output does
 * not tell its format. `forms` are those that the command has beside the usual ones, or NULL. Whether files
 * can be written is asked of cargo_check_outputs.
 */
MUST_CHECK int outputs_read(const struct options *options, size_t usual_rows,
                            const struct outputs_form *forms, struct outputs *out, struct error *err);

/* Whether a file of one of the forms is asked for. */
bool outputs_want_form(const struct outputs *outputs);

/* Whether standard output or a file is to have the format. */
bool outputs_want_format(const struct outputs *outputs, enum render_format format);

/*
 * Writes the rows to the files and to outputs->place. A table and Markdown show as many rows as asked for or
 * usual; what programs read is whole unless -n was given, and so is a table with cuts_on_terminals_alone in a
 * pipe or a file. What stands beside them is whole there in any case. `rows` gets the limits. Forms are
 * rendered from `context`. Returns 0, or -1 with the last failure of file_replace and file_write_stdout; the
 * others are written all the same, and each failure before is told (command_add_failure), also one that `err`
 * has already.
 */
MUST_CHECK int outputs_write(const struct outputs *outputs, struct rows *rows, void *context,
                             struct error *err);

#endif
