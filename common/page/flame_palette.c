#include "page/flame_palette.h"

static const struct {
    const char *name;
    enum flame_palette palette;
} names[] = {
    {"code", PALETTE_CODE},     {"rust", PALETTE_CODE},     {"hot", PALETTE_HOT},
    {"mem", PALETTE_MEM},       {"io", PALETTE_IO},         {"red", PALETTE_RED},
    {"green", PALETTE_GREEN},   {"blue", PALETTE_BLUE},     {"aqua", PALETTE_AQUA},
    {"yellow", PALETTE_YELLOW}, {"purple", PALETTE_PURPLE}, {"orange", PALETTE_ORANGE},
    {"wakeup", PALETTE_WAKEUP}, {"java", PALETTE_JAVA},     {"js", PALETTE_JAVA},
    {"perl", PALETTE_JAVA},     {"python", PALETTE_JAVA},
};

const char *const flame_palette_names[] = {
    "code",   "rust",   "hot",    "mem",    "io",   "red", "green", "blue",   "aqua",
    "yellow", "purple", "orange", "wakeup", "java", "js",  "perl",  "python", NULL,
};

enum flame_palette flame_palette_at(size_t place)
{
    return names[place].palette;
}

/* Red, green and blue of the first shade, and of the last. */
static const unsigned char ends[PALETTE_COUNT][2][3] = {
    [PALETTE_HOT] = {{205, 30, 15}, {255, 225, 55}},      [PALETTE_MEM] = {{0, 190, 40}, {0, 240, 200}},
    [PALETTE_IO] = {{80, 80, 190}, {140, 140, 245}},      [PALETTE_RED] = {{200, 50, 50}, {255, 130, 130}},
    [PALETTE_GREEN] = {{50, 200, 50}, {110, 255, 110}},   [PALETTE_BLUE] = {{80, 80, 205}, {140, 140, 255}},
    [PALETTE_AQUA] = {{50, 165, 165}, {110, 220, 220}},   [PALETTE_YELLOW] = {{175, 175, 50}, {230, 230, 70}},
    [PALETTE_PURPLE] = {{190, 80, 190}, {255, 140, 255}}, [PALETTE_ORANGE] = {{190, 90, 0}, {255, 155, 0}},
    [PALETTE_WAKEUP] = {{50, 165, 165}, {110, 220, 220}},
};

enum flame_palette flame_palette_of_language(bool is_kernel, bool is_inlined, bool has_paths)
{
    if (is_kernel)
        return PALETTE_ORANGE;
    if (is_inlined)
        return PALETTE_AQUA;
    return has_paths ? PALETTE_YELLOW : PALETTE_RED;
}

static void add_shades(struct text *css, enum flame_palette palette)
{
    for (int shade = 0; shade < FLAME_PALETTE_SHADES; shade++) {
        int mixed[3];

        for (int i = 0; i < 3; i++)
            mixed[i] = ends[palette][0][i] +
                       (ends[palette][1][i] - ends[palette][0][i]) * shade / (FLAME_PALETTE_SHADES - 1);
        text_format(css, "#frames .p%d%d rect { fill: rgb(%d, %d, %d); }\n", palette, shade, mixed[0],
                    mixed[1], mixed[2]);
    }
}

/* The more of a change the darker, on light paper and on dark. */
static void add_heat(struct text *css, const char *indent, const char *class, int hue, int palest, int step)
{
    for (int heat = 1; heat <= FLAME_HEAT_MOST; heat++)
        text_format(css, "%s#frames .%s%d rect, #key .%s%d rect { fill: hsl(%d, 85%%, %d%%); }\n", indent,
                    class, heat, class, heat, hue, palest + (heat - 1) * step);
}

static void add_diff_style(struct text *css, bool gone_is_more)
{
    enum { RED = 4, BLUE = 215 };

    add_heat(css, "", "m", RED, 89, -6);
    add_heat(css, "", "l", BLUE, 89, -6);
    text_add_string(css, "#frames .e rect, #key .e rect { fill: hsl(220, 12%, 92%); }\n");
    text_format(css, "#frames .gone rect { stroke: hsl(%d, 85%%, 45%%); stroke-dasharray: 3 2; }\n",
                gone_is_more ? RED : BLUE);
    text_add_string(css, "@media (prefers-color-scheme: dark) {\n");
    add_heat(css, "    ", "m", RED, 24, 5);
    add_heat(css, "    ", "l", BLUE, 24, 5);
    text_add_string(css, "    #frames .e rect, #key .e rect { fill: hsl(220, 8%, 30%); }\n}\n");
}

void flame_palette_add_style(struct text *css, enum flame_palette palette, bool gone_is_more)
{
    if (palette == PALETTE_CODE)
        return;
    if (palette == PALETTE_DIFF) {
        add_diff_style(css, gone_is_more);
        return;
    }
    /* These are bright on dark paper too. */
    text_add_string(css, "#frames text { fill: #1c1e21; }\n");
    if (palette != PALETTE_JAVA) {
        add_shades(css, palette);
        return;
    }
    add_shades(css, PALETTE_ORANGE);
    add_shades(css, PALETTE_AQUA);
    add_shades(css, PALETTE_YELLOW);
    add_shades(css, PALETTE_RED);
}
