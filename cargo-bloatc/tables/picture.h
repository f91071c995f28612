/* A measurement as boxes inside boxes: crates, their modules, the functions of those. */
#ifndef TABLES_PICTURE_H
#define TABLES_PICTURE_H

#include "content/filter.h"
#include "content/measure.h"
#include "content/settings.h"
#include "report/outputs.h"

/* What the forms are rendered from. All borrowed. */
struct picture {
    const struct measurement *measurement;
    const struct bloatc_settings *settings;
    const struct filter *filter; /* whose regular expression did not give up on any function */
    const char *path;            /* of the file that was measured */
};

/* .html and .svg; their context is a struct picture. */
extern const struct outputs_form picture_forms[];

#endif
