#include "cargo/diagnostics.h"

#include "json/json_in.h"

enum { LIMIT_BYTES = 16 * 1024 * 1024 };

void cargo_diagnostics_done(struct cargo_diagnostics *diagnostics)
{
    intern_done(&diagnostics->texts);
}

static void add_message(struct cargo_diagnostics *diagnostics, const struct json_value *line)
{
    struct error ignored = {0};
    struct json_value message;
    struct slice reason;
    struct slice rendered;

    if (json_is_object(line) && json_get_string(line, "reason", &reason, &ignored) == 0 &&
        slice_is(reason, "compiler-message") && json_get_object(line, "message", &message, &ignored) == 0 &&
        json_get_string(&message, "rendered", &rendered, &ignored) == 0)
        intern_add(&diagnostics->texts, rendered);
}

void cargo_diagnostics_add_line(struct cargo_diagnostics *diagnostics, struct slice line)
{
    struct json_document document = {0};
    struct error ignored = {0};
    struct json_value root;

    if (!slice_starts_with(line, SLICE("{")) || json_parse(line, LIMIT_BYTES, &document, &ignored) < 0)
        return;
    root = json_root(&document);
    add_message(diagnostics, &root);
    json_document_done(&document);
}

void cargo_diagnostics_add_new(struct text *text, const struct cargo_diagnostics *diagnostics,
                               const struct cargo_diagnostics *before)
{
    for (uint32_t id = 0; id < diagnostics->texts.entries.count; id++) {
        struct slice said = intern_text(&diagnostics->texts, id);

        if (intern_find(&before->texts, said) == INTERN_NONE)
            text_add(text, said);
    }
}
