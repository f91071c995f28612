#include "cmocka_all.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cargo/product.h"

struct fixture {
    struct arena arena;
    char folder[64];
    char root[PATH_MAX];
    struct cargo_product product;
};

/* Makes an empty file, and the folders above it. */
static const char *make(struct fixture *f, const char *name)
{
    char *path = arena_format(&f->arena, "%s/%s", f->root, name);
    int file = -1;

    for (char *slash = strchr(path + strlen(f->root) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
    file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    assert_true(file >= 0);
    close(file);
    return path;
}

static int set_up(void **state)
{
    static struct fixture fixture;

    fixture = (struct fixture){.folder = "/tmp/test_product.XXXXXX"};
    *state = &fixture;
    if (!mkdtemp(fixture.folder) || !realpath(fixture.folder, fixture.root))
        return -1;
    make(&fixture, "target/CACHEDIR.TAG");
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    int removed = system(arena_format(&f->arena, "rm -r %s", f->root));

    arena_done(&f->arena);
    return removed;
}

static bool find(struct fixture *f, const char *name)
{
    return cargo_product_find(&f->arena, make(f, name), &f->product);
}

static void a_program_of_the_release_profile_is_told(void **state)
{
    struct fixture *f = *state;

    assert_true(find(f, "target/release/app"));
    assert_string_equal(f->product.profile, "release");
    assert_null(f->product.triple);
    assert_int_equal(f->product.kind, CARGO_BIN);
    assert_string_equal(f->product.name, "app");
}

static void the_folder_debug_is_the_profile_dev(void **state)
{
    struct fixture *f = *state;

    assert_true(find(f, "target/debug/app"));
    assert_string_equal(f->product.profile, "dev");
}

static void a_target_stands_before_the_profile(void **state)
{
    struct fixture *f = *state;
    const char *target = arena_format(&f->arena, "%s/target", f->root);

    assert_true(find(f, "target/x86_64-unknown-linux-musl/small/examples/show"));
    /* cargo marks that folder, too */
    make(f, "target/x86_64-unknown-linux-musl/CACHEDIR.TAG");
    assert_true(cargo_product_find_in(&f->arena, make(f, "target/x86_64-unknown-linux-musl/release/app"),
                                      target, &f->product));
    assert_true(find(f, "target/x86_64-unknown-linux-musl/small/examples/show"));
    assert_string_equal(f->product.triple, "x86_64-unknown-linux-musl");
    assert_string_equal(f->product.profile, "small");
    assert_int_equal(f->product.kind, CARGO_EXAMPLE);
    assert_string_equal(f->product.name, "show");
}

static void what_has_hashes_or_an_ending_is_no_program_by_name(void **state)
{
    struct fixture *f = *state;

    assert_true(find(f, "target/release/deps/app-0123456789abcdef"));
    assert_string_equal(f->product.profile, "release");
    assert_int_equal(f->product.kind, CARGO_OTHER);
    assert_true(find(f, "target/arm-none-eabi/release/build/app/0123456789abcdef/out/app-0123456789abcdef"));
    assert_string_equal(f->product.triple, "arm-none-eabi");
    assert_string_equal(f->product.profile, "release");
    assert_int_equal(f->product.kind, CARGO_OTHER);
    assert_true(find(f, "target/release/app.d"));
    assert_int_equal(f->product.kind, CARGO_OTHER);
    assert_true(find(f, "target/release/libapp.rlib"));
    assert_int_equal(f->product.kind, CARGO_OTHER);
    assert_true(find(f, "target/release/deps/libapp.so"));
    assert_int_equal(f->product.kind, CARGO_OTHER);
    assert_true(find(f, "target/release/examples/libshow.so"));
    assert_int_equal(f->product.kind, CARGO_OTHER);
}

static void a_library_is_told_by_its_ending(void **state)
{
    struct fixture *f = *state;

    assert_true(find(f, "target/release/libmy_app.so"));
    assert_int_equal(f->product.kind, CARGO_LIB);
    assert_string_equal(f->product.name, "my_app");
    assert_true(f->product.crate_types & CARGO_TYPE_CDYLIB && f->product.crate_types & CARGO_TYPE_DYLIB);
    assert_true(find(f, "target/release/libapp.dylib"));
    assert_int_equal(f->product.kind, CARGO_LIB);
    assert_true(find(f, "target/release/libapp.a"));
    assert_int_equal(f->product.kind, CARGO_LIB);
    assert_int_equal(f->product.crate_types, CARGO_TYPE_STATICLIB);
}

static void the_nearest_marked_folder_counts(void **state)
{
    struct fixture *f = *state;

    assert_false(find(f, "target/other/release/app"));
    make(f, "target/other/.rustc_info.json");
    assert_true(find(f, "target/other/release/app"));
    assert_string_equal(f->product.profile, "release");
}

static void a_target_directory_that_is_known_needs_no_mark_and_may_be_a_link(void **state)
{
    struct fixture *f = *state;
    const char *path = make(f, "fast/disk/release/app");
    const char *real = arena_format(&f->arena, "%s/fast/disk", f->root);
    const char *link = arena_format(&f->arena, "%s/link", f->root);
    const char *through = arena_format(&f->arena, "%s/release/app", link);

    assert_int_equal(symlink("fast/disk", link), 0);
    assert_false(cargo_product_find(&f->arena, path, &f->product));
    assert_true(cargo_product_find_in(&f->arena, path, link, &f->product));
    assert_true(cargo_product_find_in(&f->arena, through, real, &f->product));
    assert_string_equal(f->product.profile, "release");
    assert_string_equal(f->product.name, "app");
    /* A folder above may have a mark of its own. */
    make(f, "fast/CACHEDIR.TAG");
    assert_true(cargo_product_find_in(&f->arena, path, real, &f->product));
}

static void what_stands_in_another_target_directory_is_not_of_the_known_one(void **state)
{
    struct fixture *f = *state;
    const char *target = arena_format(&f->arena, "%s/target", f->root);

    make(f, "target/our-own/CACHEDIR.TAG");
    make(f, "target/our-own/.rustc_info.json");
    assert_false(
        cargo_product_find_in(&f->arena, make(f, "target/our-own/release/app"), target, &f->product));
    assert_false(cargo_product_find_in(&f->arena, make(f, "targets/release/app"), target, &f->product));
    assert_false(cargo_product_find_in(&f->arena, make(f, "target/release/app"),
                                       arena_format(&f->arena, "%s/none", f->root), &f->product));
}

static void other_places_are_no_products_and_leave_the_result(void **state)
{
    static const char *const names[] = {"bin/app", "target/app", "target/tmp/two/app",
                                        "target/a-b/release/deps/deeper/app"};
    struct fixture *f = *state;

    f->product.name = "untouched";
    for (size_t i = 0; i < ARRAY_COUNT(names); i++)
        assert_false(find(f, names[i]));
    assert_false(cargo_product_find(&f->arena, "/no/such/target/release/app", &f->product));
    assert_string_equal(f->product.name, "untouched");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_program_of_the_release_profile_is_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_folder_debug_is_the_profile_dev, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_target_stands_before_the_profile, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_library_is_told_by_its_ending, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_has_hashes_or_an_ending_is_no_program_by_name, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(the_nearest_marked_folder_counts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_target_directory_that_is_known_needs_no_mark_and_may_be_a_link,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_stands_in_another_target_directory_is_not_of_the_known_one,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(other_places_are_no_products_and_leave_the_result, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
