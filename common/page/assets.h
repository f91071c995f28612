/* The style sheets and scripts that pages carry inside them, as they stand in assets/. */
#ifndef PAGE_ASSETS_H
#define PAGE_ASSETS_H

#include "base/slice.h"

struct slice page_flame_style(void);
struct slice page_flame_script(void);

#endif
