/* A profile file of any bytes; then one with the input in its tables. What is accepted is drawn, written and
 * read again.
 */
#include <stdlib.h>

#include "drawn_profile.h"
#include "framed_profile.h"
#include "profile/profile_file.h"

/* Whether all samples can be unpacked, and are as many as was said. */
static bool walk(const struct profile *profile)
{
    bool is_good = true;

    for (uint32_t i = 0; i < profile->series.count; i++) {
        struct sample_cursor cursor = sample_cursor_of(&profile->series.items[i].samples);
        struct profile_sample sample;
        uint64_t count = 0;

        for (; sample_cursor_next(&cursor, &sample); count++)
            if (sample.thread >= profile->threads.count ||
                (sample.stack != PROFILE_NONE && sample.stack >= profile->stacks.count))
                abort();
        if (!cursor.is_damaged && count != profile->series.items[i].samples.count)
            abort();
        is_good = is_good && !cursor.is_damaged;
        sample_cursor_done(&cursor);
    }
    return is_good;
}

static void use(struct profile *profile)
{
    SCOPED(text_done) struct text file = {0};
    struct profile again;
    struct error err = {0};

    drawn_profile_make(profile);
    if (!walk(profile))
        return;
    if (profile_file_write(profile, sink_of_text(&file), &err) < 0 ||
        profile_file_read(&file, &again, &err) < 0)
        abort();
    profile_done(&again);
}

static void see(struct slice file)
{
    SCOPED(text_done) struct text copy = {0};
    struct profile profile;
    struct error err = {0};

    text_add(&copy, file);
    if (profile_file_read(&copy, &profile, &err) == 0) {
        use(&profile);
        profile_done(&profile);
    } else if (err.kind != ERROR_FORMAT || !err.message[0]) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    SCOPED(text_done) struct text file = {0};
    struct slice input = {(const char *)data, size};

    see(input);
    framed_profile_add(&file, input);
    see(text_slice(&file));
    return 0;
}
