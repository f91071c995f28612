#include "view/notes.h"

#include "base/scan.h"
#include "view/summary.h"

void notes_add_facts(const struct profile *profile, uint32_t series, struct rows *rows)
{
    SCOPED(text_done) struct text facts = {0};
    SCOPED(text_done) struct text note = {0};
    struct scan scan;
    struct slice line = {0};

    summary_add_facts(&facts, profile, series);
    for (scan = scan_of(text_slice(&facts)); scan_line(&scan, &line);) {
        text_add_string(&note, note.length ? "; " : "");
        text_add(&note, slice_trim(line));
    }
    *vec_add(&rows->notes) = arena_copy(&rows->arena, text_slice(&note));
}

void notes_add_other_events(const struct profile *profile, uint32_t shown, struct rows *rows)
{
    SCOPED(text_done) struct text note = {0};

    for (uint32_t i = 0; i < profile->series.count; i++) {
        if (i == shown)
            continue;
        text_add_string(&note, note.length ? ", --event " : "recorded too: --event ");
        text_add_terminal(&note, profile_text(profile, profile->series.items[i].event));
    }
    if (note.length > 0)
        *vec_add(&rows->notes) = arena_copy(&rows->arena, text_slice(&note));
}
