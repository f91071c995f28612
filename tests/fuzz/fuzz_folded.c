/* Folded stacks of any content, cut into two parts, drawn and written out again; those are read as the same.
 */
#include <stdlib.h>

#include "drawn_profile.h"
#include "emit/output.h"
#include "import/folded.h"

/* 0 when the text is refused. */
static int read_parts(struct slice first, struct slice second, struct profile *profile)
{
    SCOPED(folded_import_done) struct folded_import import = {0};
    struct error err = {0};

    folded_import_add(&import, first);
    folded_import_add(&import, second);
    if (folded_import_end_file(&import, &err) == 0 && folded_import_finish(&import, profile, &err) == 0)
        return 1;
    if (err.kind != ERROR_FORMAT)
        abort();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    SCOPED(text_done) struct text folded = {0};
    struct slice input = {(const char *)data, size};
    const struct output_look look = {0};
    struct profile profile;
    struct error err = {0};

    profile_init(&profile);
    if (read_parts(slice_range(input, 0, size / 2), slice_range(input, size / 2, size), &profile)) {
        drawn_profile_make(&profile);
        if (output_add(&folded, &profile, 0, OUTPUT_FOLDED, &look, &err) < 0)
            abort();
    }
    profile_done(&profile);
    profile_init(&profile);
    if (folded.length > 0 && !read_parts(text_slice(&folded), (struct slice){0}, &profile))
        abort();
    profile_done(&profile);
    return 0;
}
