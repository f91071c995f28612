/* Files of Criterion's: whatever they hold, what is read of them are times, and their ratio has an order. */
#include <math.h>
#include <stdlib.h>

#include "criterion/saved.h"
#include "delta/statistics.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_sample(const struct criterion_sample *sample)
{
    struct ratio ratio = ratio_of_samples(sample->times, sample->count, sample->times, sample->count, 0.95);

    for (size_t i = 0; i < sample->count; i++)
        if (!isfinite(sample->times[i]) || sample->times[i] <= 0)
            abort();
    if (ratio.is_bounded && isfinite(ratio.high) && !(ratio.low <= ratio.high))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct json_document document = {0};
    struct arena arena = {0};
    struct error err = {0};
    struct criterion_sample sample;
    struct criterion_estimate estimate;
    const char *id = NULL;

    if (json_parse((struct slice){(const char *)data, size}, 1 << 20, &document, &err) == 0) {
        if (criterion_read_sample(&arena, &document, &sample, &err) == 0)
            check_sample(&sample);
        if (criterion_read_time(&document, &estimate, &err) == 0 && !isfinite(estimate.value))
            abort();
        if (criterion_read_id(&arena, &document, &id, &err) == 0 && !id)
            abort();
    }
    json_document_done(&document);
    arena_done(&arena);
    return 0;
}
