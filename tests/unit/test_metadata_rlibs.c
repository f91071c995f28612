#include "cmocka_all.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "build/metadata_rlibs.h"

static struct slice read_back(struct arena *arena, const char *path)
{
    SCOPED(text_done) struct text content = {0};
    struct error err = {0};

    assert_int_equal(file_read(path, 4096, &content, &err), 0);
    return slice_of(arena_copy(arena, text_slice(&content)));
}

static void put(const char *path, const char *content)
{
    struct error err = {0};

    assert_int_equal(file_replace(path, slice_of(content), &err), 0);
}

/* ar(5): a magic line, a header of 60 bytes, the member filled up to an even length. */
static void each_metadata_gets_an_archive_of_it(void **state)
{
    struct arena arena = {0};
    char folder[] = "/tmp/metadata_rlibs_XXXXXX";
    struct error err = {0};
    const char *metadata = NULL;
    const char *rlib = NULL;
    const char *folders[1];
    struct rustc_unit unit = {.folders = folders, .folder_count = 1};

    (void)state;
    folders[0] = mkdtemp(folder);
    assert_non_null(folders[0]);
    metadata = arena_format(&arena, "%s/libx-1.rmeta", folder);
    rlib = arena_format(&arena, "%s/libx-1.rlib", folder);
    put(metadata, "rust!");
    assert_int_equal(metadata_rlibs_make(&unit, &err), 0);
    assert_true(slice_is(read_back(&arena, rlib),
                         "!<arch>\n"
                         "lib.rmeta/      0           0     0     100644  5         `\n"
                         "rust!\n"));

    put(rlib, "a real library, later than its metadata");
    assert_int_equal(metadata_rlibs_make(&unit, &err), 0);
    assert_true(slice_starts_with(read_back(&arena, rlib), SLICE("a real library")));
    assert_int_equal(utimensat(AT_FDCWD, rlib, (const struct timespec[]){{.tv_sec = 1}, {.tv_sec = 1}}, 0),
                     0);
    assert_int_equal(metadata_rlibs_make(&unit, &err), 0);
    assert_true(slice_starts_with(read_back(&arena, rlib), SLICE("!<arch>")));

    unlink(rlib);
    unlink(metadata);
    rmdir(folder);
    arena_done(&arena);
}

static void a_folder_that_is_not_there_has_none(void **state)
{
    const char *folders[] = {"/nowhere/at/all"};
    struct rustc_unit unit = {.folders = folders, .folder_count = 1};
    struct error err = {0};

    (void)state;
    assert_int_equal(metadata_rlibs_make(&unit, &err), 0);
}

static void arguments_name_the_archives(void **state)
{
    const struct slice externs[] = {SLICE("a=/t.d/liba-1.rmeta"), SLICE("priv:b=/t/libb-3.rmeta")};
    struct rustc_unit unit = {.externs = externs, .dependency_count = 2};
    struct arena arena = {0};
    size_t count = 0;
    const char *const *arguments = metadata_rlibs_arguments(&unit, &arena, &count);

    (void)state;
    assert_int_equal(count, 2);
    assert_string_equal(arguments[0], "--extern=a=/t.d/liba-1.rlib");
    assert_string_equal(arguments[1], "--extern=priv:b=/t/libb-3.rlib");
    arena_done(&arena);
}

static void older_compilers_alone_want_them(void **state)
{
    static const struct {
        const char *answer;
        bool is_older;
    } cases[] = {
        {"rustc 1.86.0 (05f9846f8 2025-03-31)", true},
        {"rustc 1.9.0", true},
        {"rustc 1.87.0 (17067e9ac 2025-05-09)", false},
        {"rustc 1.100.0", false},
        {"rustc 2.1.0", false},
        {"another compiler", false},
    };
    struct rustc_unit unit = {.is_linked = true, .dependency_count = 1};
    char program[] = "echo";
    char option[] = "--crate-name";
    char old[] = "rustc 1.1.0";

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        char answer[64];
        char *words[] = {program, answer, option, NULL};

        snprintf(answer, sizeof(answer), "%s", cases[i].answer);
        assert_int_equal(metadata_rlibs_are_needed(&unit, words), cases[i].is_older);
    }
    unit.is_linked = false;
    assert_false(metadata_rlibs_are_needed(&unit, (char *[]){program, old, NULL}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_metadata_gets_an_archive_of_it),
        cmocka_unit_test(a_folder_that_is_not_there_has_none),
        cmocka_unit_test(arguments_name_the_archives),
        cmocka_unit_test(older_compilers_alone_want_them),
    };

    return cmocka_run_group_tests_name("metadata_rlibs", tests, NULL, NULL);
}
