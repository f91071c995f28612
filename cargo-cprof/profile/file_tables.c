#include "profile/file_tables.h"

#include "profile/file_columns.h"

/* --- Facts --------------------------------------------------------------------------------------- */

void file_write_facts(const struct profile *profile, struct text *out)
{
    text_add_uleb128(out, profile->command);
    text_add_uleb128(out, profile->wall_ns);
    text_add_uleb128(out, profile->cpu_ns);
    text_add_uleb128(out, profile->started_unix_ns);
    text_add_uleb128(out, profile->is_part);
    text_add_uleb128(out, profile->run_delay_ns);
    text_add_uleb128(out, profile->user_ns);
    text_add_uleb128(out, profile->why_no_calls);
    text_add_uleb128(out, profile->run_count);
    text_add_uleb128(out, profile->started_ns);
    text_add_uleb128(out, profile->unwatched);
    text_add_uleb128(out, profile->disk_bytes + 1); /* 0: unknown */
    text_add_uleb128(out, profile->ready_ns);
}

bool file_read_facts(struct bytes *bytes, struct profile *profile)
{
    profile->command = file_read_string(bytes, profile);
    profile->wall_ns = bytes_uleb128(bytes);
    profile->cpu_ns = bytes_uleb128(bytes);
    profile->started_unix_ns = bytes_uleb128(bytes);
    /* The first writers of this version did not tell these. */
    profile->is_part = bytes_left(bytes) > 0 && bytes_uleb128(bytes) != 0;
    if (bytes_left(bytes) > 0)
        profile->run_delay_ns = bytes_uleb128(bytes);
    if (bytes_left(bytes) > 0)
        profile->user_ns = bytes_uleb128(bytes);
    if (bytes_left(bytes) > 0)
        profile->why_no_calls = file_read_string(bytes, profile);
    if (bytes_left(bytes) > 0)
        profile->run_count = file_read_below(bytes, UINT32_MAX);
    if (bytes_left(bytes) > 0)
        profile->started_ns = bytes_uleb128(bytes);
    if (bytes_left(bytes) > 0)
        profile->unwatched = file_read_string(bytes, profile);
    if (bytes_left(bytes) > 0)
        profile->disk_bytes = bytes_uleb128(bytes) - 1;
    if (bytes_left(bytes) > 0)
        profile->ready_ns = bytes_uleb128(bytes);
    /* A later writer of this version may know more of them. */
    return !bytes->failed;
}

/* --- Strings ------------------------------------------------------------------------------------- */

void file_write_strings(const struct profile *profile, struct text *out)
{
    size_t count = profile->strings.entries.count;

    text_add_uleb128(out, count);
    for (uint32_t i = 0; i < count; i++)
        text_add_uleb128(out, profile_text(profile, i).length);
    for (uint32_t i = 0; i < count; i++)
        text_add(out, profile_text(profile, i));
}

bool file_read_strings(struct bytes *bytes, struct profile *profile)
{
    size_t count = 0;
    struct bytes lengths;

    if (!file_read_count(bytes, &count) || count == 0)
        return false;
    lengths = *bytes;
    for (size_t i = 0; i < count; i++)
        bytes_uleb128(bytes);
    for (size_t i = 0; i < count; i++) {
        struct slice text = bytes_take(bytes, bytes_uleb128(&lengths));

        /* The same string twice would be one: the ids behind it would be others. */
        if (bytes->failed || profile_string(profile, text) != i)
            return false;
    }
    return file_is_at_end(bytes);
}

/* --- Modules, functions, threads ----------------------------------------------------------------- */

void file_write_modules(const struct profile *profile, struct text *out)
{
    text_add_uleb128(out, profile->modules.count);
    for (size_t i = 0; i < profile->modules.count; i++) {
        const struct profile_module *module = &profile->modules.items[i];

        text_add_uleb128(out, module->kind);
        text_add_uleb128(out, module->path);
        text_add_uleb128(out, module->build_id);
    }
}

bool file_read_modules(struct bytes *bytes, struct profile *profile)
{
    size_t count = 0;

    if (!file_read_count(bytes, &count))
        return false;
    for (size_t i = 0; i < count && !bytes->failed; i++) {
        struct profile_module module = {.kind = file_read_below(bytes, MODULE_KIND_COUNT)};

        module.path = file_read_string(bytes, profile);
        module.build_id = file_read_string(bytes, profile);
        *vec_add(&profile->modules) = module;
    }
    return file_is_at_end(bytes);
}

void file_write_functions(const struct profile *profile, struct text *out)
{
    text_add_uleb128(out, profile->functions.count);
    for (size_t i = 0; i < profile->functions.count; i++) {
        const struct profile_function *function = &profile->functions.items[i];

        text_add_uleb128(out, function->name);
        text_add_uleb128(out, function->crate);
        text_add_uleb128(out, function->category);
        text_add_uleb128(out, function->why_unnamed);
    }
}

bool file_read_functions(struct bytes *bytes, struct profile *profile)
{
    size_t count = 0;

    if (!file_read_count(bytes, &count))
        return false;
    for (size_t i = 0; i < count; i++) {
        struct profile_function function = {.name = file_read_string(bytes, profile)};

        function.crate = file_read_string(bytes, profile);
        function.category = file_read_below(bytes, CATEGORY_COUNT);
        function.why_unnamed = file_read_string(bytes, profile);
        if (bytes->failed || profile_function(profile, function) != i)
            return false;
    }
    return file_is_at_end(bytes);
}

void file_write_threads(const struct profile *profile, struct text *out)
{
    text_add_uleb128(out, profile->threads.count);
    for (size_t i = 0; i < profile->threads.count; i++) {
        const struct profile_thread *thread = &profile->threads.items[i];

        text_add_uleb128(out, thread->pid);
        text_add_uleb128(out, thread->tid);
        text_add_uleb128(out, thread->name);
        text_add_uleb128(out, thread->process_name);
    }
}

bool file_read_threads(struct bytes *bytes, struct profile *profile)
{
    size_t count = 0;

    if (!file_read_count(bytes, &count))
        return false;
    for (size_t i = 0; i < count && !bytes->failed; i++) {
        struct profile_thread thread = {.pid = file_read_below(bytes, (size_t)UINT32_MAX + 1)};

        thread.tid = file_read_below(bytes, (size_t)UINT32_MAX + 1);
        thread.name = file_read_string(bytes, profile);
        thread.process_name = file_read_string(bytes, profile);
        *vec_add(&profile->threads) = thread;
    }
    return file_is_at_end(bytes);
}

/* Whether a thread is of another run than the first. */
static bool tells_runs(const struct profile *profile)
{
    for (size_t i = 0; i < profile->threads.count; i++)
        if (profile->threads.items[i].run > 0)
            return true;
    return false;
}

void file_write_runs(const struct profile *profile, struct text *out)
{
    size_t end = 0;

    for (size_t i = 0; tells_runs(profile) && i < profile->threads.count; i = end) {
        for (end = i; end < profile->threads.count; end++)
            if (profile->threads.items[end].run != profile->threads.items[i].run)
                break;
        text_add_uleb128(out, profile->threads.items[i].run);
        text_add_uleb128(out, end - i);
    }
}

bool file_read_runs(struct bytes *bytes, struct profile *profile)
{
    size_t at = 0;

    while (at < profile->threads.count && !bytes->failed) {
        uint32_t run = file_read_below(bytes, (size_t)UINT32_MAX + 1);
        uint64_t count = bytes_uleb128(bytes);

        if (count == 0 || count > profile->threads.count - at)
            return false;
        for (size_t end = at + count; at < end; at++)
            profile->threads.items[at].run = run;
    }
    return file_is_at_end(bytes);
}

/* --- Locations and stacks ------------------------------------------------------------------------ */

static void write_frames(const struct profile *profile, struct text *out)
{
    uint32_t line = 0;

    for (size_t i = 0; i < profile->locations.count; i++) {
        const struct profile_location *location = &profile->locations.items[i];

        for (uint32_t at = 0; at < location->frame_count; at++) {
            const struct profile_frame *frame = &profile->frames.items[location->first_frame + at];

            text_add_uleb128(out, (uint64_t)frame->function << 1 | frame->is_inlined);
            text_add_uleb128(out, frame->file);
            file_add_signed(out, frame->line, line);
            line = frame->line;
        }
    }
}

void file_write_locations(const struct profile *profile, struct text *out)
{
    uint64_t svma = 0;

    text_add_uleb128(out, profile->locations.count);
    for (size_t i = 0; i < profile->locations.count; i++) {
        const struct profile_location *location = &profile->locations.items[i];

        text_add_uleb128(out, location->module + 1);
        text_add_uleb128(out, location->frame_count);
        file_add_signed(out, location->svma >> 32, svma >> 32);
        file_add_signed(out, (uint32_t)location->svma, (uint32_t)svma);
        svma = location->svma;
    }
    write_frames(profile, out);
}

/* The frames of one location; `line` is that of the frame before. */
static bool read_frames(struct bytes *bytes, struct profile *profile, uint32_t location, uint32_t count,
                        uint64_t *line)
{
    size_t first = profile->frames.count;

    for (uint32_t i = 0; i < count; i++) {
        uint64_t function = bytes_uleb128(bytes);
        struct profile_frame frame = {.function = (uint32_t)(function >> 1), .is_inlined = function & 1};

        frame.file = file_read_string(bytes, profile);
        *line = file_read_signed(bytes, *line);
        frame.line = (uint32_t)*line;
        if (bytes->failed || function >> 1 >= profile->functions.count || *line > UINT32_MAX)
            return false;
        *vec_add(&profile->frames) = frame;
    }
    profile->locations.items[location].first_frame = (uint32_t)first;
    profile->locations.items[location].frame_count = count;
    return true;
}

bool file_read_locations(struct bytes *bytes, struct profile *profile)
{
    size_t count = 0;
    uint64_t high = 0;
    uint64_t low = 0;
    uint64_t line = 0;
    VEC(uint32_t) frame_counts = {0};
    bool is_good = file_read_count(bytes, &count);

    for (size_t i = 0; is_good && i < count; i++) {
        uint32_t module = file_read_optional(bytes, profile->modules.count);

        *vec_add(&frame_counts) = file_read_below(bytes, bytes_left(bytes));
        high = file_read_signed(bytes, high);
        low = file_read_signed(bytes, low);
        is_good = !bytes->failed && high <= UINT32_MAX && low <= UINT32_MAX &&
                  profile_location(profile, module, high << 32 | low) == i;
    }
    for (size_t i = 0; is_good && i < count; i++)
        is_good = read_frames(bytes, profile, (uint32_t)i, frame_counts.items[i], &line);
    vec_done(&frame_counts);
    return is_good && file_is_at_end(bytes);
}

/* Frames are counted as write_frames writes them, which need not be how they lie in the profile. */
void file_write_futures(const struct profile *profile, struct text *out)
{
    SCOPED(text_done) struct text steps = {0};
    size_t count = 0;
    uint64_t at = 0;
    uint64_t last = 0;

    for (size_t i = 0; i < profile->locations.count; i++) {
        const struct profile_location *location = &profile->locations.items[i];

        for (uint32_t frame = 0; frame < location->frame_count; frame++, at++) {
            if (!profile->frames.items[location->first_frame + frame].is_future)
                continue;
            text_add_uleb128(&steps, at - last);
            last = at;
            count++;
        }
    }
    text_add_uleb128(out, count);
    text_add(out, text_slice(&steps));
}

bool file_read_futures(struct bytes *bytes, struct profile *profile)
{
    size_t count = 0;
    uint64_t at = 0;

    if (!file_read_count(bytes, &count))
        return false;
    for (size_t i = 0; i < count; i++) {
        uint64_t step = bytes_uleb128(bytes);

        if (bytes->failed || step >= profile->frames.count - at || (i > 0 && step == 0))
            return false;
        at += step;
        profile->frames.items[at].is_future = true;
    }
    return file_is_at_end(bytes);
}

void file_write_stacks(const struct profile *profile, struct text *out)
{
    uint32_t location = 0;

    text_add_uleb128(out, profile->stacks.count);
    for (uint32_t i = 0; i < profile->stacks.count; i++) {
        uint32_t parent = profile->stacks.items[i].parent;

        text_add_uleb128(out, parent == PROFILE_NONE ? 0 : i - parent);
    }
    for (uint32_t i = 0; i < profile->stacks.count; i++) {
        file_add_signed(out, profile->stacks.items[i].location, location);
        location = profile->stacks.items[i].location;
    }
}

bool file_read_stacks(struct bytes *bytes, struct profile *profile)
{
    size_t count = 0;
    struct bytes parents;
    uint64_t location = 0;

    if (!file_read_count(bytes, &count))
        return false;
    parents = *bytes;
    for (size_t i = 0; i < count; i++)
        bytes_uleb128(bytes);
    for (size_t i = 0; i < count; i++) {
        uint64_t distance = bytes_uleb128(&parents);
        uint32_t parent = distance == 0 ? PROFILE_NONE : (uint32_t)(i - distance);

        location = file_read_signed(bytes, location);
        if (bytes->failed || distance > i || location >= profile->locations.count ||
            profile_stack(profile, parent, (uint32_t)location) != i)
            return false;
    }
    return file_is_at_end(bytes);
}
