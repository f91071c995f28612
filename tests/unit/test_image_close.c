#include "cmocka_all.h"

#include <sys/stat.h>
#include <unistd.h>

#include "elf/image.h"

static void what_was_not_opened_closes_nothing(void **state)
{
    struct image image = {0};
    struct error err = {0};
    struct stat standard_input;

    (void)state;
    assert_int_equal(image_open("/dev/null", &image, &err), -1);
    image_close(&image);
    assert_int_equal(fstat(STDIN_FILENO, &standard_input), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_not_opened_closes_nothing),
    };

    return cmocka_run_group_tests_name("image close", tests, NULL, NULL);
}
