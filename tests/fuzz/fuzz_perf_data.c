/* Any bytes as a file of perf's: what it tells about itself and all its records are read. */
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file.h"
#include "elf/notes.h"
#include "import/recorded_kernel.h"
#include "sampler/perf_data/perf_data.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void read_all(struct perf_data *data)
{
    const struct perf_data_about *about = perf_data_about(data);
    struct sampler_event event;
    uint64_t last_ns = 0;

    require(perf_data_source_count(data) > 0);
    while (perf_data_next(data, &event)) {
        require(event.kind_index < perf_data_source_count(data));
        if (event.kind != SAMPLER_SAMPLE)
            continue;
        require(event.time_ns >= last_ns && event.time_ns <= perf_data_last_ns(data));
        /* The program's may be of a record of their own. */
        require(sample_kernel_call_count(&event.sample) < 1 << 13);
        require(sample_user_call_count(&event.sample) < 1 << 13);
        last_ns = event.time_ns;
    }
    for (size_t i = 0; i < perf_data_kernel_count(data); i++)
        (void)about_build_id(about, perf_data_kernel_part(data, i)->name);
    for (size_t i = 0; i < perf_data_source_count(data); i++)
        require(perf_data_source(data, i).event && perf_data_source(data, i).unit);
}

static void read_kernels(struct slice bytes)
{
    uint64_t start = 0;

    (void)notes_build_id(bytes_of_ours(bytes), 4);
    (void)recorded_kernel_find_module(bytes, SLICE("/lib/modules/6.1.0/kernel/fs/ext4/ext4.ko.xz"), &start);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    SCOPED(file_close_descriptor) int file = memfd_create("fuzz", MFD_CLOEXEC);
    struct slice bytes = {(const char *)data, size};
    struct perf_data *read = NULL;
    struct error err = {0};

    require(file >= 0 && file_write(file, bytes) == 0);
    read_kernels(bytes);
    if (perf_data_open(file, "fuzz", &read, &err) == 0)
        read_all(read);
    perf_data_close(read);
    return 0;
}
