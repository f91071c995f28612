#include "profile_builder.h"

#include <stdlib.h>
#include <string.h>

#include "base/scan.h"

static const struct {
    const char *word;
    enum category category;
} categories[] = {{"own ", CATEGORY_OWN},
                  {"dep ", CATEGORY_DEPENDENCY},
                  {"std ", CATEGORY_STD},
                  {"kernel ", CATEGORY_KERNEL},
                  {"c ", CATEGORY_OTHER}};

static uint32_t function_of(struct profile *profile, struct slice text)
{
    struct profile_function function = {.category = CATEGORY_UNKNOWN};

    for (size_t i = 0; i < ARRAY_COUNT(categories); i++) {
        struct slice word = slice_of(categories[i].word);
        size_t space = 0;

        if (!slice_starts_with(text, word))
            continue;
        text = slice_range(text, word.length, text.length);
        space = slice_find_byte(text, ' ');
        function.crate = profile_string(profile, slice_range(text, 0, space));
        function.category = categories[i].category;
        text = slice_range(text, space + 1, text.length);
        break;
    }
    function.name = profile_string(profile, text);
    if (function.category == CATEGORY_UNKNOWN && slice_starts_with(text, SLICE("[")))
        function.why_unnamed = profile_string(profile, SLICE("no symbol covers it"));
    return profile_function(profile, function);
}

/* The part of `text` up to `separator`, taken from it. */
static struct slice part(struct slice *text, char separator)
{
    size_t end = 0;
    struct slice taken = {0};

    /* Separators stand between spaces, so that names may hold the bytes themselves. */
    while (end < text->length && !(text->data[end] == separator && end > 0 && text->data[end - 1] == ' ' &&
                                   end + 1 < text->length && text->data[end + 1] == ' '))
        end++;
    taken = slice_trim(slice_range(*text, 0, end));
    *text = slice_range(*text, end + 1, text->length);
    return taken;
}

/* Whether the text begins with the word, which is then taken from it. */
static bool take_word(struct slice *text, struct slice word)
{
    if (!slice_starts_with(*text, word))
        return false;
    *text = slice_range(*text, word.length, text->length);
    return true;
}

static uint32_t location_of(struct profile *profile, struct slice call)
{
    uint32_t id = profile_location(profile, 0, 0x1000 + 0x10 * (uint64_t)profile_string(profile, call));
    enum { INLINED_MOST = 64 };
    struct profile_frame frames[INLINED_MOST] = {0};
    uint32_t count = 0;

    if (profile->locations.items[id].frame_count > 0)
        return id;
    while (call.length > 0 && count < INLINED_MOST) {
        struct slice text = part(&call, '+');
        bool is_future = take_word(&text, SLICE("async "));
        bool is_bare = take_word(&text, SLICE("bare "));
        uint32_t function = function_of(profile, text);

        /* Written outermost first, kept innermost first. */
        for (uint32_t i = count++; i > 0; i--)
            frames[i] = frames[i - 1];
        frames[0] = (struct profile_frame){
            .function = function,
            .file = profile_string(profile, is_bare ? SLICE("") : SLICE("src/lib.rs")),
            .line = is_bare ? 0 : 7,
            .is_future = is_future,
        };
    }
    for (uint32_t i = 0; i + 1 < count; i++)
        frames[i].is_inlined = true;
    profile_set_frames(profile, id, frames, count);
    return id;
}

void profile_builder_init(struct profile *profile)
{
    profile_init(profile);
    profile_add_module(profile, MODULE_EXECUTABLE, SLICE("target/profiling/app"), SLICE(""));
    profile_add_thread(profile, 100, 100, SLICE("app"));
    profile_add_series(profile, SLICE("cpu-clock"), SLICE("ns"), 1000);
}

void profile_builder_finish(struct profile *profile)
{
    struct error err = {0};

    if (profile_finish(profile, &err) < 0)
        abort();
}

static void add_samples(struct profile *profile, uint32_t thread, struct slice path, uint64_t count)
{
    struct profile_sample sample = {.value = 1000000, .thread = thread, .stack = PROFILE_NONE};
    enum stack_end end = path.length > 0 ? STACK_COMPLETE : STACK_NO_USER;

    while (path.length > 0)
        sample.stack = profile_stack(profile, sample.stack, location_of(profile, part(&path, '>')));
    for (uint64_t i = 0; i < count; i++) {
        sample.time_ns = (profile->series.items[0].samples.count + 1) * 1000000;
        profile_add_sample(profile, 0, sample);
    }
    profile->series.items[0].ended_counts[end] += count;
}

void profile_builder_add(struct profile *profile, uint32_t thread, struct slice path, uint64_t count)
{
    add_samples(profile, thread, path, count);
    profile_builder_finish(profile);
}

void profile_builder_set_library(struct profile *profile, struct slice name)
{
    uint32_t module = profile_add_module(profile, MODULE_LIBRARY, name, SLICE(""));

    for (size_t i = 0; i < profile->locations.count; i++) {
        struct profile_location *location = &profile->locations.items[i];
        uint32_t function = profile->frames.items[location->first_frame].function;

        if (slice_equal(profile_text(profile, profile->functions.items[function].crate), name))
            location->module = module;
    }
}

static uint32_t thread_of(struct profile *profile, struct slice name)
{
    for (uint32_t i = 0; i < profile->threads.count; i++)
        if (slice_equal(profile_text(profile, profile->threads.items[i].name), name))
            return i;
    return profile_add_thread(profile, 100, 100 + (uint32_t)profile->threads.count, name);
}

bool profile_builder_add_lines(struct profile *profile, struct slice lines)
{
    struct scan scan = scan_of(lines);
    struct slice line = {0};

    while (scan_line(&scan, &line)) {
        bool is_time = take_word(&line, SLICE("time|"));
        bool is_disk = take_word(&line, SLICE("disk|"));
        struct scan rest = scan_of(line);
        uint64_t count = 0;
        struct slice thread = {0};

        if (scan_peek(&rest) == '#')
            continue;
        if (is_time && scan_decimal(&rest, &profile->wall_ns) && scan_byte(&rest, '|') &&
            scan_decimal(&rest, &profile->cpu_ns) && scan_at_end(&rest))
            continue;
        if (is_disk && scan_decimal(&rest, &profile->disk_bytes) && scan_at_end(&rest)) {
            profile->run_count = 1;
            continue;
        }
        if (!scan_decimal(&rest, &count) || !scan_byte(&rest, '|') || !scan_until(&rest, '|', &thread))
            return false;
        add_samples(profile, thread_of(profile, thread), rest.rest, count);
    }
    profile_builder_finish(profile);
    return true;
}
