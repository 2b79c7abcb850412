/* features_write.c - counts as files that others read: SciPy's .npz (scipy.sparse.load_npz), and the lines
 * of LIBSVM. An .npz is a zip archive of .npy arrays, here without compression. */
#include "features.h"

#include "base/error.h"
#include "base/file.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- zip: little-endian on every machine */

typedef struct zip_member {
    const char *name;
    uint32_t crc, size, at;
} zip_member;

typedef struct zip {
    rg_file *file;
    zip_member members[8];
    size_t n;
    uint64_t at; /* bytes so far */
    uint32_t table[256];
} zip;

static void put(zip *z, uint64_t value, unsigned bytes)
{
    unsigned char text[8];
    for (unsigned k = 0; k < bytes; k++)
        text[k] = (unsigned char)(value >> (8 * k));
    rg_file_bytes(z->file, text, bytes);
    z->at += bytes;
}

static void make_table(zip *z)
{
    for (uint32_t n = 0; n < 256; n++) {
        uint32_t c = n;
        for (int k = 0; k < 8; k++)
            c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;
        z->table[n] = c;
    }
}

static uint32_t crc_of(const zip *z, uint32_t crc, const void *bytes, size_t n)
{
    const unsigned char *b = bytes;
    crc = ~crc;
    for (size_t k = 0; k < n; k++)
        crc = z->table[(crc ^ b[k]) & 0xff] ^ (crc >> 8);
    return ~crc;
}

/* What local heads and the list at the end say alike. */
static void put_member(zip *z, const zip_member *m)
{
    put(z, 20, 2);         /* version that is needed */
    put(z, 0, 2);          /* flags */
    put(z, 0, 2);          /* stored */
    put(z, 0x00210000, 4); /* 1980-01-01, so that the same counts are the same bytes */
    put(z, m->crc, 4);
    put(z, m->size, 4);
    put(z, m->size, 4);
    put(z, strlen(m->name), 2);
    put(z, 0, 2);
}

static void put_name(zip *z, const char *name)
{
    rg_file_text(z->file, name);
    z->at += strlen(name);
}

/* shape: as Python writes it. The bytes are those of this machine, which is little-endian like all that
 * regula runs on. */
static void add_array(zip *z, const char *name, const char *type, const char *shape,
                      const void *data, uint64_t n)
{
    char head[128] = "\x93NUMPY\1\0";
    size_t used = 10 + (size_t)snprintf(head + 10, sizeof head - 10,
                                        "{'descr': '%s', 'fortran_order': False, 'shape': %s, }",
                                        type, shape);
    memset(head + used, ' ', sizeof head - used);
    head[sizeof head - 1] = '\n';
    head[8] = (char)(sizeof head - 10);
    head[9] = 0;
    zip_member *m = &z->members[z->n++];
    *m = (zip_member){.name = name, .size = (uint32_t)(sizeof head + n), .at = (uint32_t)z->at};
    m->crc = crc_of(z, crc_of(z, 0, head, sizeof head), data, n);
    put(z, 0x04034b50, 4);
    put_member(z, m);
    put_name(z, name);
    rg_file_bytes(z->file, head, sizeof head);
    rg_file_bytes(z->file, data, n);
    z->at += sizeof head + n;
}

static void end_zip(zip *z)
{
    uint64_t from = z->at;
    for (size_t k = 0; k < z->n; k++) {
        put(z, 0x02014b50, 4);
        put(z, 20, 2);
        put_member(z, &z->members[k]);
        put(z, 0, 2); /* comment, disk, attributes */
        put(z, 0, 2);
        put(z, 0, 2);
        put(z, 0, 4);
        put(z, z->members[k].at, 4);
        put_name(z, z->members[k].name);
    }
    uint64_t size = z->at - from;
    put(z, 0x06054b50, 4);
    put(z, 0, 4);
    put(z, z->n, 2);
    put(z, z->n, 2);
    put(z, size, 4);
    put(z, from, 4);
    put(z, 0, 2);
}

static void write_npz(rg_file *file, const rg_count_matrix *m)
{
    zip z = {.file = file};
    uint64_t n = m->row[m->n_rows];
    int64_t shape[2] = {(int64_t)m->n_rows, (int64_t)m->n_cols};
    char entries[32], rows[32];
    snprintf(entries, sizeof entries, "(%" PRIu64 ",)", n);
    snprintf(rows, sizeof rows, "(%zu,)", m->n_rows + 1);
    make_table(&z);
    add_array(&z, "indices.npy", "<i4", entries, m->col, n * sizeof *m->col);
    add_array(&z, "indptr.npy", "<i8", rows, m->row, (m->n_rows + 1) * sizeof *m->row);
    add_array(&z, "format.npy", "|S3", "()", "csr", 3);
    add_array(&z, "shape.npy", "<i8", "(2,)", shape, sizeof shape);
    add_array(&z, "data.npy", "<u4", entries, m->count, n * sizeof *m->count);
    end_zip(&z);
}

static void write_svm(rg_file *file, const rg_count_matrix *m, const double *targets)
{
    for (size_t r = 0; r < m->n_rows; r++) {
        if (targets && isfinite(targets[r]))
            rg_file_real(file, targets[r]);
        else
            rg_file_text(file, targets ? "nan" : "0");
        for (uint64_t k = m->row[r]; k < m->row[r + 1]; k++) {
            rg_file_text(file, " ");
            rg_file_int(file, (int64_t)m->col[k] + 1);
            rg_file_text(file, ":");
            rg_file_int(file, m->count[k]);
        }
        rg_file_text(file, "\n");
    }
}

static bool ends_with(const char *path, const char *end)
{
    size_t n = strlen(path), m = strlen(end);
    return n > m && strcmp(path + n - m, end) == 0;
}

rg_status rg_count_matrix_write(const rg_count_matrix *m, const double *targets, const char *path,
                                rg_error *err)
{
    rg_file *file = NULL;
    bool npz = ends_with(path, ".npz");
    if (!npz && !ends_with(path, ".svm"))
        return rg_fail(err, RG_EUSAGE, "'%s': the file of features must end with .npz or .svm",
                       path);
    if (npz && (m->row[m->n_rows] * 8 + m->n_rows * 8 + 4096 > UINT32_MAX || m->n_cols > INT32_MAX))
        return rg_fail(err, RG_EFAIL,
                       "%s: found %" PRIu64 " counts, more than an .npz file of 4 GB has room for: "
                       "expected fewer, or a file that ends with .svm",
                       path, m->row[m->n_rows]);
    rg_status status = rg_file_create(&file, path, err);
    if (status)
        return status;
    if (npz)
        write_npz(file, m);
    else
        write_svm(file, m, targets);
    return rg_file_commit(file, err);
}
