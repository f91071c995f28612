/* What cargo's notes tell of files that have a hash in their name. */
#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/folder.h"
#include "base/remove.h"
#include "cargo/unit_notes.h"

#define HASH "0123456789abcdef"

struct fixture {
    struct arena arena;
    char folder[64];
    struct cargo_unit unit;
};

static int set_up(void **state)
{
    static struct fixture fixture;

    fixture = (struct fixture){.folder = "/tmp/unit_notes.XXXXXX"};
    *state = &fixture;
    return mkdtemp(fixture.folder) ? 0 : -1;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    struct error err = {0};

    arena_done(&f->arena);
    return remove_all(f->folder, NULL, &err);
}

/* Makes an empty file, and the folder that it is in. */
static const char *make(struct fixture *f, const char *folder, const char *name)
{
    const char *above = arena_format(&f->arena, "%s/release/%s", f->folder, folder);
    const char *path = arena_format(&f->arena, "%s/%s", above, name);
    struct error err = {0};
    FILE *file = NULL;

    assert_int_equal(folder_make(above, &err), 0);
    file = fopen(path, "we");
    assert_non_null(file);
    fclose(file);
    return path;
}

static bool find(struct fixture *f, const char *note, const char *file)
{
    const char *folder = ".fingerprint/the-package-" HASH;

    make(f, folder, "invoked.timestamp");
    make(f, folder, arena_format(&f->arena, "dep-%s", note));
    make(f, folder, arena_format(&f->arena, "%s.json", note));
    make(f, folder, note);
    return cargo_unit_find(&f->arena, make(f, "deps", file), &f->unit);
}

static void assert_found(struct fixture *f, enum cargo_kind kind, const char *name, bool has_harness)
{
    assert_int_equal(f->unit.kind, kind);
    assert_string_equal(f->unit.name, name);
    assert_int_equal(f->unit.has_harness, has_harness);
}

static void targets_are_told_with_their_kind(void **state)
{
    struct fixture *f = *state;

    assert_true(find(f, "bin-my-app", "my_app-" HASH));
    assert_found(f, CARGO_BIN, "my-app", false);
    assert_true(find(f, "test-integration-test-whole", "whole-" HASH));
    assert_found(f, CARGO_TEST, "whole", false);
    assert_true(find(f, "test-bench-speed", "speed-" HASH));
    assert_found(f, CARGO_BENCH, "speed", false);
    assert_true(find(f, "example-shown", "shown-" HASH));
    assert_found(f, CARGO_EXAMPLE, "shown", false);
    assert_true(find(f, "lib-made-of", "made_of-" HASH ".ll"));
    assert_found(f, CARGO_LIB, "made-of", false);
}

static void unit_tests_are_told_from_what_they_are_of(void **state)
{
    struct fixture *f = *state;

    assert_true(find(f, "test-lib-inside", "inside-" HASH));
    assert_found(f, CARGO_LIB, "inside", true);
    assert_true(find(f, "test-bin-tool", "tool-" HASH));
    assert_found(f, CARGO_BIN, "tool", true);
}

static void without_its_note_nothing_is_told(void **state)
{
    struct fixture *f = *state;

    assert_false(find(f, "bin-other", "app-" HASH));
    assert_false(find(f, "bin-app", "app-fedcba9876543210"));
    assert_false(find(f, "bin-app", "app"));
    assert_false(find(f, "bin-app", "app-0123456789abcdeX"));
    assert_false(cargo_unit_find(&f->arena, "/no/such/deps/app-" HASH, &f->unit));
}

static void a_unit_may_have_a_folder_of_its_own(void **state)
{
    struct fixture *f = *state;

    make(f, "build/the-package/" HASH "/fingerprint", "test-lib-my-app");
    assert_true(
        cargo_unit_find(&f->arena, make(f, "build/the-package/" HASH "/out", "my_app-" HASH), &f->unit));
    assert_found(f, CARGO_LIB, "my-app", true);
    make(f, "build/the-package/" HASH "/fingerprint", "bin-show");
    assert_true(cargo_unit_find(&f->arena, make(f, "build/the-package/" HASH "/out", "show.ll"), &f->unit));
    assert_found(f, CARGO_BIN, "show", false);
    assert_false(cargo_unit_find(&f->arena, make(f, "build/other/" HASH "/out", "other-" HASH), &f->unit));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(targets_are_told_with_their_kind, set_up, tear_down),
        cmocka_unit_test_setup_teardown(unit_tests_are_told_from_what_they_are_of, set_up, tear_down),
        cmocka_unit_test_setup_teardown(without_its_note_nothing_is_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_unit_may_have_a_folder_of_its_own, set_up, tear_down),
    };

    return cmocka_run_group_tests_name("unit notes", tests, NULL, NULL);
}
