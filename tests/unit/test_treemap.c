#include "cmocka_all.h"

#include <math.h>
#include <string.h>

#include "page/treemap.h"
#include "page/treemap_layout.h"

static bool near(double a, double b)
{
    return fabs(a - b) < 1e-6;
}

static void assert_area(const struct treemap_box *box, double area)
{
    assert_true(near(box->width * box->height, area));
}

static void boxes_have_areas_by_weight_and_fill_the_room(void **state)
{
    const uint64_t weights[] = {6, 6, 4, 3, 2, 2, 1};
    struct treemap_box boxes[ARRAY_COUNT(weights)];

    (void)state;
    /* The example of the paper by Bruls, Huizing and van Wijk: a room of 6 by 4. */
    treemap_lay_out((struct treemap_box){0, 0, 6, 4}, 24, weights, ARRAY_COUNT(weights), boxes);
    for (size_t i = 0; i < ARRAY_COUNT(weights); i++)
        assert_area(&boxes[i], (double)weights[i]);
    assert_true(near(boxes[0].width, 3) && near(boxes[0].height, 2));
    assert_true(near(boxes[1].y, 2) && near(boxes[1].x, 0));
    assert_true(near(boxes[2].width, 12.0 / 7) && near(boxes[2].x, 3));
}

static void what_the_weights_leave_of_the_whole_stays_bare(void **state)
{
    const uint64_t weights[] = {10, 5};
    struct treemap_box boxes[2];

    (void)state;
    treemap_lay_out((struct treemap_box){5, 5, 10, 6}, 60, weights, 2, boxes);
    assert_area(&boxes[0], 10);
    assert_area(&boxes[1], 5);
}

static void a_room_without_extent_gives_boxes_without_any(void **state)
{
    const uint64_t weights[] = {3, 2};
    struct treemap_box boxes[2];

    (void)state;
    treemap_lay_out((struct treemap_box){1, 2, 0, 4}, 5, weights, 2, boxes);
    assert_area(&boxes[0], 0);
    assert_area(&boxes[1], 0);
    treemap_lay_out((struct treemap_box){1, 2, 3, 4}, 0, weights, 2, boxes);
    assert_area(&boxes[1], 0);
}

static const struct treemap_node nodes[] = {
    {SLICE("all"), SLICE(""), 100, 0, 0, TREEMAP_REST},
    {SLICE("app"), SLICE(""), 60, 1, 0, TREEMAP_OWN},
    {SLICE("</script><b>"), SLICE("app::full \"name\""), 60, 2, 0, TREEMAP_OWN},
    {SLICE("serde"), SLICE(""), 30, 1, 5, TREEMAP_DEPENDENCY},
    {SLICE("nothing"), SLICE(""), 0, 1, 0, TREEMAP_DEPENDENCY},
};
static const struct treemap_look look = {
    SLICE("a <b>"), SLICE("sub & title"), {SLICE("all <lines>"), 200}, "line", "crate, function"};

static bool holds(struct text *text, const char *part)
{
    return strstr(text_string(text), part) != NULL;
}

static void the_svg_has_a_titled_box_for_each_weight(void **state)
{
    SCOPED(text_done) struct text svg = {0};

    (void)state;
    treemap_add_svg(&svg, nodes, ARRAY_COUNT(nodes), &look);
    assert_true(holds(&svg, "<title>a &#60;b&#62;</title>"));
    assert_true(holds(&svg, "<g class=\"o0\"><title>app\n60 lines, 30.0% of all &#60;lines&#62;</title>"));
    assert_true(holds(&svg, "<g class=\"d1\"><title>serde\n30 lines, 15.0% of all"));
    assert_true(holds(&svg, "<title>app::full &#34;name&#34;\n60 lines"));
    assert_false(holds(&svg, "nothing"));
    assert_true(holds(&svg, ">own crates</text>"));
    assert_false(holds(&svg, ">crates</text>"));
    assert_false(holds(&svg, "</script>"));
}

static void the_page_holds_every_box_and_no_name_can_end_its_script(void **state)
{
    SCOPED(text_done) struct text html = {0};
    const char *data = NULL;

    (void)state;
    treemap_add_html(&html, nodes, ARRAY_COUNT(nodes), &look);
    data = strstr(text_string(&html), "id=\"data\">");
    assert_non_null(data);
    assert_non_null(strstr(data, "[2,60,\"o0\",\"\\u003c/script>\\u003cb>\",\"app::full \\\"name\\\"\"]"));
    assert_non_null(strstr(data, "[1,0,\"d0\",\"nothing\"]"));
    assert_null(strstr(data, "</script><b>"));
    assert_true(holds(&html, "sub &#38; title"));
    assert_true(holds(&html, "\"whole\":[\"all \\u003clines>\",200]"));
}

static void what_would_turn_text_round_or_break_lines_is_written_out(void **state)
{
    static const struct treemap_node odd[] = {
        {SLICE("all"), SLICE(""), 100, 0, 0, TREEMAP_REST},
        {SLICE("gr\xc3\xb6\xe2\x80\xae\x01\n"), SLICE(""), 100, 1, 0, TREEMAP_OWN},
        {SLICE("f"), SLICE("d\x1b[31m\xff\xe2\x80\xae\n"), 100, 2, 0, TREEMAP_OWN},
    };
    static const struct treemap_look turned = {
        SLICE("t\xe2\x80\xae\n"), SLICE("s\xe2\x80\xae\n"), {SLICE("w\xe2\x80\xae\n"), 100}, "line", "crate"};
    SCOPED(text_done) struct text html = {0};
    SCOPED(text_done) struct text svg = {0};

    (void)state;
    treemap_add_html(&html, odd, ARRAY_COUNT(odd), &turned);
    treemap_add_svg(&svg, odd, ARRAY_COUNT(odd), &turned);
    assert_true(holds(&html, "\"gr\xc3\xb6\\\\u{202e}\\\\x01\\\\n\""));
    assert_true(holds(&html, "\"d\\\\x1b[31m\\\\xff\\\\u{202e}\\\\n\""));
    assert_true(holds(&svg, "<title>d\\x1b[31m\\xff\\u{202e}\\n\n"));
    assert_true(holds(&svg, "of w\\u{202e}\\n</title>"));
    assert_true(holds(&html, "<h1>t\\u{202e}\\n</h1>"));
    assert_false(holds(&html, "\xe2\x80\xae"));
    assert_false(holds(&svg, "\xe2\x80\xae"));
}

static void a_picture_of_nothing_is_whole(void **state)
{
    SCOPED(text_done) struct text html = {0};
    SCOPED(text_done) struct text svg = {0};

    (void)state;
    treemap_add_html(&html, NULL, 0, &look);
    treemap_add_svg(&svg, NULL, 0, &look);
    assert_true(holds(&html, "</html>"));
    assert_true(holds(&svg, "</svg>"));
}

static void boxes_that_nest_without_end_are_cut(void **state)
{
    enum { DEEP = 5000 };
    static struct treemap_node deep[DEEP];
    SCOPED(text_done) struct text svg = {0};

    (void)state;
    for (uint32_t i = 0; i < DEEP; i++)
        deep[i] = (struct treemap_node){SLICE("x"), SLICE(""), 10, i, 0, TREEMAP_STD};
    treemap_add_svg(&svg, deep, DEEP, &look);
    assert_true(holds(&svg, "</svg>"));
    assert_true(svg.length < 20000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_have_areas_by_weight_and_fill_the_room),
        cmocka_unit_test(what_the_weights_leave_of_the_whole_stays_bare),
        cmocka_unit_test(a_room_without_extent_gives_boxes_without_any),
        cmocka_unit_test(the_svg_has_a_titled_box_for_each_weight),
        cmocka_unit_test(the_page_holds_every_box_and_no_name_can_end_its_script),
        cmocka_unit_test(what_would_turn_text_round_or_break_lines_is_written_out),
        cmocka_unit_test(a_picture_of_nothing_is_whole),
        cmocka_unit_test(boxes_that_nest_without_end_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
