#include "diffed/other_events.h"

#include "base/text.h"

static struct slice event_of(const struct profile *profile, uint32_t series)
{
    return profile_text(profile, profile->series.items[series].event);
}

static bool has_event(const struct profile *profile, struct slice event)
{
    for (uint32_t i = 0; i < profile->series.count; i++)
        if (slice_equal(event_of(profile, i), event))
            return true;
    return false;
}

const char *other_events_note(struct arena *arena, const struct joined_part parts[JOINED_SIDES],
                              const char *option)
{
    const struct joined_part *after = &parts[JOINED_AFTER];
    SCOPED(text_done) struct text note = {0};
    bool has_others = false;

    text_add_terminal(&note, event_of(after->profile, after->series));
    text_format(&note, " is compared; %s names another: ", option);
    for (uint32_t i = 0; i < after->profile->series.count; i++) {
        struct slice event = event_of(after->profile, i);

        if (i == after->series || !has_event(parts[JOINED_BEFORE].profile, event))
            continue;
        text_add_string(&note, has_others ? ", " : "");
        text_add_terminal(&note, event);
        has_others = true;
    }
    return has_others ? arena_format(arena, "%s", text_string(&note)) : NULL;
}
