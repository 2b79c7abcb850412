/* main.c - finds the command, parses, runs, and turns the status into the exit code. */
#include "base/pool.h"
#include "cli/command/commands.h"
#include "cli/output/output.h"

#include <signal.h>
#include <string.h>

static rg_status run_command(int argc, char **argv, rg_error *err)
{
    size_t used = 0;
    const cli_command *command = cli_command_find(argv, (size_t)argc, &used, err);
    if (!command)
        return RG_EUSAGE;
    cli_arguments args;
    rg_status status = cli_parse(&args, command, argc - (int)used, argv + used, err);
    if (status)
        return status;
    if (args.help || !command->run) {
        cli_print_help(stdout, command);
        return args.help ? RG_OK : RG_EUSAGE; /* a group alone is half a command */
    }
    return command->run(&args, err);
}

static rg_status run(int argc, char **argv, rg_error *err)
{
    const char *first = argc > 1 ? argv[1] : NULL;
    if (!first || strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0) {
        cli_print_overview(stdout);
        return first ? RG_OK : RG_EUSAGE;
    }
    if (strcmp(first, "--version") == 0 || strcmp(first, "-V") == 0 ||
        (strcmp(first, "version") == 0 && argc == 2)) {
        printf("regula %s\n", rg_version());
        return RG_OK;
    }
    if (first[0] == '-') {
        snprintf(err->message, sizeof err->message,
                 "unknown option '%.200s'; 'regula --help' lists the options", first);
        return RG_EUSAGE;
    }
    return run_command(argc - 1, argv + 1, err);
}

typedef struct program {
    int argc;
    char **argv;
    int code;
} program;

static void *run_program(void *context)
{
    program *p = context;
    rg_error err = {""};
    rg_status status = run(p->argc, p->argv, &err);
    if (status && err.message[0])
        cli_message("%s", err.message);
    err.message[0] = '\0';
    rg_status flushed = cli_flush(&err);
    if (flushed)
        cli_message("%s", err.message);
    p->code = (int)(status ? status : flushed);
    return NULL;
}

int main(int argc, char **argv)
{
    program p = {.argc = argc, .argv = argv};
    pthread_t thread;
    cli_open_standard();
    signal(SIGPIPE, SIG_IGN); /* a pipe or a connection that ends is an error like others */
    signal(SIGXFSZ, SIG_IGN); /* so is a file that grows too large for `ulimit -f` */
    if (rg_thread_start(&thread, run_program, &p) == 0)
        pthread_join(thread, NULL);
    else
        run_program(&p);
    return p.code;
}
