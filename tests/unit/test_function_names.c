/* What functions are called that have no linkage name, as gcc leaves many of C++ without one. */
#include "cmocka_all.h"

#include "base/text.h"
#include "dwarf/debug_info.h"

/* The names of the only unit's functions that were put together, each with a line's end. */
static void add_names(const char *path, struct text *out)
{
    struct image image;
    struct debug_info info;
    struct error err = {0};

    assert_int_equal(image_open(path, &image, &err), 0);
    assert_int_equal(debug_info_open(&image, DEBUG_WHOLE, &info, &err), 0);
    debug_info_read_all(&info, 1);
    assert_int_equal(info.units.items.count, 1);
    for (size_t i = 0; i < info.details[0].functions.names.count; i++) {
        const struct function_name *name = &info.details[0].functions.names.items[i];

        if (!name->is_mangled)
            text_format(out, "%.*s\n", SLICE_ARGUMENTS(name->text));
    }
    debug_info_close(&info);
    image_close(&image);
}

static void they_stand_in_the_scopes_of_their_declarations_and_lambdas_are_told_apart(void **state)
{
    SCOPED(text_done) struct text names = {0};

    (void)state;
    add_names(FIXTURES "/dwarf/gcc-lambdas", &names);
    assert_string_equal(text_string(&names), "_start\n"
                                             "app::parse::{lambda#2}::operator()\n"
                                             "_start::{lambda#1}::operator()\n"
                                             "app::(anonymous namespace)::Page::draw\n"
                                             "app::render::{lambda#1}::operator()::{lambda#1}::operator()\n"
                                             "app::render::{lambda#1}::operator()\n"
                                             "app::parse::{lambda#1}::operator()\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_stand_in_the_scopes_of_their_declarations_and_lambdas_are_told_apart),
    };

    return cmocka_run_group_tests_name("function names", tests, NULL, NULL);
}
