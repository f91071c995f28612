#include "cprof.h"

#include "cmd_record.h"
#include "command_line.h"

int cprof_run(int argc, char **argv)
{
    return command_main(&cprof_command, cmd_record, argc, argv);
}
