#include "revision/checkout_state.h"

#include <string.h>

#include "base/file.h"
#include "base/scan.h"

enum { STATE_BYTES_MAX = 16 * 1024 * 1024 };

const struct state_part *checkout_state_find(const struct checkout_state *state, const char *path)
{
    for (size_t i = 0; i < state->parts.count; i++)
        if (strcmp(state->parts.items[i].path, path) == 0)
            return &state->parts.items[i];
    return NULL;
}

const char *checkout_state_commit(const struct checkout_state *state)
{
    const struct state_part *whole = checkout_state_find(state, ".");

    return whole ? whole->commit : NULL;
}

void checkout_state_done(struct checkout_state *state)
{
    vec_done(&state->parts);
    outside_done(&state->outside);
    vec_done(&state->locks);
    vec_done(&state->copied);
    vec_done(&state->notes);
}

static void take_part(struct arena *arena, struct scan scan, struct checkout_state *out)
{
    struct slice method;
    struct slice commit;

    if (scan_until(&scan, ' ', &method) && scan_until(&scan, ' ', &commit))
        *vec_add(&out->parts) = (struct state_part){arena_copy(arena, scan.rest), arena_copy(arena, commit),
                                                    slice_is(method, "program")};
}

static void take_line(struct arena *arena, struct slice line, struct checkout_state *out)
{
    struct scan scan = scan_of(line);
    struct slice word;
    const char *value = NULL;

    if (!scan_until(&scan, ' ', &word))
        return;
    value = arena_copy(arena, scan.rest);
    if (slice_is(word, "part"))
        take_part(arena, scan, out);
    else if (slice_is(word, "name"))
        out->name = value;
    else if (slice_is(word, "root"))
        out->root = value;
    else if (slice_is(word, "outside"))
        outside_add(&out->outside, value);
    else if (slice_is(word, "lock"))
        *vec_add(&out->locks) = value;
    else if (slice_is(word, "copied"))
        *vec_add(&out->copied) = value;
    else if (slice_is(word, "note"))
        *vec_add(&out->notes) = value;
}

void checkout_state_read(struct arena *arena, const char *path, struct checkout_state *out)
{
    SCOPED(text_done) struct text content = {0};
    struct error ignored = {0};
    struct scan scan;
    struct slice line;

    *out = (struct checkout_state){0};
    if (file_read(path, STATE_BYTES_MAX, &content, &ignored) < 0)
        return;
    scan = scan_of(text_slice(&content));
    while (scan_line(&scan, &line))
        take_line(arena, line, out);
}

/* A value is one line, whatever it holds. */
static void add_line(struct text *text, const char *word, const char *value)
{
    text_format(text, "%s ", word);
    for (; *value; value++)
        text_add_byte(text, *value == '\n' || *value == '\r' ? ' ' : *value);
    text_add_byte(text, '\n');
}

int checkout_state_write(const struct checkout_state *state, const char *path, struct error *err)
{
    SCOPED(text_done) struct text text = {0};

    for (size_t i = 0; i < state->parts.count; i++) {
        const struct state_part *part = &state->parts.items[i];

        text_format(&text, "part %s %s", part->with_program ? "program" : "library", part->commit);
        add_line(&text, "", part->path);
    }
    if (state->name)
        add_line(&text, "name", state->name);
    if (state->root)
        add_line(&text, "root", state->root);
    for (size_t i = 0; i < state->outside.items.count; i++)
        add_line(&text, "outside", state->outside.items.items[i]);
    for (size_t i = 0; i < state->locks.count; i++)
        add_line(&text, "lock", state->locks.items[i]);
    for (size_t i = 0; i < state->copied.count; i++)
        add_line(&text, "copied", state->copied.items[i]);
    for (size_t i = 0; i < state->notes.count; i++)
        add_line(&text, "note", state->notes.items[i]);
    return file_replace(path, text_slice(&text), err);
}
