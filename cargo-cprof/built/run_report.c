#include "built/run_report.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/scan.h"
#include "cargo/args.h"

#define LINE_START "cargo-cprof-start "

bool run_report_is_wanted(void)
{
    return getenv(RUN_REPORT_VARIABLE);
}

static void add_word(struct text *out, const char *word)
{
    static const char digits[] = "0123456789abcdef";

    text_add_string(out, " x");
    for (; *word; word++) {
        text_add_byte(out, digits[(unsigned char)*word >> 4]);
        text_add_byte(out, digits[(unsigned char)*word & 15]);
    }
}

static void add_words(struct text *out, const char *const *words)
{
    for (; *words; words++)
        add_word(out, *words);
}

void run_report_add(struct text *out, const char *folder, const char *const *arguments,
                    const char *const *environment)
{
    size_t count = 0;

    while (arguments[count])
        count++;
    text_add(out, slice_range(SLICE(LINE_START), 0, strlen(LINE_START) - 1));
    add_word(out, folder);
    text_format(out, " %zu", count);
    add_words(out, arguments);
    add_words(out, environment);
    text_add_byte(out, '\n');
}

int run_report_write(const char *const *arguments)
{
    SCOPED(memory_free_at) char *folder = getcwd(NULL, 0);
    SCOPED(text_done) struct text line = {0};
    struct error ignored = {0};

    run_report_add(&line, folder ? folder : "/", arguments, (const char *const *)environ);
    return file_write_stdout(text_slice(&line), &ignored) < 0 ? EXIT_CODE_FAILED : 0;
}

/* " x" and pairs of digits; NULL for anything else, and for a byte of 0, which no string holds. */
static char *take_word(struct arena *arena, struct scan *scan)
{
    struct slice word = {0};
    struct scan digits;
    char *bytes = NULL;
    size_t length = 0;

    if (!scan_text(scan, " x"))
        return NULL;
    (void)scan_word(scan, &word);
    digits = scan_of(word);
    bytes = arena_array(arena, word.length / 2 + 1, 1);
    while (!scan_at_end(&digits))
        if (!scan_hex_byte(&digits, &bytes[length]) || bytes[length++] == '\0')
            return NULL;
    return bytes;
}

/* The words up to the end of the line, or `most` of them. NULL when one is not of the form. */
static const char *const *take_words(struct arena *arena, struct scan *scan, uint64_t most)
{
    SCOPED(cargo_words_done) struct cargo_words words = {0};

    while (words.items.count < most && !scan_at_end(scan)) {
        const char *word = take_word(arena, scan);

        if (!word)
            return NULL;
        cargo_words_add(&words, word);
    }
    return cargo_words_keep(arena, &words);
}

static bool has_variable(const char *const *variables, struct slice name)
{
    for (; *variables; variables++) {
        struct slice whole = slice_of(*variables);

        if (slice_equal(slice_range(whole, 0, slice_find_byte(whole, '=')), name))
            return true;
    }
    return false;
}

/* All of `variables` but the one that is for us, and the names of those that are only ours. */
static const char *const *changes_to_ours(struct arena *arena, const char *const *variables)
{
    SCOPED(cargo_words_done) struct cargo_words changes = {0};

    for (const char *const *at = variables; *at; at++)
        if (!slice_starts_with(slice_of(*at), SLICE(RUN_REPORT_VARIABLE "=")))
            cargo_words_add(&changes, *at);
    for (char **at = environ; *at; at++) {
        struct slice whole = slice_of(*at);
        struct slice name = slice_range(whole, 0, slice_find_byte(whole, '='));

        if (!has_variable(variables, name))
            cargo_words_add(&changes, arena_copy(arena, name));
    }
    return cargo_words_keep(arena, &changes);
}

int run_report_take(struct arena *arena, struct slice line, struct run_report *out, struct error *err)
{
    struct scan scan = scan_of(line);
    struct run_report report = {0};
    const char *const *variables = NULL;
    uint64_t count = 0;

    if (!slice_starts_with(line, SLICE(LINE_START)))
        return 0;
    (void)scan_text(&scan, "cargo-cprof-start");
    report.folder = take_word(arena, &scan);
    if (report.folder && scan_byte(&scan, ' ') && scan_decimal(&scan, &count) && count > 0) {
        report.arguments = take_words(arena, &scan, count);
        variables = take_words(arena, &scan, UINT64_MAX);
    }
    if (!report.arguments || !report.arguments[0] || !variables)
        return error_set(err, ERROR_FORMAT, "what cargo starts was not told in full");
    report.environment = changes_to_ours(arena, variables);
    *out = report;
    return 0;
}
