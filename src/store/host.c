/* host.c - a description of the host, stored with measured times. */
#include "store_parts.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/* The model of the processor: the first "model name" that Linux tells; some hosts have none. */
static void read_cpu(char *out, size_t size)
{
    static const char key[] = "model name";
    char line[512];
    FILE *file = fopen("/proc/cpuinfo", "re");
    if (!file)
        return;
    while (fgets(line, sizeof line, file)) {
        char *value = strchr(line, ':');
        if (strncmp(line, key, sizeof key - 1) != 0 || !value)
            continue;
        value += 1 + strspn(value + 1, " \t");
        value[strcspn(value, "\n")] = '\0';
        snprintf(out, size, "%s", value);
        break;
    }
    fclose(file);
}

void rg_host_describe(rg_host *out)
{
    struct utsname name;
    memset(out, 0, sizeof *out);
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    out->n_cores = cores > 0 ? (uint32_t)cores : 1;
    if (uname(&name) == 0) {
        snprintf(out->host, sizeof out->host, "%s", name.nodename);
        snprintf(out->cpu, sizeof out->cpu, "%s", name.machine);
        snprintf(out->kernel, sizeof out->kernel, "%s %s %s", name.sysname, name.release,
                 name.machine);
    }
    read_cpu(out->cpu, sizeof out->cpu);
}
