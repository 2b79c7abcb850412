/* base.h - used by all other headers: version, status, error message.
 *
 * The one error pattern: a function that can fail returns an rg_status and takes an rg_error as its
 * last parameter. On failure the error holds one line for people and every output is untouched.
 * `err` may be NULL where only the status matters. Nothing here allocates. */
#ifndef REGULA_BASE_H
#define REGULA_BASE_H

#include <stddef.h>
#include <stdint.h>

#define RG_VERSION_MAJOR 0
#define RG_VERSION_MINOR 1
#define RG_VERSION_PATCH 0
#define RG_VERSION "0.1.0"

#if defined(__GNUC__)
#define RG_API __attribute__((visibility("default")))
#define RG_MUST_CHECK __attribute__((warn_unused_result))
#define RG_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define RG_API
#define RG_MUST_CHECK
#define RG_PRINTF(text, first)
#endif

/* Structs of options and results begin with `size`, the sizeof of the program that was compiled; the
 * library reads and writes no more than that, so they may grow at their end. RG_X_INIT sets it:
 *     rg_train_options options = RG_TRAIN_OPTIONS_INIT;
 * gives every option its default. rg_x_options_init does the same for a struct of `size` bytes and
 * writes no more than those; rg_x_options_default() is the same as a value. */
#ifdef __cplusplus
template <class Type> inline Type rg_sized()
{
    Type type = Type();
    type.size = sizeof type;
    return type;
}
#define RG_SIZED(type) rg_sized<type>()
#define RG_OPTIONS(type, ...) type##_default()
#else
#define RG_SIZED(type)       \
    {                        \
        .size = sizeof(type) \
    }
#define RG_OPTIONS(type, ...)             \
    {                                     \
        .size = sizeof(type), __VA_ARGS__ \
    }
#endif
#define RG_OPTIONS_FUNCTIONS(type)                 \
    RG_API void type##_init(type *o, size_t size); \
    static inline type type##_default(void)        \
    {                                              \
        type o;                                    \
        type##_init(&o, sizeof o);                 \
        return o;                                  \
    }

#ifdef __cplusplus
extern "C" {
#endif

/* The values are the exit codes of the program: one table, no translation. */
typedef enum rg_status {
    RG_OK = 0,
    RG_EFAIL = 1,  /* the request was valid but could not be carried out */
    RG_EUSAGE = 2, /* the caller asked for something that makes no sense */
    RG_EDATA = 3,  /* the input is not what its format says it must be */
    RG_EIO = 4,    /* the operating system refused: missing file, full disk, no network */
    RG_ENOMEM = 5
} rg_status;

/* One line, always terminated, cut at the end if it would not fit. */
typedef struct rg_error {
    char message[1024];
} rg_error;

/* Vectors of the processor to compute with. The bits are the same for all. */
typedef enum rg_cpu {
    RG_CPU_AUTO = 0, /* the widest that the processor has */
    RG_CPU_PORTABLE, /* none beyond those that every processor of the architecture has */
    RG_CPU_AVX2,
    RG_CPU_AVX512
} rg_cpu;

/* "auto", "portable", "avx2" or "avx512". Borrowed, static; NULL for any other number. */
RG_API const char *rg_cpu_name(rg_cpu cpu);

/* RG_EUSAGE if this processor does not have `cpu`; the message says what it has. */
RG_API RG_MUST_CHECK rg_status rg_cpu_check(rg_cpu cpu, rg_error *err);

/* Version of the library that is linked, for example "0.1.0". Borrowed, static. */
RG_API const char *rg_version(void);

/* A word for a status, for example "bad input data". Borrowed, static; never NULL. */
RG_API const char *rg_status_text(rg_status status);

#ifdef __cplusplus
}
#endif

#endif
