/* mangled.h - tables of files that must be refused, each with the message it must give. */
#ifndef REGULA_TESTS_FORMAT_MANGLED_H
#define REGULA_TESTS_FORMAT_MANGLED_H

#include "format/read.h"
#include "support/archives.h"

#include <string.h>

#define MANGLED_FILES 12

typedef struct mangled_file {
    const char *name;
    const char *text; /* NULL: leave the file out */
} mangled_file;

/* A good set with some files replaced, added or left out. */
typedef struct mangled_case {
    const char *what; /* is wrong with it */
    mangled_file files[4];
    const char *message; /* all of it; the archive is called SET.tar */
} mangled_case;

static inline rg_status mangled_read(rg_dataset **out, const packed *bytes, const char *name,
                                     rg_error *err)
{
    rg_entries *entries = NULL;
    rg_status status = rg_entries_open_memory(&entries, name, bytes->bytes, bytes->n, NULL, err);
    if (!status)
        status = rg_dataset_read_entries(out, entries, name, NULL, NULL, err);
    rg_entries_close(entries);
    return status;
}

/* The good files with those of one case laid over them. */
static inline size_t mangled_lay(pack_file *out, const mangled_file *good, size_t n_good,
                                 const mangled_case *wrong)
{
    mangled_file all[MANGLED_FILES];
    size_t n = n_good, kept = 0;
    memcpy(all, good, n_good * sizeof *good);
    for (size_t k = 0; wrong && k < 4 && wrong->files[k].name; k++) {
        size_t at = 0;
        while (at < n && strcmp(all[at].name, wrong->files[k].name) != 0)
            at++;
        assert_true(at < MANGLED_FILES);
        all[at] = wrong->files[k];
        n += at == n;
    }
    for (size_t k = 0; k < n; k++)
        if (all[k].text)
            out[kept++] = (pack_file){.name = all[k].name, .text = all[k].text};
    return kept;
}

/* The good set is read; every case is refused with RG_EDATA and exactly its message. */
static inline void mangled_run(const mangled_file *good, size_t n_good, const mangled_case *cases,
                               size_t n_cases)
{
    size_t n_wrong = 0;
    for (size_t k = 0; k <= n_cases; k++) {
        const mangled_case *wrong = k < n_cases ? &cases[k] : NULL;
        pack_file files[MANGLED_FILES];
        size_t n = mangled_lay(files, good, n_good, wrong);
        packed bytes = pack("tar", files, n);
        rg_dataset *data = NULL;
        rg_error err = {""};
        rg_status status = mangled_read(&data, &bytes, "SET.tar", &err);
        free(bytes.bytes);
        if (!wrong) {
            if (status)
                fail_msg("the good set: %s", err.message);
            rg_dataset_free(data);
        } else if (status != RG_EDATA || strcmp(err.message, wrong->message) != 0) {
            print_message("%s: status %d, found\n  %s\nexpected\n  %s\n", wrong->what, status,
                          err.message, wrong->message);
            n_wrong++;
            rg_dataset_free(data);
        } else {
            assert_null(data);
        }
    }
    assert_int_equal(n_wrong, 0);
}

#endif
