/* The style sheets and scripts that pages carry inside them, as they stand in assets/. */
#ifndef PAGE_ASSETS_H
#define PAGE_ASSETS_H

#include "base/slice.h"

struct slice page_flame_style(void);
struct slice page_flame_script(void);
struct slice page_treemap_style(void);      /* of both forms */
struct slice page_treemap_page_style(void); /* of the page alone */
struct slice page_treemap_script(void);

#endif
