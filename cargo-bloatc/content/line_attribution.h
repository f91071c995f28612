/* Gives code to the crate, function, file and line whose source text it is, through inlining. */
#ifndef CONTENT_LINE_ATTRIBUTION_H
#define CONTENT_LINE_ATTRIBUTION_H

#include "content/measure.h"
#include "size/source.h"

/* What one function of the map is where debug information does not tell more. */
struct function_source {
    struct measured measured; /* as names_add left it */
    struct used used;
};

/*
 * Adds to `out` the code of the source's map as pieces of one function, file and line each as far as `grain`
 * goes; they add up to the same. `functions`, by index in the map, is what code without debug information is
 * given to.
 */
void line_attribution_apply(const struct measure_request *request, struct source *source,
                            const struct function_source *functions, struct measurement *out);

#endif
