#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "page/flame_graph.h"
#include "page/flame_label.h"

static void assert_label(const char *name, size_t columns, const char *expected)
{
    struct text text = {0};

    flame_label_add(&text, slice_of(name), columns);
    assert_string_equal(text_string(&text), expected);
    text_done(&text);
}

static void a_label_shows_as_much_of_the_end_of_a_path_as_there_is_room_for(void **state)
{
    const char *push = "alloc::vec::Vec<T,A>::push";

    (void)state;
    assert_label(push, 26, push);
    assert_label(push, 25, "Vec<T,A>::push");
    assert_label(push, 13, "push");
    assert_label(push, 4, "push");
    assert_label(push, 3, "pu…");
    assert_label(push, 2, "");
    assert_label("main", 4, "main");
    assert_label("", 10, "");
}

static void brackets_keep_their_paths_only_while_there_is_room(void **state)
{
    const char *drop = "<alloc::vec::Vec<T,A> as core::ops::drop::Drop>::drop";
    const char *call = "core::ops::function::impls::<impl FnOnce<A> for &mut F>::call_once";

    (void)state;
    assert_label(drop, 53, drop);
    assert_label(drop, 52, "<Vec<T,A> as Drop>::drop");
    assert_label(drop, 23, "drop");
    assert_label(call, 65, "<impl FnOnce<A> for &mut F>::call_once");
    assert_label("a::b<fn(x::y) -> c::d::E>::long_name", 35, "b<fn(x::y) -> c::d::E>::long_name");
    assert_label("a::b<fn(x::y) -> c::d::E>::long_name", 30, "b<fn(y) -> E>::long_name");
    assert_label("a::{{closure}}", 13, "a::{{closure…");
    assert_label("std::rt::lang_start::{{closure}}", 30, "rt::lang_start::{{closure}}");
    assert_label("std::rt::lang_start::{{closure}}", 24, "lang_start::{{closure}}");
    assert_label("std::rt::lang_start::{{closure}}::{{closure}}", 20, "lang_start::{{closu…");
}

static void of_cpp_the_arguments_go_first(void **state)
{
    const char *run =
        "llvm::detail::PassModel<llvm::Function, llvm::GVNPass>::run(llvm::Function&, int) const";

    (void)state;
    assert_label(run, 87, run);
    assert_label(run, 86, "llvm::detail::PassModel<llvm::Function, llvm::GVNPass>::run");
    assert_label(run, 58, "PassModel<llvm::Function, llvm::GVNPass>::run");
    assert_label(run, 44, "PassModel<Function, GVNPass>::run");
    assert_label(run, 31, "run");
    assert_label("a::sort(int)::{lambda(int, int)#1}::operator()(int, int) const", 60,
                 "a::sort(int)::{lambda(int, int)#1}::operator()");
    assert_label("a::b::operator()", 12, "operator()");
    assert_label("(anonymous namespace)", 12, "(anonymous …");
    assert_label("a)", 1, "");
    assert_label("abc)", 3, "ab…");
}

static void hostile_names_are_cut_between_letters(void **state)
{
    (void)state;
    assert_label("ααααα", 4, "ααα…");
    assert_label("\xff\xff\xff\xff\xff", 4, "\xff\xff\xff…");
    assert_label(">>>>>>", 3, ">>…");
    assert_label("::::::", 3, ":::");
    assert_label("a::b::", 5, "b::");
}

static struct text drawn(const struct flame_frame *frames, size_t count, struct flame_look look)
{
    struct text svg = {0};

    look.unit = "sample";
    flame_graph_add(&svg, frames, count, &look);
    return svg;
}

static bool has(const struct text *svg, const char *part)
{
    return slice_find(text_slice(svg), slice_of(part)) < svg->length;
}

static size_t count_of(const struct text *svg, const char *part)
{
    struct slice rest = text_slice(svg);
    size_t count = 0;

    for (;; count++) {
        size_t at = slice_find(rest, slice_of(part));

        if (at == rest.length)
            return count;
        rest = slice_range(rest, at + 1, rest.length);
    }
}

static const struct flame_frame frames[] = {
    {.name = {"all", 3}, .weight = 1000},
    {.name = {"wide", 4},
     .weight = 600,
     .self = 595,
     .depth = 1,
     .hue = FLAME_OWN,
     .shade = 5,
     .detail = {"a<b", 3}},
    {.name = {"least", 5}, .weight = 5, .self = 5, .depth = 2, .hue = FLAME_STD},
    {.name = {"<b>&\"'\x01\xff", 8},
     .start = 600,
     .weight = 400,
     .self = 400,
     .depth = 1,
     .is_thread = true,
     .hue = FLAME_KERNEL},
};

static void a_frame_is_a_box_with_a_title_and_a_label(void **state)
{
    struct text svg = drawn(frames, ARRAY_COUNT(frames), (struct flame_look){0});

    (void)state;
    assert_true(has(&svg, "<g class=\"o1\"><title>wide\n600 samples, 60.00%; itself 59.50%\na&#60;b</title>"
                          "<rect x=\"0%\" y=\"110\" width=\"60%\" height=\"17\"/>"
                          "<text x=\"0%\" dx=\"4\" y=\"123\">wide</text></g>"));
    assert_true(has(&svg, "<rect x=\"60%\" y=\"110\" width=\"40%\""));
    assert_true(
        has(&svg,
            "frames: [\n0,1000,0,0,\n0,600,1,0,0,5,2,0,600,400,1,0], looks: [], threads: [3], titles: [\n]"));
    text_done(&svg);
}

/* Boxes of less than two pixels. */
static void narrow_boxes_share_their_titles(void **state)
{
    static const struct flame_frame narrow[] = {
        {.name = {"all", 3}, .weight = 1000},
        {.name = {"<a>", 3}, .weight = 1, .self = 1, .depth = 1},
        {.name = {"<a>", 3}, .start = 1, .weight = 1, .depth = 1},
        {.name = {"<a>", 3}, .start = 2, .weight = 1, .self = 1, .depth = 1, .detail = {"b", 1}},
        {.name = {"wide", 4}, .start = 3, .weight = 2, .depth = 1},
        {.name = {"<a>", 3}, .start = 5, .weight = 1, .self = 1, .depth = 1},
        {.name = {"<a>", 3}, .start = 6, .weight = 1, .depth = 1, .figures = {"1 ms", 4}},
    };
    struct text svg = drawn(narrow, ARRAY_COUNT(narrow), (struct flame_look){0});

    (void)state;
    assert_true(has(&svg, "<g class=\"t0\"><title>wide\n2 samples, 0.20%</title><rect"));
    assert_true(has(&svg, "<g class=\"t0\"><rect x=\"0.5%\""));
    assert_false(has(&svg, "<title>&#60;a"));
    assert_true(has(&svg, "<desc id=\"lines\">&#60;a&#62;\n1 sample, 0.10%\n\nb\n1 ms</desc>\n"));
    assert_true(has(&svg, "titles: [\n0,1,2,0,1,3,0,4,2], titlesOfBoxes: [\n0,0,1,0,2]};"));
    text_done(&svg);
}

/* 2,400 are a pixel. */
static void boxes_that_nobody_sees_are_figures_alone(void **state)
{
    static const struct flame_frame narrow[] = {
        {.name = {"all", 3}, .weight = 2880000},
        {.name = {"unseen", 6}, .weight = 239, .depth = 1},
        {.name = {"lone", 4}, .start = 28800, .weight = 1200, .depth = 1},
        {.name = {"next", 4}, .start = 30000, .weight = 1200, .depth = 1, .hue = FLAME_OWN, .shade = 2},
        {.name = {"last", 4},
         .start = 31200,
         .weight = 1200,
         .depth = 1,
         .hue = FLAME_STD,
         .is_inlined = true},
        {.name = {"seen", 4}, .start = 57600, .weight = 2400, .depth = 1},
        {.name = {"rest", 4}, .start = 60000, .weight = 600, .depth = 1, .hue = FLAME_OWN, .shade = 2},
    };
    struct text svg = drawn(narrow, ARRAY_COUNT(narrow), (struct flame_look){.min_width_px = -1});

    (void)state;
    assert_true(has(&svg,
                    "</text></g>\n"
                    "<g class=\"t0\"><rect x=\"1%\" y=\"92\" width=\"0.0416%\" height=\"17\"/></g>\n"
                    "<g class=\"s0 i\"><rect x=\"1.0416%\" y=\"92\" width=\"0.0833%\" height=\"17\"/></g>\n"
                    "<g class=\"t0\"><rect x=\"2%\" y=\"92\" width=\"0.0833%\" height=\"17\"/></g>\n"
                    "</g>\n"));
    assert_true(has(&svg,
                    "0,2880000,0,0,\n0,239,1,1,28800,1200,1,0,30000,1200,1,2,31200,1200,1,0,57600,2400,1,0,"
                    "60000,600,1,2], looks: [\"t0\",\"o2\"]"));
    assert_true(has(&svg, "leastPixels: 1.0, lonePixels: 0.1,"));
    text_done(&svg);
}

static void names_are_text_whatever_they_hold(void **state)
{
    struct text svg =
        drawn(frames, ARRAY_COUNT(frames),
              (struct flame_look){.title = SLICE("</title><script>"), .subtitle = SLICE("a\n&")});

    (void)state;
    assert_false(has(&svg, "<b>"));
    assert_true(has(&svg, "<title>&#60;b&#62;&#38;"));
    assert_true(has(&svg, "\\x01\\xff\n400 samples"));
    assert_true(has(&svg, "<title>&#60;/title&#62;&#60;script&#62;</title>"));
    assert_true(has(&svg, ">a\\n&#38;</text>"));
    text_done(&svg);
}

static void an_inverted_picture_has_the_root_at_the_top(void **state)
{
    struct text svg = drawn(frames, ARRAY_COUNT(frames), (struct flame_look){.is_inverted = true});

    (void)state;
    assert_true(has(&svg, "<rect x=\"0%\" y=\"92\" width=\"100%\""));
    assert_true(has(&svg, "isInverted: true"));
    text_done(&svg);
}

static void frames_below_the_least_width_are_left_out_and_it_says_so(void **state)
{
    static const char long_subtitle[200] = {[0 ... 198] = 'x'};
    struct text six = drawn(frames, ARRAY_COUNT(frames), (struct flame_look){.min_width_px = 6});
    struct text seven = drawn(frames, ARRAY_COUNT(frames),
                              (struct flame_look){.min_width_px = 7.3, .subtitle = slice_of(long_subtitle)});

    (void)state;
    assert_true(has(&six, "<title>least\n"));
    assert_false(has(&six, "left out"));
    assert_false(has(&seven, "<title>least\n"));
    assert_true(has(&seven, "rows: 2,"));
    assert_true(
        has(&seven, "xxx\xe2\x80\xa6<tspan>; boxes below 0.700% are left out (0.5% in all)</tspan></text>"));
    text_done(&six);
    text_done(&seven);
}

static void the_key_tells_the_share_of_each_hue_itself(void **state)
{
    struct text svg = drawn(frames, ARRAY_COUNT(frames), (struct flame_look){0});

    (void)state;
    assert_true(has(&svg, ">own crates 59.5%</text>"));
    assert_true(has(&svg, ">std 0.5%</text>"));
    assert_true(has(&svg, ">kernel 40.0%</text>"));
    assert_false(has(&svg, ">dependencies"));
    assert_true(has(&svg, "isPart: false"));
    text_done(&svg);
}

static void in_the_key_std_may_be_of_who_calls_it(void **state)
{
    struct text svg = drawn(frames, ARRAY_COUNT(frames), (struct flame_look){.std_is_callers = true});

    (void)state;
    assert_true(has(&svg, ">own crates 60.0%</text>"));
    assert_true(has(&svg, ">std 0.0%</text>"));
    text_done(&svg);
}

static void a_picture_of_nothing_says_so(void **state)
{
    struct text svg = drawn(NULL, 0, (struct flame_look){0});

    (void)state;
    assert_true(has(&svg, "Nothing was sampled."));
    assert_false(has(&svg, "<script>"));
    assert_true(has(&svg, "</svg>\n"));
    text_done(&svg);
}

static void a_picture_of_very_many_boxes_leaves_out_the_narrowest(void **state)
{
    enum { COUNT = 300000 };
    struct flame_frame *many = calloc(COUNT + 1, sizeof(*many));
    struct text svg = {0};

    (void)state;
    many[0] = (struct flame_frame){.name = {"all", 3}, .weight = 3ULL * COUNT};
    /* All at one place: half of them are twice as wide as the others. */
    for (size_t i = 1; i <= COUNT; i++)
        many[i] = (struct flame_frame){.name = {i % 2 ? "wide" : "narrow", i % 2 ? 4 : 6},
                                       .weight = i % 2 ? 4 : 2,
                                       .self = i % 2 ? 4 : 2,
                                       .depth = 1};
    svg = drawn(many, COUNT + 1, (struct flame_look){0});
    assert_true(has(&svg, "boxes below 0.000% are left out (33.3% in all)"));
    assert_true(has(&svg, ">all\n"));
    assert_true(has(&svg, ">wide\n"));
    assert_false(has(&svg, ">narrow\n"));
    assert_true(has(&svg, "isPart: true"));
    assert_true(svg.length < FLAME_MOST_BYTES + 1000000);
    text_done(&svg);
    free(many);
}

/* A picture of 60,000 boxes, whose narrow boxes have so much of the whole. */
static struct text drawn_with_narrow_ones(double share, double min_width_px)
{
    enum { COUNT = 60000, NARROW = 10 };
    struct flame_frame *many = calloc(COUNT + 1, sizeof(*many));
    struct text svg = {0};

    many[0] = (struct flame_frame){.name = {"all", 3}, .weight = (uint64_t)(NARROW * COUNT / share)};
    for (size_t i = 1; i <= COUNT; i++)
        many[i] = (struct flame_frame){.name = {"narrow", 6}, .weight = NARROW, .self = NARROW, .depth = 1};
    svg = drawn(many, COUNT + 1, (struct flame_look){.min_width_px = min_width_px});
    free(many);
    return svg;
}

static void what_nobody_sees_of_a_large_picture_is_left_out_where_it_is_little(void **state)
{
    struct text little = drawn_with_narrow_ones(0.004, 0);
    struct text asked_for = drawn_with_narrow_ones(0.004, -1);
    struct text much = drawn_with_narrow_ones(0.01, 0);

    (void)state;
    assert_false(has(&little, ">narrow\n"));
    assert_true(has(&little, "boxes below 0.000% are left out (0.4% in all)"));
    assert_true(has(&asked_for, ">narrow\n"));
    assert_true(has(&much, ">narrow\n"));
    assert_false(has(&much, "left out"));
    text_done(&little);
    text_done(&asked_for);
    text_done(&much);
}

/* Narrow boxes have no names of their own, but their titles are in the file. */
static void long_names_leave_room_for_fewer_boxes(void **state)
{
    enum { COUNT = 20000, NAME_BYTES = 500 };
    struct flame_frame *many = calloc(COUNT + 1, sizeof(*many));
    char *names = malloc((size_t)COUNT * NAME_BYTES);
    struct text svg = {0};

    (void)state;
    memset(names, '<', (size_t)COUNT * NAME_BYTES);
    many[0] = (struct flame_frame){.name = {"all", 3}, .weight = 3ULL * COUNT};
    for (size_t i = 1; i <= COUNT; i++)
        many[i] = (struct flame_frame){.name = {names + (i - 1) * NAME_BYTES, NAME_BYTES},
                                       .weight = i % 40 ? 2 : 4,
                                       .self = i % 40 ? 2 : 4,
                                       .depth = 1};
    svg = drawn(many, COUNT + 1, (struct flame_look){0});
    assert_true(svg.length < FLAME_MOST_BYTES + 1000000);
    text_done(&svg);
    free(names);
    free(many);
}

/* As in a chart: boxes of one weight, a stack beside the other. */
static void of_boxes_of_one_weight_those_nearest_to_the_root_stay(void **state)
{
    enum { STACKS = 2000, DEPTH = 50, COUNT = STACKS * DEPTH };
    struct flame_frame *many = calloc(COUNT + 1, sizeof(*many));
    struct text svg = {0};

    (void)state;
    many[0] = (struct flame_frame){.name = {"all", 3}, .weight = STACKS};
    for (size_t i = 0; i < COUNT; i++)
        many[i + 1] = (struct flame_frame){.name = {"call", 4},
                                           .start = i / DEPTH,
                                           .weight = 1,
                                           .self = i % DEPTH + 1 == DEPTH,
                                           .depth = (uint32_t)(i % DEPTH + 1)};
    svg = drawn(many, COUNT + 1, (struct flame_look){0});
    assert_true(has(&svg, "rows: 44,"));
    assert_true(has(&svg, "boxes of 0.050% from row 45 on and narrower ones are left out (100.0% in all)"));
    assert_true(has(&svg, "isPart: true"));
    /* Of 0.6 pixels each. */
    assert_int_equal(count_of(&svg, "<rect x="), 1 + 43 * STACKS / 2);
    assert_true(svg.length < FLAME_MOST_BYTES + 1000000);
    text_done(&svg);
    free(many);
}

static void what_is_as_wide_as_the_whole_stays_while_there_is_room(void **state)
{
    enum { COUNT = 100000 };
    struct flame_frame *many = calloc(COUNT + 1, sizeof(*many));
    struct text svg = {0};

    (void)state;
    many[0] = (struct flame_frame){.name = {"all", 3}, .weight = 1000};
    for (size_t i = 1; i <= COUNT; i++)
        many[i] = (struct flame_frame){.name = {"same", 4}, .weight = 1000, .depth = (uint32_t)i};
    svg = drawn(many, COUNT + 1, (struct flame_look){0});
    assert_true(has(&svg, ">all\n"));
    assert_true(has(&svg, ">same\n"));
    assert_true(svg.length > FLAME_MOST_BYTES - 1000000);
    /* Each has a label, too, as few boxes have. */
    assert_true(svg.length < FLAME_MOST_BYTES + 2000000);
    text_done(&svg);
    free(many);
}

static void palettes_go_by_their_names(void **state)
{
    static const struct {
        const char *name;
        enum flame_palette palette;
    } expected[] = {
        {"code", PALETTE_CODE},     {"rust", PALETTE_CODE},     {"hot", PALETTE_HOT},
        {"mem", PALETTE_MEM},       {"io", PALETTE_IO},         {"red", PALETTE_RED},
        {"green", PALETTE_GREEN},   {"blue", PALETTE_BLUE},     {"aqua", PALETTE_AQUA},
        {"yellow", PALETTE_YELLOW}, {"purple", PALETTE_PURPLE}, {"orange", PALETTE_ORANGE},
        {"wakeup", PALETTE_WAKEUP}, {"java", PALETTE_JAVA},     {"js", PALETTE_JAVA},
        {"perl", PALETTE_JAVA},     {"python", PALETTE_JAVA},
    };
    size_t count = 0;

    (void)state;
    for (; flame_palette_names[count]; count++) {
        assert_string_equal(flame_palette_names[count], expected[count].name);
        assert_int_equal(flame_palette_at(count), expected[count].palette);
    }
    assert_int_equal(count, ARRAY_COUNT(expected));
}

static void a_palette_colours_code_and_nothing_else(void **state)
{
    static const struct flame_frame some[] = {
        {.name = {"all", 3}, .weight = 10},
        {.name = {"a::b", 4}, .weight = 5, .depth = 1, .hue = FLAME_OWN, .name_shade = 13},
        {.name = {"read", 4}, .weight = 3, .depth = 1, .hue = FLAME_KERNEL, .is_inlined = true},
    };
    struct text svg = drawn(some, 3, (struct flame_look){.palette = PALETTE_HOT});

    (void)state;
    assert_true(has(&svg, "<g class=\"t0\"><title>all"));
    assert_true(has(&svg, "<g class=\"p13\"><title>a::b"));
    assert_true(has(&svg, "#frames .p13 rect"));
    text_done(&svg);
    svg = drawn(some, 3, (struct flame_look){.palette = PALETTE_JAVA});
    assert_true(has(&svg, "<g class=\"p83\"><title>a::b"));
    assert_true(has(&svg, "<g class=\"p100 i\"><title>read"));
    assert_true(has(&svg, "#frames .p100 rect"));
    text_done(&svg);
}

static void a_given_width_and_notes_are_in_the_picture(void **state)
{
    static const struct flame_frame some[] = {{.name = {"all", 3}, .weight = 10}};
    struct text svg = drawn(some, 1, (struct flame_look){.width_px = 640, .notes = SLICE("</desc><script>")});

    (void)state;
    assert_true(has(&svg, "width=\"640\""));
    assert_true(has(&svg, "fixedWidth: 640"));
    assert_true(has(&svg, "<desc id=\"notes\">&#60;/desc&#62;&#60;script&#62;</desc>"));
    text_done(&svg);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_label_shows_as_much_of_the_end_of_a_path_as_there_is_room_for),
        cmocka_unit_test(brackets_keep_their_paths_only_while_there_is_room),
        cmocka_unit_test(of_cpp_the_arguments_go_first),
        cmocka_unit_test(hostile_names_are_cut_between_letters),
        cmocka_unit_test(a_frame_is_a_box_with_a_title_and_a_label),
        cmocka_unit_test(narrow_boxes_share_their_titles),
        cmocka_unit_test(boxes_that_nobody_sees_are_figures_alone),
        cmocka_unit_test(names_are_text_whatever_they_hold),
        cmocka_unit_test(an_inverted_picture_has_the_root_at_the_top),
        cmocka_unit_test(frames_below_the_least_width_are_left_out_and_it_says_so),
        cmocka_unit_test(the_key_tells_the_share_of_each_hue_itself),
        cmocka_unit_test(in_the_key_std_may_be_of_who_calls_it),
        cmocka_unit_test(a_picture_of_nothing_says_so),
        cmocka_unit_test(a_picture_of_very_many_boxes_leaves_out_the_narrowest),
        cmocka_unit_test(what_nobody_sees_of_a_large_picture_is_left_out_where_it_is_little),
        cmocka_unit_test(long_names_leave_room_for_fewer_boxes),
        cmocka_unit_test(of_boxes_of_one_weight_those_nearest_to_the_root_stay),
        cmocka_unit_test(what_is_as_wide_as_the_whole_stays_while_there_is_room),
        cmocka_unit_test(palettes_go_by_their_names),
        cmocka_unit_test(a_palette_colours_code_and_nothing_else),
        cmocka_unit_test(a_given_width_and_notes_are_in_the_picture),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
