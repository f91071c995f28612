#include "cmocka_all.h"

#include "page/treemap_places.h"

static void add(struct treemap_places *places, const char *crate, const char *module, const char *name,
                uint64_t weight)
{
    *vec_add(&places->items) =
        (struct treemap_place){slice_of(crate), slice_of(module), slice_of(name), weight, TREEMAP_OWN, false};
}

static void assert_node(const struct treemap_places *places, size_t index, const char *name, uint32_t depth,
                        uint64_t weight)
{
    assert_true(slice_is(places->nodes.items[index].name, name));
    assert_int_equal(places->nodes.items[index].depth, depth);
    assert_int_equal(places->nodes.items[index].weight, weight);
}

static void boxes_hold_what_stands_in_them_the_heaviest_first(void **state)
{
    struct treemap_places places = {0};

    (void)state;
    add(&places, "b", "", "b::top", 5);
    add(&places, "a", "m", "a::m::small", 1);
    add(&places, "a", "m", "a::m::large", 2);
    add(&places, "a", "", "a::top", 4);
    *vec_add(&places.items) =
        (struct treemap_place){SLICE("[padding]"), SLICE(""), SLICE("[padding]"), 7, TREEMAP_REST, true};
    treemap_places_arrange(&places, (struct treemap_node){.name = SLICE("all"), .weight = 99});
    assert_int_equal(places.nodes.count, 9);
    assert_node(&places, 0, "all", 0, 19);
    assert_node(&places, 1, "[padding]", 1, 7);
    assert_node(&places, 2, "a", 1, 7);
    assert_node(&places, 3, "a::top", 2, 4);
    assert_node(&places, 4, "m", 2, 3);
    assert_node(&places, 5, "a::m::large", 3, 2);
    assert_node(&places, 6, "a::m::small", 3, 1);
    assert_node(&places, 7, "b", 1, 5);
    assert_node(&places, 8, "b::top", 2, 5);
    treemap_places_done(&places);
}

static void a_crate_has_one_shade_wherever_it_stands(void **state)
{
    struct treemap_places one = {0};
    struct treemap_places other = {0};

    (void)state;
    add(&one, "b", "", "b::f", 5);
    add(&other, "a", "", "a::f", 5);
    add(&other, "b", "m", "b::m::g", 1);
    treemap_places_arrange(&one, (struct treemap_node){.name = SLICE("all")});
    treemap_places_arrange(&other, (struct treemap_node){.name = SLICE("all")});
    assert_int_equal(one.nodes.items[1].shade, other.nodes.items[3].shade);
    assert_int_equal(one.nodes.items[1].shade, other.nodes.items[5].shade);
    assert_int_not_equal(other.nodes.items[1].shade, other.nodes.items[3].shade);
    treemap_places_done(&one);
    treemap_places_done(&other);
}

static void nothing_to_show_is_the_whole_alone(void **state)
{
    struct treemap_places places = {0};

    (void)state;
    treemap_places_arrange(&places, (struct treemap_node){.name = SLICE("all"), .weight = 3});
    assert_int_equal(places.nodes.count, 1);
    assert_node(&places, 0, "all", 0, 0);
    treemap_places_done(&places);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_hold_what_stands_in_them_the_heaviest_first),
        cmocka_unit_test(a_crate_has_one_shade_wherever_it_stands),
        cmocka_unit_test(nothing_to_show_is_the_whole_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
