#include "cmocka_all.h"

#include "cargo/diagnostics.h"

#define MESSAGE(text)                                                                                        \
    "{\"reason\":\"compiler-message\",\"message\":{\"rendered\":\"" text "\\n\",\"level\":\"warning\"}}"

static void add(struct cargo_diagnostics *diagnostics, const char *line)
{
    cargo_diagnostics_add_line(diagnostics, slice_of(line));
}

static void what_was_said_before_is_not_said_again(void **state)
{
    SCOPED(cargo_diagnostics_done) struct cargo_diagnostics check = {0};
    SCOPED(cargo_diagnostics_done) struct cargo_diagnostics build = {0};
    SCOPED(text_done) struct text text = {0};

    (void)state;
    add(&check, MESSAGE("warning: unused"));
    add(&build, MESSAGE("warning: linker"));
    add(&build, MESSAGE("warning: unused"));
    add(&build, MESSAGE("error: const"));
    add(&build, MESSAGE("warning: linker"));
    cargo_diagnostics_add_new(&text, &build, &check);
    assert_string_equal(text_string(&text), "warning: linker\nerror: const\n");
}

static void what_is_no_message_of_a_compiler_is_let_pass(void **state)
{
    SCOPED(cargo_diagnostics_done) struct cargo_diagnostics diagnostics = {0};

    (void)state;
    add(&diagnostics, "");
    add(&diagnostics, "a line of a macro");
    add(&diagnostics, "{\"reason\":\"compiler-message\"");
    add(&diagnostics, "{\"reason\":\"compiler-message\"}");
    add(&diagnostics, "{\"reason\":\"compiler-message\",\"message\":{\"rendered\":null}}");
    add(&diagnostics, "{\"reason\":\"build-finished\",\"message\":{\"rendered\":\"x\"}}");
    assert_int_equal(diagnostics.texts.entries.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_said_before_is_not_said_again),
        cmocka_unit_test(what_is_no_message_of_a_compiler_is_let_pass),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
