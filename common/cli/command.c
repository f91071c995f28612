#include "cli/command.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/help.h"
#include "proc/own_signals.h"

static const struct option_spec common_specs[] = {
    {"color", 0, OPTION_VALUE, "WHEN", "Colour the output; auto means on a terminal without NO_COLOR",
     terminal_color_names, NULL},
    {"generate", 0, OPTION_VALUE, "KIND", "Print the manual page or a shell's completions",
     help_generated_names, NULL},
    {"help", 'h', OPTION_FLAG, NULL, "Print this help", NULL, NULL},
    {"version", 'V', OPTION_FLAG, NULL, "Print the version", NULL, NULL},
};

const struct option_table command_common_options = {"Other", common_specs, ARRAY_COUNT(common_specs)};

enum color_choice command_color(const struct options *options)
{
    return (enum color_choice)options_choice(options, "color", COLOR_AUTO);
}

/* "cargo-NAME: KIND: MESSAGE" on standard error, in one write so that lines of two processes do not mix. */
static void print_line(const struct options *options, const char *kind, const char *color,
                       struct slice message)
{
    struct terminal terminal = terminal_of(STDERR_FILENO, command_color(options));
    SCOPED(text_done) struct text line = {0};

    text_format(&line, "cargo-%s: %s%s:%s ", options->command->name, terminal.has_color ? color : "", kind,
                terminal.has_color ? "\033[0m" : "");
    text_add_terminal(&line, message);
    text_add_byte(&line, '\n');
    fwrite(line.data, 1, line.length, stderr);
}

static void print_failure(const struct options *options, struct slice message, struct slice hint)
{
    if (message.length > 0)
        print_line(options, "error", "\033[31m", message);
    if (hint.length > 0)
        print_line(options, "hint", "\033[36m", hint);
}

static void PRINTF_LIKE(4, 0) print_list(const struct options *options, const char *kind, const char *color,
                                         const char *format, va_list arguments)
{
    SCOPED(text_done) struct text message = {0};

    text_format_list(&message, format, arguments);
    print_line(options, kind, color, text_slice(&message));
}

void command_note(const struct options *options, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    print_list(options, "note", "\033[36m", format, arguments);
    va_end(arguments);
}

void command_warn(const struct options *options, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    print_list(options, "warning", "\033[33m", format, arguments);
    va_end(arguments);
}

void command_status(const struct options *options, const char *verb, const char *what)
{
    struct terminal terminal = terminal_of(STDERR_FILENO, command_color(options));
    SCOPED(text_done) struct text line = {0};

    text_format(&line, "%s%12s%s ", terminal.has_color ? "\033[1;32m" : "", verb,
                terminal.has_color ? "\033[0m" : "");
    text_add_terminal(&line, slice_of(what));
    text_add_byte(&line, '\n');
    fwrite(line.data, 1, line.length, stderr);
}

void command_add_failure(const struct options *options, struct error *err, const struct error *failure)
{
    bool is_same_hint = strcmp(err->hint, failure->hint) == 0;

    if (err->kind != ERROR_NONE)
        print_failure(options, slice_of(err->message), slice_of(is_same_hint ? "" : err->hint));
    *err = *failure;
}

static int fail(const struct options *options, const struct error *err)
{
    print_failure(options, slice_of(err->message), slice_of(err->hint));
    return err->exit_code ? err->exit_code : EXIT_CODE_FAILED;
}

/* A verb has a manual page of its own; completions are those of the command as a whole. */
static void add_generated(struct text *answer, const struct command *whole, const struct options *options)
{
    size_t what = options_choice(options, "generate", 0);

    help_generate(answer, what == GENERATE_MAN ? options->command : whole, (enum help_generated)what);
}

/* Answers what needs no work: 1 when it did, 0 when there is work to do, -1 when writing failed. */
static int answer_question(const struct command *whole, const struct options *options, struct error *err)
{
    const struct command *command = options->command;
    SCOPED(text_done) struct text answer = {0};

    if (options_has(options, "help"))
        help_add(&answer, command, terminal_of(STDOUT_FILENO, COLOR_AUTO).columns);
    else if (options_has(options, "version"))
        text_format(&answer, "cargo-%s %s\n", command->name, SUITE_VERSION);
    else if (options_has(options, "generate"))
        add_generated(&answer, whole, options);
    else
        return 0;
    return file_write_stdout(text_slice(&answer), err) < 0 ? -1 : 1;
}

/* As cargo has it, which refuses both. */
static int check_loudness(const struct options *options, struct error *err)
{
    const struct command *command = options->command;

    if (command_find_option(command, "quiet") && command_find_option(command, "verbose") &&
        options_has(options, "quiet") && options_has(options, "verbose"))
        return error_set(err, ERROR_USAGE, "--quiet and --verbose contradict each other");
    return 0;
}

/* The verb of this name, or NULL. */
static const struct command_verb *find_verb(const struct command *command, const char *word)
{
    for (size_t i = 0; word && i < command->verb_count; i++)
        if (strcmp(command->verbs[i].command->verb, word) == 0)
            return &command->verbs[i];
    return NULL;
}

/* A verb behind options would be taken for a file. */
static int check_verb_is_first(const struct options *options, struct error *err)
{
    const char *word = options->positionals.count > 0 ? options->positionals.items[0] : NULL;

    if (!word || !find_verb(options->command, word) || access(word, F_OK) == 0)
        return 0;
    error_hint(err, "a verb is the first word: cargo %s %s", options->command->name, word);
    return error_set(err, ERROR_USAGE, "unexpected argument \"%s\"", word);
}

static int parse_and_run(const struct command *whole, const struct command_verb *verb,
                         const char *const *arguments, struct options *options, int *exit_code,
                         struct error *err)
{
    int answered = 0;

    if (options_parse(verb->command, arguments, options, err) < 0)
        return -1;
    answered = answer_question(whole, options, err);
    if (answered != 0)
        return answered < 0 ? -1 : 0;
    if (check_loudness(options, err) < 0 || check_verb_is_first(options, err) < 0)
        return -1;
    return verb->run(options, exit_code, err);
}

/*
 * A standard stream that the caller has closed would be the next file that is opened: messages would go into
 * it, and what is meant for standard output get lost. Held this way, using it fails as it should.
 */
static void hold_standard_streams(void)
{
    static const int modes[] = {O_WRONLY, O_RDONLY, O_WRONLY};

    for (int stream = 0; stream < (int)ARRAY_COUNT(modes); stream++)
        if (fcntl(stream, F_GETFD) < 0 && open("/dev/null", modes[stream]) != stream)
            return;
}

/* "help" and "help VERB", as git and cargo have it. */
static bool is_help(const struct command *command, char *const *words)
{
    return words[0] && strcmp(words[0], "help") == 0 &&
           (!words[1] || (!words[2] && find_verb(command, words[1])));
}

int command_main(const struct command *command, command_fn *run, int argc, char **argv)
{
    SCOPED(options_done) struct options options = {0};
    static const char *const help[] = {"--help", NULL};
    const struct command_verb itself = {command, run};
    const char *const *arguments = NULL;
    const struct command_verb *verb = NULL;
    struct error err = {0};
    int exit_code = 0;
    int first = argc > 1 && strcmp(argv[1], command->name) == 0 ? 2 : 1;

    hold_standard_streams();
    own_signals_take();
    if (argc < 1)
        return EXIT_CODE_USAGE;
    arguments = (const char *const *)(argv + first);
    if (is_help(command, argv + first)) {
        verb = find_verb(command, arguments[1]);
        arguments = help;
    } else if ((verb = find_verb(command, arguments[0]))) {
        arguments++;
    }
    if (!verb)
        verb = &itself;
    /* What was read of the options holds for the message too, --color above all. */
    options.command = verb->command;
    if (parse_and_run(command, verb, arguments, &options, &exit_code, &err) < 0)
        return fail(&options, &err);
    return exit_code;
}
