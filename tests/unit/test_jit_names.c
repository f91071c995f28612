/* Names by time, in the stacks of a profile. */
#include "cmocka_all.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file.h"
#include "jit_dump_builder.h"
#include "symbolize/jit/names.h"
#include "symbolize/symbolize.h"

struct fixture {
    struct profile profile;
    struct jit_dump_builder builder;
    struct jit_dumps dumps;
    struct jit_names names;
    uint32_t module;
    uint32_t thread;
};

static void set_up(struct fixture *f, uint64_t flags)
{
    *f = (struct fixture){0};
    profile_init(&f->profile);
    jit_dump_builder_init(&f->builder, false, flags);
    f->module = profile_add_module(&f->profile, MODULE_JIT, SLICE("/tmp/perf-7.map"), SLICE(""));
    f->thread = profile_add_thread(&f->profile, 7, 7, SLICE("t"));
    (void)profile_add_series(&f->profile, SLICE("cpu-clock"), SLICE("ns"), 0);
    (void)profile_add_series(&f->profile, SLICE("page-faults"), SLICE("page-faults"), 0);
}

static void fixture_done(struct fixture *f)
{
    jit_names_done(&f->names);
    jit_dumps_done(&f->dumps);
    jit_dump_builder_done(&f->builder);
    profile_done(&f->profile);
}

static uint32_t stack(struct fixture *f, uint32_t parent, uint32_t module, uint64_t avma)
{
    return profile_stack(&f->profile, parent, profile_location(&f->profile, module, avma));
}

static void add_sample(struct fixture *f, uint32_t series, uint64_t time_ns, uint32_t in_stack)
{
    profile_add_sample(
        &f->profile, series,
        (struct profile_sample){.time_ns = time_ns, .value = 1, .thread = f->thread, .stack = in_stack});
}

/* The bytes that were built so far, as a file that the process of the module has. */
static void add_dump(struct fixture *f, struct jit_dump_use use)
{
    struct jit_dump dump = {.descriptor = memfd_create("jit", MFD_CLOEXEC)};

    assert_true(dump.descriptor >= 0);
    assert_int_equal(file_write(dump.descriptor, text_slice(&f->builder.bytes)), 0);
    text_add_string(&dump.path, "/tmp/jit-7.dump");
    use.dump = (uint32_t)f->dumps.items.count;
    use.next = JIT_DUMPS_NONE;
    *vec_add(&f->dumps.items) = dump;
    *vec_add(&f->dumps.uses) = use;
}

static void find(struct fixture *f)
{
    struct error err = {0};

    assert_int_equal(profile_finish(&f->profile, &err), 0);
    assert_int_equal(jit_names_find(&f->profile, &f->dumps, &f->names, &err), 0);
    symbolize_profile(&f->profile, &(struct symbolize_request){.jit_names = &f->names});
}

/* The names of the calls of all samples of a series, innermost first, samples after each other. */
static const char *told(struct fixture *f, uint32_t series)
{
    static char text[1024];
    SCOPED(sample_cursor_done)
    struct sample_cursor cursor = sample_cursor_of(&f->profile.series.items[series].samples);
    struct profile_sample sample;
    size_t length = 0;

    text[0] = '\0';
    while (sample_cursor_next(&cursor, &sample)) {
        length += (size_t)snprintf(text + length, sizeof(text) - length, "%s", length > 0 ? "|" : "");
        for (uint32_t at = sample.stack; at != PROFILE_NONE; at = f->profile.stacks.items[at].parent) {
            const struct profile_location *location =
                &f->profile.locations.items[f->profile.stacks.items[at].location];
            const struct profile_frame *frame = &f->profile.frames.items[location->first_frame];
            struct slice name = profile_text(&f->profile, f->profile.functions.items[frame->function].name);

            assert_int_equal(location->frame_count, 1);
            length += (size_t)snprintf(text + length, sizeof(text) - length, "%s%.*s",
                                       at == sample.stack ? "" : ",", SLICE_ARGUMENTS(name));
        }
    }
    return text;
}

/* The places of the innermost calls of all samples of the first series. */
static const char *places(struct fixture *f)
{
    static char text[1024];
    SCOPED(sample_cursor_done)
    struct sample_cursor cursor = sample_cursor_of(&f->profile.series.items[0].samples);
    struct profile_sample sample;
    size_t length = 0;

    text[0] = '\0';
    while (sample_cursor_next(&cursor, &sample)) {
        const struct profile_location *location =
            &f->profile.locations.items[f->profile.stacks.items[sample.stack].location];
        const struct profile_frame *frame = &f->profile.frames.items[location->first_frame];

        length += (size_t)snprintf(text + length, sizeof(text) - length, "%s%.*s:%u", length > 0 ? "|" : "",
                                   SLICE_ARGUMENTS(profile_text(&f->profile, frame->file)), frame->line);
    }
    return text;
}

static struct jit_dump_use use_of(const struct fixture *f)
{
    return (struct jit_dump_use){
        .pid = 7, .module = f->module, .told_until_ns = UINT64_MAX, .until_ns = UINT64_MAX};
}

static void each_sample_has_the_names_of_its_time(void **state)
{
    SCOPED(fixture_done) struct fixture f;
    uint32_t other = 0;
    uint32_t outer = 0;
    uint32_t inner = 0;
    size_t location_count = 0;

    (void)state;
    set_up(&f, 0);
    other = stack(&f, PROFILE_NONE, PROFILE_NONE, 0x10);
    outer = stack(&f, other, f.module, 0x1008);
    inner = stack(&f, outer, f.module, 0x2000);
    location_count = f.profile.locations.count;
    jit_dump_add_load(&f.builder, 10, 0x1000, 16, "first");
    jit_dump_add_load(&f.builder, 10, 0x2000, 16, "inner");
    jit_dump_add_load(&f.builder, 20, 0x1000, 16, "second");
    jit_dump_add_load(&f.builder, 30, 0x1000, 16, "first");
    add_dump(&f, use_of(&f));
    add_sample(&f, 0, 5, other);
    add_sample(&f, 0, 9, outer);
    add_sample(&f, 0, 10, outer);
    add_sample(&f, 0, 19, inner);
    add_sample(&f, 0, 20, inner);
    add_sample(&f, 0, 29, PROFILE_NONE);
    add_sample(&f, 0, 30, inner);
    add_sample(&f, 1, 25, outer);
    find(&f);
    assert_string_equal(
        told(&f, 0),
        "[unknown]|[unknown],[unknown]|first,[unknown]|inner,first,[unknown]|inner,second,[unknown]||"
        "inner,first,[unknown]");
    assert_string_equal(told(&f, 1), "second,[unknown]");
    assert_false(f.names.has_newest);
    /* A name that was there before has its location again, and its stack. */
    assert_int_equal(f.profile.locations.count, location_count + 2);
    assert_int_equal(f.profile.series.items[0].samples.sums.count, 6);
}

static void each_sample_has_the_line_of_its_time(void **state)
{
    const struct jit_line_built first[] = {{0x1000, 3, "/a.js"}, {0x1008, 4, "/a.js"}};
    const struct jit_line_built second[] = {{0x1000, 3, "/a.js"}, {0x1004, 9, "file:///b.mjs"}};
    const struct jit_line_built third[] = {{0x1000, 4, "/a.js"}, {0x100f, 0, "\xff"}};
    SCOPED(fixture_done) struct fixture f;
    uint32_t made = 0;
    uint32_t start = 0;
    size_t location_count = 0;

    (void)state;
    set_up(&f, 0);
    start = stack(&f, PROFILE_NONE, f.module, 0x1000);
    made = stack(&f, PROFILE_NONE, f.module, 0x1008);
    location_count = f.profile.locations.count;
    jit_dump_add_lines(&f.builder, 0x1000, first, 2);
    jit_dump_add_load(&f.builder, 10, 0x1000, 16, "f");
    jit_dump_add_lines(&f.builder, 0x1000, second, 2);
    jit_dump_add_load(&f.builder, 20, 0x1000, 16, "f");
    jit_dump_add_load(&f.builder, 30, 0x1000, 16, "f"); /* the lines before are of other code */
    jit_dump_add_lines(&f.builder, 0x1000, third, 2);
    jit_dump_add_load(&f.builder, 40, 0x1000, 16, "f");
    jit_dump_add_lines(&f.builder, 0x1000, third, 2);
    jit_dump_add_load(&f.builder, 50, 0x2000, 16, "elsewhere");
    add_dump(&f, use_of(&f));
    for (uint64_t time_ns = 15; time_ns <= 55; time_ns += 10) {
        add_sample(&f, 0, time_ns, made);
        add_sample(&f, 0, time_ns, start);
    }
    find(&f);
    assert_string_equal(places(&f), "/a.js:4|/a.js:3|/b.mjs:9|/a.js:3|:0|:0|/a.js:4|/a.js:4|/a.js:4|/a.js:4");
    assert_string_equal(told(&f, 0), "f|f|f|f|f|f|f|f|f|f");
    /* As it was before it is again: of one address three, of the other three. */
    assert_int_equal(f.profile.locations.count, location_count + 4);
}

static void code_that_was_moved_has_the_lines_that_it_had(void **state)
{
    const struct jit_line_built lines[] = {{0x9000, 3, "/a.js"}, {0x9008, 4, "\xff"}};
    SCOPED(fixture_done) struct fixture f;

    (void)state;
    set_up(&f, 0);
    jit_dump_add_lines(&f.builder, 0x9000, lines, 2);
    jit_dump_add_load(&f.builder, 10, 0x9000, 16, "f");
    jit_dump_add_move(&f.builder, 20, 0x9000, 0x1000, 16);
    add_dump(&f, use_of(&f));
    add_sample(&f, 0, 30, stack(&f, PROFILE_NONE, f.module, 0x1007));
    add_sample(&f, 0, 30, stack(&f, PROFILE_NONE, f.module, 0x1008));
    find(&f);
    assert_string_equal(places(&f), "/a.js:3|/a.js:4");
}

/* Of f, at 0x1000, and what is told of it: from 0x1000 on, from 0x1004 on and from 0x1008 on. */
static void told_by_v8(struct fixture *f, const char *name, uint32_t column,
                       const struct jit_line_built lines[3])
{
    set_up(f, 0);
    jit_dump_mark_v8(&f->builder);
    jit_dump_add_lines(&f->builder, 0x2000,
                       (struct jit_line_built[]){{0x2040, 5, "/a.js"}, {0x2040, 8, "/a.js"}}, 2);
    jit_dump_add_load(&f->builder, 1, 0x2000, 16, "JS:^f /a.js:4:1");
    jit_dump_add_lines(&f->builder, 0x3000, (struct jit_line_built[]){{0x3040, 7, "/a.js"}}, 1);
    jit_dump_add_load(&f->builder, 2, 0x3000, 16, "JS:^g /a.js:6:1");
    jit_dump_add_lines(&f->builder, 0x4000,
                       (struct jit_line_built[]){{0x4040, 9, "/b.js"}, {0x4040, 8, "/b.js"}}, 2);

    jit_dump_add_load(&f->builder, 3, 0x4000, 16, "JS:^h /b.js:2:1");
    f->builder.column = column;
    jit_dump_add_lines(&f->builder, 0x1000, lines, 3);
    jit_dump_add_load(&f->builder, 10, 0x1000, 16, name);
    add_dump(f, use_of(f));
    for (uint64_t avma = 0x1000; avma < 0x100c; avma += 4)
        add_sample(f, 0, 30, stack(f, PROFILE_NONE, f->module, avma));
    find(f);
}

static void of_v8s_optimized_code_lines_are_told_where_one_script_alone_can_have_them(void **state)
{
    const struct jit_line_built own[] = {{0x1040, 5, "/a.js"}, {0x1044, 7, "/a.js"}, {0x1048, 4, "/a.js"}};
    const struct jit_line_built others[] = {{0x1040, 9, "/a.js"}, {0x1044, 8, "/a.js"}, {0x1048, 3, "/a.js"}};
    static const struct {
        const char *name;
        const char *own;    /* of the function's own, of another function's, of the own one's beginning */
        const char *others; /* of another script's function, of both, of none */
    } codes[] = {
        {"JS:*f /a.js:4:1", "/a.js:5|/a.js:7|/a.js:4", "/b.js:9|:0|:0"},
        {"JS:*'f /a.js:4:1", "/a.js:5|/a.js:7|/a.js:4", "/b.js:9|:0|:0"},
        {"LazyCompile:*f /a.js:4:1", "/a.js:5|/a.js:7|/a.js:4", "/b.js:9|:0|:0"},
        {"JS:+f /a.js:4:1", "/a.js:5|:0|/a.js:4", ":0|:0|:0"},
        {"JS:+'f /a.js:4:1", "/a.js:5|:0|/a.js:4", ":0|:0|:0"},
        /* Addresses are those of bytecode: only the file is known. */
        {"JS:^f /a.js:4:1", "/a.js:0|/a.js:0|/a.js:0", "/a.js:0|/a.js:0|/a.js:0"},
        /* Not of these compilers. */
        {"f /a.js:4:1", "/a.js:5|/a.js:7|/a.js:4", "/a.js:9|/a.js:8|/a.js:3"},
        {"a b:*f", "/a.js:5|/a.js:7|/a.js:4", "/a.js:9|/a.js:8|/a.js:3"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(codes); i++) {
        SCOPED(fixture_done) struct fixture f;
        SCOPED(fixture_done) struct fixture g;

        told_by_v8(&f, codes[i].name, 1, own);
        assert_string_equal(places(&f), codes[i].own);
        told_by_v8(&g, codes[i].name, 1, others);
        assert_string_equal(places(&g), codes[i].others);
        assert_int_equal(g.names.damaged_lines.record_count, 0);
    }
}

static void a_line_is_of_v8s_script_by_its_column_too(void **state)
{
    const struct jit_line_built lines[] = {{0x1040, 5, "/a.js"}, {0x1044, 7, "/a.js"}, {0x1048, 9, "/a.js"}};
    SCOPED(fixture_done) struct fixture f;

    (void)state;
    told_by_v8(&f, "JS:*f /a.js:4:1", 2, lines);
    assert_string_equal(places(&f), ":0|:0|:0");
}

static void damaged_records_of_lines_are_counted_where_code_has_samples(void **state)
{
    const struct jit_line_built outside[] = {{0x1011, 3, "/a.js"}};
    SCOPED(fixture_done) struct fixture f;
    uint32_t made = 0;

    (void)state;
    set_up(&f, 0);
    for (uint64_t time_ns = 10; time_ns <= 20; time_ns += 10) {
        jit_dump_add_lines(&f.builder, 0x1000, outside, 1);
        jit_dump_add_load(&f.builder, time_ns, 0x1000, 16, "f");
    }
    jit_dump_add_lines(&f.builder, 0x2000, outside, 1);
    jit_dump_add_load(&f.builder, 10, 0x2000, 16, "without samples");
    add_dump(&f, use_of(&f));
    made = stack(&f, PROFILE_NONE, f.module, 0x1000);
    for (uint64_t time_ns = 15; time_ns <= 25; time_ns += 5)
        add_sample(&f, 0, time_ns, made);
    find(&f);
    assert_string_equal(places(&f), ":0|:0|:0");
    assert_int_equal(f.names.damaged_lines.record_count, 2);
    assert_int_equal(f.names.damaged_lines.file_count, 1);
    assert_true(slice_is(profile_text(&f.profile, f.names.damaged_lines.path), "/tmp/jit-7.dump"));
}

static void where_nothing_is_used_again_locations_stay(void **state)
{
    SCOPED(fixture_done) struct fixture f;
    uint32_t made = 0;
    size_t module_count = 0;

    (void)state;
    set_up(&f, 0);
    made = stack(&f, PROFILE_NONE, f.module, 0x1000);
    module_count = f.profile.modules.count;
    jit_dump_add_load(&f.builder, 1, 0x1000, 16, "made");
    add_dump(&f, use_of(&f));
    add_sample(&f, 0, 2, made);
    find(&f);
    assert_string_equal(told(&f, 0), "made");
    assert_int_equal(f.profile.locations.count, 1);
    assert_int_equal(f.profile.stacks.count, 1);
    assert_int_equal(f.profile.modules.count, module_count);
    assert_int_equal(f.profile.functions.items[0].category, CATEGORY_OTHER);
}

static void what_ended_or_is_of_others_names_nothing(void **state)
{
    SCOPED(fixture_done) struct fixture f;
    struct jit_dump_use use;
    uint32_t made = 0;

    (void)state;
    set_up(&f, 0);
    made = stack(&f, PROFILE_NONE, f.module, 0x1000);
    jit_dump_add_load(&f.builder, 10, 0x1000, 16, "before");
    f.builder.pid = BUILT_PID + 1;
    jit_dump_add_load(&f.builder, 12, 0x1000, 16, "of a child");
    f.builder.pid = BUILT_PID;
    jit_dump_add_load(&f.builder, 20, 0x1000, 16, "after");
    use = use_of(&f);
    use.told_until_ns = 19;
    use.until_ns = 30;
    add_dump(&f, use);
    use = use_of(&f);
    use.module = PROFILE_NONE;
    add_dump(&f, use);
    for (uint64_t time_ns = 10; time_ns <= 30; time_ns += 5)
        add_sample(&f, 0, time_ns, made);
    find(&f);
    assert_string_equal(told(&f, 0), "before|before|before|before|[unknown]");
}

static void by_another_clock_the_last_name_counts(void **state)
{
    SCOPED(fixture_done) struct fixture f;
    uint32_t made = 0;

    (void)state;
    set_up(&f, 1);
    made = stack(&f, PROFILE_NONE, f.module, 0x1000);
    jit_dump_add_load(&f.builder, 500, 0x1000, 16, "first");
    jit_dump_add_load(&f.builder, 400, 0x1000, 16, "last");
    add_dump(&f, use_of(&f));
    add_sample(&f, 0, 1, made);
    find(&f);
    assert_string_equal(told(&f, 0), "last");
    assert_true(f.names.has_newest);
}

static void why_names_were_not_read_is_said(void **state)
{
    SCOPED(fixture_done) struct fixture f;
    const struct jit_unread *unread = NULL;
    uint32_t made = 0;

    (void)state;
    set_up(&f, 0);
    made = stack(&f, PROFILE_NONE, f.module, 0x1000);
    f.builder.bytes.length = 8;
    add_dump(&f, use_of(&f));
    add_sample(&f, 0, 1, made);
    find(&f);
    assert_string_equal(told(&f, 0), "[unknown]");
    unread = jit_names_unread(&f.names, f.module);
    assert_non_null(unread);
    assert_string_equal(unread->why.message, "/tmp/jit-7.dump: its header is cut");
    assert_null(jit_names_unread(&f.names, f.module + 1));
    assert_true(slice_is(profile_text(&f.profile, f.profile.functions.items[0].crate), "jit-7.dump"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_sample_has_the_names_of_its_time),
        cmocka_unit_test(each_sample_has_the_line_of_its_time),
        cmocka_unit_test(code_that_was_moved_has_the_lines_that_it_had),
        cmocka_unit_test(of_v8s_optimized_code_lines_are_told_where_one_script_alone_can_have_them),
        cmocka_unit_test(a_line_is_of_v8s_script_by_its_column_too),
        cmocka_unit_test(damaged_records_of_lines_are_counted_where_code_has_samples),
        cmocka_unit_test(where_nothing_is_used_again_locations_stay),
        cmocka_unit_test(what_ended_or_is_of_others_names_nothing),
        cmocka_unit_test(by_another_clock_the_last_name_counts),
        cmocka_unit_test(why_names_were_not_read_is_said),
    };

    return cmocka_run_group_tests_name("jit_names", tests, NULL, NULL);
}
