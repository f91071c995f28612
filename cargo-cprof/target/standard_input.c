#include "target/standard_input.h"

#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

struct standard_input standard_input_now(void)
{
    struct standard_input input = {0};
    struct stat status;

    input.is_file = fstat(STDIN_FILENO, &status) == 0 && S_ISREG(status.st_mode);
    input.start = input.is_file ? lseek(STDIN_FILENO, 0, SEEK_CUR) : 0;
    return input;
}

void standard_input_rewind(const struct standard_input *input)
{
    if (input->is_file && input->start >= 0)
        (void)lseek(STDIN_FILENO, input->start, SEEK_SET);
}

bool standard_input_is_unread_file(void)
{
    struct stat status;

    return fstat(STDIN_FILENO, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0 &&
           lseek(STDIN_FILENO, 0, SEEK_CUR) == 0;
}

bool standard_input_is_read_once(void)
{
    struct stat status;
    int waiting = 0;

    return fstat(STDIN_FILENO, &status) == 0 && (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode)) &&
           ioctl(STDIN_FILENO, FIONREAD, &waiting) == 0 && waiting > 0;
}
