/* store_sql.c - SQLite behind a few words: see store_parts.h. */
#include "base/error.h"
#include "store_parts.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- failures */

/* Our statements are right: one that is wrong for a file (SQLITE_ERROR) tells of the file. */
static bool is_damage(int code)
{
    return code == SQLITE_ERROR || code == SQLITE_CORRUPT || code == SQLITE_NOTADB ||
           code == SQLITE_FORMAT || code == SQLITE_CONSTRAINT || code == SQLITE_MISMATCH;
}

rg_status rg_store_fail(const rg_store *store, int code, const char *action, rg_error *err)
{
    int system = store->db ? sqlite3_system_errno(store->db) : 0, base = code & 0xff;
    bool last = store->db && (sqlite3_errcode(store->db) & 0xff) == base;
    const char *words = last ? sqlite3_errmsg(store->db) : sqlite3_errstr(code);
    if (base == SQLITE_NOMEM || code == SQLITE_IOERR_NOMEM)
        return rg_fail(err, RG_ENOMEM, "out of memory: to %s '%s'", action, store->path);
    if (base == SQLITE_FULL)
        return rg_fail(err, RG_EIO,
                       "cannot %s '%s': the disk is full; all jobs saved before are kept", action,
                       store->path);
    if (base == SQLITE_BUSY || base == SQLITE_LOCKED)
        return rg_fail(err, RG_EFAIL, "cannot %s '%s': another program keeps it locked", action,
                       store->path);
    if (is_damage(base))
        return rg_fail(err, RG_EDATA, "'%s' is damaged: %s", store->path, words);
    if ((base == SQLITE_IOERR || base == SQLITE_CANTOPEN) && system)
        return rg_fail_io(err, system, action, store->path);
    if (base == SQLITE_IOERR || base == SQLITE_CANTOPEN || base == SQLITE_READONLY ||
        base == SQLITE_PERM)
        return rg_fail(err, RG_EIO, "cannot %s '%s': %s", action, store->path, words);
    return rg_fail(err, RG_EFAIL, "cannot %s '%s': %s", action, store->path, words);
}

rg_status rg_store_exec(rg_store *store, const char *sql, const char *action, rg_error *err)
{
    int code = sqlite3_exec(store->db, sql, NULL, NULL, NULL);
    return code ? rg_store_fail(store, sqlite3_extended_errcode(store->db), action, err) : RG_OK;
}

/* ---- parameters */

rg_binding rg_store_bind(rg_store *store, rg_store_sql which)
{
    rg_binding b = {store, store->statements[which], 1, SQLITE_OK};
    if (!b.statement)
        b.code = sqlite3_prepare_v3(store->db, rg_store_statements[which], -1,
                                    SQLITE_PREPARE_PERSISTENT, &store->statements[which], NULL);
    b.statement = store->statements[which];
    return b;
}

static void bound(rg_binding *b, int code)
{
    b->next++;
    if (!b->code)
        b->code = code;
}

void rg_bind_int(rg_binding *b, uint64_t value)
{
    int64_t number = value > INT64_MAX ? INT64_MAX : (int64_t)value;
    bound(b, b->code ? b->code : sqlite3_bind_int64(b->statement, b->next, number));
}

void rg_bind_bits(rg_binding *b, uint64_t value)
{
    int64_t number;
    memcpy(&number, &value, sizeof number);
    bound(b, b->code ? b->code : sqlite3_bind_int64(b->statement, b->next, number));
}

void rg_bind_real(rg_binding *b, double value)
{
    bound(b, b->code ? b->code : sqlite3_bind_double(b->statement, b->next, value));
}

void rg_bind_text(rg_binding *b, const char *text)
{
    bound(b, b->code ? b->code : sqlite3_bind_text(b->statement, b->next, text, -1, SQLITE_STATIC));
}

void rg_bind_blob(rg_binding *b, const void *bytes, size_t n)
{
    bound(b,
          b->code ? b->code : sqlite3_bind_blob64(b->statement, b->next, bytes, n, SQLITE_STATIC));
}

/* One step; the code of a failure is asked for before resetting forgets it. */
static int step(rg_store *store, sqlite3_stmt *statement)
{
    int code = sqlite3_step(statement);
    return code == SQLITE_ROW || code == SQLITE_DONE ? code : sqlite3_extended_errcode(store->db);
}

rg_status rg_bind_done(rg_binding *b, rg_error *err)
{
    int code = b->code ? b->code : step(b->store, b->statement);
    rg_status status = RG_OK;
    if (code != SQLITE_DONE)
        status = rg_store_fail(b->store, code, "write", err);
    sqlite3_reset(b->statement); /* says again what was said */
    return status;
}

/* ---- rows */

rg_sql_rows rg_bind_rows(rg_binding *b, const char *table, int n_keys, rg_error *err)
{
    rg_sql_rows rows = {b->store, b->statement, table, n_keys, RG_OK, err};
    if (b->code)
        rows.status = rg_store_fail(b->store, b->code, "read", err);
    return rows;
}

bool rg_rows_next(rg_sql_rows *rows)
{
    if (rows->status)
        return false;
    int code = step(rows->store, rows->statement);
    if (code == SQLITE_ROW)
        return true;
    if (code != SQLITE_DONE)
        rows->status = rg_store_fail(rows->store, code, "read", rows->err);
    return false;
}

void rg_rows_end(rg_sql_rows *rows)
{
    sqlite3_reset(rows->statement); /* NULL is fine */
}

/* What stands there, for a message. */
static void describe(char out[64], sqlite3_stmt *statement, int column)
{
    int type = sqlite3_column_type(statement, column);
    if (type == SQLITE_NULL) {
        snprintf(out, 64, "nothing");
    } else if (type == SQLITE_BLOB) {
        snprintf(out, 64, "%d bytes", sqlite3_column_bytes(statement, column));
    } else {
        const char *text = (const char *)sqlite3_column_text(statement, column);
        snprintf(out, 64, "'%.40s'", text ? text : "?");
    }
}

void rg_rows_refuse(rg_sql_rows *rows, int column, const char *expected)
{
    char found[64], key[128] = "";
    size_t used = 0;
    if (rows->status)
        return;
    describe(found, rows->statement, column);
    for (int k = 0; k < rows->n_keys && used < sizeof key; k++) {
        const char *text = (const char *)sqlite3_column_text(rows->statement, k);
        used += (size_t)snprintf(key + used, sizeof key - used, "%s%.20s", k ? "/" : " ",
                                 text ? text : "?");
    }
    rows->status =
        rg_fail(rows->err, RG_EDATA, "%s: %s%s: %s: found %s, expected %s", rows->store->path,
                rows->table, key, sqlite3_column_name(rows->statement, column), found, expected);
}

uint64_t rg_rows_int(rg_sql_rows *rows, int column, uint64_t min, uint64_t max)
{
    char expected[96];
    int64_t value = sqlite3_column_int64(rows->statement, column);
    if (rows->status)
        return min;
    if (sqlite3_column_type(rows->statement, column) == SQLITE_INTEGER && value >= 0 &&
        (uint64_t)value >= min && (uint64_t)value <= max)
        return (uint64_t)value;
    if (max >= INT64_MAX)
        snprintf(expected, sizeof expected, "a whole number from %" PRIu64, min);
    else
        snprintf(expected, sizeof expected, "a whole number from %" PRIu64 " to %" PRIu64, min,
                 max);
    rg_rows_refuse(rows, column, expected);
    return min;
}

uint32_t rg_rows_u32(rg_sql_rows *rows, int column, uint32_t max)
{
    return (uint32_t)rg_rows_int(rows, column, 0, max);
}

uint64_t rg_rows_bits(rg_sql_rows *rows, int column)
{
    int64_t value = sqlite3_column_int64(rows->statement, column);
    uint64_t bits;
    if (sqlite3_column_type(rows->statement, column) != SQLITE_INTEGER)
        rg_rows_refuse(rows, column, "a whole number");
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

double rg_rows_real(rg_sql_rows *rows, int column)
{
    int type = sqlite3_column_type(rows->statement, column);
    if (type == SQLITE_NULL)
        return NAN;
    if (type != SQLITE_FLOAT)
        rg_rows_refuse(rows, column, "a number or NULL");
    return sqlite3_column_double(rows->statement, column);
}

bool rg_rows_is_null(const rg_sql_rows *rows, int column)
{
    return sqlite3_column_type(rows->statement, column) == SQLITE_NULL;
}

/* Memory may run out where SQLite makes a text or a blob of what it has. */
static void starve(rg_sql_rows *rows)
{
    if (!rows->status)
        rows->status = rg_store_fail(rows->store, SQLITE_NOMEM, "read", rows->err);
}

const char *rg_rows_text(rg_sql_rows *rows, int column)
{
    if (rows->status)
        return "";
    if (sqlite3_column_type(rows->statement, column) != SQLITE_TEXT) {
        rg_rows_refuse(rows, column, "a text");
        return "";
    }
    const char *text = (const char *)sqlite3_column_text(rows->statement, column);
    if (!text) {
        starve(rows);
        return "";
    }
    if (strlen(text) != (size_t)sqlite3_column_bytes(rows->statement, column))
        rg_rows_refuse(rows, column, "a text without zero bytes");
    return text;
}

const void *rg_rows_blob(rg_sql_rows *rows, int column, size_t n)
{
    char expected[48];
    if (rows->status)
        return NULL;
    if (sqlite3_column_type(rows->statement, column) != SQLITE_BLOB ||
        (size_t)sqlite3_column_bytes(rows->statement, column) != n) {
        snprintf(expected, sizeof expected, "%zu bytes", n);
        rg_rows_refuse(rows, column, expected);
        return NULL;
    }
    const void *bytes = sqlite3_column_blob(rows->statement, column);
    if (!bytes && n)
        starve(rows);
    return bytes;
}
