#include "timing/words.h"

#include <string.h>

#include "base/ascii.h"
#include "base/text.h"
#include "cargo/args.h"

struct splitter {
    const char *line;
    const char *at;
    enum words_rule rule;
    struct text word; /* the one that is being read */
    bool has_word;    /* also an empty one in quotes */
    bool is_quoted;   /* some of the word is: it is no VARIABLE=value */
};

static void splitter_done(struct splitter *splitter)
{
    text_done(&splitter->word);
}

static int refuse(const struct splitter *splitter, struct slice what, struct error *err)
{
    error_hint(err, "--shell sh has a shell run the commands, -N takes them letter by letter; or quote it");
    return error_set(err, ERROR_USAGE, "%s: \"%.*s\" takes a shell, and commands run without", splitter->line,
                     SLICE_ARGUMENTS(what));
}

static int refuse_open(const struct splitter *splitter, const char *quote, struct error *err)
{
    return error_set(err, ERROR_USAGE, "%s: a %s has no end", splitter->line, quote);
}

static void take(struct splitter *splitter)
{
    text_add_byte(&splitter->word, *splitter->at++);
}

static int take_single_quoted(struct splitter *splitter, struct error *err)
{
    const char *end = strchr(splitter->at + 1, '\'');

    if (!end)
        return refuse_open(splitter, "'", err);
    text_add(&splitter->word, (struct slice){splitter->at + 1, (size_t)(end - splitter->at - 1)});
    splitter->at = end + 1;
    return 0;
}

static int take_double_quoted(struct splitter *splitter, struct error *err)
{
    splitter->at++;
    while (*splitter->at != '"') {
        if (*splitter->at == '\0')
            return refuse_open(splitter, "\"", err);
        if (splitter->rule == WORDS_PLAIN && strchr("$`", *splitter->at))
            return refuse(splitter, (struct slice){splitter->at, 1}, err);
        if (*splitter->at == '\\' && splitter->at[1] && strchr("$`\"\\\n", splitter->at[1])) {
            splitter->at += 2;
            if (splitter->at[-1] != '\n')
                text_add_byte(&splitter->word, splitter->at[-1]);
        } else {
            take(splitter);
        }
    }
    splitter->at++;
    return 0;
}

/* The end of a line disappears with its backslash. */
static int take_escaped(struct splitter *splitter, struct error *err)
{
    splitter->at++;
    if (*splitter->at == '\0')
        return refuse_open(splitter, "\\", err);
    if (*splitter->at == '\n')
        splitter->at++;
    else
        take(splitter);
    return 0;
}

static int take_plain(struct splitter *splitter, struct error *err)
{
    bool is_start = !splitter->has_word;

    if (splitter->rule == WORDS_PLAIN &&
        (strchr("|&;<>()$`*?[", *splitter->at) || (is_start && strchr("~#", *splitter->at))))
        return refuse(splitter, (struct slice){splitter->at, 1}, err);
    take(splitter);
    return 0;
}

static int take_some(struct splitter *splitter, struct error *err)
{
    char byte = *splitter->at;
    int result = 0;

    splitter->is_quoted = splitter->is_quoted || strchr("'\"\\", byte);
    result = byte == '\''   ? take_single_quoted(splitter, err)
             : byte == '"'  ? take_double_quoted(splitter, err)
             : byte == '\\' ? take_escaped(splitter, err)
                            : take_plain(splitter, err);
    splitter->has_word = true;
    return result;
}

/* NAME=value, as a shell takes it in front of a program. */
static bool is_assignment(const struct splitter *splitter)
{
    struct slice word = text_slice(&splitter->word);
    size_t name = slice_find_byte(word, '=');

    if (splitter->is_quoted || name == 0 || name == word.length || ascii_is_digit(word.data[0]))
        return false;
    for (size_t i = 0; i < name; i++)
        if (!ascii_is_name(word.data[i]))
            return false;
    return true;
}

static int end_word(struct splitter *splitter, struct arena *arena, struct cargo_words *words,
                    struct error *err)
{
    if (!splitter->has_word)
        return 0;
    if (splitter->rule == WORDS_PLAIN && words->items.count == 0 && is_assignment(splitter))
        return refuse(splitter, text_slice(&splitter->word), err);
    cargo_words_add(words, arena_copy(arena, text_slice(&splitter->word)));
    text_clear(&splitter->word);
    splitter->has_word = false;
    splitter->is_quoted = false;
    return 0;
}

int words_split(struct arena *arena, const char *line, enum words_rule rule, const char *const **out,
                struct error *err)
{
    SCOPED(splitter_done) struct splitter splitter = {.line = line, .at = line, .rule = rule};
    SCOPED(cargo_words_done) struct cargo_words words = {0};

    while (*splitter.at) {
        if (!strchr(" \t\r\n", *splitter.at)) {
            if (take_some(&splitter, err) < 0)
                return -1;
            continue;
        }
        splitter.at++;
        if (end_word(&splitter, arena, &words, err) < 0)
            return -1;
    }
    if (end_word(&splitter, arena, &words, err) < 0)
        return -1;
    if (words.items.count == 0)
        return error_set(err, ERROR_USAGE, "a command without a word");
    *out = cargo_words_keep(arena, &words);
    return 0;
}

int command_split(struct arena *arena, const char *command, const struct command_rule *rule,
                  const char *const **out, struct error *err)
{
    SCOPED(cargo_words_done) struct cargo_words words = {0};
    const char *const *shell = NULL;

    if (!rule->shell)
        return words_split(arena, command, rule->words, out, err);
    if (words_split(arena, rule->shell, WORDS_LITERAL, &shell, err) < 0)
        return -1;
    for (; *shell; shell++)
        cargo_words_add(&words, *shell);
    cargo_words_add(&words, "-c");
    cargo_words_add(&words, command);
    *out = cargo_words_keep(arena, &words);
    return 0;
}
