#include "process/system_call.h"

#include <elf.h>

#include "base/compiler.h"

/* Instructions for system calls: words of which some bits are the same in all. */
static const struct instruction {
    uint16_t machine;
    uint8_t length;
    uint32_t mask;
    uint32_t bits; /* as little-endian bytes */
} instructions[] = {
    {EM_X86_64, 2, 0xffff, 0x050f},          /* syscall: 0f 05 (Intel SDM, volume 2B) */
    {EM_X86_64, 2, 0xffff, 0x80cd},          /* int 0x80: cd 80 (Intel SDM, volume 2A) */
    {EM_AARCH64, 4, 0xffe0001f, 0xd4000001}, /* svc and its number (Arm ARM, C6.2) */
};

static bool ends_at(const struct module *module, uint64_t svma, const struct instruction *instruction)
{
    unsigned char bytes[sizeof(uint32_t)] = {0};
    uint32_t word = 0;

    if (module->image->machine != instruction->machine || svma < instruction->length ||
        !module_read_code(module, svma - instruction->length, instruction->length, (char *)bytes))
        return false;
    for (size_t i = 0; i < instruction->length; i++)
        word |= (uint32_t)bytes[i] << 8 * i;
    return (word & instruction->mask) == instruction->bits;
}

/* How long the instruction is that ends there. */
static uint8_t length_before(struct modules *modules, const struct process_space *process, uint64_t ip)
{
    const struct mapping *mapping = address_space_find(&process->space, ip - 1);
    const struct module *module = NULL;
    uint64_t svma = 0; /* of the instruction's last byte */

    if (!mapping || mapping->module == MODULES_NONE)
        return 0;
    module = modules_open(modules, mapping->module);
    if (!module->image || !module_svma(module, ip - 1 - mapping->start_avma + mapping->file_offset, &svma))
        return 0;
    for (size_t i = 0; i < ARRAY_COUNT(instructions); i++)
        if (ends_at(module, svma + 1, &instructions[i]))
            return instructions[i].length;
    return 0;
}

/* Most samples of a program that asks much of the kernel come through a few calls of its C library. */
uint64_t system_call_before(struct known_system_calls *known, struct modules *modules,
                            const struct process_space *process, uint64_t ip)
{
    uint64_t hash = ip * UINT64_C(0x9e3779b97f4a7c15) + process->generation;
    struct known_system_call *found = &known->items[(hash >> 40) % KNOWN_SYSTEM_CALLS];

    if (found->ip != ip || found->generation != process->generation)
        *found = (struct known_system_call){ip, process->generation, length_before(modules, process, ip)};
    return ip - found->length;
}
