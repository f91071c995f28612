/* Paths as people type them. */
#include "cmocka_all.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"

static void a_file_below_the_folder_we_are_in_is_named_from_there(void **state)
{
    SCOPED(text_done) struct text path = {0};
    char *here = getcwd(NULL, 0);

    (void)state;
    text_format(&path, "%s/target/app", here);
    assert_string_equal(file_from_here(text_string(&path)), "target/app");
    text_clear(&path);
    text_format(&path, "%sx/app", here);
    assert_string_equal(file_from_here(text_string(&path)), text_string(&path));
    text_clear(&path);
    text_format(&path, "%s/-x/app", here);
    assert_string_equal(file_from_here(text_string(&path)), text_string(&path));
    assert_string_equal(file_from_here(here), here);
    assert_string_equal(file_from_here("/t/x"), "/t/x");
    assert_string_equal(file_from_here("x"), "x");
    free(here);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_below_the_folder_we_are_in_is_named_from_there),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
