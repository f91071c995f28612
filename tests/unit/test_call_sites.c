/* Return addresses of this very program, and functions that may have been called there. */
#include "cmocka_all.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "process/machine_code/call_sites.h"
#include "process/snapshot.h"

#if defined(__x86_64__)
/* All of them return the return address of the function that is called last. */
__asm__(".text\n"
        "leaf: .cfi_startproc\n mov (%rsp), %rax\n ret\n .cfi_endproc\n"
        "other: .cfi_startproc\n mov (%rsp), %rax\n ret\n .cfi_endproc\n"
        "jumper: .cfi_startproc\n jmp leaf\n .cfi_endproc\n"
        "to_leaf: .cfi_startproc\n push %rbx\n .cfi_adjust_cfa_offset 8\n call leaf\n pop %rbx\n ret\n"
        " .cfi_endproc\n"
        "to_jumper: .cfi_startproc\n push %rbx\n .cfi_adjust_cfa_offset 8\n call jumper\n pop %rbx\n ret\n"
        " .cfi_endproc\n"
        "by_slot: .cfi_startproc\n push %rbx\n .cfi_adjust_cfa_offset 8\n call *slot(%rip)\n pop %rbx\n ret\n"
        " .cfi_endproc\n"
        "switching: .cfi_startproc\n lea 1f(%rip), %rcx\n xor %eax, %eax\n"
        " movslq (%rcx,%rax,4), %rax\n add %rcx, %rax\n jmp *%rax\n"
        "2: mov (%rsp), %rax\n ret\n .cfi_endproc\n"
        ".section .rodata\n1: .long 2b - 1b\n.text\n"
        "to_switching: .cfi_startproc\n push %rbx\n .cfi_adjust_cfa_offset 8\n call switching\n pop %rbx\n"
        " ret\n .cfi_endproc\n"
        /* As compilers put parts of functions elsewhere. */
        "part: .cfi_startproc\n .cfi_def_cfa_offset 32\n ret\n .cfi_endproc\n"
        "by_register: .cfi_startproc\n push %rbx\n .cfi_adjust_cfa_offset 8\n lea leaf(%rip), %rax\n"
        " call *%rax\n pop %rbx\n ret\n .cfi_endproc\n"
        "faller: .cfi_startproc\n mov (%rsp), %rax\n .cfi_endproc\n"
        "fallen_into: .cfi_startproc\n ret\n .cfi_endproc\n"
        "to_faller: .cfi_startproc\n push %rbx\n .cfi_adjust_cfa_offset 8\n call faller\n pop %rbx\n ret\n"
        " .cfi_endproc\n"
        "to_replace: .cfi_startproc\n nop\n nop\n mov (%rsp), %rax\n ret\n .cfi_endproc\n"
        "to_replaced: .cfi_startproc\n push %rbx\n .cfi_adjust_cfa_offset 8\n call to_replace\n pop %rbx\n"
        " ret\n .cfi_endproc\n"
        "asking: .cfi_startproc\n call 1f\n1: pop %rax\n ret\n .cfi_endproc\n"
        /* Without entries for unwinding. */
        ".type bare_leaf, @function\nbare_leaf: mov (%rsp), %rax\n ret\n.size bare_leaf, .-bare_leaf\n"
        ".type bare_other, @function\nbare_other: mov (%rsp), %rax\n ret\n.size bare_other, .-bare_other\n"
        ".type to_bare, @function\nto_bare: push %rbx\n call bare_leaf\n pop %rbx\n ret\n"
        ".size to_bare, .-to_bare\n"
        /* A section that begins with a call, behind which another function begins. */
        ".section at_start, \"ax\", @progbits\n"
        "first: .cfi_startproc\n call leaf\n .cfi_endproc\n"
        "behind_first: .cfi_startproc\n ret\n .cfi_endproc\n"
        ".text\n");
#elif defined(__aarch64__)
#define TO(name, call)                                                                                       \
    name                                                                                                     \
        ": .cfi_startproc\n stp x29, x30, [sp, #-16]!\n .cfi_def_cfa_offset 16\n .cfi_offset 30, -8\n " call \
        "\n ldp x29, x30, [sp], #16\n ret\n .cfi_endproc\n"
__asm__(".text\n"
        "leaf: .cfi_startproc\n mov x0, x30\n ret\n .cfi_endproc\n"
        "other: .cfi_startproc\n mov x0, x30\n ret\n .cfi_endproc\n"
        "jumper: .cfi_startproc\n b leaf\n .cfi_endproc\n" TO("to_leaf", "bl leaf")
            TO("to_jumper", "bl jumper") TO("by_register", "adr x1, leaf\n blr x1")
        /* Without entries for unwinding. */
        ".type bare_leaf, %function\nbare_leaf: mov x0, x30\n ret\n.size bare_leaf, .-bare_leaf\n"
        ".type bare_other, %function\nbare_other: mov x0, x30\n ret\n.size bare_other, .-bare_other\n"
        ".type to_bare, %function\nto_bare: stp x29, x30, [sp, #-16]!\n bl bare_leaf\n"
        " ldp x29, x30, [sp], #16\n ret\n.size to_bare, .-to_bare\n");
#endif

#if defined(__x86_64__) || defined(__aarch64__)
typedef uint64_t function(void);

/* Labels of the assembly: there is no other file to look for them. */
extern __attribute__((visibility("hidden"))) function leaf, other, to_leaf, to_jumper, by_slot, by_register,
    bare_leaf, bare_other, to_bare, first, behind_first, asking, to_faller, to_replace, to_replaced,
    to_switching, switching, part;
extern function *slot;
function *slot = leaf; /* by_slot, first and asking are of x86-64 alone */

struct fixture {
    struct modules modules;
    struct processes processes;
    struct checked_calls checked;
};

static int set_up(void **state)
{
    static struct fixture fixture;

    fixture = (struct fixture){0};
    snapshot_add_memory(&fixture.processes, &fixture.modules, (uint32_t)getpid());
    slot = leaf;
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    processes_done(&f->processes);
    modules_done(&f->modules);
    return 0;
}

/* Whether the call in `caller` may have led to `callee`. */
static bool may_call(struct fixture *f, function *caller, function *callee)
{
    const struct process_space *space = processes_space(&f->processes, (uint32_t)getpid());

    return call_sites_may_call(&f->modules, space, caller() - 1, (uint64_t)(uintptr_t)callee);
}

static void a_call_leads_to_the_function_that_it_names(void **state)
{
    struct fixture *f = *state;

    assert_true(may_call(f, to_leaf, leaf));
    assert_false(may_call(f, to_leaf, other));
    assert_false(may_call(f, to_leaf, to_leaf));
}

static void a_function_that_jumps_out_may_lead_anywhere(void **state)
{
    struct fixture *f = *state;

    assert_true(may_call(f, to_jumper, leaf));
    assert_true(may_call(f, to_jumper, other));
}

#if defined(__x86_64__)
static void a_switch_leads_to_no_other_function_but_to_parts(void **state)
{
    struct fixture *f = *state;

    assert_true(may_call(f, to_switching, switching));
    assert_false(may_call(f, to_switching, other));
    assert_true(may_call(f, to_switching, part));
    assert_true(may_call(f, to_switching, bare_other));
}

static void a_call_through_a_table_leads_to_what_stands_there_now(void **state)
{
    struct fixture *f = *state;

    assert_true(may_call(f, by_slot, leaf));
    assert_false(may_call(f, by_slot, other));
    slot = other;
    assert_true(may_call(f, by_slot, other));
    assert_false(may_call(f, by_slot, leaf));
}

/* Another process may have the number of one that ran before. */
static void of_what_ran_before_no_table_is_read(void **state)
{
    struct fixture *f = *state;

    processes_done(&f->processes);
    f->processes = (struct processes){.is_past = true};
    snapshot_add_memory(&f->processes, &f->modules, (uint32_t)getpid());
    assert_true(may_call(f, by_slot, leaf));
    assert_true(may_call(f, by_slot, other));
    assert_false(may_call(f, to_leaf, other));
}
#endif

static void functions_without_entries_for_unwinding_are_told_by_symbols(void **state)
{
    struct fixture *f = *state;

    assert_true(may_call(f, to_bare, bare_leaf));
    assert_false(may_call(f, to_bare, bare_other));
    assert_false(may_call(f, to_bare, leaf));
    assert_false(may_call(f, to_leaf, bare_leaf));
}

#if defined(__x86_64__)
static void a_call_that_a_section_begins_with_is_one(void **state)
{
    struct fixture *f = *state;
    const struct process_space *space = processes_space(&f->processes, (uint32_t)getpid());
    uint64_t behind = (uint64_t)(uintptr_t)behind_first;

    assert_int_equal(first(), behind);
    assert_false(call_sites_is_before_entry(&f->modules, space, behind - 1));
    assert_true(call_sites_is_call(&f->checked, &f->modules, space, behind - 1, (uint64_t)(uintptr_t)leaf));
    assert_true(call_sites_is_before_entry(&f->modules, space, (uint64_t)(uintptr_t)other - 1));
}
#endif

/* An instruction that is in no known function is not what a call of a known one leads to. */
static void a_call_of_another_function_leads_to_no_code_that_nobody_knows(void **state)
{
    struct fixture *f = *state;
    const struct process_space *space = processes_space(&f->processes, (uint32_t)getpid());
    uint64_t unknown = (uint64_t)(uintptr_t)mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    assert_false(call_sites_is_call(&f->checked, &f->modules, space, to_leaf() - 1, unknown));
    assert_true(call_sites_is_call(&f->checked, &f->modules, space, to_jumper() - 1, unknown));
    assert_true(call_sites_is_call(&f->checked, &f->modules, space, by_register() - 1, unknown));
    munmap((void *)(uintptr_t)unknown, 4096);
}

static void what_is_no_call_is_known_where_words_are_guessed(void **state)
{
    struct fixture *f = *state;
    const struct process_space *space = processes_space(&f->processes, (uint32_t)getpid());
    uint64_t at = (uint64_t)(uintptr_t)leaf;
    function *const callers[] = {to_leaf, by_register, to_jumper};

    for (size_t i = 0; i < sizeof(callers) / sizeof(*callers); i++) {
        assert_true(call_sites_is_call(&f->checked, &f->modules, space, callers[i]() - 1, at));
        assert_false(call_sites_is_call(&f->checked, &f->modules, space, callers[i](), at));
    }
    assert_false(
        call_sites_is_call(&f->checked, &f->modules, space, to_leaf() - 1, (uint64_t)(uintptr_t)other));
    assert_false(call_sites_is_call(&f->checked, &f->modules, space, 0x10, at)); /* nothing is there */
}

static enum call_sites_answer ask(struct fixture *f, uint64_t call, function *callee)
{
    const struct process_space *space = processes_space(&f->processes, (uint32_t)getpid());

    return call_sites_ask(&f->checked, &f->modules, space, call, (uint64_t)(uintptr_t)callee);
}

static void where_no_call_ends_is_known(void **state)
{
    struct fixture *f = *state;
    function *const callers[] = {to_leaf, by_register, to_jumper};

    for (int again = 0; again < 2; again++)
        for (size_t i = 0; i < sizeof(callers) / sizeof(*callers); i++) {
            assert_int_equal(ask(f, callers[i]() - 1, leaf), CALL_SITES_MAY_CALL);
            assert_int_equal(ask(f, callers[i](), leaf), CALL_SITES_NO_CALL);
        }
    assert_int_equal(ask(f, 0x10, leaf), CALL_SITES_NO_CALL); /* nothing is there */
}

#if defined(__x86_64__)
static void a_call_of_what_comes_next_is_none(void **state)
{
    struct fixture *f = *state;
    const struct process_space *space = processes_space(&f->processes, (uint32_t)getpid());

    assert_int_equal(ask(f, asking() - 1, asking), CALL_SITES_NO_CALL);
    assert_false(call_sites_is_call(&f->checked, &f->modules, space, asking() - 1, asking()));
}

static void of_a_return_address_it_is_told_whether_its_call_has_led_elsewhere(void **state)
{
    struct fixture *f = *state;

    for (int again = 0; again < 2; again++) {
        assert_int_equal(ask(f, to_leaf() - 1, leaf), CALL_SITES_MAY_CALL);
        assert_int_equal(ask(f, to_leaf() - 1, other), CALL_SITES_ELSEWHERE);
        assert_int_equal(ask(f, to_leaf() - 1, behind_first), CALL_SITES_ELSEWHERE);
        assert_int_equal(ask(f, to_jumper() - 1, other), CALL_SITES_MAY_CALL);
        assert_int_equal(ask(f, by_register() - 1, other), CALL_SITES_MAY_CALL);
        assert_int_equal(ask(f, by_slot() - 1, other), CALL_SITES_MAY_CALL);
        assert_int_equal(ask(f, to_faller() - 1, other), CALL_SITES_MAY_CALL);
    }
    /* Of functions without entries for unwinding nothing is sure. */
    assert_int_equal(ask(f, to_leaf() - 1, bare_other), CALL_SITES_MAY_CALL);
    assert_int_equal(ask(f, to_bare() - 1, other), CALL_SITES_MAY_CALL);
}

/* As by what puts itself before functions of a program that runs. */
static void a_function_that_was_replaced_in_memory_may_have_led_anywhere(void **state)
{
    struct fixture *f = *state;
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *start = (char *)((uintptr_t)to_replace / page * page);
    const uint64_t call = to_replaced() - 1;

    assert_int_equal(mprotect(start, 2 * page, PROT_READ | PROT_WRITE | PROT_EXEC), 0);
    memcpy((char *)(uintptr_t)to_replace, "\xeb\x00", 2);
    assert_int_equal(ask(f, call, other), CALL_SITES_MAY_CALL);
    memcpy((char *)(uintptr_t)to_replace, "\x90\x90", 2);
    assert_int_equal(mprotect(start, 2 * page, PROT_READ | PROT_EXEC), 0);
    assert_int_equal(ask(f, call, leaf), CALL_SITES_ELSEWHERE);
}
#endif

#if defined(__x86_64__)
/* Whether a word behind the call in `caller` may be a return address of `callee`, `into` bytes from its
 * start. */
static bool is_call(struct fixture *f, function *caller, function *callee, uint64_t into)
{
    const struct process_space *space = processes_space(&f->processes, (uint32_t)getpid());

    return call_sites_is_call(&f->checked, &f->modules, space, caller() - 1,
                              (uint64_t)(uintptr_t)callee + into);
}
#endif

#if defined(__x86_64__)
static void what_is_kept_of_a_call_holds_for_the_whole_function_and_as_long_as_it_is_true(void **state)
{
    struct fixture *f = *state;
    const uint64_t at_ret = 4;

    for (int again = 0; again < 2; again++) {
        assert_true(is_call(f, to_leaf, leaf, 0));
        assert_true(is_call(f, to_leaf, leaf, at_ret));
        assert_false(is_call(f, to_leaf, other, 0));
        assert_false(is_call(f, to_leaf, other, at_ret));
        assert_false(is_call(f, by_slot, other, 0));
    }
    slot = other;
    assert_true(is_call(f, by_slot, other, at_ret));
}
#endif

#if defined(__x86_64__)
static void code_made_at_run_time_is_looked_at_as_it_is_now(void **state)
{
    enum { PAGE_BYTES = 4096, CALL = 0xe8, CALL_BYTES = 5 };
    struct fixture *f = *state;
    uint32_t pid = (uint32_t)getpid();
    unsigned char *made =
        mmap(NULL, PAGE_BYTES, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    uint64_t at = (uint64_t)(uintptr_t)made;
    const struct process_space *space = NULL;

    assert_true(made != MAP_FAILED);
    snapshot_add_memory(&f->processes, &f->modules, pid);
    space = processes_space(&f->processes, pid);
    made[0] = CALL;
    assert_true(call_sites_is_call(&f->checked, &f->modules, space, at + CALL_BYTES - 1, at + 100));
    assert_false(call_sites_is_call(&f->checked, &f->modules, space, at + 2 * CALL_BYTES - 1, at + 100));
    made[CALL_BYTES] = CALL;
    assert_true(call_sites_is_call(&f->checked, &f->modules, space, at + 2 * CALL_BYTES - 1, at + 100));
    /* jmp *(%r10,%rbx,8), behind which HotSpot's interpreter goes on. */
    memcpy(made + 20, "\x41\xff\x24\xda", 4);
    assert_true(call_sites_is_call(&f->checked, &f->modules, space, at + 23, at + 100));
    assert_false(call_sites_is_call(&f->checked, &f->modules, space, at + 22, at + 100));
    munmap(made, PAGE_BYTES);
}
#endif

static void what_is_not_known_may_be(void **state)
{
    struct fixture *f = *state;
    const struct process_space *space = processes_space(&f->processes, (uint32_t)getpid());
    uint64_t at = (uint64_t)(uintptr_t)other;

    assert_true(may_call(f, by_register, other));
    assert_true(call_sites_may_call(&f->modules, space, 0x10, at));
    assert_true(call_sites_may_call(&f->modules, space, to_leaf() - 1, 0x10));
    assert_true(call_sites_may_call(&f->modules, space, to_leaf(), at)); /* no call ends there */
}
#endif

int main(void)
{
#if defined(__x86_64__) || defined(__aarch64__)
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_call_leads_to_the_function_that_it_names),
        TEST(a_function_that_jumps_out_may_lead_anywhere),
        TEST(functions_without_entries_for_unwinding_are_told_by_symbols),
        TEST(a_call_of_another_function_leads_to_no_code_that_nobody_knows),
        TEST(what_is_no_call_is_known_where_words_are_guessed),
        TEST(what_is_not_known_may_be),
        TEST(where_no_call_ends_is_known),
#if defined(__x86_64__)
        TEST(a_switch_leads_to_no_other_function_but_to_parts),
        TEST(a_call_through_a_table_leads_to_what_stands_there_now),
        TEST(of_what_ran_before_no_table_is_read),
        TEST(a_call_that_a_section_begins_with_is_one),
        TEST(a_call_of_what_comes_next_is_none),
        TEST(of_a_return_address_it_is_told_whether_its_call_has_led_elsewhere),
        TEST(a_function_that_was_replaced_in_memory_may_have_led_anywhere),
        TEST(what_is_kept_of_a_call_holds_for_the_whole_function_and_as_long_as_it_is_true),
        TEST(code_made_at_run_time_is_looked_at_as_it_is_now),
#endif
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
#else
    return 0;
#endif
}
