// SPDX-License-Identifier: Apache-2.0
// How a call ended. Zero is success, a positive status is an honest non-success whose
// output is valid, a negative one is an error whose output is undefined.
#ifndef DLS_BASE_STATUS_H
#define DLS_BASE_STATUS_H

// X(enum value, number, name in tables and files, sentence)
#define DLS_STATUS(X)                                                                  \
    X(DLS_OK, 0, "converged", "the judge found the residual below the tolerance")      \
    X(DLS_FINISHED, 1, "finished", "the method is done, short of the tolerance")       \
    X(DLS_MAX_ITER, 2, "max_iter", "out of iterations")                                \
    X(DLS_MAX_TIME, 3, "max_time", "out of time")                                      \
    X(DLS_STALLED, 4, "stalled", "no more progress")                                   \
    X(DLS_DIVERGED, 5, "diverged", "the iterates grow without bound")                  \
    X(DLS_STOPPED, 6, "stopped", "interrupted from outside")                           \
    X(DLS_RAY, 7, "ray", "the pivoting ended on a secondary ray")                      \
    X(DLS_UNSUPPORTED, 8, "unsupported", "the method does not take this problem")      \
    X(DLS_INFEASIBLE, 9, "infeasible", "the problem was shown to have no solution")    \
    X(DLS_EINVAL, -1, "invalid", "the input is not valid")                             \
    X(DLS_ENOMEM, -2, "no_memory", "out of memory")                                    \
    X(DLS_ENUMERIC, -3, "numeric", "a factorisation or evaluation failed")             \
    X(DLS_EIO, -4, "io", "a file could not be read or written")                        \
    X(DLS_ECRASHED, -5, "crashed", "its process ended without an answer")

enum dls_status {
#define DLS_STATUS_ENUM(id, number, name, text) id = number,
    DLS_STATUS(DLS_STATUS_ENUM)
#undef DLS_STATUS_ENUM
};

// The short name (one word) and the sentence of a status; "unknown" for other numbers.
const char *dls_status_name(enum dls_status);
const char *dls_status_text(enum dls_status);

// One sentence about what went wrong, naming the file and the field. Functions that take
// a `struct dls_error *` accept NULL and write it only when they fail.
struct dls_error {
    char text[256];
};

// Writes the sentence and returns the status: `return dls_fail(err, DLS_EINVAL, "...");`
enum dls_status dls_fail(struct dls_error *, enum dls_status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
