/* ranks.c - see ranks.h. */
#include "ranks.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/pool.h"
#include "cli/mpi/regula_mpi.h"
#include "cli/output/output.h"
#include "text/text.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MODULE "regula_mpi.so"

/* ---- the module: beside the program, as it is built, or where it is installed */

static char *module_path(void)
{
    static const char *const places[] = {"", "../" REGULA_LIBDIR "/regula/"};
    char program[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    if (n <= 0)
        return NULL;
    program[n] = '\0';
    *strrchr(program, '/') = '\0';
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
        rg_text text = {0};
        rg_text_add(&text, "%s/%s%s", program, places[k], MODULE);
        char *path = rg_text_take(&text);
        if (path && rg_path_is_file(path))
            return path;
        rg_free(path);
    }
    return NULL;
}

/* The components of Open MPI want to see its symbols: RTLD_GLOBAL. Never closed: it stays. */
static rg_status load(const regula_mpi_table **out, unsigned long size, rg_error *err)
{
    char *path = module_path();
    if (!path)
        return rg_fail(err, RG_EFAIL,
                       "started as one of %lu ranks, and there is no module for MPI (" MODULE "): "
                       "build with MPI installed (libopenmpi-dev), or use --shard",
                       size);
    void *module = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    const regula_mpi_table *table = module ? dlsym(module, REGULA_MPI_TABLE) : NULL;
    rg_status status = RG_OK;
    if (!table)
        status = rg_fail(err, RG_EFAIL, "cannot load '%s': %s", path, dlerror());
    else if (table->edition != REGULA_MPI_EDITION)
        status = rg_fail(err, RG_EFAIL, "'%s' is of another version of regula", path);
    else
        *out = table;
    rg_free(path);
    return status;
}

/* ---- who is there */

/* Ranks that mpirun says it started; 0: it did not. */
static unsigned long announced(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const char *value = getenv(names[k]);
        if (value && *value)
            return strtoul(value, NULL, 10);
    }
    return 0;
}

/* mpirun may have bound the rank to processors of its own; else those on a machine share all. */
static unsigned fair_share(int local)
{
    unsigned own = rg_pool_processors();
    long all = sysconf(_SC_NPROCESSORS_ONLN);
    if (all > 0 && own < (unsigned long)all)
        return own;
    return own > (unsigned)local ? own / (unsigned)local : 1;
}

static void say(void *context, const char *line)
{
    (void)context;
    cli_message("%s", line);
}

/* Rank 0 writes its card, and all others have it then. An empty card: rank 0 could not. */
static rg_status share_card(cli_ranks *r, const regula_mpi_table *mpi, rg_error *err)
{
    char text[RG_CARD_TEXT] = "";
    rg_status status = RG_OK;
    if (r->crew.rank == 0)
        status = rg_card_open(&r->crew.card, &r->crew.listener, err);
    if (r->crew.rank == 0 && !status)
        rg_card_print(text, &r->crew.card);
    if (mpi->share(text, sizeof text) != 0 && !status)
        status = rg_fail(err, RG_EFAIL, "MPI does not carry messages between the ranks");
    text[sizeof text - 1] = '\0';
    if (r->crew.rank > 0 && !status)
        status = *text ? rg_card_parse(&r->crew.card, text, err) : RG_EFAIL;
    return status;
}

rg_status cli_ranks_open(cli_ranks *out, rg_error *err)
{
    unsigned long expected = announced();
    const regula_mpi_table *mpi = NULL;
    char host[64] = "?";
    int rank = 0, size = 0, local = 1;
    if (expected <= 1)
        return RG_OK;
    rg_status status = load(&mpi, expected, err);
    if (status)
        return status;
    if (mpi->start(&rank, &size, &local) != 0)
        return rg_fail(err, RG_EFAIL, "MPI does not start");
    if ((unsigned long)size != expected) {
        mpi->finish();
        return rg_fail(err, RG_EFAIL,
                       "mpirun started %lu ranks, and MPI knows of %d: " MODULE
                       " is made for another MPI than that of this mpirun",
                       expected, size);
    }
    gethostname(host, sizeof host - 1);
    out->together = true;
    out->crew =
        (rg_crew){.rank = (uint32_t)rank, .size = (uint32_t)size, .listener = -1, .say = say};
    out->n_threads = fair_share(local);
    snprintf(out->name, sizeof out->name, "rank %d on %s", rank, host);
    status = share_card(out, mpi, err);
    mpi->finish();
    return status;
}

void cli_ranks_close(cli_ranks *ranks)
{
    if (ranks->together && ranks->crew.listener >= 0)
        close(ranks->crew.listener);
}

rg_status cli_ranks_give_up(const cli_ranks *ranks, rg_status status, rg_error *err)
{
    int link = -1;
    bool over = false;
    if (rg_card_connect(&link, &over, &ranks->crew.card, NULL) && over) {
        err->message[0] = '\0';
        return RG_OK;
    }
    if (link >= 0)
        close(link);
    return rg_fail(err, status, "%s: %s", ranks->name, err->message);
}
