/* test_entries.c - the files of directories and archives, and archives that must be refused. */
#define _GNU_SOURCE
#include "format/entries.h"
#include "format/read.h"
#include "support/archives.h"

#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* The next file and a reader over it. */
static rg_status next_file(rg_entries *entries, const char **name, rg_reader **in, rg_error *err)
{
    rg_status status = rg_entries_next(entries, name, err);
    return status || !*name ? status : rg_entries_reader(entries, in, err);
}

/* "name=text|name=text|" of all entries, as read line by line. Owned (free). */
static rg_status list_entries(char **out, rg_entries *entries, rg_error *err)
{
    char *all = test_format("%s", "");
    rg_status status = RG_OK;
    for (;;) {
        const char *name;
        rg_reader *in;
        status = next_file(entries, &name, &in, err);
        if (status || !name)
            break;
        char *longer = test_format("%s%s=", all, name);
        free(all);
        all = longer;
        bool more = true;
        while (!(status = rg_reader_next(in, &more, err)) && more) {
            longer = test_format("%s%s/", all, rg_reader_text(in, NULL));
            free(all);
            all = longer;
        }
        if (status)
            break;
        longer = test_format("%s|", all);
        free(all);
        all = longer;
    }
    if (status)
        free(all);
    else
        *out = all;
    return status;
}

static void assert_entries(const char *path, const char *expected)
{
    rg_entries *entries = NULL;
    char *found = NULL;
    ASSERT_OK(rg_entries_open(&entries, path, NULL, err));
    ASSERT_OK(list_entries(&found, entries, err));
    assert_string_equal(found, expected);
    free(found);
    rg_entries_close(entries);
}

static void a_directory_is_listed_by_name_and_to_a_depth_of_two(void **state)
{
    (void)state;
    char *dir = test_directory_make();
    test_write(dir, "b.txt", "2\n");
    test_write(dir, "a.txt", "1\n");
    test_write(dir, ".hidden", "no\n");
    test_write(dir, "raw/c.txt", "3");
    test_write(dir, "raw/deep/d.txt", "4\n");
    test_write(dir, "raw/deep/deeper/e.txt", "too deep\n");
    char *link = test_format("%s/link.txt", dir), *nowhere = test_format("%s/nowhere", dir);
    char *pipe = test_format("%s/pipe", dir);
    assert_int_equal(symlink("raw/c.txt", link), 0);
    assert_int_equal(symlink("missing", nowhere), 0);
    assert_int_equal(mkfifo(pipe, 0600), 0);
    assert_entries(dir, "a.txt=1/|b.txt=2/|link.txt=3/|raw/c.txt=3/|raw/deep/d.txt=4/|");
    free(link);
    free(nowhere);
    free(pipe);
    test_directory_remove(dir);
}

static void every_kind_of_archive_gives_the_same_files(void **state)
{
    (void)state;
    static const char *const kinds[] = {"zip", "tar", "tar.gz", "tar.zst", "tar.xz", "tar.bz2"};
    const pack_file files[] = {{.name = "S/", .type = AE_IFDIR},
                               {.name = "S/one.txt", .text = "1\n2"},
                               {.name = "__MACOSX/S/._one.txt", .text = "junk"},
                               {.name = "S/.DS_Store", .text = "junk"},
                               {.name = "S/empty.txt", .text = ""},
                               {.name = "./S/two.txt", .text = "3\n"}};
    char *dir = test_directory_make();
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        packed bytes = pack(kinds[k], files, sizeof files / sizeof *files);
        /* by name, and without a name that says anything */
        char *name = test_format("S.%s", kinds[k]), *path = test_format("%s/%s", dir, name);
        char *other = test_format("%s/packed%zu", dir, k);
        test_write_bytes(dir, name, bytes.bytes, bytes.n);
        assert_entries(path, "S/one.txt=1/2/|S/empty.txt=|S/two.txt=3/|");
        assert_int_equal(rename(path, other), 0);
        assert_entries(other, "S/one.txt=1/2/|S/empty.txt=|S/two.txt=3/|");
        free(bytes.bytes);
        free(name);
        free(path);
        free(other);
    }
    test_directory_remove(dir);
}

static void compressed_files_are_unpacked_wherever_they_are(void **state)
{
    (void)state;
    static const char *const kinds[] = {"gz", "zst", "xz", "bz2"};
    char *dir = test_directory_make();
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        packed inner = pack(kinds[k], &(pack_file){.name = "x", .text = "5\n6\n"}, 1);
        /* alone */
        char *name = test_format("edge.csv.%s", kinds[k]);
        char *path = test_format("%s/%zu/%s", dir, k, name),
             *folder = test_format("%s/%zu", dir, k);
        char *relative = test_format("%zu/%s", k, name);
        test_write_bytes(dir, relative, inner.bytes, inner.n);
        assert_entries(path, "edge.csv=5/6/|");
        /* in a directory */
        assert_entries(folder, "edge.csv=5/6/|");
        /* in an archive; pack() takes text, so bytes with zeros go through a tar by hand */
        packed outer = {0};
        struct archive *archive = archive_write_new();
        archive_write_set_format_zip(archive);
        archive_write_open(archive, &outer, NULL, pack_write, NULL);
        struct archive_entry *entry = archive_entry_new();
        archive_entry_set_pathname(entry, "hiv/raw/edge.csv.gz");
        archive_entry_set_filetype(entry, AE_IFREG);
        archive_entry_set_size(entry, (la_int64_t)inner.n);
        archive_write_header(archive, entry);
        archive_write_data(archive, inner.bytes, inner.n);
        archive_entry_free(entry);
        archive_write_free(archive);
        rg_entries *entries = NULL;
        char *found = NULL;
        ASSERT_OK(rg_entries_open_memory(&entries, "hiv.zip", outer.bytes, outer.n, NULL, err));
        ASSERT_OK(list_entries(&found, entries, err));
        assert_string_equal(found, "hiv/raw/edge.csv=5/6/|");
        rg_entries_close(entries);
        free(found);
        free(outer.bytes);
        free(inner.bytes);
        free(name);
        free(path);
        free(folder);
        free(relative);
    }
    test_directory_remove(dir);
}

static void a_plain_file_is_one_entry_even_if_it_is_empty(void **state)
{
    (void)state;
    char *dir = test_directory_make(), *path = test_format("%s/x.g6", dir);
    test_write(dir, "x.g6", "A_\n");
    assert_entries(path, "x.g6=A_/|");
    test_write(dir, "x.g6", "");
    assert_entries(path, "x.g6=|");
    free(path);
    test_directory_remove(dir);
}

/* Says of every name of a zip that it is UTF-8, as most packers do where one is not ASCII. */
static void flag_utf8(packed *zip)
{
    for (size_t k = 0; k + 46 < zip->n; k++) {
        if (memcmp(zip->bytes + k, "PK\3\4", 4) == 0)
            zip->bytes[k + 7] |= 8;
        else if (memcmp(zip->bytes + k, "PK\1\2", 4) == 0)
            zip->bytes[k + 9] |= 8;
    }
}

static void names_may_have_any_letters_in_any_locale(void **state)
{
    (void)state;
    char *dir = test_directory_make(), *path = test_format("%s/S.zip", dir);
    pack_file files[] = {{.name = "\u00fcn\u00ef/\u56fe_A.txt", .text = "1\n"},
                         {.name = "plain.txt", .text = "2\n"}};
    for (int flagged = 0; flagged < 2; flagged++) {
        packed bytes = pack("zip", files, 2);
        if (flagged)
            flag_utf8(&bytes);
        test_write_bytes(dir, "S.zip", bytes.bytes, bytes.n);
        assert_entries(path, "\u00fcn\u00ef/\u56fe_A.txt=1/|plain.txt=2/|");
        free(bytes.bytes);
    }
    free(path);
    test_directory_remove(dir);
}

static void what_no_format_knows_is_not_opened(void **state)
{
    (void)state;
    char *dir = test_directory_make(), *zip = test_format("%s/set.zip", dir);
    pack_file files[] = {{.name = "set/notes.csv.gz", .text = "no gzip at all"},
                         {.name = "set/X_A.txt", .text = "1, 2\n2, 1\n"},
                         {.name = "set/X_graph_indicator.txt", .text = "1\n1\n"}};
    packed bytes = pack("zip", files, 3);
    test_write_bytes(dir, "set.zip", bytes.bytes, bytes.n);
    for (size_t k = 0; k < 3; k++)
        test_write(dir, files[k].name, files[k].text);
    const char *places[] = {dir, zip};
    for (size_t k = 0; k < 2; k++) {
        rg_dataset *data = NULL;
        ASSERT_OK(rg_dataset_read(&data, places[k], NULL, err));
        assert_int_equal(rg_dataset_n_nodes(data), 2);
        rg_dataset_free(data);
    }
    free(bytes.bytes);
    free(zip);
    test_directory_remove(dir);
}

static void a_directory_that_may_not_be_listed_is_passed_over(void **state)
{
    (void)state;
    char *dir = test_directory_make(), *closed = test_format("%s/set/lost+found", dir);
    char *set = test_format("%s/set", dir);
    test_write(dir, "set/X_A.txt", "1, 2\n2, 1\n");
    test_write(dir, "set/X_graph_indicator.txt", "1\n1\n");
    assert_int_equal(mkdir(closed, 0), 0);
    assert_int_equal(chmod(dir, 0755), 0);
    bool root = geteuid() == 0; /* who may list everything */
    rg_dataset *data = NULL, *none = NULL;
    rg_error err = {""};
    assert_true(!root || seteuid(65534) == 0);
    rg_status with_files = rg_dataset_read(&data, set, NULL, &err);
    rg_read_options options = rg_read_options_default();
    options.format = RG_FORMAT_GRAPH6; /* of which there is none: it could be behind that door */
    rg_status without = rg_dataset_read(&none, set, &options, &err);
    assert_true(!root || seteuid(0) == 0);
    assert_int_equal(with_files, RG_OK);
    assert_int_equal(without, RG_EIO);
    assert_non_null(strstr(err.message, "lost+found': Permission denied"));
    rg_dataset_free(data);
    free(closed);
    free(set);
    test_directory_remove(dir);
}

/* ---- what must be refused */

static rg_status read_all(const packed *bytes, const char *name, const rg_read_options *options,
                          rg_error *err)
{
    rg_entries *entries = NULL;
    rg_status status = rg_entries_open_memory(&entries, name, bytes->bytes, bytes->n, options, err);
    bool more = true;
    while (!status && more) {
        const char *entry;
        rg_reader *in;
        status = next_file(entries, &entry, &in, err);
        if (status || !entry)
            break;
        for (more = true; !status && more;)
            status = rg_reader_next(in, &more, err);
        more = true;
    }
    rg_entries_close(entries);
    return status;
}

static void assert_refused(const packed *bytes, const char *name, const rg_read_options *options,
                           const char *part)
{
    rg_error err = {""};
    rg_status status = read_all(bytes, name, options, &err);
    if (status != RG_EDATA || !strstr(err.message, part))
        fail_msg("status %d, found\n  %s\nexpected\n  %s", status, err.message, part);
    assert_ptr_equal(strstr(err.message, name), err.message);
}

static void entries_that_lead_elsewhere_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *kind;
        pack_file file;
        const char *message;
    } cases[] = {
        {"tar", {.name = "../X_A.txt", .text = "1"}, "found a path with '..' ('../X_A.txt')"},
        {"zip", {.name = "../X_A.txt", .text = "1"}, "found a path with '..'"},
        {"tar", {.name = "X/../../X_A.txt", .text = "1"}, "found a path with '..'"},
        {"tar", {.name = "X/..", .text = "1"}, "found a path with '..'"},
        {"tar", {.name = "..\\X_A.txt", .text = "1"}, "found a path with '..'"},
        {"tar.gz", {.name = "../up/", .type = AE_IFDIR}, "found a path with '..'"},
        {"tar", {.name = "/etc/X_A.txt", .text = "1"}, "found an absolute path ('/etc/X_A.txt')"},
        {"zip", {.name = "/etc/X_A.txt", .text = "1"}, "found an absolute path"},
        {"tar", {.name = "C:\\X_A.txt", .text = "1"}, "found an absolute path"},
        {"tar", {.name = "\\X_A.txt", .text = "1"}, "found an absolute path"},
        {"tar",
         {.name = "X_A.txt", .text = "/etc/passwd", .type = AE_IFLNK},
         "found a symbolic link ('X_A.txt'), expected plain files and directories"},
        {"zip",
         {.name = "X_A.txt", .text = "/etc/passwd", .type = AE_IFLNK},
         "found a symbolic link"},
        {"tar.zst", {.name = "X_A.txt", .text = "b", .type = AE_IFLNK}, "found a symbolic link"},
        {"tar", {.name = "X_A.txt", .text = "b", .hard = true}, "found a hard link ('X_A.txt')"},
        {"tar", {.name = "X_A.txt", .type = AE_IFCHR}, "found a device, pipe or socket"},
        {"tar", {.name = "X_A.txt", .type = AE_IFBLK}, "found a device, pipe or socket"},
        {"tar", {.name = "X_A.txt", .type = AE_IFIFO}, "found a device, pipe or socket"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        pack_file files[] = {{.name = "b", .text = "1\n"}, cases[k].file};
        packed bytes = pack(cases[k].kind, files, 2);
        char *name = test_format("X.%s", cases[k].kind);
        assert_refused(&bytes, name, NULL, cases[k].message);
        free(name);
        free(bytes.bytes);
    }
}

static void encrypted_zips_are_refused(void **state)
{
    (void)state;
    packed bytes = pack("zip", &(pack_file){.name = "X_A.txt", .text = "1, 2\n"}, 1);
    /* Set bit 0 of the general purpose flags in the local and in the central header. */
    for (size_t k = 0; k + 10 < bytes.n; k++)
        if (memcmp(bytes.bytes + k, "PK\3\4", 4) == 0)
            bytes.bytes[k + 6] |= 1;
        else if (memcmp(bytes.bytes + k, "PK\1\2", 4) == 0)
            bytes.bytes[k + 8] |= 1;
    assert_refused(&bytes, "X.zip", NULL, "found an encrypted file ('X_A.txt')");
    free(bytes.bytes);
}

static void archives_cut_short_anywhere_are_refused(void **state)
{
    (void)state;
    static const char *const kinds[] = {"zip", "tar", "tar.gz", "tar.zst", "tar.xz", "tar.bz2"};
    char *text = malloc(5000);
    assert_non_null(text);
    for (int k = 0; k < 4999; k++)
        text[k] = (char)(k % 7 == 6 ? '\n' : '0' + k * k * 31 % 10);
    text[4999] = '\0';
    pack_file files[] = {{.name = "X_A.txt", .text = text}, {.name = "X_B.txt", .text = text}};
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        packed bytes = pack(kinds[kind], files, 2);
        /* a tar is whole without its padding: stay inside the second file */
        size_t end = strcmp(kinds[kind], "tar") == 0 ? 2 * 512 + 5000 + 4000 : bytes.n - 30;
        for (size_t n = 1; n < end; n += 1 + end / 60) {
            packed part = {bytes.bytes, n, 0};
            rg_error err = {""};
            rg_status status = read_all(&part, "X", NULL, &err);
            if (status != RG_EDATA && !(kind == 1 && n > 5632 && n < 6144))
                fail_msg("%s cut at %zu of %zu: status %d '%s'", kinds[kind], n, bytes.n, status,
                         err.message);
        }
        free(bytes.bytes);
    }
    free(text);
}

static void damaged_archives_are_refused(void **state)
{
    (void)state;
    char text[2001];
    for (int k = 0; k < 2000; k++)
        text[k] = (char)(k % 9 == 8 ? '\n' : '0' + k * k * 17 % 10);
    text[2000] = '\0';
    static const char *const kinds[] = {"zip", "tar.gz", "tar.xz", "tar.bz2"};
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        packed bytes = pack(kinds[kind], &(pack_file){.name = "X_A.txt", .text = text}, 1);
        /* in the middle of the packed text: a checksum must notice */
        bytes.bytes[bytes.n / 3] ^= 0x55;
        assert_refused(&bytes, "X", NULL, "expected a whole");
        free(bytes.bytes);
    }
    packed nothing = {(char[]){""}, 0, 0}, noise = {(char[]){"what is this"}, 12, 0};
    assert_refused(&nothing, "X.zip", NULL, "found no archive that can be read");
    assert_refused(&noise, "X.zip", NULL, "found no archive that can be read");
}

static void a_bomb_is_refused_before_it_is_unpacked(void **state)
{
    (void)state;
    static const char *const kinds[] = {"zip", "tar.gz", "tar.zst", "tar.xz", "tar.bz2"};
    char *block = malloc((1 << 20) + 1);
    assert_non_null(block);
    memset(block, '\n', 1 << 20);
    block[1 << 20] = '\0';
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        packed bytes =
            pack(kinds[kind], &(pack_file){.name = "X_A.txt", .text = block, .repeat = 24}, 1);
        rg_entries *entries = NULL;
        const char *name;
        rg_reader *in;
        rg_error why = {""};
        rg_status status = RG_OK;
        bool more = true;
        ASSERT_OK(rg_entries_open_memory(&entries, "X", bytes.bytes, bytes.n, NULL, err));
        ASSERT_OK(next_file(entries, &name, &in, err));
        while (!status && more)
            status = rg_reader_next(in, &more, &why);
        assert_int_equal(status, RG_EDATA);
        assert_non_null(strstr(why.message, "expected at most 500 to 1 (max_ratio)"));
        assert_true(rg_reader_bytes(in) < (uint64_t)18 << 20);
        /* and it stays refused */
        assert_int_equal(next_file(entries, &name, &in, &why), RG_EDATA);
        rg_entries_close(entries);
        free(bytes.bytes);
    }
    free(block);
}

static void a_bomb_beside_the_data_is_refused_too(void **state)
{
    (void)state;
    char *block = malloc((1 << 20) + 1);
    assert_non_null(block);
    memset(block, 'x', 1 << 20);
    block[1 << 20] = '\0';
    pack_file files[] = {{.name = "unknown", .text = block, .repeat = 24},
                         {.name = "X_A.txt", .text = "1, 2\n"}};
    packed bytes = pack("tar.gz", files, 2);
    rg_entries *entries = NULL;
    const char *name;
    rg_error why = {""};
    ASSERT_OK(rg_entries_open_memory(&entries, "X.tar.gz", bytes.bytes, bytes.n, NULL, err));
    ASSERT_OK(rg_entries_next(entries, &name, err));
    assert_int_equal(rg_entries_next(entries, &name, &why), RG_EDATA); /* skipping it */
    assert_non_null(strstr(why.message, "max_ratio"));
    rg_entries_close(entries);
    free(bytes.bytes);
    free(block);
}

static void what_is_compressed_twice_is_refused(void **state)
{
    (void)state;
    struct archive *archive = archive_write_new();
    packed bytes = {0};
    archive_write_set_format_pax_restricted(archive);
    archive_write_add_filter_gzip(archive);
    archive_write_add_filter_gzip(archive);
    archive_write_open(archive, &bytes, NULL, pack_write, NULL);
    pack_entry(archive, &(pack_file){.name = "X_A.txt", .text = "1, 2\n"});
    archive_write_free(archive);
    assert_refused(&bytes, "X.tar.gz", NULL, "found data compressed twice");
    free(bytes.bytes);
}

static void bounds_hold_over_all_entries_together(void **state)
{
    (void)state;
    pack_file files[10];
    for (size_t k = 0; k < 10; k++)
        files[k] = (pack_file){.name = "file", .text = "0123456789\n"};
    packed bytes = pack("tar.gz", files, 10);
    rg_read_options options = rg_read_options_default();
    rg_error why;
    options.max_entries = 10;
    options.max_bytes = 110;
    assert_int_equal(read_all(&bytes, "X", &options, &why), RG_OK);
    options.max_bytes = 109;
    assert_refused(&bytes, "X", &options, "found more than 109 bytes when unpacked");
    options.max_bytes = 110;
    options.max_entries = 9;
    assert_refused(&bytes, "X", &options, "found more than 9 files and directories");
    free(bytes.bytes);

    char *dir = test_directory_make();
    for (size_t k = 0; k < 10; k++) {
        char *name = test_format("%zu", k);
        test_write(dir, name, "0123456789\n");
        free(name);
    }
    rg_entries *entries = NULL;
    char *found = NULL;
    assert_int_equal(rg_entries_open(&entries, dir, &options, &why), RG_EDATA);
    assert_non_null(strstr(why.message, "found more than 9 files and directories"));
    options.max_entries = 10;
    options.max_bytes = 100;
    ASSERT_OK(rg_entries_open(&entries, dir, &options, err));
    assert_int_equal(list_entries(&found, entries, &why), RG_EDATA);
    assert_non_null(strstr(why.message, "found more than 100 bytes"));
    rg_entries_close(entries);
    test_directory_remove(dir);
}

static void a_million_entries_are_refused(void **state)
{
    (void)state;
    enum { MANY = 70000 }; /* the bound is 65,536; what comes behind it is not looked at */
    pack_file *files = calloc(MANY, sizeof *files);
    assert_non_null(files);
    for (size_t k = 0; k < MANY; k++)
        files[k] = (pack_file){.name = "d/", .type = AE_IFDIR};
    packed bytes = pack("tar.gz", files, MANY);
    assert_refused(&bytes, "X.tar.gz", NULL, "found more than 65536 files and directories");
    free(bytes.bytes);
    free(files);
}

/* ---- failures from outside */

static void what_is_not_there_or_no_file_is_an_io_error(void **state)
{
    (void)state;
    rg_entries *entries = NULL;
    rg_error err = {""};
    assert_int_equal(rg_entries_open(&entries, "/nowhere/at/all", NULL, &err), RG_EIO);
    assert_string_equal(err.message, "cannot open '/nowhere/at/all': No such file or directory");
    assert_int_equal(rg_entries_open(&entries, "/dev/null", NULL, &err), RG_EIO);
    assert_string_equal(err.message, "cannot open '/dev/null': not a regular file");
    assert_null(entries);
}

static rg_status read_once(void *context, rg_error *err)
{
    rg_entries *entries = NULL;
    rg_status status = rg_entries_open(&entries, context, NULL, err);
    for (const char *name = ""; !status && name;) {
        rg_reader *in;
        bool more = true;
        status = next_file(entries, &name, &in, err);
        while (!status && name && more)
            status = rg_reader_next(in, &more, err);
    }
    rg_entries_close(entries);
    return status;
}

static void failed_allocations_and_reads_are_reported(void **state)
{
    (void)state;
    char *dir = test_directory_make();
    pack_file files[] = {{.name = "S/a.txt", .text = "1\n"}, {.name = "S/b.txt", .text = "2\n"}};
    static const char *const kinds[] = {"zip", "tar.zst"};
    packed inner = pack("gz", &files[0], 1);
    test_write_bytes(dir, "folder/x.csv.gz", inner.bytes, inner.n);
    test_write(dir, "folder/plain.txt", "1\n2\n");
    char *folder = test_format("%s/folder", dir);
    assert_true(test_allocation_sweep(read_once, folder) > 5);
    assert_true(test_io_sweep(read_once, folder) > 3);
    for (size_t k = 0; k < 2; k++) {
        packed bytes = pack(kinds[k], files, 2);
        char *name = test_format("S.%s", kinds[k]), *path = test_format("%s/%s", dir, name);
        test_write_bytes(dir, name, bytes.bytes, bytes.n);
        assert_true(test_allocation_sweep(read_once, path) > 5);
        assert_true(test_io_sweep(read_once, path) > 1);
        free(bytes.bytes);
        free(name);
        free(path);
    }
    free(inner.bytes);
    free(folder);
    test_directory_remove(dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_directory_is_listed_by_name_and_to_a_depth_of_two),
        cmocka_unit_test(every_kind_of_archive_gives_the_same_files),
        cmocka_unit_test(compressed_files_are_unpacked_wherever_they_are),
        cmocka_unit_test(a_plain_file_is_one_entry_even_if_it_is_empty),
        cmocka_unit_test(names_may_have_any_letters_in_any_locale),
        cmocka_unit_test(what_no_format_knows_is_not_opened),
        cmocka_unit_test(a_directory_that_may_not_be_listed_is_passed_over),
        cmocka_unit_test(entries_that_lead_elsewhere_are_refused),
        cmocka_unit_test(encrypted_zips_are_refused),
        cmocka_unit_test(archives_cut_short_anywhere_are_refused),
        cmocka_unit_test(damaged_archives_are_refused),
        cmocka_unit_test(a_bomb_is_refused_before_it_is_unpacked),
        cmocka_unit_test(a_bomb_beside_the_data_is_refused_too),
        cmocka_unit_test(what_is_compressed_twice_is_refused),
        cmocka_unit_test(bounds_hold_over_all_entries_together),
        cmocka_unit_test(a_million_entries_are_refused),
        cmocka_unit_test(what_is_not_there_or_no_file_is_an_io_error),
        cmocka_unit_test(failed_allocations_and_reads_are_reported),
    };
    return cmocka_run_group_tests_name("entries", tests, NULL, NULL);
}
