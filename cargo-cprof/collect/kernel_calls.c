#include "collect/kernel_calls.h"

/* Fibonacci hashing, as of unwind/unwind.c. */
static size_t place_of(uint32_t caller, uint64_t address)
{
    return (size_t)((address + ((uint64_t)caller << 32)) * UINT64_C(0x9e3779b97f4a7c15) >> 48) %
           KERNEL_CALLS_RECENT;
}

uint32_t kernel_calls_add(struct kernel_calls *calls, struct profile *profile, uint32_t caller,
                          uint64_t address)
{
    struct kernel_call *recent = &calls->recent[place_of(caller, address)];

    if (!calls->has_module) {
        calls->module = profile_add_module(profile, MODULE_KERNEL, SLICE("[kernel]"), SLICE(""));
        calls->has_module = true;
    }
    if (recent->address != address || recent->caller != caller || address == 0)
        *recent = (struct kernel_call){
            address, caller,
            profile_stack(profile, caller, profile_location(profile, calls->module, address))};
    return recent->stack;
}

size_t kernel_calls_add_all(struct kernel_calls *calls, struct profile *profile,
                            const struct sample_raw *sample, uint32_t *stack)
{
    size_t count = sample_kernel_call_count(sample);

    if (count == 0)
        *stack = kernel_calls_add(calls, profile, *stack, sample->address);
    for (size_t i = count; i > 0; i--)
        *stack = kernel_calls_add(calls, profile, *stack, sample_kernel_call(sample, i - 1));
    return count > 0 ? count : 1;
}
