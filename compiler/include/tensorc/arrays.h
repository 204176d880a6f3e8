/*===- arrays.h - functions of NumPy; included by tensorc.hpp -------------===*\
|*
|* NumPy's functions, with the conventions of tensorc.h.
|*
\*===----------------------------------------------------------------------===*/
#ifndef TENSORC_ARRAYS_H
#define TENSORC_ARRAYS_H

#include "tensorc/tensorc.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All of NumPy's grammar: "bij,bjk->bik", "...ij->...ji", diagonals "ii->i", an
   implicit output. Dimensions of 1 broadcast. Contracts pairs, the smallest
   result first. Numbers. */
TENSORC_API tensorc_status *tensorc_einsum(const char *subscripts,
                                           const tensorc_tensor *const *tensors,
                                           int32_t count, tensorc_location at,
                                           tensorc_tensor **out);
/* Sums products over `count` pairs of axes; 0: all products. */
TENSORC_API tensorc_status *
tensorc_tensordot(const tensorc_tensor *x, const tensorc_tensor *y,
                  int32_t count, const int64_t *x_axes, const int64_t *y_axes,
                  tensorc_location at, tensorc_tensor **out);
TENSORC_API tensorc_status *tensorc_kron(const tensorc_tensor *x,
                                         const tensorc_tensor *y,
                                         tensorc_location at,
                                         tensorc_tensor **out);
/* Zeros above the diagonal of the last two axes, or below it (`upper`). */
TENSORC_API tensorc_status *tensorc_triangle(const tensorc_tensor *x,
                                             int64_t diagonal, int32_t upper,
                                             tensorc_location at,
                                             tensorc_tensor **out);
/* The diagonal of a matrix, or the matrix with this diagonal. */
TENSORC_API tensorc_status *tensorc_diag(const tensorc_tensor *x,
                                         int64_t diagonal, tensorc_location at,
                                         tensorc_tensor **out);
/* Moves elements along axes, the last ones to the front. No axes: as one row.
 */
TENSORC_API tensorc_status *
tensorc_roll(const tensorc_tensor *x, int32_t shift_count,
             const int64_t *shifts, int32_t axis_count, const int64_t *axes,
             tensorc_location at, tensorc_tensor **out);
/* x so many times along each of the last axes. */
TENSORC_API tensorc_status *tensorc_tile(const tensorc_tensor *x, int32_t count,
                                         const int64_t *repetitions,
                                         tensorc_location at,
                                         tensorc_tensor **out);
/* Each element `count` times along the axis. */
TENSORC_API tensorc_status *tensorc_repeat(const tensorc_tensor *x,
                                           int64_t count, int64_t axis,
                                           tensorc_location at,
                                           tensorc_tensor **out);
/* Tensors of one shape along a new axis. */
TENSORC_API tensorc_status *tensorc_stack(const tensorc_tensor *const *tensors,
                                          int32_t count, int64_t axis,
                                          tensorc_location at,
                                          tensorc_tensor **out);
/* The coordinates of a grid: `count` tensors into `out`. `xy`: the second one's
   axis comes first. On failure all of `out` is NULL. */
TENSORC_API tensorc_status *
tensorc_meshgrid(const tensorc_tensor *const *tensors, int32_t count,
                 int32_t xy, tensorc_location at, tensorc_tensor **out);

typedef enum tensorc_pad_mode {
  TENSORC_PAD_EDGE = 0,    /* the element at the edge */
  TENSORC_PAD_REFLECT = 1, /* mirrored at the edge's element */
  TENSORC_PAD_WRAP = 2     /* from the other end */
} tensorc_pad_mode;
/* One of low and high per axis, at least 0. */
TENSORC_API tensorc_status *
tensorc_pad_with(const tensorc_tensor *x, const int64_t *low,
                 const int64_t *high, tensorc_pad_mode mode,
                 tensorc_location at, tensorc_tensor **out);

#ifdef __cplusplus
}
#endif

#endif
