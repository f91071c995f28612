#include "cmocka_all.h"

#include <string.h>

#include "emit/output.h"
#include "profile/file_tables.h"
#include "profile/profile_file.h"
#include "profile_builder.h"

static const char lines[] =
    "3|app|c libc.so.6 _start > own app app::main > own app app::work + std core core::fmt::write\n"
    "2|app|c libc.so.6 _start > own app app::main > [unknown]\n"
    "4|worker \xff<1>|kernel [kernel] read\n"
    "1|worker \xff<1>|\n";

struct fixture {
    struct profile profile;
    struct text file;
    struct error err;
};

static int set_up(void **state)
{
    static struct fixture fixture;
    struct fixture *f = &fixture;

    *f = (struct fixture){0};
    profile_builder_init(&f->profile);
    assert_true(profile_builder_add_lines(&f->profile, slice_of(lines)));
    f->profile.command = profile_string(&f->profile, SLICE("app --fast"));
    f->profile.wall_ns = 5000000000;
    f->profile.cpu_ns = 10000000;
    f->profile.user_ns = 7000000;
    f->profile.run_count = 3;
    f->profile.started_unix_ns = 1700000000000000000;
    f->profile.started_ns = 5000;
    f->profile.disk_bytes = 4096;
    f->profile.ready_ns = 12345;
    f->profile.is_part = true;
    f->profile.series.items[0].lost_count = 7;
    f->profile.series.items[0].happened_count = 12345;
    f->profile.series.items[0].whole = (struct series_whole){1, 2, 3, 4, 5, 6};
    f->profile.series.items[0].is_user_only = true;
    assert_int_equal(profile_file_write(&f->profile, sink_of_text(&f->file), &f->err), 0);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    profile_done(&f->profile);
    text_done(&f->file);
    return 0;
}

static int read_back(struct fixture *f, struct slice file)
{
    SCOPED(text_done) struct text copy = {0};
    struct profile profile;

    text_add(&copy, file);
    f->err = (struct error){0};
    if (profile_file_read(&copy, &profile, &f->err) < 0)
        return -1;
    assert_int_equal(copy.length, 0);
    profile_done(&profile);
    return 0;
}

static void assert_same_output(struct profile *a, struct profile *b, enum output_format format)
{
    SCOPED(text_done) struct text of_a = {0};
    SCOPED(text_done) struct text of_b = {0};
    struct error err = {0};

    assert_int_equal(output_add(&of_a, a, 0, format, &(struct output_look){0}, &err), 0);
    assert_int_equal(output_add(&of_b, b, 0, format, &(struct output_look){0}, &err), 0);
    assert_true(slice_equal(text_slice(&of_a), text_slice(&of_b)));
}

static void a_profile_read_back_makes_the_same_outputs(void **state)
{
    struct fixture *f = *state;
    struct profile read;

    assert_int_equal(profile_file_read(&f->file, &read, &f->err), 0);
    assert_int_equal(read.user_ns, 7000000);
    assert_int_equal(read.run_count, 3);
    assert_int_equal(read.series.items[0].happened_count, 12345);
    assert_memory_equal(&read.series.items[0].whole, &f->profile.series.items[0].whole,
                        sizeof(struct series_whole));
    assert_same_output(&f->profile, &read, OUTPUT_FLAME);
    assert_same_output(&f->profile, &read, OUTPUT_FOLDED);
    assert_same_output(&f->profile, &read, OUTPUT_TEXT);
    /* And the same file again. */
    assert_same_output(&f->profile, &read, OUTPUT_PROFILE);
    assert_int_equal(read.wall_ns, f->profile.wall_ns);
    assert_int_equal(read.cpu_ns, f->profile.cpu_ns);
    assert_int_equal(read.started_unix_ns, f->profile.started_unix_ns);
    assert_int_equal(read.started_ns, f->profile.started_ns);
    assert_int_equal(read.disk_bytes, 4096);
    assert_int_equal(read.ready_ns, 12345);
    assert_same_output(&f->profile, &read, OUTPUT_FIREFOX);
    assert_true(read.is_part);
    assert_int_equal(read.threads.items[1].pid, f->profile.threads.items[1].pid);
    assert_int_equal(read.threads.items[1].tid, f->profile.threads.items[1].tid);
    assert_int_equal(read.locations.items[2].svma, f->profile.locations.items[2].svma);
    assert_true(read.series.items[0].is_user_only);
    assert_int_equal(read.series.items[0].frequency_hz, 1000);
    profile_done(&read);
}

static struct profile facts_of(struct slice content)
{
    struct bytes bytes = bytes_of(content, false);
    struct profile profile;

    profile_init(&profile);
    assert_true(file_read_facts(&bytes, &profile));
    return profile;
}

static void facts_that_older_and_newer_writers_tell_are_read(void **state)
{
    struct fixture *f = *state;
    SCOPED(text_done) struct text facts = {0};
    struct profile older;
    struct profile newer;

    f->profile.command = PROFILE_NO_STRING;
    f->profile.started_ns = 100; /* one byte */
    f->profile.disk_bytes = 0;
    f->profile.ready_ns = 100;
    file_write_facts(&f->profile, &facts);
    /* Without `unwatched`, `disk_bytes` and `ready_ns`, too. */
    older = facts_of(slice_range(text_slice(&facts), 0, facts.length - 4));
    text_add_byte(&facts, 42);
    newer = facts_of(text_slice(&facts));
    assert_int_equal(older.run_count, 3);
    assert_int_equal(older.started_ns, 0);
    assert_int_equal(newer.started_ns, 100);
    assert_true(older.disk_bytes == UINT64_MAX);
    assert_int_equal(newer.disk_bytes, 0);
    assert_int_equal(older.ready_ns, 0);
    assert_int_equal(newer.ready_ns, 100);
    profile_done(&older);
    profile_done(&newer);
}

/* Frames of the later location are added first: a file has them in the order of locations. */
static void runs_of_threads_are_kept_where_there_are_several(void **state)
{
    struct fixture *f = *state;
    struct profile read;
    SCOPED(text_done) struct text file = {0};
    SCOPED(text_done) struct text runs = {0};
    struct bytes bytes;

    file_write_runs(&f->profile, &runs);
    assert_int_equal(runs.length, 0);
    f->profile.threads.items[f->profile.threads.count - 1].run = 2;
    assert_int_equal(profile_file_write(&f->profile, sink_of_text(&file), &f->err), 0);
    assert_int_equal(profile_file_read(&file, &read, &f->err), 0);
    for (size_t i = 0; i < read.threads.count; i++)
        assert_int_equal(read.threads.items[i].run, f->profile.threads.items[i].run);

    /* Of fewer threads, of more, and of none at a time. */
    file_write_runs(&read, &runs);
    bytes = bytes_of(slice_range(text_slice(&runs), 0, runs.length - 2), false);
    assert_false(file_read_runs(&bytes, &read));
    text_add_byte(&runs, 1);
    bytes = bytes_of(text_slice(&runs), false);
    assert_false(file_read_runs(&bytes, &read));
    bytes = bytes_of((struct slice){"\1\0", 2}, false);
    assert_false(file_read_runs(&bytes, &read));
    bytes = bytes_of((struct slice){"\1\100", 2}, false);
    assert_false(file_read_runs(&bytes, &read));
    profile_done(&read);
}

/* Zeros where nothing is, as what is read back is compared whole. */
static void fill_lacks(struct profile *profile, struct heap_lacks *out)
{
    memset(out, 0, sizeof(*out));
    out->is_known = out->has_more_silent = out->lacks_slots = out->is_followed = true;
    out->allocator = profile_string(profile, SLICE("jemalloc"));
    out->own_malloc = profile_string(profile, SLICE("rustc"));
    out->elsewhere = profile_string(profile, SLICE("mapped"));
    out->elsewhere_bytes = 104857600;
    out->told_count = 2;
    out->foreign_count = 3;
    out->silent_count = 4;
    out->silent_of_count = UINT32_MAX;
    out->silent_names[0] = profile_string(profile, SLICE("ls"));
    out->silent_names[2] = profile_string(profile, SLICE("sed"));
    out->missed_count = 5;
    out->damaged_count = UINT64_MAX;
}

static void what_the_heap_lacks_is_read_back_where_it_is_known(void **state)
{
    struct fixture *f = *state;
    SCOPED(text_done) struct text file = {0};
    SCOPED(text_done) struct text heap = {0};
    struct heap_lacks lacks;
    struct profile read;

    file_write_heap(&f->profile, &heap);
    assert_int_equal(heap.length, 0);
    assert_int_equal(profile_file_read(&f->file, &read, &f->err), 0);
    assert_false(read.heap_lacks.is_known);
    profile_done(&read);

    fill_lacks(&f->profile, &lacks);
    f->profile.heap_lacks = lacks;
    assert_int_equal(profile_file_write(&f->profile, sink_of_text(&file), &f->err), 0);
    assert_int_equal(profile_file_read(&file, &read, &f->err), 0);
    assert_memory_equal(&read.heap_lacks, &lacks, sizeof(lacks));
    profile_done(&read);
}

static bool reads_heap(struct profile *profile, struct slice content)
{
    struct bytes bytes = bytes_of(content, false);

    return file_read_heap(&bytes, profile);
}

static void of_what_the_heap_lacks_newer_writers_may_tell_more_and_none_less(void **state)
{
    struct fixture *f = *state;
    SCOPED(text_done) struct text heap = {0};
    SCOPED(text_done) struct text bad = {0};

    fill_lacks(&f->profile, &f->profile.heap_lacks);
    file_write_heap(&f->profile, &heap);
    /* Older writers did not tell what was told last. */
    assert_true(reads_heap(&f->profile, (struct slice){heap.data, heap.length - 1}));
    assert_false(f->profile.heap_lacks.is_followed);
    for (size_t length = 0; length < heap.length - 1; length++)
        assert_false(reads_heap(&f->profile, (struct slice){heap.data, length}));
    text_add_byte(&heap, 42);
    assert_true(reads_heap(&f->profile, text_slice(&heap)));

    /* Names of strings that are not there, and more programs than can be. */
    f->profile.heap_lacks.silent_names[1] = (uint32_t)f->profile.strings.entries.count;
    file_write_heap(&f->profile, &bad);
    assert_false(reads_heap(&f->profile, text_slice(&bad)));
    text_clear(&bad);
    for (int i = 0; i < 4; i++)
        text_add_byte(&bad, 0);
    text_add_uleb128(&bad, (uint64_t)UINT32_MAX + 1);
    for (int i = 0; i < 10; i++)
        text_add_byte(&bad, 0);
    assert_false(reads_heap(&f->profile, text_slice(&bad)));
}

static void futures_read_back_are_those_of_the_same_frames(void **state)
{
    struct fixture *f = *state;
    SCOPED(text_done) struct text file = {0};
    uint32_t first = profile_location(&f->profile, 0, 0x77000);
    uint32_t second = profile_location(&f->profile, 0, 0x88000);
    struct profile_frame frames[3] = {
        {.is_inlined = true}, {.is_future = true, .is_inlined = true}, {.line = 3}};
    struct profile read;

    profile_set_frames(&f->profile, second, frames, 3);
    profile_set_frames(&f->profile, first, frames + 1, 2);
    assert_int_equal(profile_file_write(&f->profile, sink_of_text(&file), &f->err), 0);
    assert_int_equal(profile_file_read(&file, &read, &f->err), 0);
    for (uint32_t i = 0; i < read.locations.count; i++) {
        const struct profile_location *location = &read.locations.items[i];

        for (uint32_t at = 0; at < location->frame_count; at++)
            assert_int_equal(read.frames.items[location->first_frame + at].is_future,
                             (i == first && at == 0) || (i == second && at == 1));
    }
    profile_done(&read);
}

static void the_samples_read_back_are_those_written(void **state)
{
    struct fixture *f = *state;
    struct profile read;
    struct sample_cursor written = sample_cursor_of(&f->profile.series.items[0].samples);
    struct sample_cursor back;
    struct profile_sample a;
    struct profile_sample b;

    assert_int_equal(profile_file_read(&f->file, &read, &f->err), 0);
    back = sample_cursor_of(&read.series.items[0].samples);
    assert_int_equal(read.series.items[0].samples.count, 10);
    while (sample_cursor_next(&written, &a)) {
        assert_true(sample_cursor_next(&back, &b));
        assert_memory_equal(&a, &b, sizeof(a));
    }
    assert_false(sample_cursor_next(&back, &b));
    sample_cursor_done(&written);
    sample_cursor_done(&back);
    profile_done(&read);
}

static void samples_of_any_number_of_samples_stay_so(void **state)
{
    struct fixture *f = *state;
    struct profile profile;

    for (int is_summed = 0; is_summed < 2; is_summed++) {
        text_clear(&f->file);
        f->profile.series.items[0].is_summed = is_summed;
        assert_int_equal(profile_file_write(&f->profile, sink_of_text(&f->file), &f->err), 0);
        assert_int_equal(profile_file_read(&f->file, &profile, &f->err), 0);
        assert_int_equal(profile.series.items[0].is_summed, is_summed);
        profile_done(&profile);
    }
}

static void an_empty_profile_is_one_too(void **state)
{
    struct fixture *f = *state;
    SCOPED(text_done) struct text file = {0};
    struct profile empty;

    profile_init(&empty);
    profile_add_series(&empty, SLICE("cpu-clock"), SLICE("ns"), 0);
    assert_int_equal(profile_file_write(&empty, sink_of_text(&file), &f->err), 0);
    assert_int_equal(read_back(f, text_slice(&file)), 0);
    profile_done(&empty);
}

static void a_file_cut_anywhere_is_refused(void **state)
{
    struct fixture *f = *state;

    for (size_t i = 0; i < f->file.length; i++) {
        assert_int_equal(read_back(f, (struct slice){f->file.data, i}), -1);
        assert_int_equal(f->err.kind, ERROR_FORMAT);
    }
    assert_string_equal(f->err.message + strlen(f->err.message) - strlen("bytes"), "bytes");
    assert_int_equal(strncmp(f->err.message, "cut short after ", 16), 0);
}

static void a_file_with_any_byte_changed_is_refused(void **state)
{
    struct fixture *f = *state;

    for (size_t i = 0; i < f->file.length; i++)
        for (int bit = 0; bit < 8; bit += 7) {
            f->file.data[i] ^= (char)(1 << bit);
            assert_int_equal(read_back(f, text_slice(&f->file)), -1);
            assert_int_equal(f->err.kind, ERROR_FORMAT);
            f->file.data[i] ^= (char)(1 << bit);
        }
    assert_int_equal(read_back(f, text_slice(&f->file)), 0);
}

static void a_newer_file_says_so(void **state)
{
    struct fixture *f = *state;

    f->file.data[8] = 2;
    assert_int_equal(read_back(f, text_slice(&f->file)), -1);
    assert_string_equal(f->err.message, "written by a newer cargo-cprof: format 2, this one reads up to 1");
    assert_true(f->err.hint[0] != '\0');
}

static void what_is_no_profile_is_told_from_what_is(void **state)
{
    struct fixture *f = *state;

    assert_true(profile_file_begins(text_slice(&f->file)));
    assert_false(profile_file_begins(SLICE("app;main 5\n")));
    assert_false(profile_file_begins((struct slice){0}));
    assert_int_equal(read_back(f, SLICE("app;main 5\n")), -1);
    assert_string_equal(f->err.message, "not a profile of cargo cprof");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_profile_read_back_makes_the_same_outputs),
        TEST(facts_that_older_and_newer_writers_tell_are_read),
        TEST(runs_of_threads_are_kept_where_there_are_several),
        TEST(what_the_heap_lacks_is_read_back_where_it_is_known),
        TEST(of_what_the_heap_lacks_newer_writers_may_tell_more_and_none_less),
        TEST(futures_read_back_are_those_of_the_same_frames),
        TEST(the_samples_read_back_are_those_written),
        TEST(samples_of_any_number_of_samples_stay_so),
        TEST(an_empty_profile_is_one_too),
        TEST(a_file_cut_anywhere_is_refused),
        TEST(a_file_with_any_byte_changed_is_refused),
        TEST(a_newer_file_says_so),
        TEST(what_is_no_profile_is_told_from_what_is),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
