#include "cmocka_all.h"

#include "compare/baseline.h"
#include "report/render.h"

struct fixture {
    struct json_document document;
    struct rows like;
    struct rows out;
    struct error err;
};

static int set_up(void **state)
{
    static struct fixture fixture;
    struct rows *rows = &fixture.like;
    union cell *row = NULL;

    fixture = (struct fixture){0};
    rows->list_key = "functions";
    rows->noun = "function";
    rows->labels_key = "build";
    rows_add_column(rows, (struct column){COLUMN_BYTES, "Size", "size", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_COUNT, NULL, "copies", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_TEXT, "Name", "name", 0, 0});
    rows_add_fact(rows, "file-size", 77);
    rows_add_label(rows, "profile", SLICE("release"));
    row = rows_add(rows);
    row[0].number = 9007199254740992;
    row[1].number = 3;
    row[2].text = SLICE("a::\"b\"\n");
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    rows_done(&f->out);
    rows_done(&f->like);
    json_document_done(&f->document);
    return 0;
}

static int read_text(struct fixture *f, const char *json)
{
    rows_done(&f->out);
    json_document_done(&f->document);
    assert_int_equal(json_parse(slice_of(json), 65536, &f->document, &f->err), 0);
    if (baseline_check(&f->document, "old.json", &f->err) < 0)
        return -1;
    return baseline_read(&f->document, "old.json", &f->like, &f->out, &f->err);
}

static void what_was_written_is_read_back(void **state)
{
    struct fixture *f = *state;
    SCOPED(text_done) struct text json = {0};

    render_json(&json, &f->like);
    assert_int_equal(read_text(f, text_string(&json)), 0);
    assert_int_equal(rows_count(&f->out), 1);
    assert_int_equal(rows_at(&f->out, 0)[0].number, 9007199254740992);
    assert_int_equal(rows_at(&f->out, 0)[1].number, 3);
    assert_true(slice_is(rows_at(&f->out, 0)[2].text, "a::\"b\"\n"));
    assert_int_equal(f->out.facts[0].number, 77);
    assert_true(slice_is(f->out.labels[0].text, "release"));
}

static void columns_that_are_not_compared_may_be_missing(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(read_text(f, "{\"functions\":[{\"size\":5}],\"more\":1}"), 0);
    assert_int_equal(rows_at(&f->out, 0)[0].number, 5);
    assert_null(rows_at(&f->out, 0)[2].text.data);
    assert_int_equal(f->out.fact_count, 0);
    assert_int_equal(f->out.label_count, 0);
}

static void assert_refused(struct fixture *f, const char *json, enum error_kind kind, const char *message)
{
    assert_int_equal(read_text(f, json), -1);
    assert_int_equal(f->err.kind, kind);
    assert_string_equal(f->err.message, message);
}

static void what_is_not_well_formed_is_named(void **state)
{
    struct fixture *f = *state;

    assert_refused(f, "[]", ERROR_FORMAT, "old.json: no result of this command: not an object");
    assert_refused(f, "{}", ERROR_FORMAT,
                   "old.json: no result of this command: it has no list \"functions\"");
    assert_refused(f, "{\"functions\":3}", ERROR_FORMAT,
                   "old.json: no result of this command: it has no list \"functions\"");
    assert_refused(f, "{\"functions\":[{\"name\":\"a\"}]}", ERROR_USAGE,
                   "old.json: a result of another kind: its functions have no \"size\"");
    assert_refused(f, "{\"functions\":[{\"size\":1},{\"name\":\"a\"}]}", ERROR_FORMAT,
                   "old.json: functions[1].size: missing");
    assert_refused(f, "{\"functions\":[{\"size\":-1}]}", ERROR_FORMAT,
                   "old.json: functions[0].size: not a whole number from 0 to 2^53");
    assert_refused(f, "{\"functions\":[{\"size\":1,\"name\":2}]}", ERROR_FORMAT,
                   "old.json: functions[0].name: not a string");
    assert_refused(f, "{\"functions\":[{\"size\":1,\"copies\":\"2\"}]}", ERROR_FORMAT,
                   "old.json: functions[0].copies: not a whole number from 0 to 2^53");
    assert_refused(f, "{\"functions\":[],\"file-size\":[]}", ERROR_FORMAT,
                   "old.json: file-size: not a whole number from 0 to 2^53");
    assert_refused(f, "{\"functions\":[],\"build\":{\"profile\":1}}", ERROR_FORMAT,
                   "old.json: build.profile: not a string");
}

static void results_of_other_options_are_told_from_those_of_other_commands(void **state)
{
    static const char *const ours[] = {"{\"file-size\":1,\"crates\":[]}",
                                       "{\"file-size\":1,\"functions\":[{}]}"};
    static const char *const others[] = {"{\"copies\":1,\"crates\":[]}", "{\"copies\":1,\"functions\":[{}]}"};
    struct fixture *f = *state;

    for (size_t i = 0; i < ARRAY_COUNT(ours); i++) {
        assert_int_equal(read_text(f, ours[i]), -1);
        assert_string_equal(f->err.hint,
                            "give the options that the file was saved with, or save it anew with these");
        assert_int_equal(read_text(f, others[i]), -1);
        assert_string_equal(f->err.hint, "it was saved by another command");
    }
}

static void what_cannot_be_compared_is_said(void **state)
{
    struct fixture *f = *state;

    assert_refused(f, "{\"targets\":[],\"crates\":[]}", ERROR_USAGE,
                   "old.json holds crates, and these options show functions");
    assert_refused(f, "{\"diff\":{},\"functions\":[]}", ERROR_USAGE,
                   "old.json is a comparison itself: save a result without --diff");
    assert_refused(f, "{\"functions\":[],\"omitted\":{\"count\":1}}", ERROR_USAGE,
                   "old.json was saved with -n, and lacks the rows beyond that");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_was_written_is_read_back, set_up, tear_down),
        cmocka_unit_test_setup_teardown(columns_that_are_not_compared_may_be_missing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_not_well_formed_is_named, set_up, tear_down),
        cmocka_unit_test_setup_teardown(results_of_other_options_are_told_from_those_of_other_commands,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_cannot_be_compared_is_said, set_up, tear_down),
    };

    return cmocka_run_group_tests_name("baseline", tests, NULL, NULL);
}
