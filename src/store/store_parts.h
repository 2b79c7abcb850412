/* store_parts.h - inside the store: its state, the tables, and SQLite behind a few words.
 *
 *     store_file.c    a connection: looked at before it is opened, made under another name
 *     store_lock.c    one process that writes
 *     store_sql.c     statements, rows, and what SQLite's failures mean
 *     store_schema.c  the tables and every statement
 *     store_plan.c    experiment, configurations and jobs, in and out
 *     store.c         making, opening, closing
 *     store_put.c, store_read.c, store_digest.c, store_merge.c */
#ifndef REGULA_STORE_STORE_PARTS_H
#define REGULA_STORE_STORE_PARTS_H

#include "store.h"

#include <sqlite3.h>

#define RG_STORE_APPLICATION 0x72676c61 /* "rgla": application_id of the file */
#define RG_STORE_VERSION 1              /* its user_version: of the tables */
#define RG_STORE_BUSY 3000              /* milliseconds to wait for a program that has it locked */

/* Kept as long as the store; each is prepared when it is first used. */
typedef enum rg_store_sql {
    RG_SQL_BEGIN,
    RG_SQL_COMMIT,
    RG_SQL_ADD_EXPERIMENT,
    RG_SQL_ADD_FOLD,
    RG_SQL_ADD_CONFIGURATION,
    RG_SQL_ADD_JOB,
    RG_SQL_PUT_JOB,
    RG_SQL_PUT_RUN,
    RG_SQL_PUT_EPOCH,
    RG_SQL_PUT_PREDICTION,
    RG_SQL_PUT_VALIDATION,
    RG_SQL_PUT_TARGET,
    RG_SQL_PUT_MODEL,
    RG_SQL_RETRY,
    RG_SQL_EXPERIMENT,
    RG_SQL_FOLDS,
    RG_SQL_CONFIGURATIONS,
    RG_SQL_JOBS,
    RG_SQL_RUNS,
    RG_SQL_JOB_RUNS,
    RG_SQL_EPOCHS,
    RG_SQL_PREDICTION,
    RG_SQL_VALIDATION,
    RG_SQL_TARGET,
    RG_SQL_MODELS,
    RG_SQL_SCHEMA,
    RG_SQL_INTEGRITY,
    RG_SQL_KEYS,
    RG_SQL_HALF_JOB,
    RG_SQL_STRAY_RUN,
    RG_SQL_HALF_RUN,
    RG_SQL_STRAY_EPOCH,
    RG_SQL_STATEMENTS /* how many there are */
} rg_store_sql;

struct rg_store {
    char *directory, *path; /* of the run, and of the file */
    sqlite3 *db;
    int lock;   /* descriptor of the lock; -1: open for reading, or not yet in its place */
    bool write; /* may be written to */
    bool
        has_members; /* it has the tables `validation` and `target`, which are younger than 0.1.0 */
    sqlite3_stmt *statements[RG_SQL_STATEMENTS];
    rg_store_experiment experiment;
    rg_store_fold *folds; /* experiment.n_folds; NULL: nothing is known of them */
    rg_store_configuration *configurations;
    size_t n_configurations;
    rg_store_job *jobs;
    size_t n_jobs;
    char **texts; /* all texts of what is above; owned */
    size_t n_texts, texts_capacity;
};

/* ---- store_schema.c */

typedef struct rg_store_table {
    const char *name, *sql; /* what makes it, as the file must have it */
} rg_store_table;
#define RG_STORE_TABLES 10
#define RG_STORE_TABLES_FIRST 8 /* of them every store has; the others a writer adds */
extern const rg_store_table rg_store_tables[RG_STORE_TABLES];
extern const char *const rg_store_statements[RG_SQL_STATEMENTS];

/* ---- store_sql.c */

/* What a failure of SQLite means: status and message. action: "read", "write", ... */
rg_status rg_store_fail(const rg_store *store, int code, const char *action, rg_error *err);
/* SQL without parameters and rows that matter. */
RG_MUST_CHECK rg_status rg_store_exec(rg_store *store, const char *sql, const char *action,
                                      rg_error *err);

/* A statement whose parameters are bound in order; the first failure sticks. Texts and blobs must
 * live until it was done. */
typedef struct rg_binding {
    rg_store *store;
    sqlite3_stmt *statement;
    int next, code;
} rg_binding;

rg_binding rg_store_bind(rg_store *store, rg_store_sql which);
void rg_bind_int(rg_binding *b, uint64_t value);    /* saturates at INT64_MAX */
void rg_bind_bits(rg_binding *b, uint64_t value);   /* from 2^63 on as negative numbers */
void rg_bind_real(rg_binding *b, double value);     /* NaN: NULL */
void rg_bind_text(rg_binding *b, const char *text); /* NULL: NULL */
void rg_bind_blob(rg_binding *b, const void *bytes, size_t n); /* NULL: NULL */
/* Runs one that gives no rows. */
RG_MUST_CHECK rg_status rg_bind_done(rg_binding *b, rg_error *err);

/* Rows, one after another, with every value checked; the first failure sticks. */
typedef struct rg_sql_rows {
    rg_store *store;
    sqlite3_stmt *statement;
    const char *table;
    int n_keys; /* the first columns, which name the row in messages */
    rg_status status;
    rg_error *err;
} rg_sql_rows;

/* Begins to read what a binding asks for. */
rg_sql_rows rg_bind_rows(rg_binding *b, const char *table, int n_keys, rg_error *err);
bool rg_rows_next(rg_sql_rows *rows); /* false: the end, or a failure: rows->status */
void rg_rows_end(rg_sql_rows *rows);  /* always */
uint64_t rg_rows_int(rg_sql_rows *rows, int column, uint64_t min,
                     uint64_t max); /* min if it fails */
uint32_t rg_rows_u32(rg_sql_rows *rows, int column, uint32_t max);
uint64_t rg_rows_bits(rg_sql_rows *rows, int column); /* any whole number, by its bits */
double rg_rows_real(rg_sql_rows *rows, int column);   /* NULL: NaN */
const char *rg_rows_text(rg_sql_rows *rows,
                         int column); /* never NULL; borrowed until the next row */
bool rg_rows_is_null(const rg_sql_rows *rows, int column);
/* n bytes; NULL if it fails, never for n > 0 otherwise. Borrowed until the next row. */
const void *rg_rows_blob(rg_sql_rows *rows, int column, size_t n);
/* Fails the row: "...: NAME: found '7', expected WHAT". */
void rg_rows_refuse(rg_sql_rows *rows, int column, const char *expected);

/* ---- store_file.c */

/* A store without a connection. owned (rg_store_close). name: of its file. */
RG_MUST_CHECK rg_status rg_store_new(rg_store **out, const char *directory, const char *name,
                                     rg_error *err);
/* Connects to the file that is there, after a look at whether it is one of ours. */
RG_MUST_CHECK rg_status rg_store_connect(rg_store *store, rg_error *err);
/* A new file beside the final one, with empty tables, in a transaction that is under way. A later
 * one replaces it. */
RG_MUST_CHECK rg_status rg_store_begin(rg_store **out, const char *directory, rg_error *err);
/* Ends the transaction, closes the store (moved) and gives its file the final name. */
RG_MUST_CHECK rg_status rg_store_publish(rg_store *store, rg_error *err);
void rg_store_abandon(rg_store *store); /* or removes it; moved, NULL is fine */
void rg_store_disconnect(rg_store *store);

/* ---- store_lock.c */

/* *lock: a descriptor to be closed; the lock ends with it or with the process. RG_EFAIL if another
 * has it: at once, or (stop not NULL) when `stop` no longer returns 0. */
RG_MUST_CHECK rg_status rg_store_lock(int *lock, const char *directory, int (*stop)(void *context),
                                      void *context, rg_error *err);

/* ---- store_plan.c */

/* A copy that lives as long as the store; NULL if memory is short. */
const char *rg_store_keep(rg_store *store, const char *text);
RG_MUST_CHECK rg_status rg_store_plan_check(const rg_store_plan *plan, rg_error *err);
/* Writes the plan into empty tables. made: who made it, as the experiment says; else this version,
 * now and here. */
RG_MUST_CHECK rg_status rg_store_plan_write(rg_store *store, const rg_store_plan *plan, bool made,
                                            rg_error *err);
RG_MUST_CHECK rg_status rg_store_plan_read(rg_store *store, rg_error *err);
rg_store_plan rg_store_plan_of(const rg_store *store); /* borrowed */
/* What makes two plans another experiment, in words; NULL: nothing. */
const char *rg_store_plan_differs(const rg_store_plan *a, const rg_store_plan *b);

/* ---- store_put.c, store_read.c, store_digest.c */

extern const char *const rg_store_part_names[2]; /* in the file, by rg_store_part */

#define RG_STORE_TIME 32
void rg_store_time(char out[RG_STORE_TIME]); /* now, in UTC */
/* The statements of a job, within a transaction; what the store has in memory stays as it is. */
RG_MUST_CHECK rg_status rg_store_put_rows(rg_store *store, size_t job,
                                          const rg_store_outcome *outcome, const rg_store_run *runs,
                                          rg_error *err);
/* Adds epochs and prediction to a run that was read. */
RG_MUST_CHECK rg_status rg_store_run_fill(rg_store *store, rg_store_run *run, rg_error *err);
/* Adds what ensembles need. targets: of its fold, too. */
RG_MUST_CHECK rg_status rg_store_member_fill(rg_store *store, rg_store_run *run, bool targets,
                                             rg_error *err);
void rg_store_digest_run(rg_digest *digest, const rg_store_run *run);
void rg_store_digest_of(char out[RG_DIGEST_TEXT], const char *text); /* of its bytes */

/* ---- host.c */

/* What this host is, in words; empty where it does not tell. */
typedef struct rg_host {
    char host[256], cpu[256], kernel[512];
    uint32_t n_cores;
} rg_host;
void rg_host_describe(rg_host *out);

#endif
