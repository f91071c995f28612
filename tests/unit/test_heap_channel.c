/* The file that programs tell of their memory by, and its records. */
#include "cmocka_all.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sampler/heap_channel.h"
#include "sampler/heap_record.h"

enum { STACK_BYTES = 16 };

/* An allocation with a stack of STACK_BYTES. */
struct given {
    struct heap_allocation allocation;
    char stack[STACK_BYTES];
};

static struct given given_of(uint32_t type)
{
    return (struct given){
        .allocation = {.start = {.header = {.type = type, .size = sizeof(struct given)},
                                 .address = 0x1000,
                                 .pid = 7,
                                 .tid = 8,
                                 .time_ns = 9,
                                 .pointer = 0x5000,
                                 .kept_bytes = -3},
                       .size_bytes = 24,
                       .interval_bytes = 100,
                       .since_bytes = 240,
                       .since_count = 10,
                       .slot = 3,
                       .registers = {.known = UINT64_MAX},
                       .stack_bytes = STACK_BYTES},
        .stack = "as it was",
    };
}

static struct slice bytes_of_given(const struct given *given)
{
    return (struct slice){(const char *)given, sizeof(*given)};
}

/* How many files of a recorder with this number there are. */
static size_t left_of(pid_t reader)
{
    glob_t found = {0};
    size_t count = 0;

    if (glob("/dev/shm/cargo-cprof-*/heap", 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++) {
            struct heap_shared shared = {0};
            FILE *file = fopen(found.gl_pathv[i], "rb");

            if (!file)
                continue;
            count += fseek(file, HEAP_PAGE_BYTES, SEEK_SET) == 0 &&
                     fread(&shared, sizeof(shared), 1, file) == 1 && shared.reader == reader;
            (void)fclose(file);
        }
    globfree(&found);
    return count;
}

static void what_is_given_comes_with_its_stack(void **state)
{
    struct given given = given_of(HEAP_ALLOCATED);
    struct sampler_event event = {0};

    (void)state;
    assert_true(heap_channel_decode(bytes_of_given(&given), &event));
    assert_int_equal(event.kind, SAMPLER_ALLOCATED);
    assert_int_equal(event.pid, 7);
    assert_int_equal(event.tid, 8);
    assert_int_equal(event.time_ns, 9);
    assert_int_equal(event.heap.pointer, 0x5000);
    assert_int_equal(event.heap.kept_bytes, -3);
    assert_int_equal(event.heap.size_bytes, 24);
    assert_int_equal(event.heap.interval_bytes, 100);
    assert_int_equal(event.heap.since_bytes, 240);
    assert_int_equal(event.heap.since_count, 10);
    assert_int_equal(event.heap.slot, 3);
    given.allocation.slot = HEAP_SLOTS + 1;
    assert_true(heap_channel_decode(bytes_of_given(&given), &event));
    assert_int_equal(event.heap.slot, 0);
    assert_int_equal(event.sample.stack.length, STACK_BYTES);
    assert_string_equal(event.sample.stack.data, "as it was");
    assert_int_equal(event.sample.registers.known, (UINT64_C(1) << REGISTERS_COUNT) - 1);
}

static void what_is_taken_back_and_counted_is_no_sample(void **state)
{
    struct given freed = given_of(HEAP_FREED);
    struct given counted = given_of(HEAP_COUNTED);
    struct sampler_event event = {0};

    (void)state;
    assert_true(
        heap_channel_decode((struct slice){(const char *)&freed, sizeof(struct heap_record)}, &event));
    assert_int_equal(event.kind, SAMPLER_FREED);
    assert_int_equal(event.heap.pointer, 0x5000);
    freed.allocation.start.header.type = HEAP_KEPT;
    assert_true(
        heap_channel_decode((struct slice){(const char *)&freed, sizeof(struct heap_record)}, &event));
    assert_int_equal(event.kind, SAMPLER_KEPT);
    counted.allocation.size_bytes = 0;
    assert_true(heap_channel_decode(bytes_of_given(&counted), &event));
    assert_int_equal(event.kind, SAMPLER_COUNTED);
}

static void what_is_of_another_form_is_refused(void **state)
{
    struct given given = given_of(HEAP_ALLOCATED);
    struct slice whole = bytes_of_given(&given);
    struct sampler_event event = {0};

    (void)state;
    for (size_t length = 0; length < whole.length; length++)
        assert_false(heap_channel_decode(slice_range(whole, 0, length), &event));
    given.allocation.stack_bytes = UINT64_MAX;
    assert_false(heap_channel_decode(whole, &event));
    given = given_of(HEAP_ALLOCATED);
    given.allocation.size_bytes = 0;
    assert_false(heap_channel_decode(whole, &event));
    given = given_of(PERF_RECORD_SAMPLE);
    assert_false(heap_channel_decode(whole, &event));
}

static void the_file_is_there_for_its_owner_alone_and_gone_at_the_end(void **state)
{
    struct heap_channel channel = {0};
    struct error err = {0};
    SCOPED(text_done) struct text path = {0};
    SCOPED(text_done) struct text folder = {0};
    struct stat status;

    (void)state;
    heap_channel_close(&channel);
    assert_int_equal(heap_channel_open(&channel, &err), 0);
    text_add(&path, text_slice(&channel.path));
    text_add(&folder, text_slice(&channel.folder));
    assert_int_equal(stat(text_string(&path), &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
    assert_int_equal(status.st_size, HEAP_FILE_BYTES);
    assert_int_equal(heap_channel_program_count(&channel), 0);
    heap_channel_close(&channel);
    assert_int_not_equal(stat(text_string(&path), &status), 0);
    assert_int_not_equal(stat(text_string(&folder), &status), 0);
}

static void what_a_recorder_that_was_killed_has_left_is_removed(void **state)
{
    struct heap_channel channel = {0};
    struct error err = {0};
    SCOPED(text_done) struct text path = {0};
    struct stat status;
    int ended = 0;
    pid_t killed = fork();

    (void)state;
    if (killed == 0)
        _exit(heap_channel_open(&channel, &err) < 0);
    assert_int_equal(waitpid(killed, &ended, 0), killed);
    assert_int_equal(ended, 0);
    assert_int_equal(heap_channel_open(&channel, &err), 0);
    text_add(&path, text_slice(&channel.path));
    assert_int_equal(left_of(killed), 0);
    assert_int_equal(stat(text_string(&path), &status), 0);
    heap_channel_close(&channel);
}

/* Killed as it made the file: it is empty, or zeros. One of today may be about to be used. */
static void what_a_recorder_was_killed_over_is_removed_when_it_is_old(void **state)
{
    const struct timespec long_ago[] = {{.tv_sec = 1000000000}, {.tv_sec = 1000000000}};
    struct heap_channel channel = {0};
    struct error err = {0};
    struct stat status;

    (void)state;
    for (int is_old = 0; is_old < 2; is_old++)
        for (int has_room = 0; has_room < 2; has_room++) {
            char folder[] = "/dev/shm/cargo-cprof-XXXXXX";
            char path[sizeof(folder) + 8];
            FILE *file = NULL;

            assert_non_null(mkdtemp(folder));
            snprintf(path, sizeof(path), "%s/heap", folder);
            file = fopen(path, "we");
            assert_non_null(file);
            assert_int_equal(ftruncate(fileno(file), has_room ? HEAP_FILE_BYTES : 0), 0);
            if (is_old)
                assert_int_equal(futimens(fileno(file), long_ago), 0);
            (void)fclose(file);
            assert_int_equal(heap_channel_open(&channel, &err), 0);
            heap_channel_close(&channel);
            assert_int_equal(stat(folder, &status) == 0, !is_old);
            (void)unlink(path);
            (void)rmdir(folder);
        }
}

static void what_a_link_leads_to_stays(void **state)
{
    char link[64];
    struct heap_channel channel = {0};
    struct error err = {0};
    char folder[] = "/tmp/heap-channel-XXXXXX";
    char path[sizeof(folder) + sizeof("/heap")];
    const struct heap_shared shared = {.magic = HEAP_MAGIC};
    struct stat status;
    FILE *file = NULL;

    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof(path), "%s/heap", folder);
    file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fseek(file, HEAP_PAGE_BYTES, SEEK_SET), 0);
    assert_int_equal(fwrite(&shared, sizeof(shared), 1, file), 1);
    assert_int_equal(fclose(file), 0);
    (void)snprintf(link, sizeof(link), "/dev/shm/cargo-cprof-link-%d", (int)getpid());
    (void)unlink(link);
    assert_int_equal(symlink(folder, link), 0);
    assert_int_equal(heap_channel_open(&channel, &err), 0);
    heap_channel_close(&channel);
    assert_int_equal(unlink(link), 0);
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
}

static void what_threads_count_is_read_at_both_ends_of_the_window(void **state)
{
    struct heap_channel channel = {0};
    struct heap_shared *shared = NULL;
    struct heap_slot *slots = NULL;
    struct heap_slots read;
    struct error err = {0};

    (void)state;
    assert_int_equal(heap_channel_open(&channel, &err), 0);
    shared = (struct heap_shared *)(void *)(channel.memory + HEAP_PAGE_BYTES);
    slots = (struct heap_slot *)(void *)(channel.memory + HEAP_SLOTS_OFFSET);
    slots[0] = (struct heap_slot){.given_bytes = 10, .given_count = 1, .kept_bytes = -5};
    shared->slot_count = 1;
    heap_channel_begin_window(&channel);
    slots[0].given_bytes = 70;
    slots[HEAP_SLOTS - 1].given_count = 9;
    shared->slot_count = HEAP_SLOTS + 1;
    heap_channel_end(&channel);
    slots[0].given_bytes = 100;
    heap_channel_end(&channel);
    read = heap_channel_slots(&channel);
    assert_int_equal(read.start_count, 1);
    assert_int_equal(read.at_start[0].given_bytes, 10);
    assert_int_equal((int64_t)read.at_start[0].kept_bytes, -5);
    assert_int_equal(read.count, HEAP_SLOTS);
    assert_int_equal(read.at_end[0].given_bytes, 70);
    assert_int_equal(read.at_end[HEAP_SLOTS - 1].given_count, 9);
    assert_true(read.lacks_some);
    heap_channel_close(&channel);
}

static void names_of_programs_end_though_they_were_written_over(void **state)
{
    struct heap_channel channel = {0};
    struct heap_shared *shared = NULL;
    struct heap_elsewhere elsewhere;
    struct error err = {0};

    (void)state;
    assert_int_equal(heap_channel_open(&channel, &err), 0);
    elsewhere = heap_channel_elsewhere(&channel);
    assert_int_equal(elsewhere.bytes, 0);
    assert_string_equal(elsewhere.own_malloc, "");
    assert_false(elsewhere.is_followed);
    shared = (struct heap_shared *)(void *)(channel.memory + HEAP_PAGE_BYTES);
    shared->elsewhere_bytes = 7;
    shared->followed_count = 2;
    memset(shared->own_malloc, 'a', sizeof(shared->own_malloc));
    memset(shared->elsewhere, 'b', sizeof(shared->elsewhere));
    elsewhere = heap_channel_elsewhere(&channel);
    assert_int_equal(elsewhere.bytes, 7);
    assert_true(elsewhere.is_followed);
    assert_string_equal(elsewhere.own_malloc, "aaaaaaaaaaaaaaa");
    assert_string_equal(elsewhere.program, "bbbbbbbbbbbbbbb");
    heap_channel_close(&channel);
}

static void a_file_that_was_cut_off_is_looked_at_no_more(void **state)
{
    struct heap_channel channel = {0};
    struct error err = {0};

    (void)state;
    assert_int_equal(heap_channel_open(&channel, &err), 0);
    assert_true(heap_channel_is_whole(&channel));
    assert_int_equal(truncate(text_string(&channel.path), HEAP_PAGE_BYTES), 0);
    assert_false(heap_channel_is_whole(&channel));
    assert_int_equal(heap_channel_program_count(&channel), 0);
    assert_int_equal(heap_channel_missed_count(&channel), 0);
    heap_channel_close(&channel);
}

/* As where it is cut off right after it was looked after. */
static void what_is_cut_off_meanwhile_is_read_as_nothing(void **state)
{
    struct heap_channel channel = {0};
    struct ring ring = {0};
    struct slice record = {0};
    struct error err = {0};

    (void)state;
    assert_int_equal(heap_channel_open(&channel, &err), 0);
    heap_channel_begin(&channel, 5, &ring);
    assert_int_equal(truncate(text_string(&channel.path), 0), 0);
    ring_begin_round(&ring);
    assert_false(ring_peek(&ring, &record));
    assert_int_equal(ring.data[HEAP_RING_BYTES - 1], 0);
    ring_done(&ring);
    heap_channel_close(&channel);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_given_comes_with_its_stack),
        cmocka_unit_test(what_is_taken_back_and_counted_is_no_sample),
        cmocka_unit_test(what_is_of_another_form_is_refused),
        cmocka_unit_test(the_file_is_there_for_its_owner_alone_and_gone_at_the_end),
        cmocka_unit_test(what_a_recorder_that_was_killed_has_left_is_removed),
        cmocka_unit_test(what_a_recorder_was_killed_over_is_removed_when_it_is_old),
        cmocka_unit_test(what_a_link_leads_to_stays),
        cmocka_unit_test(what_threads_count_is_read_at_both_ends_of_the_window),
        cmocka_unit_test(names_of_programs_end_though_they_were_written_over),
        cmocka_unit_test(a_file_that_was_cut_off_is_looked_at_no_more),
        cmocka_unit_test(what_is_cut_off_meanwhile_is_read_as_nothing),
    };

    return cmocka_run_group_tests_name("heap channel", tests, NULL, NULL);
}
