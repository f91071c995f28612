#include "scratch_folder.h"

#include <sys/stat.h>

#include "annotate/source_text.h"

#define COMMIT "59807616e1fa2540724bfbac14d7976d7e4a3860"
#define ARITH "/rustc/" COMMIT "/library/core/src/ops/arith.rs"

/* A compiler of that commit, which says that it is installed in the working folder. */
static void install(const char *commit)
{
    char script[512];

    snprintf(script, sizeof(script), "#!/bin/sh\ncase $1 in\n-vV) echo 'commit-hash: %s';;\n*) pwd;;\nesac\n",
             commit);
    write_file("rustc", script);
    assert_int_equal(chmod("rustc", 0755), 0);
}

/* Reads the file with programs looked for in the working folder. */
static void read_source(struct source_text *out)
{
    SCOPED(source_finder_done) struct source_finder finder = {0};
    const char *path = getenv("PATH");
    char *before = strdup(path ? path : "");
    char folder[4096];

    assert_non_null(getcwd(folder, sizeof(folder)));
    setenv("PATH", folder, 1);
    source_text_read(&finder, SLICE(ARITH), out);
    setenv("PATH", before, 1);
    free(before);
}

static void the_source_of_rusts_own_is_that_of_the_compiler_that_built_it(void **state)
{
    struct source_text source;

    (void)state;
    install(COMMIT);
    assert_int_equal(system("mkdir -p lib/rustlib/src/rust/library/core/src/ops"), 0);
    write_file("lib/rustlib/src/rust/library/core/src/ops/arith.rs", "one\r\ntwo\n");
    read_source(&source);
    assert_int_equal(source.problem.kind, ERROR_NONE);
    assert_int_equal(source.lines.count, 2);
    assert_true(slice_is(source_text_line(&source, 1), "one"));
    assert_true(slice_is(source_text_line(&source, 2), "two"));
    assert_int_equal(source_text_line(&source, 3).length, 0);
    assert_int_equal(source.changed_unix_ns, 0);
    source_text_done(&source);
}

static void why_it_is_not_here_is_said(void **state)
{
    struct source_text source;

    (void)state;
    read_source(&source);
    assert_true(source.is_rusts);
    assert_string_equal(source.problem.message, "rustc, which tells where it is, does not start here");
    source_text_done(&source);
    install("1fe2540724bfbac14d7976d7e4a386059807616e");
    read_source(&source);
    assert_string_equal(source.problem.message, "it is of another compiler, of commit 59807616e, than rustc "
                                                "starts here, of 1fe254072");
    source_text_done(&source);
    install(COMMIT);
    read_source(&source);
    assert_non_null(strstr(source.problem.message, "/lib/rustlib/src/rust/library/core/src/ops/arith.rs: No "
                                                   "such file or directory"));
    assert_string_equal(source.problem.hint, "it is installed by: rustup component add rust-src");
    source_text_done(&source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_source_of_rusts_own_is_that_of_the_compiler_that_built_it,
                                        enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(why_it_is_not_here_is_said, enter_folder, leave_folder),
    };

    return cmocka_run_group_tests_name("source text", tests, NULL, NULL);
}
