#include "cmocka_all.h"

#include <string.h>

#include "change_fixture.h"
#include "changes/change_rows.h"
#include "profile_builder.h"
#include "report/render.h"

static void rows_say_what_happened_and_leave_noise_to_the_end(void **state)
{
    struct change_fixture *f = *state;
    SCOPED(rows_done) struct rows rows = {0};
    SCOPED(text_done) struct text text = {0};

    change_fixture_fill(f);
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_FUNCTION);
    change_rows_fill(&f->changes, JOINED_BY_FUNCTION, &(struct change_words){"old", "new"}, &rows);
    assert_int_equal(rows.minor_from, 5);
    assert_string_equal(
        rows.headline,
        "**CPU time grew by 1.00 s (+55.6%), from 1.80 s to 2.80 s; `hot` +1.00 s (+100.0%).** "
        "Compared: `old` with `new`, by CPU seconds; beyond noise: 3 functions.");
    render_csv(&text, &rows);
    assert_true(slice_find(text_slice(&text), SLICE(",changed,slower,app,hot\r\n")) < text.length);
    assert_true(slice_find(text_slice(&text), SLICE(",gone,gone,app,old\r\n")) < text.length);
    assert_true(slice_find(text_slice(&text), SLICE(",new,new,app,fresh\r\n")) < text.length);
    assert_true(slice_find(text_slice(&text), SLICE(",changed,calls,app,parse\r\n")) < text.length);
    assert_true(slice_find(text_slice(&text), SLICE(",changed,noise,regex,find\r\n")) < text.length);
}

static void add_service(struct profile *profile, uint64_t each)
{
    static const char *const callees[] = {"alloc", "copy", "free", "hash", "write"};

    for (size_t i = 0; i < 5; i++) {
        SCOPED(text_done) struct text path = {0};

        text_format(&path, "own app main > own app serve > own app items > c libc.so.6 %s", callees[i]);
        profile_builder_add(profile, 0, text_slice(&path), each + i);
    }
    profile_builder_add(profile, 0, SLICE("own app main > own app serve > dep tokio poll"), 500);
    profile_builder_add(profile, 0, SLICE("own app main > own app other"), 1000);
}

static void where_little_changed_itself_the_headline_tells_whose_calls_did(void **state)
{
    struct change_fixture *f = *state;
    SCOPED(rows_done) struct rows rows = {0};

    add_service(&f->before, 100);
    add_service(&f->after, 200);
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_FUNCTION);
    change_rows_fill(&f->changes, JOINED_BY_FUNCTION, &(struct change_words){"old", "new"}, &rows);
    assert_non_null(strstr(rows.headline, " to 2.51 s; `alloc` +100.0 ms (+100.0%); most of it: "
                                          "`items` +500.0 ms (+98.0%) with what it calls.**"));
}

static void what_a_limit_leaves_out_is_told_by_what_it_is(void **state)
{
    static const char *const left_out[] = {
        [1] = " 5 more functions, 3 of them within noise or changed by what they call",
        [2] = " 4 more functions, 3 of them within noise or changed by what they call",
        [3] = " 3 more functions, within noise or changed by what they call",
        [4] = " 2 more functions, within noise or changed by what they call",
        [5] = " 1 more function, within noise\n",
    };
    struct change_fixture *f = *state;
    SCOPED(rows_done) struct rows rows = {0};
    SCOPED(text_done) struct text text = {0};

    change_fixture_fill(f);
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_FUNCTION);
    change_rows_fill(&f->changes, JOINED_BY_FUNCTION, &(struct change_words){"old", "new"}, &rows);
    for (rows.limit = 1; rows.limit <= 5; rows.limit++) {
        text_clear(&text);
        render_table(&text, &rows, (struct render_look){0});
        assert_true(slice_find(text_slice(&text), slice_of(left_out[rows.limit])) < text.length);
    }
}

/* How often `word` is in the text. */
static size_t times_in(const struct text *text, struct slice word)
{
    struct slice rest = text_slice(text);
    size_t count = 0;

    for (size_t at = slice_find(rest, word); at < rest.length; at = slice_find(rest, word)) {
        rest = slice_range(rest, at + word.length, rest.length);
        count++;
    }
    return count;
}

static void a_comment_has_a_few_of_what_is_noise_unless_all_is_wanted(void **state)
{
    struct change_fixture *f = *state;
    SCOPED(rows_done) struct rows rows = {0};
    SCOPED(text_done) struct text text = {0};

    change_fixture_fill(f);
    for (uint64_t i = 0; i < 30; i++) {
        SCOPED(text_done) struct text name = {0};

        text_format(&name, "noise_%d", (int)i);
        profile_builder_add(&f->before, 0, text_slice(&name), 40 - i);
        profile_builder_add(&f->after, 0, text_slice(&name), 41 - i);
    }
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_FUNCTION);
    change_rows_fill(&f->changes, JOINED_BY_FUNCTION, &(struct change_words){"old", "new"}, &rows);
    rows.is_brief = true;
    rows.limit = 2;
    render_markdown(&text, &rows);
    assert_int_equal(times_in(&text, SLICE("| noise |")), 10);
    assert_int_equal(times_in(&text, SLICE("| slower | `app` | `hot` |")), 1);
    assert_int_equal(times_in(&text, SLICE("| new | `app` | `fresh` |")), 1);
    assert_true(slice_find(text_slice(&text), SLICE("*and 21 more functions, within noise*")) < text.length);
    rows.is_brief = false;
    rows.limit = 0;
    text_clear(&text);
    render_markdown(&text, &rows);
    assert_int_equal(times_in(&text, SLICE("| noise |")), 31);
}

static void limits_hold_the_whole_and_what_is_beyond_noise(void **state)
{
    struct change_fixture *f = *state;
    SCOPED(delta_done) struct delta delta = {0};
    struct delta_words words = {0};
    uint64_t noise = 0;

    change_fixture_fill(f);
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_FUNCTION);
    change_delta_fill(&f->changes, JOINED_BY_FUNCTION, false, &delta, &words);
    assert_string_equal(words.subject, "CPU time");
    assert_int_equal(delta_total(&delta, 0).before, 1800000000);
    assert_int_equal(delta_total(&delta, 0).after, 2800000000);
    for (size_t i = 0; i < delta.items.count; i++)
        noise += delta.items.items[i].is_noise && slice_is(delta.items.items[i].texts[0], "find");
    assert_int_equal(noise, 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, change_fixture_set_up, change_fixture_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(rows_say_what_happened_and_leave_noise_to_the_end),
        TEST(where_little_changed_itself_the_headline_tells_whose_calls_did),
        TEST(what_a_limit_leaves_out_is_told_by_what_it_is),
        TEST(a_comment_has_a_few_of_what_is_noise_unless_all_is_wanted),
        TEST(limits_hold_the_whole_and_what_is_beyond_noise),
    };

    return cmocka_run_group_tests_name("change_rows", tests, NULL, NULL);
}
