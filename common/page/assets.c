#include "page/assets.h"

/* Defined in assets.S. */
extern const char page_flame_css[];
extern const char page_flame_css_end[];
extern const char page_flame_js[];
extern const char page_flame_js_end[];
extern const char page_treemap_css[];
extern const char page_treemap_css_end[];
extern const char page_treemap_page_css[];
extern const char page_treemap_page_css_end[];
extern const char page_treemap_js[];
extern const char page_treemap_js_end[];

struct slice page_flame_style(void)
{
    return (struct slice){page_flame_css, (size_t)(page_flame_css_end - page_flame_css)};
}

struct slice page_flame_script(void)
{
    return (struct slice){page_flame_js, (size_t)(page_flame_js_end - page_flame_js)};
}

struct slice page_treemap_style(void)
{
    return (struct slice){page_treemap_css, (size_t)(page_treemap_css_end - page_treemap_css)};
}

struct slice page_treemap_page_style(void)
{
    return (struct slice){page_treemap_page_css, (size_t)(page_treemap_page_css_end - page_treemap_page_css)};
}

struct slice page_treemap_script(void)
{
    return (struct slice){page_treemap_js, (size_t)(page_treemap_js_end - page_treemap_js)};
}
