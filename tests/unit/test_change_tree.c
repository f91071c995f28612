#include "cmocka_all.h"

#include "change_fixture.h"
#include "changes/change_tree.h"
#include "profile_builder.h"

static int make_tree(void *context, struct profile *joined, uint32_t series, struct call_tree *out,
                     struct error *err)
{
    (void)context;
    (void)err;
    call_tree_make(joined, series, WEIGHT_SAMPLES, CALLS_BY_NAME, out);
    return 0;
}

/* "name before>after", samples of the total; "~" where self is noise, "[3]" for what is gone of it. */
static void assert_tree(struct change_fixture *f, const char *expected)
{
    SCOPED(change_tree_done) struct change_tree tree = {0};
    SCOPED(text_done) struct text text = {0};

    assert_int_equal(change_tree_make(&f->changes, make_tree, NULL, &tree, &f->err), 0);
    for (size_t i = 0; i < tree.calls.nodes.count; i++) {
        const struct change_node *node = &tree.nodes[i];

        text_add_repeated(&text, ' ', tree.calls.nodes.items[i].depth);
        text_add(&text, profile_text(&f->changes.joined, tree.calls.nodes.items[i].name));
        text_format(&text, " %llu>%llu%s", (unsigned long long)node->total.weights[JOINED_BEFORE],
                    (unsigned long long)node->total.weights[JOINED_AFTER], node->self.is_noise ? "~" : "");
        if (node->gone > 0)
            text_format(&text, " [%llu]", (unsigned long long)node->gone / 1000000);
        text_add_byte(&text, '\n');
    }
    assert_string_equal(text_string(&text), expected);
}

static void a_tree_has_the_calls_of_both_sides(void **state)
{
    struct change_fixture *f = *state;

    change_fixture_fill(f);
    profile_builder_add(&f->before, 0, SLICE("own app main > own app parse > dep regex find"), 3);
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_FUNCTION);
    assert_tree(f, "all 1803>2800~ [300]\n"
                   " app 1803>2800~ [300]\n"
                   "  main 1803>2800~ [300]\n"
                   "   find 500>520~\n"
                   "   fresh 0>280\n"
                   "   old 300>0 [300]\n"
                   "   parse 1003>2000~\n"
                   "    find 3>0~\n"
                   "    hot 1000>2000\n");
}

static void calls_below_what_is_gone_are_gone_too(void **state)
{
    struct change_fixture *f = *state;

    profile_builder_add(&f->before, 0, SLICE("own app main > own app old > own app kept"), 100);
    profile_builder_add(&f->before, 0, SLICE("own app main > own app kept > own app rare"), 2);
    profile_builder_add(&f->after, 0, SLICE("own app main > own app kept"), 100);
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_FUNCTION);
    /* Two samples of a function may be missing by chance. */
    assert_tree(f, "all 102>100~ [100]\n"
                   " app 102>100~ [100]\n"
                   "  main 102>100~ [100]\n"
                   "   kept 2>100\n"
                   "    rare 2>0~\n"
                   "   old 100>0~ [100]\n"
                   "    kept 100>0 [100]\n");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, change_fixture_set_up, change_fixture_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_tree_has_the_calls_of_both_sides),
        TEST(calls_below_what_is_gone_are_gone_too),
    };

    return cmocka_run_group_tests_name("change_tree", tests, NULL, NULL);
}
