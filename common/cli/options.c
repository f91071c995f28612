#include "cli/options.h"

#include <assert.h>
#include <string.h>

#include "base/scan.h"
#include "cli/choices.h"
#include "cli/suggest.h"

/* One reading in progress. */
struct reader {
    const struct command *command;
    const char *const *next; /* the word to read next */
    struct options *out;
    struct error *err;
};

/* Calls for each spec of the command in the order of its tables until one fits, which is returned. */
static const struct option_spec *find_spec(const struct command *command, struct slice name, char letter)
{
    for (const struct option_table *const *table = command->tables; *table; table++)
        for (size_t i = 0; i < (*table)->count; i++) {
            const struct option_spec *spec = &(*table)->specs[i];

            if (letter ? spec->letter == letter : slice_is(name, spec->name))
                return spec;
        }
    return NULL;
}

const struct option_spec *command_find_option(const struct command *command, const char *name)
{
    return find_spec(command, slice_of(name), 0);
}

/* What people are told who know the option from elsewhere; NULL when nothing is known of it. */
static const char *find_answer(const struct command *command, struct slice name, char letter)
{
    for (const struct option_answer *const *list = command->answers; list && *list; list++)
        for (const struct option_answer *answer = *list; answer->name; answer++)
            if (letter ? answer->letter == letter : slice_is(name, answer->name))
                return answer->instead;
    return NULL;
}

/* The same of a value, NULL for none, that the option refuses. */
static const char *find_value_answer(const struct command *command, const char *name, const char *value)
{
    SCOPED(text_done) struct text sought = {0};
    const char *answer = NULL;

    text_format(&sought, "%s=%s", name, value ? value : "");
    answer = find_answer(command, text_slice(&sought), 0);
    if (answer)
        return answer;
    return find_answer(command, slice_range(text_slice(&sought), 0, strlen(name) + 1), 0);
}

static int refuse_unknown_name(struct reader *reader, struct slice name)
{
    struct suggestion best = suggestion_for(name);
    const char *answer = find_answer(reader->command, name, 0);

    for (const struct option_table *const *table = reader->command->tables; *table; table++)
        for (size_t i = 0; i < (*table)->count; i++)
            suggestion_consider(&best, slice_of((*table)->specs[i].name));
    if (answer)
        error_hint(reader->err, "%s", answer);
    else if (best.nearest.length > 0)
        error_hint(reader->err, "did you mean --%.*s?", SLICE_ARGUMENTS(best.nearest));
    else
        error_hint(reader->err, "see: cargo %s%s%s --help", COMMAND_WORDS(reader->command));
    return error_set(reader->err, ERROR_USAGE, "unknown option --%.*s", SLICE_ARGUMENTS(name));
}

static int refuse_unknown_letter(struct reader *reader, char letter)
{
    const char *answer = find_answer(reader->command, (struct slice){0}, letter);

    if (answer)
        error_hint(reader->err, "%s", answer);
    else
        error_hint(reader->err, "see: cargo %s%s%s --help", COMMAND_WORDS(reader->command));
    return error_set(reader->err, ERROR_USAGE, "unknown option -%c", letter);
}

static bool is_choice(const char *choice, const char *value)
{
    struct slice word = choices_word(choice);
    struct slice typed = slice_of(value);
    bool takes_more = choice[word.length] != '\0';

    return slice_equal(word, takes_more ? slice_range(typed, 0, slice_find_byte(typed, ',')) : typed);
}

static int check_choice(const struct command *command, const struct option_spec *spec, const char *typed_name,
                        const char *value, struct error *err)
{
    SCOPED(text_done) struct text all = {0};
    const char *answer = find_value_answer(command, spec->name, value);

    if (choices_take_others(spec) || !value)
        return 0;
    for (const char *const *choice = spec->choices; *choice; choice++) {
        if (is_choice(*choice, value))
            return 0;
        text_format(&all, "%s%s", all.length ? ", " : "", *choice);
    }
    error_hint(err, "%s%spossible values: %s", answer ? answer : "", answer ? "; " : "", text_string(&all));
    return error_set(err, ERROR_USAGE, "--%s cannot be \"%s\"", typed_name, value);
}

/* Notes a use under the option that the spelling stands for. */
static int record(struct reader *reader, const struct option_spec *spec, const char *value)
{
    const char *typed_name = spec->name;

    if (spec->stands_for)
        spec = command_find_option(reader->command, spec->stands_for);
    assert(spec && !spec->stands_for);
    if (check_choice(reader->command, spec, typed_name, value, reader->err) < 0)
        return -1;
    if (spec->arity == OPTION_VALUE && options_has(reader->out, spec->name))
        return error_set(reader->err, ERROR_USAGE, "--%s is given twice", spec->name);
    *vec_add(&reader->out->uses) = (struct option_use){spec, value, typed_name};
    return 0;
}

/* The value of an option whose own word brought `attached` (NULL for none). */
static int read_value(struct reader *reader, const struct option_spec *spec, const char *attached)
{
    const char *next = *reader->next;
    const char *answer = NULL;

    if (attached)
        return record(reader, spec, attached);
    /* A lone "-" is a value: it names standard input. */
    if (next && (next[0] != '-' || next[1] == '\0')) {
        reader->next++;
        return record(reader, spec, next);
    }
    if (spec->arity == OPTION_OPTIONAL)
        return record(reader, spec, NULL);
    answer = find_value_answer(reader->command, spec->name, NULL);
    if (answer)
        error_hint(reader->err, "%s", answer);
    else if (next && strcmp(next, "--") != 0)
        error_hint(reader->err, "a value that begins with \"-\" is written --%s=%s", spec->name, next);
    return error_set(reader->err, ERROR_USAGE, "--%s needs a value: --%s %s", spec->name, spec->name,
                     spec->value);
}

static int read_name(struct reader *reader, const char *word)
{
    struct slice text = slice_of(word);
    size_t equals = slice_find_byte(text, '=');
    struct slice name = slice_range(text, 0, equals);
    const char *attached = equals < text.length ? word + equals + 1 : NULL;
    const struct option_spec *spec = find_spec(reader->command, name, 0);

    if (!spec)
        return refuse_unknown_name(reader, name);
    if (spec->arity != OPTION_FLAG)
        return read_value(reader, spec, attached);
    if (attached) {
        const char *answer = find_value_answer(reader->command, spec->name, attached);

        if (answer)
            error_hint(reader->err, "%s", answer);
        return error_set(reader->err, ERROR_USAGE, "--%s takes no value", spec->name);
    }
    return record(reader, spec, NULL);
}

static int read_letters(struct reader *reader, const char *letters)
{
    for (; *letters; letters++) {
        const struct option_spec *spec = find_spec(reader->command, (struct slice){0}, *letters);
        const char *attached = letters[1] ? letters + 1 : NULL;

        if (!spec)
            return refuse_unknown_letter(reader, *letters);
        if (spec->arity != OPTION_FLAG)
            return read_value(reader, spec, attached && *attached == '=' ? attached + 1 : attached);
        if (record(reader, spec, NULL) < 0)
            return -1;
    }
    return 0;
}

static int read_positional(struct reader *reader, const char *word)
{
    if (!reader->command->positional) {
        error_hint(reader->err, "see: cargo %s%s%s --help", COMMAND_WORDS(reader->command));
        if (reader->command->explain_word)
            reader->command->explain_word(word, reader->err);
        return error_set(reader->err, ERROR_USAGE, "unexpected argument \"%s\"", word);
    }
    *vec_add(&reader->out->positionals) = word;
    return 0;
}

/* All that follows "--", whatever it begins with (POSIX.1, XBD 12.2, guideline 10). */
static int read_positionals(struct reader *reader)
{
    while (*++reader->next)
        if (read_positional(reader, *reader->next) < 0)
            return -1;
    return 0;
}

static int read_word(struct reader *reader)
{
    const char *word = *reader->next++;

    if (strncmp(word, "--", 2) == 0)
        return read_name(reader, word + 2);
    if (word[0] == '-' && word[1])
        return read_letters(reader, word + 1);
    return read_positional(reader, word);
}

int options_parse(const struct command *command, const char *const *arguments, struct options *out,
                  struct error *err)
{
    struct reader reader = {command, arguments, out, err};

    *out = (struct options){.command = command};
    while (*reader.next) {
        if (strcmp(*reader.next, "--") == 0 && command->runs_nothing)
            return read_positionals(&reader);
        if (strcmp(*reader.next, "--") == 0) {
            out->program_arguments = reader.next + 1;
            return 0;
        }
        if (command->takes_program && (*reader.next)[0] != '-') {
            out->program_arguments = reader.next;
            return 0;
        }
        if (read_word(&reader) < 0)
            return -1;
    }
    return 0;
}

void options_done(struct options *options)
{
    vec_done(&options->uses);
    vec_done(&options->positionals);
}

/* The last use of the option, or NULL; counts all uses when `count` is given. */
static const struct option_use *last_use(const struct options *options, const char *name, size_t *count)
{
    const struct option_use *last = NULL;

    assert(command_find_option(options->command, name));
    for (size_t i = 0; i < options->uses.count; i++)
        if (strcmp(options->uses.items[i].spec->name, name) == 0) {
            last = &options->uses.items[i];
            if (count)
                ++*count;
        }
    return last;
}

bool options_has(const struct options *options, const char *name)
{
    return last_use(options, name, NULL) != NULL;
}

const char *options_typed_name(const struct options *options, const char *name)
{
    const struct option_use *use = last_use(options, name, NULL);

    return use ? use->typed_name : name;
}

size_t options_count(const struct options *options, const char *name)
{
    size_t count = 0;

    last_use(options, name, &count);
    return count;
}

const char *options_value(const struct options *options, const char *name)
{
    const struct option_use *use = last_use(options, name, NULL);

    return use ? use->value : NULL;
}

int options_number(const struct options *options, const char *name, uint64_t otherwise, uint64_t *out,
                   struct error *err)
{
    const char *value = options_value(options, name);
    struct scan scan = scan_of(slice_of(value));
    uint64_t number = otherwise;

    if (value && (!scan_decimal(&scan, &number) || !scan_at_end(&scan))) {
        const char *answer = find_value_answer(options->command, name, value);

        if (answer)
            error_hint(err, "%s", answer);
        return error_set(err, ERROR_USAGE, "--%s takes a whole number, not \"%s\"", name, value);
    }
    *out = number;
    return 0;
}

size_t options_choice(const struct options *options, const char *name, size_t otherwise)
{
    const struct option_use *use = last_use(options, name, NULL);

    if (!use || !use->value)
        return otherwise;
    /* The value was checked against the choices when it was read. */
    for (size_t i = 0; use->spec->choices[i]; i++)
        if (is_choice(use->spec->choices[i], use->value))
            return i;
    return otherwise;
}

const char *options_choice_details(const struct options *options, const char *name)
{
    const char *value = options_value(options, name);
    const char *comma = value ? strchr(value, ',') : NULL;

    return comma ? comma + 1 : NULL;
}

void options_add_typed(struct text *text, const struct options *options,
                       bool (*is_left_out)(const char *name))
{
    for (size_t i = 0; i < options->uses.count; i++) {
        const struct option_use *use = &options->uses.items[i];

        if (is_left_out && is_left_out(use->spec->name))
            continue;
        text_format(text, " --%s", use->spec->name);
        if (!use->value)
            continue;
        text_add_byte(text, use->value[0] == '-' ? '=' : ' ');
        text_add_shell(text, slice_of(use->value));
    }
}
