#include "process/machine_code/known.h"

#include <elf.h>
#include <string.h>

#include "base/compiler.h"
#include "code/aarch64_flow.h"
#include "code/frame_shapes.h"

enum { X86_64_RIP = 16 }; /* DWARF's number (System V x86-64 ABI, 3.6.2) */

/* What the machines' code looks like. A kernel's frame of a signal has the registers at its stack pointer. */
static const struct machine_code {
    uint16_t machine;
    uint16_t return_register;
    bool is_told_badly; /* the row says more than the call frame information that there may be */
    struct slice signal_return;
    uint8_t call_offset;      /* of the system call in that */
    struct slice thread_exit; /* behind the call that runs a thread in musl */
    struct cfi_row frame;
} machine_codes[] = {
    {.machine = EM_X86_64,
     .return_register = X86_64_RIP,
     /* mov $15, %rax; syscall: rt_sigreturn */
     .signal_return = SLICE("\x48\xc7\xc0\x0f\0\0\0\x0f\x05"),
     .call_offset = 7,
     /* mov %eax, %edi; xor %eax, %eax; mov $60, %al; syscall: exit */
     .thread_exit = SLICE("\x89\xc7\x31\xc0\xb0\x3c\x0f\x05"),
     /* ucontext_t, in it rsp, rip, rbp and rbx (sys/ucontext.h). */
     .frame = {.cfa_rule = CFI_CFA_MEMORY,
               .cfa_register = FRAME_RSP,
               .cfa_offset = 160,
               .return_rule = CFI_AT_BASE,
               .return_offset = 168,
               .frame_rule = CFI_AT_BASE,
               .frame_offset = 120,
               .base_rule = CFI_AT_BASE,
               .base_offset = 128,
               .is_signal_frame = 1}},
    /*
     * The vdso has no call frame information since Linux 5.8; before, it led to what was interrupted by its
     * frame pointer alone.
     */
    {.machine = EM_AARCH64,
     .return_register = AARCH64_LINK_REGISTER,
     .is_told_badly = true,
     /* mov x8, #139; svc #0: rt_sigreturn */
     .signal_return = SLICE("\x68\x11\x80\xd2\x01\0\0\xd4"),
     .call_offset = 4,
     /* mov x8, #93; svc #0: exit */
     .thread_exit = SLICE("\xa8\x0b\x80\xd2\x01\0\0\xd4"),
     /* siginfo_t and ucontext_t, in it sp, pc, x29 and x19 (struct rt_sigframe in the kernel's
      * arch/arm64/kernel/signal.c; asm/sigcontext.h). */
     .frame = {.cfa_rule = CFI_CFA_MEMORY,
               .cfa_register = AARCH64_STACK_POINTER,
               .cfa_offset = 560,
               .return_rule = CFI_AT_BASE,
               .return_offset = 568,
               .frame_rule = CFI_AT_BASE,
               .frame_offset = 544,
               .base_rule = CFI_AT_BASE,
               .base_offset = 464,
               .is_signal_frame = 1}},
};

/* NULL for other machines, and without a file. */
static const struct machine_code *code_of(const struct image *image)
{
    for (size_t i = 0; image && i < ARRAY_COUNT(machine_codes); i++)
        if (machine_codes[i].machine == image->machine)
            return &machine_codes[i];
    return NULL;
}

static bool is_at(const struct module *module, uint64_t svma, struct slice expected)
{
    char found[16];

    return expected.length <= sizeof(found) && module_read_code(module, svma, expected.length, found) &&
           memcmp(found, expected.data, expected.length) == 0;
}

/* What a handler returns to is looked for by the byte before; a thread may be interrupted in it, too. */
static bool is_signal_return(const struct module *module, uint64_t svma, const struct machine_code *code)
{
    return is_at(module, svma + 1, code->signal_return) || is_at(module, svma, code->signal_return) ||
           (svma >= code->call_offset && is_at(module, svma - code->call_offset, code->signal_return));
}

const struct cfi_row *known_code_signal_return(const struct module *module, uint64_t svma,
                                               const struct cfi_row *row, uint32_t *return_register)
{
    const struct machine_code *code = code_of(module->image);

    if (!code || (row && !code->is_told_badly) || !is_signal_return(module, svma, code))
        return NULL;
    *return_register = code->return_register;
    return &code->frame;
}

bool known_code_is_thread_exit(const struct module *module, uint64_t svma)
{
    const struct machine_code *code = code_of(module->image);

    return code && is_at(module, svma + 1, code->thread_exit);
}

/* As is_at, of a file that no process is known to have mapped. */
static bool image_has_at(const struct image *image, struct code_blocks *blocks, uint64_t svma,
                         struct slice expected)
{
    const struct section *section = sections_code_at(&image->sections, svma);
    uint64_t offset = section ? svma - section->svma : 0;
    char found[16];

    return section && expected.length <= sizeof(found) && section->file_bytes >= expected.length &&
           offset <= section->file_bytes - expected.length &&
           code_blocks_read(blocks, image, section->file_offset + offset, expected.length, found) &&
           memcmp(found, expected.data, expected.length) == 0;
}

bool known_code_find_signal_return(const struct image *image, struct code_blocks *blocks, uint64_t svma,
                                   uint64_t *start)
{
    const struct machine_code *code = code_of(image);
    const uint64_t starts[] = {svma + 1, svma, svma - (code ? code->call_offset : 0)};

    for (size_t i = 0; code && i < ARRAY_COUNT(starts); i++)
        if (image_has_at(image, blocks, starts[i], code->signal_return)) {
            *start = starts[i];
            return true;
        }
    return false;
}
