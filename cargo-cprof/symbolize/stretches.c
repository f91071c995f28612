#include "symbolize/stretches.h"

bool stretches_find(struct stretches *stretches, struct image *image, uint64_t svma, struct stretch *out)
{
    struct error unread = {0};
    uint64_t start = 0;
    uint64_t end = 0;

    if (!stretches->is_asked && cfi_lookup_open(image, &stretches->lookup, &unread) < 0)
        stretches->lookup = NULL;
    stretches->is_asked = true;
    if (!cfi_lookup_last(stretches->lookup, svma, &start, &end))
        return false;
    *out = svma < end ? (struct stretch){start, true} : (struct stretch){end, false};
    return true;
}

bool stretches_lead(struct stretches *stretches, struct image *image, uint64_t symbol_svma, uint64_t svma)
{
    uint64_t start = 0;
    uint64_t end = 0;

    if (!stretches->code)
        stretches->code = code_frames_open(image, NULL);
    return code_frames_range(stretches->code, svma, &start, &end) && start == symbol_svma;
}

void stretches_done(struct stretches *stretches)
{
    code_frames_close(stretches->code);
    cfi_lookup_close(stretches->lookup);
    *stretches = (struct stretches){0};
}
