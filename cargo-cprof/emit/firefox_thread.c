#include "emit/firefox_thread.h"

#include <stdlib.h>

#include "base/memory.h"

enum { RESOURCE_LIBRARY = 1 };

/* --- Gathering ----------------------------------------------------------------------------------- */

static uint32_t string_of(struct firefox_thread *thread, uint32_t string)
{
    return pair_index_add(&thread->strings, string, 0);
}

static uint32_t module_of(const struct firefox_thread *thread, uint32_t location)
{
    return thread->profile->locations.items[location].module;
}

/* To the front-end a function with a file and one of the same name without are two. */
static uint64_t file_and_module(const struct firefox_thread *thread, const struct profile_frame *frame,
                                uint32_t module)
{
    return (uint64_t)function_file(thread->files, frame, module) << 32 | module;
}

static void add_function(struct firefox_thread *thread, uint32_t location, const struct profile_frame *frame)
{
    uint32_t module = module_of(thread, location);
    uint32_t file = function_file(thread->files, frame, module);
    size_t known = thread->functions.pairs.count;

    if (pair_index_add(&thread->functions, frame->function, file_and_module(thread, frame, module)) < known)
        return;
    string_of(thread, thread->profile->functions.items[frame->function].name);
    if (file != PROFILE_NO_STRING)
        string_of(thread, file);
    if (module == PROFILE_NONE)
        return;
    pair_index_add(&thread->resources, module, 0);
    string_of(thread, thread->profile->modules.items[module].path);
}

/* The calls at the stack's location, outermost first, on top of its caller's. */
static void add_stack(struct firefox_thread *thread, uint32_t stack)
{
    const struct profile *profile = thread->profile;
    const struct profile_stack *of = &profile->stacks.items[stack];
    const struct profile_location *location = &profile->locations.items[of->location];
    uint32_t prefix = of->parent == PROFILE_NONE ? PROFILE_NONE : thread->stack_places[of->parent];

    for (uint32_t i = location->frame_count; i-- > 0;) {
        uint32_t frame = location->first_frame + i;

        add_function(thread, of->location, &profile->frames.items[frame]);
        *vec_add(&thread->stacks) =
            (struct firefox_stack){prefix, pair_index_add(&thread->frames, frame, of->location)};
        prefix = (uint32_t)thread->stacks.count - 1;
    }
    thread->stack_places[stack] = prefix;
}

void firefox_thread_init(struct firefox_thread *thread, const struct profile *profile,
                         const struct function_files *files, const bool *used)
{
    *thread = (struct firefox_thread){
        .profile = profile,
        .files = files,
        .stack_places = memory_new(profile->stacks.count + 1, sizeof(uint32_t)),
    };
    /* A caller's stack has a smaller id. */
    for (uint32_t i = 0; i < profile->stacks.count; i++)
        if (used[i])
            add_stack(thread, i);
}

void firefox_thread_done(struct firefox_thread *thread)
{
    free(thread->stack_places);
    vec_done(&thread->stacks);
    pair_index_done(&thread->frames);
    pair_index_done(&thread->functions);
    pair_index_done(&thread->resources);
    pair_index_done(&thread->strings);
}

/* --- Columns ------------------------------------------------------------------------------------- */

/* What stands at one place of a column. */
typedef void put_cell(const struct firefox_thread *thread, struct json_out *out, size_t place);

static void put_column(const struct firefox_thread *thread, struct json_out *out, const char *key,
                       size_t count, put_cell *put)
{
    json_put_key(out, key);
    json_begin_array(out);
    for (size_t i = 0; i < count; i++)
        put(thread, out, i);
    json_end_array(out);
}

static void put_null(const struct firefox_thread *thread, struct json_out *out, size_t place)
{
    (void)thread;
    (void)place;
    json_put_null(out);
}

static void put_zero(const struct firefox_thread *thread, struct json_out *out, size_t place)
{
    (void)thread;
    (void)place;
    json_put_u64(out, 0);
}

static void put_false(const struct firefox_thread *thread, struct json_out *out, size_t place)
{
    (void)thread;
    (void)place;
    json_put_bool(out, false);
}

static void begin_table(struct json_out *out, const char *key, size_t length)
{
    json_put_key(out, key);
    json_begin_object(out);
    json_put_key(out, "length");
    json_put_u64(out, length);
}

/* A place in a table whose entries are all there. */
static uint32_t place_in(const struct pair_index *index, uint64_t first, uint64_t second)
{
    return pair_index_find(index, first, second);
}

/* --- Frames -------------------------------------------------------------------------------------- */

static const struct profile_frame *frame_at(const struct firefox_thread *thread, size_t place)
{
    return &thread->profile->frames.items[thread->frames.pairs.items[place].first];
}

static const struct profile_location *location_at(const struct firefox_thread *thread, size_t place)
{
    return &thread->profile->locations.items[thread->frames.pairs.items[place].second];
}

static void put_address(const struct firefox_thread *thread, struct json_out *out, size_t place)
{
    const struct profile_location *location = location_at(thread, place);

    if (location->module == PROFILE_NONE || location->svma >> 53)
        json_put_i64(out, -1);
    else
        json_put_u64(out, location->svma);
}

/* 0 for the function that has code of its own there, rising with each call inlined. */
static void put_inline_depth(const struct firefox_thread *thread, struct json_out *out, size_t place)
{
    const struct profile_location *location = location_at(thread, place);
    uint64_t frame = thread->frames.pairs.items[place].first;

    json_put_u64(out, location->first_frame + location->frame_count - 1 - frame);
}

static void put_frame_category(const struct firefox_thread *thread, struct json_out *out, size_t place)
{
    json_put_u64(out, thread->profile->functions.items[frame_at(thread, place)->function].category);
}

static void put_frame_function(const struct firefox_thread *thread, struct json_out *out, size_t place)
{
    const struct profile_frame *frame = frame_at(thread, place);
    uint32_t module = location_at(thread, place)->module;

    json_put_u64(out, place_in(&thread->functions, frame->function, file_and_module(thread, frame, module)));
}

static void put_line(const struct firefox_thread *thread, struct json_out *out, size_t place)
{
    uint32_t line = frame_at(thread, place)->line;

    if (line == 0)
        json_put_null(out);
    else
        json_put_u64(out, line);
}

static void put_frames(const struct firefox_thread *thread, struct json_out *out)
{
    size_t count = thread->frames.pairs.count;

    begin_table(out, "frameTable", count);
    put_column(thread, out, "address", count, put_address);
    put_column(thread, out, "inlineDepth", count, put_inline_depth);
    put_column(thread, out, "category", count, put_frame_category);
    put_column(thread, out, "subcategory", count, put_zero);
    put_column(thread, out, "func", count, put_frame_function);
    put_column(thread, out, "nativeSymbol", count, put_null);
    put_column(thread, out, "innerWindowID", count, put_null);
    put_column(thread, out, "implementation", count, put_null);
    put_column(thread, out, "line", count, put_line);
    put_column(thread, out, "column", count, put_null);
    json_end_object(out);
}

/* --- Functions and resources --------------------------------------------------------------------- */

static void put_function_name(const struct firefox_thread *thread, struct json_out *out, size_t place)
{
    uint64_t function = thread->functions.pairs.items[place].first;

    json_put_u64(out, place_in(&thread->strings, thread->profile->functions.items[function].name, 0));
}

static void put_function_resource(const struct firefox_thread *thread, struct json_out *out, size_t place)
{
    uint32_t module = (uint32_t)thread->functions.pairs.items[place].second;

    if (module == PROFILE_NONE)
        json_put_i64(out, -1);
    else
        json_put_u64(out, place_in(&thread->resources, module, 0));
}

static void put_function_file(const struct firefox_thread *thread, struct json_out *out, size_t place)
{
    uint64_t file = thread->functions.pairs.items[place].second >> 32;

    if (file == PROFILE_NO_STRING)
        json_put_null(out);
    else
        json_put_u64(out, place_in(&thread->strings, file, 0));
}

static void put_functions(const struct firefox_thread *thread, struct json_out *out)
{
    size_t count = thread->functions.pairs.count;

    begin_table(out, "funcTable", count);
    put_column(thread, out, "name", count, put_function_name);
    put_column(thread, out, "isJS", count, put_false);
    put_column(thread, out, "relevantForJS", count, put_false);
    put_column(thread, out, "resource", count, put_function_resource);
    put_column(thread, out, "fileName", count, put_function_file);
    put_column(thread, out, "lineNumber", count, put_null);
    put_column(thread, out, "columnNumber", count, put_null);
    json_end_object(out);
}

static void put_resource_library(const struct firefox_thread *thread, struct json_out *out, size_t place)
{
    /* The document lists all modules, in the profile's order. */
    json_put_u64(out, thread->resources.pairs.items[place].first);
}

static void put_resource_name(const struct firefox_thread *thread, struct json_out *out, size_t place)
{
    uint64_t module = thread->resources.pairs.items[place].first;

    json_put_u64(out, place_in(&thread->strings, thread->profile->modules.items[module].path, 0));
}

static void put_resource_type(const struct firefox_thread *thread, struct json_out *out, size_t place)
{
    (void)thread;
    (void)place;
    json_put_u64(out, RESOURCE_LIBRARY);
}

static void put_resources(const struct firefox_thread *thread, struct json_out *out)
{
    size_t count = thread->resources.pairs.count;

    begin_table(out, "nativeSymbols", 0);
    put_column(thread, out, "address", 0, put_null);
    put_column(thread, out, "functionSize", 0, put_null);
    put_column(thread, out, "libIndex", 0, put_null);
    put_column(thread, out, "name", 0, put_null);
    json_end_object(out);
    begin_table(out, "resourceTable", count);
    put_column(thread, out, "lib", count, put_resource_library);
    put_column(thread, out, "name", count, put_resource_name);
    put_column(thread, out, "host", count, put_null);
    put_column(thread, out, "type", count, put_resource_type);
    json_end_object(out);
}

/* --- Stacks and strings -------------------------------------------------------------------------- */

static void put_prefix(const struct firefox_thread *thread, struct json_out *out, size_t place)
{
    uint32_t prefix = thread->stacks.items[place].prefix;

    if (prefix == PROFILE_NONE)
        json_put_null(out);
    else
        json_put_u64(out, prefix);
}

static void put_stack_frame(const struct firefox_thread *thread, struct json_out *out, size_t place)
{
    json_put_u64(out, thread->stacks.items[place].frame);
}

static void put_stack_category(const struct firefox_thread *thread, struct json_out *out, size_t place)
{
    put_frame_category(thread, out, thread->stacks.items[place].frame);
}

static void put_stacks(const struct firefox_thread *thread, struct json_out *out)
{
    size_t count = thread->stacks.count;

    begin_table(out, "stackTable", count);
    put_column(thread, out, "prefix", count, put_prefix);
    put_column(thread, out, "frame", count, put_stack_frame);
    put_column(thread, out, "category", count, put_stack_category);
    put_column(thread, out, "subcategory", count, put_zero);
    json_end_object(out);
}

static void put_string(const struct firefox_thread *thread, struct json_out *out, size_t place)
{
    uint32_t string = (uint32_t)thread->strings.pairs.items[place].first;

    json_put_string(out, profile_text(thread->profile, string));
}

void firefox_thread_put_tables(const struct firefox_thread *thread, struct json_out *out)
{
    put_frames(thread, out);
    put_functions(thread, out);
    put_resources(thread, out);
    put_stacks(thread, out);
    put_column(thread, out, "stringArray", thread->strings.pairs.count, put_string);
}
