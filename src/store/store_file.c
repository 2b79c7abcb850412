/* store_file.c - the file of a store: looked at before it is trusted, and made under another name.
 *
 * The file itself is only ever opened by SQLite: POSIX drops all locks that a process has on a file
 * when it closes any descriptor of it. */
#include "base/alloc.h"
#include "base/error.h"
#include "base/fault.h"
#include "base/file.h"
#include "store_parts.h"
#include "text/text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NEW_FILE RG_STORE_FILE ".new"

rg_status rg_store_new(rg_store **out, const char *directory, const char *name, rg_error *err)
{
    rg_store *store = rg_alloc_zero(1, sizeof *store);
    if (store) {
        store->lock = -1;
        store->directory = rg_copy_text(directory, strlen(directory));
        store->path = rg_path_join(directory, name);
    }
    if (!store || !store->directory || !store->path) {
        rg_store_close(store);
        return rg_fail_memory(err, "opening a run");
    }
    *out = store;
    return RG_OK;
}

void rg_store_disconnect(rg_store *store)
{
    for (size_t k = 0; k < RG_SQL_STATEMENTS; k++) {
        sqlite3_finalize(store->statements[k]);
        store->statements[k] = NULL;
    }
    sqlite3_close(store->db);
    store->db = NULL;
}

/* ---- what is there */

static rg_status read_number(uint64_t *out, rg_store *store, const char *sql, rg_error *err)
{
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL);
    if (!code)
        code = sqlite3_step(statement);
    if (code == SQLITE_ROW)
        *out = (uint64_t)sqlite3_column_int64(statement, 0);
    rg_status status = RG_OK;
    if (code != SQLITE_ROW)
        status = rg_store_fail(store, sqlite3_extended_errcode(store->db), "read", err);
    sqlite3_finalize(statement);
    return status;
}

static rg_status check_owner(rg_store *store, rg_error *err)
{
    uint64_t application, version;
    rg_status status = read_number(&application, store, "PRAGMA application_id", err);
    if (!status)
        status = read_number(&version, store, "PRAGMA user_version", err);
    if (status)
        return status;
    if (application != RG_STORE_APPLICATION)
        return rg_fail(err, RG_EDATA, "'%s' belongs to another program (application id %lu)",
                       store->path, (unsigned long)application);
    if (version > RG_STORE_VERSION)
        return rg_fail(err, RG_EDATA,
                       "'%s' was written by a newer regula: its tables have version %lu, and this "
                       "program reads versions up to %d",
                       store->path, (unsigned long)version, RG_STORE_VERSION);
    if (version < 1)
        return rg_fail(err, RG_EDATA, "'%s' is damaged: its tables are of version 0", store->path);
    return RG_OK;
}

/* Tables that are younger than the file; without them a reader has less to tell. */
static rg_status add_tables(rg_store *store, const bool *found, rg_error *err)
{
    rg_status status = RG_OK;
    store->has_members = true;
    for (size_t k = RG_STORE_TABLES_FIRST; k < RG_STORE_TABLES && !status; k++) {
        store->has_members &= found[k] || store->write;
        if (!found[k] && store->write)
            status = rg_store_exec(store, rg_store_tables[k].sql, "write", err);
    }
    return status;
}

/* Our tables as we make them, and nothing that acts on its own. */
static rg_status check_tables(rg_store *store, rg_error *err)
{
    bool found[RG_STORE_TABLES] = {false};
    rg_binding b = rg_store_bind(store, RG_SQL_SCHEMA);
    rg_sql_rows rows = rg_bind_rows(&b, "sqlite_master", 1, err);
    while (rg_rows_next(&rows)) {
        const char *name = rg_rows_text(&rows, 0), *type = rg_rows_text(&rows, 1);
        if (strcmp(type, "table") != 0)
            rg_rows_refuse(&rows, 1, "no triggers");
        for (size_t k = 0; k < RG_STORE_TABLES; k++)
            if (strcmp(name, rg_store_tables[k].name) == 0) {
                found[k] = true;
                if (strcmp(rg_rows_text(&rows, 2), rg_store_tables[k].sql) != 0)
                    rg_rows_refuse(&rows, 2, "the table that regula makes");
            }
    }
    rg_rows_end(&rows);
    for (size_t k = 0; k < RG_STORE_TABLES_FIRST && !rows.status; k++)
        if (!found[k])
            rows.status = rg_fail(err, RG_EDATA, "'%s' is damaged: there is no table '%s'",
                                  store->path, rg_store_tables[k].name);
    return rows.status ? rows.status : add_tables(store, found, err);
}

/* ---- connections */

static rg_status configure(rg_store *store, rg_error *err)
{
    int code = sqlite3_busy_timeout(store->db, RG_STORE_BUSY);
    if (!code)
        code = sqlite3_db_config(store->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    if (!code)
        code = sqlite3_db_config(store->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    return code ? rg_store_fail(store, code, "open", err) : RG_OK;
}

/* As SQLite takes a path with options behind it. Owned (rg_free). */
static char *uri_of(const char *path, const char *options)
{
    rg_text text = {0};
    rg_text_add(&text, "file:%s", *path == '/' ? "//" : "");
    for (const char *p = path; *p; p++)
        if (strchr("%?# ", *p))
            rg_text_add(&text, "%%%02x", (unsigned char)*p);
        else
            rg_text_add(&text, "%c", *p);
    rg_text_add(&text, "?%s", options);
    return rg_text_take(&text);
}

static rg_status connect_with(rg_store *store, const char *name, int flags, rg_error *err)
{
    int code = sqlite3_open_v2(name, &store->db, flags | SQLITE_OPEN_NOMUTEX, NULL);
    if (code)
        return rg_store_fail(store, store->db ? sqlite3_extended_errcode(store->db) : code, "open",
                             err);
    return configure(store, err);
}

/* A log that was left behind: without it the file is not the whole. */
static bool has_log(const rg_store *store)
{
    struct stat info;
    char *path = rg_alloc(strlen(store->path) + 5, 1);
    if (!path)
        return true;
    sprintf(path, "%s-wal", store->path);
    bool has = stat(path, &info) != 0 ? errno != ENOENT : info.st_size > 0;
    rg_free(path);
    return has;
}

/* Readers may write beside the file what SQLite needs to read it while another writes. In a
 * directory that lets them not, nobody else writes either: the file is read as it stands. */
static rg_status connect_reader(rg_store *store, rg_error *err)
{
    rg_status status = connect_with(store, store->path, SQLITE_OPEN_READWRITE, err);
    if (!status)
        status = check_owner(store, err);
    if (status == RG_EIO && !has_log(store)) {
        char *name = uri_of(store->path, "immutable=1");
        rg_store_disconnect(store);
        if (!name)
            return rg_fail_memory(err, "opening a run");
        status = connect_with(store, name, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, err);
        if (!status)
            status = check_owner(store, err);
        rg_free(name);
    }
    /* One transaction for as long as it is open: what is read fits together. */
    return status ? status : rg_store_exec(store, "PRAGMA query_only = 1; BEGIN", "read", err);
}

static rg_status connect_writer(rg_store *store, rg_error *err)
{
    rg_status status = connect_with(store, store->path, SQLITE_OPEN_READWRITE, err);
    if (!status)
        status = check_owner(store, err);
    if (!status && sqlite3_db_readonly(store->db, "main") == 1)
        status = rg_fail(err, RG_EIO, "cannot write '%s': it is read-only", store->path);
    if (!status)
        status = rg_store_exec(store, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL",
                               "write", err);
    return status;
}

rg_status rg_store_connect(rg_store *store, rg_error *err)
{
    struct stat info;
    if (rg_fault_hit(RG_FAULT_IO) ? (errno = EIO) : stat(store->path, &info) != 0) {
        if (errno == ENOENT || errno == ENOTDIR)
            return rg_fail(err, RG_EIO, "'%s' is not a run directory: there is no " RG_STORE_FILE,
                           store->directory);
        return rg_fail_io(err, errno, "open", store->path);
    }
    if (!S_ISREG(info.st_mode))
        return rg_fail(err, RG_EIO, "cannot open '%s': not a regular file", store->path);
    if (info.st_size == 0)
        return rg_fail(err, RG_EDATA, "'%s' is damaged: it is empty", store->path);
    rg_status status = store->write ? connect_writer(store, err) : connect_reader(store, err);
    return status ? status : check_tables(store, err);
}

/* ---- a new file */

/* Removes what SQLite may have left beside a file; fine if there is nothing. */
static rg_status remove_traces(const char *directory, const char *name, rg_error *err)
{
    static const char *const ends[] = {"", "-journal", "-wal", "-shm"};
    char *path = rg_path_join(directory, name), *at;
    char *longer = path ? rg_realloc(path, strlen(path) + 16, 1) : NULL;
    if (!longer) {
        rg_free(path);
        return rg_fail_memory(err, "making a run");
    }
    rg_status status = RG_OK;
    at = longer + strlen(longer);
    for (size_t k = 0; k < sizeof ends / sizeof *ends && !status; k++) {
        strcpy(at, ends[k]);
        if ((rg_fault_hit(RG_FAULT_IO) ? (errno = EIO, -1) : unlink(longer)) != 0 &&
            errno != ENOENT)
            status = rg_fail_io(err, errno, "remove", longer);
    }
    rg_free(longer);
    return status;
}

static rg_status make_tables(rg_store *store, rg_error *err)
{
    char sql[128];
    rg_status status = rg_store_exec(
        store, "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = FULL; BEGIN", "write", err);
    for (size_t k = 0; k < RG_STORE_TABLES && !status; k++)
        status = rg_store_exec(store, rg_store_tables[k].sql, "write", err);
    snprintf(sql, sizeof sql, "PRAGMA application_id = %d; PRAGMA user_version = %d",
             RG_STORE_APPLICATION, RG_STORE_VERSION);
    return status ? status : rg_store_exec(store, sql, "write", err);
}

rg_status rg_store_begin(rg_store **out, const char *directory, rg_error *err)
{
    rg_store *store = NULL;
    rg_status status = remove_traces(directory, NEW_FILE, err);
    if (!status)
        status = rg_store_new(&store, directory, NEW_FILE, err);
    if (!status) {
        store->write = true;
        store->has_members = true;
        status = connect_with(store, store->path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, err);
    }
    if (!status)
        status = make_tables(store, err);
    if (status) {
        rg_store_abandon(store);
        return status;
    }
    *out = store;
    return RG_OK;
}

void rg_store_abandon(rg_store *store)
{
    if (!store)
        return;
    rg_store_disconnect(store);
    (void)!remove_traces(store->directory, NEW_FILE, NULL);
    rg_store_close(store);
}

/* A log of a store that is gone must not be taken for one of the new file. */
rg_status rg_store_publish(rg_store *store, rg_error *err)
{
    rg_status status = rg_store_exec(store, "COMMIT; PRAGMA journal_mode = WAL", "write", err);
    char *final = rg_path_join(store->directory, RG_STORE_FILE);
    if (!status && !final)
        status = rg_fail_memory(err, "making a run");
    if (!status) {
        rg_store_disconnect(store);
        status = remove_traces(store->directory, RG_STORE_FILE, err);
    }
    if (!status &&
        (rg_fault_hit(RG_FAULT_IO) ? (errno = EIO, -1) : rename(store->path, final)) != 0)
        status = rg_fail_io(err, errno, "rename", store->path);
    if (!status)
        status = rg_dir_sync(store->directory, err);
    rg_free(final);
    rg_store_abandon(store);
    return status;
}
