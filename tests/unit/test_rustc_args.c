#include "cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "build/rustc_args.h"

struct fixture {
    struct arena arena;
    struct rustc_unit unit;
    struct error err;
};

static int setup(void **state)
{
    *state = calloc(1, sizeof(struct fixture));
    return *state ? 0 : -1;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    arena_done(&f->arena);
    free(f);
    return 0;
}

#define PARSE(f, ...)                                                                                        \
    assert_int_equal(                                                                                        \
        rustc_unit_parse(&(f)->arena, (const char *const[]){__VA_ARGS__, NULL}, &(f)->unit, &(f)->err), 0)

/* What cargo gives each of its units. */
#define NAMED "--crate-name", "a_b", "--out-dir", "/t/deps", "-C", "extra-filename=-0123"

static void a_unit_with_metadata_and_no_link_is_counted(void **state)
{
    struct fixture *f = *state;

    PARSE(f, NAMED, "src/lib.rs", "--crate-type", "lib", "--emit=dep-info,metadata", "-C", "opt-level=3");
    assert_true(rustc_unit_is_counted(&f->unit));
    assert_string_equal(rustc_unit_stem(&f->unit, &f->arena), "/t/deps/a_b-0123");
}

static void a_unit_that_is_linked_is_not_counted(void **state)
{
    struct fixture *f = *state;

    PARSE(f, NAMED, "--emit=dep-info,metadata,link");
    assert_false(rustc_unit_is_counted(&f->unit));
    PARSE(f, NAMED, "--emit=link,metadata");
    assert_false(rustc_unit_is_counted(&f->unit));
    PARSE(f, NAMED, "--emit=dep-info,link");
    assert_false(rustc_unit_is_counted(&f->unit));
}

static void a_procedural_macro_is_counted_where_it_is_not_run(void **state)
{
    struct fixture *f = *state;

    PARSE(f, NAMED, "--crate-type", "proc-macro", "--emit=dep-info,metadata");
    assert_true(rustc_unit_is_counted(&f->unit));
    PARSE(f, NAMED, "--crate-type=proc-macro", "--emit=dep-info,link");
    assert_false(rustc_unit_is_counted(&f->unit));
}

static void a_unit_without_metadata_is_not_counted(void **state)
{
    struct fixture *f = *state;

    PARSE(f, NAMED, "--emit=dep-info");
    assert_false(rustc_unit_is_counted(&f->unit));
    PARSE(f, NAMED);
    assert_false(rustc_unit_is_counted(&f->unit));
    PARSE(f, "-vV");
    assert_false(rustc_unit_is_counted(&f->unit));
}

static void emit_is_read_as_a_list_in_every_spelling(void **state)
{
    struct fixture *f = *state;

    PARSE(f, NAMED, "--emit", "dep-info,metadata");
    assert_true(rustc_unit_is_counted(&f->unit));
    PARSE(f, NAMED, "--emit", "metadata=/t/a,link.rmeta");
    assert_true(f->unit.emits_metadata);
    PARSE(f, NAMED, "--emit=metadata=/t/link");
    assert_true(rustc_unit_is_counted(&f->unit));
    PARSE(f, NAMED, "--emit=metadata", "--emit=link=/t/x");
    assert_true(f->unit.emits_metadata);
    assert_true(f->unit.emits_link);
    PARSE(f, NAMED, "--emit=llvm-ir,metadata,dep-info=x");
    assert_true(rustc_unit_is_counted(&f->unit));
}

static void words_that_hold_a_kind_are_not_the_kind(void **state)
{
    struct fixture *f = *state;

    PARSE(f, NAMED, "--emit=metadata,linked,x=link,metadata-link");
    assert_true(rustc_unit_is_counted(&f->unit));
    PARSE(f, NAMED, "--emit=dep-info,metadatas");
    assert_false(f->unit.emits_metadata);
    PARSE(f, NAMED, "--cfg", "link", "-L", "link", "--emits=link", "--emit=metadata");
    assert_true(rustc_unit_is_counted(&f->unit));
}

static void codegen_options_are_read_in_every_spelling(void **state)
{
    static const char *const spellings[][3] = {
        {"-C", "extra-filename=-9"},
        {"-Cextra-filename=-9"},
        {"--codegen", "extra-filename=-9"},
        {"--codegen=extra-filename=-9"},
    };
    struct fixture *f = *state;

    for (size_t i = 0; i < ARRAY_COUNT(spellings); i++) {
        assert_int_equal(rustc_unit_parse(&f->arena, spellings[i], &f->unit, &f->err), 0);
        assert_true(slice_is(f->unit.extra_filename, "-9"));
    }
    PARSE(f, "-C", "metadata=12", "-C", "extra-filenames=1");
    assert_int_equal(f->unit.extra_filename.length, 0);
}

static void names_and_folders_are_read_in_both_spellings(void **state)
{
    struct fixture *f = *state;

    PARSE(f, "--crate-name=x", "--out-dir=/a b");
    assert_true(slice_is(f->unit.crate_name, "x"));
    assert_true(slice_is(f->unit.out_dir, "/a b"));
    PARSE(f, "--crate-namex=y", "--out-directory", "z");
    assert_int_equal(f->unit.crate_name.length, 0);
    assert_int_equal(f->unit.out_dir.length, 0);
}

static void a_compiler_that_a_build_script_starts_is_not_counted(void **state)
{
    struct fixture *f = *state;

    PARSE(f, "--crate-name=anyhow", "--emit=dep-info,metadata", "--out-dir", "/t/out", "probe.rs");
    assert_false(rustc_unit_is_counted(&f->unit));
    PARSE(f, "--emit=metadata", "--out-dir=/t", "-Cextra-filename=-1");
    assert_false(rustc_unit_is_counted(&f->unit));
    PARSE(f, "--emit=metadata", "--crate-name=a", "-Cextra-filename=-1");
    assert_false(rustc_unit_is_counted(&f->unit));
}

static void what_is_no_library_would_be_linked(void **state)
{
    struct fixture *f = *state;

    PARSE(f, NAMED, "--crate-type", "lib", "--crate-type=rlib");
    assert_false(f->unit.is_linked);
    PARSE(f, NAMED, "--crate-type", "lib", "--test");
    assert_true(f->unit.is_linked);
    PARSE(f, NAMED, "--crate-type=rlib,cdylib");
    assert_true(f->unit.is_linked);
    PARSE(f, NAMED, "--crate-type", "bin");
    assert_true(f->unit.is_linked);
    PARSE(f, NAMED);
    assert_true(f->unit.is_linked);
}

static void crates_that_are_read_as_metadata_are_told_with_where_they_stand(void **state)
{
    struct fixture *f = *state;

    PARSE(f, NAMED, "--extern", "a=/t/liba-1.rmeta", "--extern", "mac=/t/libmac-2.so", "--extern",
          "priv:b=/t/libb-3.rmeta", "-L", "dependency=/t", "-L", "native=/n", "-Ldependency=/u");
    assert_int_equal(f->unit.dependency_count, 2);
    assert_true(slice_is(f->unit.dependencies[1], "b-3"));
    assert_true(slice_is(f->unit.externs[0], "a=/t/liba-1.rmeta"));
    assert_true(slice_is(f->unit.externs[1], "priv:b=/t/libb-3.rmeta"));
    assert_int_equal(f->unit.folder_count, 2);
    assert_string_equal(f->unit.folders[0], "/t");
    assert_string_equal(f->unit.folders[1], "/u");
}

static void a_backend_that_was_chosen_is_told_in_every_spelling(void **state)
{
    struct fixture *f = *state;

    PARSE(f, NAMED, "-Z", "codegen-backend=cranelift");
    assert_true(f->unit.has_backend);
    PARSE(f, NAMED, "-Zcodegen_backend=cranelift");
    assert_true(f->unit.has_backend);
    PARSE(f, NAMED, "-Zthreads=2", "-Z", "codegen-backend-not=1", "-C", "codegen-backend=llvm");
    assert_false(f->unit.has_backend);
}

static void an_option_at_the_end_without_its_value_is_let_pass(void **state)
{
    struct fixture *f = *state;

    PARSE(f, NAMED, "--emit=metadata", "--emit");
    assert_true(rustc_unit_is_counted(&f->unit));
    PARSE(f, "-C");
    assert_false(rustc_unit_is_counted(&f->unit));
}

static void arguments_may_stand_in_a_file(void **state)
{
    struct fixture *f = *state;
    char path[] = "/tmp/rustc_args_XXXXXX";
    char argument[sizeof(path) + 1];
    int descriptor = mkstemp(path);

    assert_true(descriptor >= 0);
    assert_true(dprintf(descriptor, "--emit\ndep-info,metadata\n--crate-name\nx y\r\n") > 0);
    close(descriptor);
    snprintf(argument, sizeof(argument), "@%s", path);
    PARSE(f, argument, "--out-dir=/t", "-Cextra-filename=-1");
    unlink(path);
    assert_true(rustc_unit_is_counted(&f->unit));
    assert_true(slice_is(f->unit.crate_name, "x y"));

    assert_int_equal(rustc_unit_parse(&f->arena, (const char *const[]){argument, NULL}, &f->unit, &f->err),
                     -1);
    assert_int_equal(f->err.kind, ERROR_IO);
    assert_non_null(strstr(f->err.message, "rustc's arguments: open /tmp/"));
    assert_true(slice_is(f->unit.crate_name, "x y"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_unit_with_metadata_and_no_link_is_counted, setup, teardown),
        cmocka_unit_test_setup_teardown(a_unit_that_is_linked_is_not_counted, setup, teardown),
        cmocka_unit_test_setup_teardown(a_procedural_macro_is_counted_where_it_is_not_run, setup, teardown),
        cmocka_unit_test_setup_teardown(a_unit_without_metadata_is_not_counted, setup, teardown),
        cmocka_unit_test_setup_teardown(emit_is_read_as_a_list_in_every_spelling, setup, teardown),
        cmocka_unit_test_setup_teardown(words_that_hold_a_kind_are_not_the_kind, setup, teardown),
        cmocka_unit_test_setup_teardown(codegen_options_are_read_in_every_spelling, setup, teardown),
        cmocka_unit_test_setup_teardown(names_and_folders_are_read_in_both_spellings, setup, teardown),
        cmocka_unit_test_setup_teardown(a_compiler_that_a_build_script_starts_is_not_counted, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(what_is_no_library_would_be_linked, setup, teardown),
        cmocka_unit_test_setup_teardown(crates_that_are_read_as_metadata_are_told_with_where_they_stand,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(a_backend_that_was_chosen_is_told_in_every_spelling, setup, teardown),
        cmocka_unit_test_setup_teardown(an_option_at_the_end_without_its_value_is_let_pass, setup, teardown),
        cmocka_unit_test_setup_teardown(arguments_may_stand_in_a_file, setup, teardown),
    };

    return cmocka_run_group_tests_name("rustc_args", tests, NULL, NULL);
}
