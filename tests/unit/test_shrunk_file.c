#include "cmocka_all.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/shrunk_file.h"

enum { PAGES = 3 };

struct fixture {
    size_t page_bytes;
    int descriptor;
    char *memory;
};

static int begin(void **state)
{
    static struct fixture fixture;
    char path[] = "/tmp/shrunk-XXXXXX";

    fixture = (struct fixture){.page_bytes = (size_t)sysconf(_SC_PAGESIZE), .descriptor = mkstemp(path)};
    assert_true(fixture.descriptor >= 0);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(ftruncate(fixture.descriptor, (off_t)(PAGES * fixture.page_bytes)), 0);
    fixture.memory =
        mmap(NULL, PAGES * fixture.page_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fixture.descriptor, 0);
    assert_true(fixture.memory != MAP_FAILED);
    *state = &fixture;
    return 0;
}

static int end(void **state)
{
    struct fixture *f = *state;

    munmap(f->memory, PAGES * f->page_bytes);
    close(f->descriptor);
    return 0;
}

static void pages_that_are_gone_are_zeros_and_the_others_stay(void **state)
{
    struct fixture *f = *state;

    shrunk_file_guard(f->memory, PAGES * f->page_bytes);
    f->memory[0] = 'a';
    f->memory[f->page_bytes] = 'b';
    f->memory[2 * f->page_bytes] = 'c';
    assert_int_equal(ftruncate(f->descriptor, (off_t)f->page_bytes), 0);
    assert_int_equal(f->memory[2 * f->page_bytes], 0);
    assert_int_equal(f->memory[f->page_bytes], 0);
    f->memory[f->page_bytes + 1] = 'd';
    assert_int_equal(f->memory[f->page_bytes + 1], 'd');
    assert_int_equal(f->memory[0], 'a');
    shrunk_file_unguard();
}

/* The signal that ends a child which does so. */
static int ended_by(void (*does)(void))
{
    int status = 0;
    pid_t child = fork();

    if (child == 0) {
        signal(SIGALRM, SIG_DFL);
        alarm(60);
        does();
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void be_sent_it(void)
{
    kill(getpid(), SIGBUS);
}

static void look_at_another_file(void)
{
    char path[] = "/tmp/shrunk-XXXXXX";
    int descriptor = mkstemp(path);
    const volatile char *memory = mmap(NULL, 1, PROT_READ, MAP_SHARED, descriptor, 0);

    unlink(path);
    _exit(memory[0]);
}

static void what_is_of_no_page_of_it_ends_the_process_as_ever(void **state)
{
    struct fixture *f = *state;
    struct sigaction usual = {.sa_handler = SIG_DFL};

    sigaction(SIGBUS, &usual, NULL); /* and not what these tests take it for */
    shrunk_file_guard(f->memory, PAGES * f->page_bytes);
    assert_int_equal(ended_by(be_sent_it), SIGBUS);
    assert_int_equal(ended_by(look_at_another_file), SIGBUS);
    shrunk_file_unguard();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(pages_that_are_gone_are_zeros_and_the_others_stay, begin, end),
        cmocka_unit_test_setup_teardown(what_is_of_no_page_of_it_ends_the_process_as_ever, begin, end),
    };

    return cmocka_run_group_tests_name("shrunk file", tests, NULL, NULL);
}
