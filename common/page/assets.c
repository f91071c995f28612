#include "page/assets.h"

/* Defined in assets.S. */
extern const char page_flame_css[];
extern const char page_flame_css_end[];
extern const char page_flame_js[];
extern const char page_flame_js_end[];

struct slice page_flame_style(void)
{
    return (struct slice){page_flame_css, (size_t)(page_flame_css_end - page_flame_css)};
}

struct slice page_flame_script(void)
{
    return (struct slice){page_flame_js, (size_t)(page_flame_js_end - page_flame_js)};
}
