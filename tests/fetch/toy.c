/* toy.c - see toy.h. */
#include "toy.h"

#include "support/support.h"

#include <archive.h>
#include <archive_entry.h>
#include <string.h>

void *test_zip(const test_member *members, size_t n_members, size_t *n)
{
    size_t room = 1 << 20;
    char *bytes = malloc(room);
    struct archive *zip = archive_write_new();
    assert_non_null(bytes);
    assert_non_null(zip);
    assert_int_equal(archive_write_set_format_zip(zip), ARCHIVE_OK);
    assert_int_equal(archive_write_set_options(zip, "zip:compression=store"), ARCHIVE_OK);
    assert_int_equal(archive_write_set_bytes_in_last_block(zip, 1), ARCHIVE_OK);
    assert_int_equal(archive_write_open_memory(zip, bytes, room, n), ARCHIVE_OK);
    for (size_t k = 0; k < n_members; k++) {
        struct archive_entry *entry = archive_entry_new();
        size_t length = members[k].link ? 0 : strlen(members[k].text);
        archive_entry_set_pathname(entry, members[k].path);
        archive_entry_set_filetype(entry, members[k].link ? AE_IFLNK : AE_IFREG);
        archive_entry_set_perm(entry, 0644);
        archive_entry_set_size(entry, (la_int64_t)length);
        if (members[k].link)
            archive_entry_set_symlink(entry, members[k].link);
        assert_int_equal(archive_write_header(zip, entry), ARCHIVE_OK);
        if (length)
            assert_int_equal(archive_write_data(zip, members[k].text, length), length);
        archive_entry_free(entry);
    }
    assert_int_equal(archive_write_close(zip), ARCHIVE_OK);
    archive_write_free(zip);
    return bytes;
}

void *download_archive(size_t *n)
{
    char readme[100001];
    for (size_t k = 0; k < sizeof readme - 1; k++)
        readme[k] = (char)(k % 64 == 63 ? '\n' : 'a' + k * k % 26);
    readme[sizeof readme - 1] = '\0';
    const test_member members[] = {
        {"TOY/README.txt", readme, NULL},
        {"TOY/TOY_A.txt", "1, 2\n2, 1\n2, 3\n3, 2\n4, 5\n5, 4\n", NULL},
        {"TOY/TOY_graph_indicator.txt", "1\n1\n1\n2\n2\n", NULL},
        {"TOY/TOY_graph_labels.txt", "1\n-1\n", NULL},
        {"TOY/TOY_node_labels.txt", "7\n8\n7\n8\n8\n", NULL},
    };
    return test_zip(members, sizeof members / sizeof *members, n);
}
