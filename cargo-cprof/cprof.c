#include "cprof.h"

#include "built/run_report.h"
#include "cmd_record.h"
#include "command_line.h"
#include "timing/timed_run.h"

int cprof_run(int argc, char **argv)
{
    if (run_report_is_wanted())
        return run_report_write((const char *const *)argv + 1);
    if (timed_run_is_wanted())
        return timed_run_answer((const char *const *)argv + 1);
    return command_main(&cprof_command, cmd_record, argc, argv);
}
