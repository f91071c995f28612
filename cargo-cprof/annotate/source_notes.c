#include "annotate/source_notes.h"

#include "base/file.h"

static void note(struct rows *rows, const char *text)
{
    *vec_add(&rows->notes) = text;
}

/* When the program was written, or 0. */
static uint64_t built_unix_ns(const struct profile *profile, uint32_t module)
{
    return module == PROFILE_NONE
               ? 0
               : file_changed_unix_ns(profile_text(profile, profile->modules.items[module].path).data);
}

void source_notes_add_change(const struct profile *profile, const struct noted_source *noted,
                             struct rows *rows)
{
    const struct source_text *source = noted->source;
    uint64_t built = built_unix_ns(profile, noted->module);
    bool after_build = built > 0 && source->changed_unix_ns > built;

    if (noted->last_line > source->lines.count)
        note(rows, arena_format(&rows->arena, "%.*s is not what the program was built from: it has %zu lines",
                                SLICE_ARGUMENTS(noted->name), source->lines.count));
    else if (after_build ||
             (profile->started_unix_ns > 0 && source->changed_unix_ns > profile->started_unix_ns))
        note(rows, arena_format(&rows->arena,
                                "%.*s was written to after the program was %s: what stands beside a line may "
                                "be of another one",
                                SLICE_ARGUMENTS(noted->name), after_build ? "built" : "recorded"));
}

void source_notes_add(struct source_notes *notes, const struct profile *profile,
                      const struct noted_source *noted, struct rows *rows)
{
    const struct source_text *source = noted->source;
    const struct error *problem = &source->problem;

    if (problem->kind == ERROR_NONE) {
        source_notes_add_change(profile, noted, rows);
        return;
    }
    if (!source->is_rusts || !notes->is_rusts_told)
        note(rows,
             arena_format(&rows->arena, "no source of %.*s: %s%s%s",
                          SLICE_ARGUMENTS(source->is_rusts ? SLICE("Rust's own libraries") : noted->name),
                          problem->message, problem->hint[0] ? "; " : "", problem->hint));
    notes->is_rusts_told = notes->is_rusts_told || source->is_rusts;
}
