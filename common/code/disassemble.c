#include "code/disassemble.h"

#include <elf.h>
#include <string.h>

#include "base/workers.h"
#include "code/aarch64.h"
#include "code/x86_64.h"

/* How much code a thread takes at a time. */
enum { BATCH_BYTES = 1 << 17 };

/* Pieces of code that one thread reads. */
struct batch {
    size_t first;
    size_t count;
    struct code_references found;
};

struct reading {
    const struct disassemble_request *request;
    VEC(struct batch) batches;
};

bool disassemble_knows(uint16_t machine)
{
    return machine == EM_X86_64 || machine == EM_AARCH64;
}

void code_references_done(struct code_references *references)
{
    vec_done(&references->items);
}

static void read_batch(void *context, size_t index)
{
    struct reading *reading = context;
    struct batch *batch = &reading->batches.items[index];

    for (size_t i = 0; i < batch->count; i++) {
        const struct code_bytes *code = &reading->request->code[batch->first + i];

        if (reading->request->machine == EM_X86_64)
            x86_64_references(reading->request, code, &batch->found);
        else
            aarch64_references(reading->request, code, &batch->found);
    }
}

static void make_batches(struct reading *reading)
{
    size_t batch_bytes = 0;

    for (size_t i = 0; i < reading->request->code_count; i++) {
        if (reading->batches.count == 0 || batch_bytes >= BATCH_BYTES) {
            *vec_add(&reading->batches) = (struct batch){.first = i};
            batch_bytes = 0;
        }
        reading->batches.items[reading->batches.count - 1].count++;
        batch_bytes += reading->request->code[i].bytes.length;
    }
}

/* In the order of the code, whichever thread was first. */
static void gather(struct reading *reading, struct code_references *out)
{
    for (size_t i = 0; i < reading->batches.count; i++) {
        struct code_references *found = &reading->batches.items[i].found;

        for (size_t j = 0; j < found->items.count; j++)
            *vec_add(&out->items) = found->items.items[j];
        code_references_done(found);
    }
}

int disassemble_references(const struct disassemble_request *request, struct code_references *out,
                           struct error *err)
{
    struct reading reading = {.request = request};

    if (!disassemble_knows(request->machine))
        return 0;
    if (request->machine == EM_X86_64 && zydis_load(err) < 0)
        return -1;
    make_batches(&reading);
    workers_run(reading.batches.count, 0, read_batch, &reading);
    gather(&reading, out);
    vec_done(&reading.batches);
    return 0;
}
