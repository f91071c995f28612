#include "cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "revision/side_word.h"

struct fixture {
    struct arena arena;
    char folder[64];
    struct error err;
};

static int set_up(void **state)
{
    static struct fixture fixture;
    FILE *file = NULL;

    fixture = (struct fixture){.folder = "/tmp/test_side_word.XXXXXX"};
    *state = &fixture;
    if (!mkdtemp(fixture.folder) || chdir(fixture.folder) < 0 || mkdir("in..folder", 0700) < 0)
        return -1;
    file = fopen("v1..v2", "we");
    return file ? fclose(file) : -1;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    arena_done(&f->arena);
    return unlink("v1..v2") < 0 || rmdir("in..folder") < 0 || chdir("/") < 0 || rmdir(f->folder) < 0 ? -1 : 0;
}

static void a_word_is_what_it_says_it_is(void **state)
{
    static const struct {
        const char *typed;
        enum side_word_kind kind;
        const char *text;
    } cases[] = {
        {"file:main", SIDE_WORD_FILE, "main"},
        {"file:a..b", SIDE_WORD_FILE, "a..b"},
        {"/main", SIDE_WORD_FILE, "/main"},
        {"./main", SIDE_WORD_FILE, "./main"},
        {"../a..b", SIDE_WORD_FILE, "../a..b"},
        {"rev:main", SIDE_WORD_REVISION, "main"},
        {"rev:./main", SIDE_WORD_REVISION, "./main"},
        {"main", SIDE_WORD_NAME, "main"},
        {"feature/main", SIDE_WORD_NAME, "feature/main"},
        {".cargo-old", SIDE_WORD_NAME, ".cargo-old"},
    };
    struct fixture *f = *state;
    struct side_word word;

    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        side_word_read(&f->arena, cases[i].typed, &word);
        assert_int_equal(word.kind, cases[i].kind);
        assert_string_equal(word.text, cases[i].text);
    }
}

static void dots_are_a_range_unless_a_file_has_them(void **state)
{
    struct fixture *f = *state;
    struct side_word word;

    side_word_read(&f->arena, "v1...v3", &word);
    assert_int_equal(word.kind, SIDE_WORD_RANGE);
    assert_string_equal(word.range.left, "v1");
    assert_string_equal(word.range.right, "v3");
    assert_true(word.range.is_merge_base);
    side_word_read(&f->arena, "..v3", &word);
    assert_int_equal(word.kind, SIDE_WORD_RANGE);
    assert_string_equal(word.range.left, "HEAD");
    side_word_read(&f->arena, "v1..v2", &word);
    assert_int_equal(word.kind, SIDE_WORD_NAME);
    side_word_read(&f->arena, "rev:v1..v2", &word);
    assert_int_equal(word.kind, SIDE_WORD_RANGE);
    side_word_read(&f->arena, "in..folder", &word);
    assert_int_equal(word.kind, SIDE_WORD_RANGE);
}

static void a_name_of_both_is_refused_with_what_to_type(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(side_word_refuse_both("--diff ", "main", &f->err), -1);
    assert_int_equal(f->err.kind, ERROR_USAGE);
    assert_string_equal(f->err.message, "--diff main is both a file and a revision");
    assert_string_equal(f->err.hint, "--diff ./main means the file, --diff rev:main the revision");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_word_is_what_it_says_it_is, set_up, tear_down),
        cmocka_unit_test_setup_teardown(dots_are_a_range_unless_a_file_has_them, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_name_of_both_is_refused_with_what_to_type, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
