#include "preload/own_stack.h"

#include "preload/system.h"
#include "sampler/heap_record.h"

/* Where the thread's own block is (ELF Handling For Thread-Local Storage, 3.4.6). */
static uintptr_t thread_block(void)
{
    uintptr_t block = 0;

#if defined(__aarch64__)
    __asm__("mrs %0, tpidr_el0" : "=r"(block));
#else
    __asm__("mov %%fs:0, %0" : "=r"(block));
#endif
    return block;
}

struct stack_part own_stack_from(uintptr_t start, uintptr_t main_stack_end)
{
    enum { LEAST_THREAD = 12 << 10, LEAST_MAIN = 1 << 20, FAR = 100 << 20 };
    uintptr_t block = thread_block();
    bool is_main = start < main_stack_end && main_stack_end - start < FAR;
    uintptr_t end = is_main ? main_stack_end : block;
    size_t length = start < end && end - start < HEAP_MOST_STACK_BYTES ? end - start : HEAP_MOST_STACK_BYTES;

    return (struct stack_part){start, length,
                               start < end && end - start <= (is_main ? LEAST_MAIN : LEAST_THREAD)};
}

size_t own_stack_copy(struct stack_part part, const struct iovec to[2])
{
    enum { MOST_PIECES = HEAP_MOST_STACK_BYTES / HEAP_PAGE_BYTES + 2 };
    struct iovec from[MOST_PIECES];
    long piece_count = 0;
    long copied = 0;

    for (size_t done = 0; done < part.length && piece_count < MOST_PIECES;) {
        size_t piece = HEAP_PAGE_BYTES - ((part.start + done) & (HEAP_PAGE_BYTES - 1));

        if (piece > part.length - done)
            piece = part.length - done;
        from[piece_count++] = (struct iovec){pointer_to(part.start + done), piece};
        done += piece;
    }
    copied = SYSTEM_CALL(SYS_process_vm_readv, (long)process_number(), (long)to, to[1].iov_len > 0 ? 2 : 1,
                         (long)from, piece_count);
    return is_failure(copied) ? 0 : (size_t)copied;
}
