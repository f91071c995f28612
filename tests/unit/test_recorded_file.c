#include "cmocka_all.h"

#include "symbolize/recorded_file.h"

static void assert_message(const struct recorded_file *file, const char *message, const char *expected)
{
    SCOPED(text_done) struct text said = {0};

    recorded_file_add_message(file, message, &said);
    assert_string_equal(text_string(&said), expected);
}

static void what_processes_have_is_told_as_their_system_has_it(void **state)
{
    const struct recorded_file file = {
        .name = "/proc/self/fd/5", .path = SLICE("/bin/app"), .root = SLICE("/proc/self/fd/9")};

    (void)state;
    assert_message(&file, "/proc/self/fd/9/bin/app.debug does not belong to /proc/self/fd/5: its checksum",
                   "/bin/app.debug does not belong to /bin/app: its checksum");
    assert_message(&file, "/proc/self/fd/5", "/bin/app");
    assert_message(&file, "", "");
}

static void numbers_that_only_begin_alike_are_others(void **state)
{
    const struct recorded_file file = {
        .name = "/proc/self/fd/5", .path = SLICE("/bin/app"), .root = SLICE("/proc/self/fd/9")};

    (void)state;
    assert_message(&file, "/proc/self/fd/55: cut, /proc/self/fd/91/x",
                   "/proc/self/fd/55: cut, /proc/self/fd/91/x");
}

static void what_has_a_path_of_ours_is_told_by_that(void **state)
{
    const struct recorded_file ours = {.name = "/bin/app", .path = SLICE("/bin/app"), .root = SLICE("")};
    const struct recorded_file below = {
        .name = "machine/bin/app", .path = SLICE("/bin/app"), .root = SLICE("machine")};

    (void)state;
    assert_message(&ours, "/bin/app.debug of /bin/app", "/bin/app.debug of /bin/app");
    assert_message(&below, "machine/bin/app.debug of machine/bin/app",
                   "machine/bin/app.debug of machine/bin/app");
}

static void what_cargo_gives_a_hash_is_called_without_it(void **state)
{
    static const struct {
        const char *path;
        const char *name;
    } expected[] = {
        {"/t/release/deps/app-2f6e3c32a88cddc6", "app"},
        {"/t/release/build/app/2f6e3c32a88cddc6/out/app-2f6e3c32a88cddc6", "app"},
        {"/t/release/build/app/2f6e3c32a88cddc6/out/app", "app"},
        {"/t/release/app-2f6e3c32a88cddc6", "app-2f6e3c32a88cddc6"},
        {"/t/release/deps/app-2f6e3c32a88cddcx", "app-2f6e3c32a88cddcx"},
        {"/t/release/deps/-2f6e3c32a88cddc6", "-2f6e3c32a88cddc6"},
        {"app", "app"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++)
        assert_true(slice_is(recorded_file_called(slice_of(expected[i].path)), expected[i].name));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_cargo_gives_a_hash_is_called_without_it),
        cmocka_unit_test(what_processes_have_is_told_as_their_system_has_it),
        cmocka_unit_test(numbers_that_only_begin_alike_are_others),
        cmocka_unit_test(what_has_a_path_of_ours_is_told_by_that),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
