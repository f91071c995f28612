/* perf's names for events, and what perf_event_open(2) calls them. */
#include "cmocka_all.h"

#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/choices.h"
#include "sampler/perf/event_choices.h"
#include "sampler/perf/event_name.h"

struct fixture {
    struct arena arena;
    struct error err;
    struct sampler_event_kind event;
    char folder[64]; /* in place of tracefs */
};

static int set_up(void **state)
{
    static struct fixture fixture;

    fixture = (struct fixture){.folder = "/tmp/event_name.XXXXXX"};
    *state = &fixture;
    return mkdtemp(fixture.folder) ? 0 : -1;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    SCOPED(text_done) struct text command = {0};

    arena_done(&f->arena);
    text_format(&command, "rm -rf %s", f->folder);
    return system(text_string(&command));
}

static int read_name(struct fixture *f, const char *name)
{
    f->err = (struct error){0};
    return event_name_read(&f->arena, slice_of(name), f->folder, &f->event, &f->err);
}

struct expected {
    const char *name;
    const char *unit;
    uint64_t config;
};

static void expect_all(struct fixture *f, uint32_t type, const struct expected *all, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (read_name(f, all[i].name) < 0)
            fail_msg("%s: %s", all[i].name, f->err.message);
        if (f->event.type != type || f->event.config != all[i].config)
            fail_msg("%s is %u:%#lx", all[i].name, f->event.type, (unsigned long)f->event.config);
        assert_string_equal(f->event.name, all[i].name);
        assert_string_equal(f->event.unit, all[i].unit);
    }
}

/* `perf list hw` */
static void hardware_events_have_the_kernels_numbers(void **state)
{
    static const struct expected all[] = {
        {"cpu-cycles", "cycles", PERF_COUNT_HW_CPU_CYCLES},
        {"cycles", "cycles", PERF_COUNT_HW_CPU_CYCLES},
        {"instructions", "instructions", PERF_COUNT_HW_INSTRUCTIONS},
        {"cache-references", "cache-references", PERF_COUNT_HW_CACHE_REFERENCES},
        {"cache-misses", "cache-misses", PERF_COUNT_HW_CACHE_MISSES},
        {"branch-instructions", "branches", PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
        {"branches", "branches", PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
        {"branch-misses", "branch-misses", PERF_COUNT_HW_BRANCH_MISSES},
        {"bus-cycles", "bus-cycles", PERF_COUNT_HW_BUS_CYCLES},
        {"stalled-cycles-frontend", "stalled-cycles-frontend", PERF_COUNT_HW_STALLED_CYCLES_FRONTEND},
        {"idle-cycles-frontend", "stalled-cycles-frontend", PERF_COUNT_HW_STALLED_CYCLES_FRONTEND},
        {"stalled-cycles-backend", "stalled-cycles-backend", PERF_COUNT_HW_STALLED_CYCLES_BACKEND},
        {"idle-cycles-backend", "stalled-cycles-backend", PERF_COUNT_HW_STALLED_CYCLES_BACKEND},
        {"ref-cycles", "ref-cycles", PERF_COUNT_HW_REF_CPU_CYCLES},
    };

    expect_all(*state, PERF_TYPE_HARDWARE, all, ARRAY_COUNT(all));
}

/* `perf list sw` */
static void software_events_have_the_kernels_numbers(void **state)
{
    static const struct expected all[] = {
        {"cpu-clock", "ns", PERF_COUNT_SW_CPU_CLOCK},
        {"task-clock", "ns", PERF_COUNT_SW_TASK_CLOCK},
        {"page-faults", "page-faults", PERF_COUNT_SW_PAGE_FAULTS},
        {"faults", "page-faults", PERF_COUNT_SW_PAGE_FAULTS},
        {"context-switches", "context-switches", PERF_COUNT_SW_CONTEXT_SWITCHES},
        {"cs", "context-switches", PERF_COUNT_SW_CONTEXT_SWITCHES},
        {"cpu-migrations", "cpu-migrations", PERF_COUNT_SW_CPU_MIGRATIONS},
        {"migrations", "cpu-migrations", PERF_COUNT_SW_CPU_MIGRATIONS},
        {"minor-faults", "minor-faults", PERF_COUNT_SW_PAGE_FAULTS_MIN},
        {"major-faults", "major-faults", PERF_COUNT_SW_PAGE_FAULTS_MAJ},
        {"alignment-faults", "alignment-faults", PERF_COUNT_SW_ALIGNMENT_FAULTS},
        {"emulation-faults", "emulation-faults", PERF_COUNT_SW_EMULATION_FAULTS},
        {"dummy", "dummy", PERF_COUNT_SW_DUMMY},
        {"bpf-output", "bpf-output", PERF_COUNT_SW_BPF_OUTPUT},
        {"cgroup-switches", "cgroup-switches", 11},
    };

    expect_all(*state, PERF_TYPE_SOFTWARE, all, ARRAY_COUNT(all));
}

/* perf_event_open(2): cache, operation << 8, result << 16; the names are those of `perf list cache`. */
static void cache_events_are_cache_operation_and_result(void **state)
{
    static const struct expected all[] = {
        {"L1-dcache-loads", "L1-dcache-loads", 0x000000},
        {"L1-dcache-load-misses", "L1-dcache-load-misses", 0x010000},
        {"L1-dcache-stores", "L1-dcache-stores", 0x000100},
        {"L1-dcache-store-misses", "L1-dcache-store-misses", 0x010100},
        {"L1-dcache-prefetches", "L1-dcache-prefetches", 0x000200},
        {"L1-dcache-prefetch-misses", "L1-dcache-prefetch-misses", 0x010200},
        {"L1-icache-load-misses", "L1-icache-load-misses", 0x010001},
        {"LLC-loads", "LLC-loads", 0x000002},
        {"LLC-load-misses", "LLC-load-misses", 0x010002},
        {"LLC-stores", "LLC-stores", 0x000102},
        {"dTLB-load-misses", "dTLB-load-misses", 0x010003},
        {"dTLB-store-misses", "dTLB-store-misses", 0x010103},
        {"iTLB-loads", "iTLB-loads", 0x000004},
        {"iTLB-load-misses", "iTLB-load-misses", 0x010004},
        {"branch-loads", "branch-loads", 0x000005},
        {"branch-load-misses", "branch-load-misses", 0x010005},
        {"node-loads", "node-loads", 0x000006},
        {"node-store-misses", "node-store-misses", 0x010106},
    };

    expect_all(*state, PERF_TYPE_HW_CACHE, all, ARRAY_COUNT(all));
}

static void raw_events_are_numbers_of_sixteen(void **state)
{
    static const struct expected all[] = {
        {"r1a8", "events", 0x1a8}, {"r0", "events", 0}, {"rffffffffffffffff", "events", UINT64_MAX}};

    expect_all(*state, PERF_TYPE_RAW, all, ARRAY_COUNT(all));
    assert_int_equal(read_name(*state, "r1ffffffffffffffff"), -1);
    assert_int_equal(read_name(*state, "r"), -1);
    assert_int_equal(read_name(*state, "r1g"), -1);
}

static void modifiers_say_whose_part_and_how_near(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(read_name(f, "cycles:u"), 0);
    assert_true(f->event.is_user_only && !f->event.is_kernel_only);
    assert_string_equal(f->event.name, "cycles:u");
    assert_int_equal(read_name(f, "cycles:kpp"), 0);
    assert_true(f->event.is_kernel_only && !f->event.is_user_only);
    assert_int_equal(f->event.precise, 2);
    assert_int_equal(read_name(f, "page-faults:uk"), 0);
    assert_false(f->event.is_kernel_only || f->event.is_user_only);
    assert_int_equal(read_name(f, "cycles:Pu"), 0);
    assert_true(f->event.is_most_precise && f->event.is_user_only);
    assert_int_equal(read_name(f, "cycles:pppp"), -1);
    assert_int_equal(read_name(f, "cycles:"), -1);
    assert_int_equal(read_name(f, "cycles:x"), -1);
    assert_int_equal(f->err.kind, ERROR_USAGE);
}

static void write_file(const struct fixture *f, const char *name, struct slice content)
{
    SCOPED(text_done) struct text path = {0};
    struct error err = {0};

    text_format(&path, "%s/%s", f->folder, name);
    assert_int_equal(file_replace(text_string(&path), content, &err), 0);
}

static void make_folder(const struct fixture *f, const char *name)
{
    SCOPED(text_done) struct text path = {0};

    text_format(&path, "%s/%s", f->folder, name);
    assert_int_equal(mkdir(text_string(&path), 0700), 0);
}

static void tracepoints_have_the_number_that_their_file_tells(void **state)
{
    struct fixture *f = *state;

    make_folder(f, "events");
    make_folder(f, "events/sched");
    make_folder(f, "events/sched/sched_switch");
    write_file(f, "events/sched/sched_switch/id", SLICE("314\n"));
    assert_int_equal(read_name(f, "sched:sched_switch"), 0);
    assert_int_equal(f->event.type, PERF_TYPE_TRACEPOINT);
    assert_int_equal(f->event.config, 314);
    assert_string_equal(f->event.unit, "events");
    assert_int_equal(read_name(f, "sched:sched_switch:u"), 0);
    assert_true(f->event.is_user_only);
    assert_string_equal(f->event.name, "sched:sched_switch:u");
    assert_int_equal(read_name(f, "sched:sched_other"), -1);
    assert_int_equal(f->err.kind, ERROR_MISSING);
    assert_string_equal(f->err.message, "--event sched:sched_other: the kernel has no such tracepoint");
    write_file(f, "events/sched/sched_switch/id", SLICE("none\n"));
    assert_int_equal(read_name(f, "sched:sched_switch"), -1);
    assert_int_equal(f->err.kind, ERROR_FORMAT);
}

static void a_tracepoint_that_is_not_there_is_refused_with_the_nearest(void **state)
{
    struct fixture *f = *state;
    SCOPED(text_done) struct text list = {0};

    make_folder(f, "events");
    make_folder(f, "events/sched");
    make_folder(f, "events/syscalls");
    make_folder(f, "events/syscalls/sys_enter_openat");
    make_folder(f, "events/syscalls/sys_exit_openat");
    text_format(&list, "`ls %s/events/syscalls` lists them", f->folder);
    assert_int_equal(read_name(f, "syscalls:sys_enter_open"), -1);
    assert_string_equal(f->err.hint, "did you mean syscalls:sys_enter_openat?");
    assert_int_equal(read_name(f, "syscall:sys_exit_openat"), -1);
    assert_string_equal(f->err.hint, "did you mean syscalls:sys_exit_openat?");
    assert_int_equal(read_name(f, "syscalls:clone"), -1);
    assert_string_equal(f->err.hint, text_string(&list));
    assert_int_equal(read_name(f, "net:netif_rx"), -1);
    assert_string_equal(f->err.hint, "");
}

static void without_tracefs_there_are_no_tracepoints(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(read_name(f, "sched:sched_switch"), -1);
    assert_int_equal(f->err.kind, ERROR_MISSING);
    assert_non_null(strstr(f->err.hint, "mount -t tracefs"));
}

static void nothing_but_a_name_gets_into_a_path(void **state)
{
    struct fixture *f = *state;
    static const char *const names[] = {"../..:etc", "sched:..", "sched:a/b", "sched:", ":x", "a b:c"};

    for (size_t i = 0; i < ARRAY_COUNT(names); i++) {
        assert_int_equal(read_name(f, names[i]), -1);
        assert_int_equal(f->err.kind, ERROR_USAGE);
    }
}

/* perf's tests/parse-events.c */
static void what_is_done_to_memory_is_told_by_its_address(void **state)
{
    enum { R = HW_BREAKPOINT_R, W = HW_BREAKPOINT_W, X = HW_BREAKPOINT_X };
    struct fixture *f = *state;
    static const struct {
        const char *name;
        const char *unit;
        struct sampler_breakpoint watched;
        bool is_user_only;
    } all[] = {
        {"mem:0", "accesses", {0, 4, R | W}, false},
        {"mem:0x404028", "accesses", {0x404028, 4, R | W}, false},
        {"mem:4210728:u", "accesses", {0x404028, 4, R | W}, true},
        {"mem:0x404028/8", "accesses", {0x404028, 8, R | W}, false},
        {"mem:0x404028:wr", "accesses", {0x404028, 4, R | W}, false},
        {"mem:0x404028:r", "accesses", {0x404028, 4, R}, false},
        {"mem:0x404028/1:w:u", "writes", {0x404028, 1, W}, true},
        {"mem:0xffffffff81000000:x", "executions", {0xffffffff81000000, sizeof(long), X}, false},
        {"mem:0x404028/8:rwx", "accesses", {0x404028, 8, R | W | X}, false},
    };

    for (size_t i = 0; i < ARRAY_COUNT(all); i++) {
        if (read_name(f, all[i].name) < 0)
            fail_msg("%s: %s", all[i].name, f->err.message);
        assert_int_equal(f->event.type, PERF_TYPE_BREAKPOINT);
        assert_string_equal(f->event.name, all[i].name);
        assert_string_equal(f->event.unit, all[i].unit);
        assert_int_equal(f->event.watched.address, all[i].watched.address);
        assert_int_equal(f->event.watched.length_bytes, all[i].watched.length_bytes);
        assert_int_equal(f->event.watched.access, all[i].watched.access);
        assert_int_equal(f->event.is_user_only, all[i].is_user_only);
    }
}

static void what_is_no_address_is_refused_with_the_form(void **state)
{
    struct fixture *f = *state;
    static const char *const wrong[] = {
        "mem:",
        "mem:0x",
        "mem:main",
        "mem:0000000000404028",
        "mem:0x10000000000000000",
        "mem:1/",
        "mem:1/x",
        "mem:1:",
        "mem:1:ww",
        "mem:1:w:",
        "mem:1:wu",
        "mem:1:z",
        "mem:1:w:ux",
        "mem:1:w:u:u",
        "mem:1:w:w ",
        "mem:0x1w",
        "mem:1/2/3",
    };

    for (size_t i = 0; i < ARRAY_COUNT(wrong); i++) {
        if (read_name(f, wrong[i]) == 0)
            fail_msg("%s is taken", wrong[i]);
        assert_int_equal(f->err.kind, ERROR_USAGE);
        assert_non_null(strstr(f->err.message, "memory is watched by mem:ADDRESS[/LENGTH][:rwx]"));
    }
}

static void forms_that_only_perf_has_are_told_as_such(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(read_name(f, "cpu/event=0x3c/u"), -1);
    assert_int_equal(f->err.kind, ERROR_USAGE);
    assert_string_equal(f->err.message, "--event cpu/event=0x3c/u: perf's form PMU/.../ is not understood");
    assert_int_equal(read_name(f, "{cycles"), -1);
    assert_string_equal(f->err.message, "--event {cycles: perf's groups {...} are not understood");
}

static void an_unknown_name_is_refused_with_the_nearest(void **state)
{
    struct fixture *f = *state;

    f->event.config = 42;
    assert_int_equal(read_name(f, "page-fault"), -1);
    assert_int_equal(f->err.kind, ERROR_USAGE);
    assert_string_equal(f->err.message, "--event page-fault: perf has no such event");
    assert_string_equal(f->err.hint, "did you mean page-faults?");
    assert_int_equal(f->event.config, 42);
    assert_int_equal(read_name(f, ""), -1);
    assert_int_equal(read_name(f, "L1-dcache"), -1);
    assert_int_equal(read_name(f, "L1-dcache-evictions"), -1);
    assert_int_equal(read_name(f, "syscalls:sys_enter_*"), -1);
    assert_string_equal(f->err.message, "--event syscalls:sys_enter_*: perf has no such event");
    assert_string_equal(f->err.hint, "each is named by itself: -e sched:sched_switch,sched:sched_wakeup");
}

static void an_event_of_two_names_is_one(void **state)
{
    (void)state;
    assert_true(event_name_is_same(SLICE("cs"), SLICE("context-switches")));
    assert_true(event_name_is_same(SLICE("page-faults:u"), SLICE("faults:u")));
    assert_true(event_name_is_same(SLICE("sched:gone"), SLICE("sched:gone")));
    assert_false(event_name_is_same(SLICE("faults:u"), SLICE("faults")));
    assert_false(event_name_is_same(SLICE("cpu-clock"), SLICE("task-clock")));
    assert_false(event_name_is_same(SLICE("mem:0x10/8:w"), SLICE("mem:0x18/8:w")));
    assert_false(event_name_is_same(SLICE("nothing"), SLICE("faults")));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

static void waits_are_an_event_of_their_own(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(read_name(f, "off-cpu"), 0);
    assert_true(f->event.is_waits);
    assert_string_equal(f->event.unit, "us");
    assert_int_equal(f->event.config, PERF_COUNT_SW_CONTEXT_SWITCHES);
    assert_false(event_name_is_same(SLICE("off-cpu"), SLICE("context-switches")));
    assert_true(event_name_is_same(SLICE("off-cpu"), SLICE("off-cpu")));
    assert_int_equal(read_name(f, "off-cpus"), -1);
    assert_string_equal(f->err.hint, "did you mean off-cpu?");
}

static void what_shells_propose_are_events(void **state)
{
    struct fixture *f = *state;

    for (const char *const *name = event_choices; strcmp(*name, CHOICES_OTHERS_TOO) != 0; name++)
        if (read_name(f, *name) < 0)
            fail_msg("%s: %s", *name, f->err.message);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(hardware_events_have_the_kernels_numbers),
        TEST(software_events_have_the_kernels_numbers),
        TEST(cache_events_are_cache_operation_and_result),
        TEST(raw_events_are_numbers_of_sixteen),
        TEST(modifiers_say_whose_part_and_how_near),
        TEST(tracepoints_have_the_number_that_their_file_tells),
        TEST(a_tracepoint_that_is_not_there_is_refused_with_the_nearest),
        TEST(without_tracefs_there_are_no_tracepoints),
        TEST(nothing_but_a_name_gets_into_a_path),
        TEST(what_is_done_to_memory_is_told_by_its_address),
        TEST(what_is_no_address_is_refused_with_the_form),
        TEST(forms_that_only_perf_has_are_told_as_such),
        TEST(an_unknown_name_is_refused_with_the_nearest),
        TEST(an_event_of_two_names_is_one),
        TEST(what_shells_propose_are_events),
        cmocka_unit_test_setup_teardown(waits_are_an_event_of_their_own, set_up, tear_down),
    };

    return cmocka_run_group_tests_name("event name", tests, NULL, NULL);
}
