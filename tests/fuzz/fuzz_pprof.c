/* A profile of pprof of any bytes; what is accepted is drawn, and written in our form and in its own. */
#include <stdlib.h>

#include "drawn_profile.h"
#include "emit/output.h"
#include "import/pprof.h"
#include "profile/profile_file.h"

static void read_again(struct text *file)
{
    struct profile profile;
    struct error err = {0};

    if (profile_file_read(file, &profile, &err) < 0)
        abort();
    profile_done(&profile);
}

static bool see(struct slice bytes, struct profile *profile)
{
    struct error err = {0};

    profile_init(profile);
    if (pprof_read(bytes, profile, &err) == 0)
        return true;
    if (err.kind != ERROR_FORMAT || !err.message[0])
        abort();
    profile_done(profile);
    return false;
}

static void use(struct profile *profile, struct text *written)
{
    SCOPED(text_done) struct text file = {0};
    const struct output_look look = {0};
    struct error err = {0};

    drawn_profile_make(profile);
    if (output_add(written, profile, 0, OUTPUT_PPROF, &look, &err) < 0 ||
        profile_file_write(profile, sink_of_text(&file), &err) < 0)
        abort();
    read_again(&file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    SCOPED(text_done) struct text written = {0};
    SCOPED(text_done) struct text unused = {0};
    struct slice input = {(const char *)data, size};
    struct profile profile;

    (void)pprof_begins(input);
    if (!see(input, &profile))
        return 0;
    use(&profile, &written);
    profile_done(&profile);
    if (see(text_slice(&written), &profile)) {
        use(&profile, &unused);
        profile_done(&profile);
    }
    return 0;
}
