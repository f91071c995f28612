#include "cprof.h"

#include <string.h>

#include "cmd_record.h"
#include "command_line.h"

int cprof_run(int argc, char **argv)
{
    int verb = argc > 1 && strcmp(argv[1], cprof_record_command.name) == 0 ? 2 : 1;

    if (verb < argc && strcmp(argv[verb], "exec") == 0) {
        argv[verb] = argv[0];
        return command_main(&cprof_exec_command, cmd_exec, argc - verb, argv + verb);
    }
    return command_main(&cprof_record_command, cmd_record, argc, argv);
}
