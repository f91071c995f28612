#include "picture_options.h"

static const struct option_spec specs[] = {
    {"title", 0, OPTION_VALUE, "TEXT", "Heading of the picture", NULL, NULL},
    {"inverted", 0, OPTION_FLAG, NULL, "Draw callers at the top (an icicle graph)", NULL, NULL},
};

const struct option_table picture_options = {"Picture", specs, ARRAY_COUNT(specs)};

struct output_look picture_look(const struct options *options)
{
    return (struct output_look){
        .title = slice_of(options_value(options, "title")),
        .is_inverted = options_has(options, "inverted"),
    };
}
