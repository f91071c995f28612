#include "import/pprof_prune.h"

#include <string.h>

#include "base/memory.h"
#include "base/regex.h"
#include "base/text.h"

/* The two expressions. */
struct expressions {
    struct regex *drop; /* owned, as the other */
    struct regex *keep; /* NULL: nothing is kept */
};

static void expressions_done(struct expressions *expressions)
{
    regex_free(expressions->drop);
    regex_free(expressions->keep);
}

void pprof_prune_done(struct pprof_prune *prune)
{
    free(prune->locations);
}

static int compile(const struct pprof_message *message, uint64_t string, struct regex **out,
                   struct error *err)
{
    SCOPED(text_done) struct text whole = {0};

    if (pprof_text(message, string).length == 0)
        return 0;
    text_add_string(&whole, "^(?:");
    text_add(&whole, pprof_text(message, string));
    text_add_string(&whole, ")$");
    if (regex_compile(text_slice(&whole), out, err) == 0)
        return 0;
    if (err->kind == ERROR_USAGE)
        err->kind = ERROR_FORMAT;
    return error_wrap(err, "its functions to be left out");
}

/* "operator new" of "operator new(unsigned long)": expressions are of names without arguments. */
static struct slice without_arguments(struct slice name)
{
    static const struct slice reserved[] = {SLICE("(anonymous namespace)"), SLICE("operator()")};
    size_t at = 0;

    while (at < name.length) {
        struct slice rest = slice_range(name, at, name.length);
        size_t step = 1;

        for (size_t i = 0; i < ARRAY_COUNT(reserved); i++)
            if (slice_starts_with(rest, reserved[i]))
                step = reserved[i].length;
        if (step == 1 && name.data[at] == '(')
            break;
        at += step;
    }
    return slice_range(name, 0, at);
}

/* Whether the function is left out: 1 or 0, or -1. */
static int is_dropped(const struct pprof_message *message, const struct expressions *expressions,
                      const struct pprof_line *line, struct error *err)
{
    const struct pprof_function *function = pprof_function_of(message, line->function);
    struct slice name = function ? without_arguments(pprof_text(message, function->name)) : (struct slice){0};
    int is_matched = name.length > 0 ? regex_matches(expressions->drop, name, err) : 0;
    int is_kept = is_matched == 1 && expressions->keep ? regex_matches(expressions->keep, name, err) : 0;

    if (is_matched < 0 || is_kept < 0)
        return error_wrap(err, "its functions to be left out");
    return is_matched && !is_kept;
}

/* The outermost call that is left out decides. */
static int prune_location(const struct pprof_message *message, const struct expressions *expressions,
                          struct pprof_location *location, enum pprof_pruned *out, struct error *err)
{
    size_t at = location->line_count;
    int dropped = 0;

    *out = PPROF_PRUNED_NOTHING;
    while (at > 0 && dropped == 0) {
        at--;
        dropped = is_dropped(message, expressions, &message->lines.items[location->first_line + at], err);
    }
    if (dropped <= 0)
        return dropped;
    if (at + 1 == location->line_count) {
        *out = PPROF_PRUNED_ALL;
        return 0;
    }
    *out = PPROF_PRUNED_INLINED;
    location->first_line += at + 1;
    location->line_count -= at + 1;
    return 0;
}

int pprof_prune_init(struct pprof_message *message, struct pprof_prune *out, struct error *err)
{
    SCOPED(expressions_done) struct expressions expressions = {0};
    SCOPED(memory_free_at) enum pprof_pruned *locations = NULL;

    if (compile(message, message->drop_frames, &expressions.drop, err) < 0 ||
        compile(message, message->keep_frames, &expressions.keep, err) < 0)
        return -1;
    if (!expressions.drop)
        return 0;
    locations = memory_new(message->locations.count + 1, sizeof(*locations));
    for (size_t i = 0; i < message->locations.count; i++)
        if (prune_location(message, &expressions, &message->locations.items[i], &locations[i], err) < 0)
            return -1;
    out->locations = locations;
    locations = NULL;
    return 0;
}

void pprof_prune_sample(const struct pprof_prune *prune, struct pprof_sample *sample)
{
    struct protobuf_numbers *calls = &sample->locations;
    bool has_other = false;

    for (size_t i = calls->count; prune->locations && i-- > 0;) {
        enum pprof_pruned pruned = prune->locations[calls->items[i]];
        size_t first = pruned == PPROF_PRUNED_ALL ? i + 1 : i;

        if (pruned == PPROF_PRUNED_NOTHING || !has_other) {
            has_other = has_other || pruned == PPROF_PRUNED_NOTHING;
            continue;
        }
        calls->count -= first;
        memmove(calls->items, calls->items + first, calls->count * sizeof(*calls->items));
        return;
    }
}
