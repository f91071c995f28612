#include "sampler/perf/raw_wait.h"

#include <linux/perf_event.h>

#include "base/bytes.h"
#include "sampler/perf/call_chain.h"

bool raw_wait_read(struct slice raw, struct sampler_event *out)
{
    struct bytes bytes = bytes_of_ours(raw);
    struct sample_raw sample = {.cpu = out->sample.cpu};
    uint32_t first = bytes_u32(&bytes);
    uint32_t second = bytes_u32(&bytes);

    sample.period = bytes_u64(&bytes);
    call_chain_read(&bytes, &sample);
    if (bytes.failed)
        return false;
    /* A process and its thread: perf and the kernel's part of it do not put them in the same order. */
    out->pid = first < second ? first : second;
    out->tid = first < second ? second : first;
    if (sample_user_call_count(&sample) > 0)
        sample.address = sample_user_call(&sample, 0);
    out->sample = sample;
    return true;
}
