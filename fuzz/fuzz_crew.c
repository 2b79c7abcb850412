/* fuzz_crew.c - any bytes from another process: refused, or something that encodes to the same
 * bytes. The first byte says what they are taken for. */
#include "base/alloc.h"
#include "jobs/card.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static void expect(const rg_wire *wire, const uint8_t *bytes, size_t n)
{
    if (wire->failed || wire->n != n || (n && memcmp(wire->data, bytes, n) != 0))
        abort();
}

static void take_result(const uint8_t *bytes, size_t n)
{
    static const rg_store_job job = {3, 2, 4, 3, 4, {0}};
    rg_wire_result result;
    rg_wire wire = {0};
    rg_error err = {""};
    if (rg_wire_result_get(&result, bytes, n, 17, &job, &err)) {
        if (!err.message[0])
            abort();
        return;
    }
    rg_wire_result_put(&wire, &result.result, &job);
    expect(&wire, bytes, n);
    rg_free(wire.data);
    rg_wire_result_free(&result);
}

static void take_hello(const uint8_t *bytes, size_t n)
{
    rg_wire_hello hello;
    rg_wire wire = {0};
    if (rg_wire_hello_get(&hello, bytes, n, NULL))
        return;
    rg_wire_hello_put(&wire, &hello);
    expect(&wire, bytes, n);
    rg_free(wire.data);
}

static void take_frame(const uint8_t *bytes, size_t n)
{
    rg_wire_head head;
    rg_wire wire = {0};
    if (n < RG_WIRE_HEAD || rg_wire_head_read(&head, bytes, NULL) || head.n != n - RG_WIRE_HEAD ||
        !rg_wire_head_fits(&head, bytes + RG_WIRE_HEAD))
        return;
    rg_wire_begin(&wire);
    rg_wire_bytes(&wire, bytes + RG_WIRE_HEAD, n - RG_WIRE_HEAD);
    if (rg_wire_seal(&wire, head.kind, NULL))
        abort();
    expect(&wire, bytes, n);
    rg_free(wire.data);
}

static void take_card(const uint8_t *bytes, size_t n)
{
    rg_card card, again;
    char text[RG_CARD_TEXT];
    char *input = rg_copy_text((const char *)bytes, n);
    if (input && !rg_card_parse(&card, input, NULL)) {
        rg_card_print(text, &card);
        if (rg_card_parse(&again, text, NULL) || again.port != card.port)
            abort();
    }
    rg_free(input);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    static void (*const takes[])(const uint8_t *, size_t) = {take_result, take_hello, take_frame,
                                                             take_card};
    if (n > 0)
        takes[bytes[0] % 4](bytes + 1, n - 1);
    return 0;
}
