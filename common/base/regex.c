#include "base/regex.h"

#include <stdlib.h>

#include "base/library.h"
#include "base/memory.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

/* Steps of one match; a plain search of a 100 KB name takes fewer. */
enum { MATCH_LIMIT = 1000000, DEPTH_LIMIT = 10000 };

/* Of a pattern or a name in a message, so that what is wrong with it is not cut off. */
enum { SHOWN_BYTES = 200 };

struct regex {
    pcre2_code *code;
    pcre2_match_data *match_data;
    pcre2_match_context *context;
};

/* The functions of the library, as pcre2.h declares them. */
static struct {
    __typeof__(&pcre2_compile) compile;
    __typeof__(&pcre2_get_error_message) get_error_message;
    __typeof__(&pcre2_code_free) code_free;
    __typeof__(&pcre2_match_data_create_from_pattern) match_data_create;
    __typeof__(&pcre2_match_data_free) match_data_free;
    __typeof__(&pcre2_match_context_create) context_create;
    __typeof__(&pcre2_match_context_free) context_free;
    __typeof__(&pcre2_set_match_limit) set_match_limit;
    __typeof__(&pcre2_set_depth_limit) set_depth_limit;
    __typeof__(&pcre2_match) match;
} pcre2;

static int load_pcre2(struct error *err)
{
    const struct library_symbol symbols[] = {
        {"pcre2_compile_8", (void **)&pcre2.compile},
        {"pcre2_get_error_message_8", (void **)&pcre2.get_error_message},
        {"pcre2_code_free_8", (void **)&pcre2.code_free},
        {"pcre2_match_data_create_from_pattern_8", (void **)&pcre2.match_data_create},
        {"pcre2_match_data_free_8", (void **)&pcre2.match_data_free},
        {"pcre2_match_context_create_8", (void **)&pcre2.context_create},
        {"pcre2_match_context_free_8", (void **)&pcre2.context_free},
        {"pcre2_set_match_limit_8", (void **)&pcre2.set_match_limit},
        {"pcre2_set_depth_limit_8", (void **)&pcre2.set_depth_limit},
        {"pcre2_match_8", (void **)&pcre2.match},
    };

    if (pcre2.match)
        return 0;
    return library_load("libpcre2-8.so.0", "libpcre2-8-0", symbols, ARRAY_COUNT(symbols), err);
}

static int refuse_pattern(struct slice pattern, int code, size_t offset, struct error *err)
{
    PCRE2_UCHAR reason[120] = "unknown error";

    pcre2.get_error_message(code, reason, sizeof(reason));
    return error_set(err, ERROR_USAGE, "bad regular expression \"%.*s\" at character %zu: %s",
                     SLICE_ARGUMENTS(slice_range(pattern, 0, SHOWN_BYTES)), offset, (const char *)reason);
}

int regex_compile(struct slice pattern, struct regex **out, struct error *err)
{
    const uint32_t options = PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_NEVER_BACKSLASH_C;
    int code = 0;
    size_t offset = 0;
    pcre2_code *compiled = NULL;
    struct regex *regex = NULL;

    if (load_pcre2(err) < 0)
        return -1;
    compiled = pcre2.compile((PCRE2_SPTR)(pattern.data ? pattern.data : ""), pattern.length, options, &code,
                             &offset, NULL);
    if (!compiled)
        return refuse_pattern(pattern, code, offset, err);
    regex = memory_new(1, sizeof(*regex));
    regex->code = compiled;
    regex->match_data = pcre2.match_data_create(compiled, NULL);
    regex->context = pcre2.context_create(NULL);
    pcre2.set_match_limit(regex->context, MATCH_LIMIT);
    pcre2.set_depth_limit(regex->context, DEPTH_LIMIT);
    *out = regex;
    return 0;
}

void regex_free(struct regex *regex)
{
    if (!regex)
        return;
    pcre2.context_free(regex->context);
    pcre2.match_data_free(regex->match_data);
    pcre2.code_free(regex->code);
    free(regex);
}

void regex_free_at(struct regex **regex)
{
    regex_free(*regex);
    *regex = NULL;
}

int regex_matches(const struct regex *regex, struct slice subject, struct error *err)
{
    int result = pcre2.match(regex->code, (PCRE2_SPTR)(subject.data ? subject.data : ""), subject.length, 0,
                             0, regex->match_data, regex->context);

    if (result >= 0)
        return 1;
    if (result == PCRE2_ERROR_NOMATCH)
        return 0;
    error_hint(err, "use a simpler one: nested repetitions such as (a*)* have no end");
    return error_set(err, ERROR_FORMAT, "the regular expression takes too many steps on \"%.*s\"",
                     SLICE_ARGUMENTS(slice_range(subject, 0, SHOWN_BYTES)));
}
