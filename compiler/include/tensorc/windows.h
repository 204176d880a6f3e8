/*===- windows.h - convolution and pooling; included by tensorc.hpp -------===*\
|*
|* Conventions of tensorc.h. Arrays of options have one number for each of
|* `dims` spatial dimensions and are copied; NULL stands for the default.
|*
\*===----------------------------------------------------------------------===*/
#ifndef TENSORC_WINDOWS_H
#define TENSORC_WINDOWS_H

#include "tensorc/tensorc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tensorc_layout {
  /* Images N, C, spatial; kernels O, C / groups, spatial (transposed: C, O /
     groups, spatial). */
  TENSORC_CHANNELS_FIRST = 0,
  /* Images N, spatial, C; kernels spatial, C / groups, O (transposed: spatial,
     C, O / groups). */
  TENSORC_CHANNELS_LAST = 1
} tensorc_layout;

typedef enum tensorc_padding {
  TENSORC_PADDING_EXPLICIT = 0, /* padding_low and padding_high */
  TENSORC_PADDING_SAME = 1,     /* as large as x; needs a stride of 1 */
  TENSORC_PADDING_VALID = 2     /* none */
} tensorc_padding;

typedef struct tensorc_conv_options {
  size_t struct_size;
  int32_t dims; /* 1, 2 or 3 spatial dimensions */
  tensorc_layout layout;
  tensorc_padding padding;
  int32_t reserved;              /* 0 */
  int64_t groups;                /* 0: 1 */
  const int64_t *stride;         /* 1 */
  const int64_t *padding_low;    /* 0; zeros around x */
  const int64_t *padding_high;   /* as padding_low */
  const int64_t *dilation;       /* 1 */
  const int64_t *input_dilation; /* 1; tensorc_conv only: zeros between the
                                    elements of x */
  const int64_t *output_padding; /* 0; tensorc_conv_transpose only */
} tensorc_conv_options;

/* PyTorch's conv1d, conv2d, conv3d: kernels slide over x, and are not mirrored.
   Numbers of any dtype; f16 and bf16 accumulate in f32. `bias` (O numbers) may
   be NULL. The dimension N may be missing. */
TENSORC_API tensorc_status *
tensorc_conv(const tensorc_tensor *x, const tensorc_tensor *kernel,
             const tensorc_tensor *bias, const tensorc_conv_options *options,
             tensorc_location at, tensorc_tensor **out);
/* PyTorch's conv_transpose1d to 3d, the gradient of a convolution: a size n
   becomes (n - 1) stride - padding_low - padding_high + dilation (kernel - 1) +
   1 + output_padding. */
TENSORC_API tensorc_status *
tensorc_conv_transpose(const tensorc_tensor *x, const tensorc_tensor *kernel,
                       const tensorc_tensor *bias,
                       const tensorc_conv_options *options, tensorc_location at,
                       tensorc_tensor **out);

typedef struct tensorc_window_options {
  size_t struct_size;
  /* Number of spatial dimensions of a pooling, or of all dimensions of x for
     tensorc_reduce_window. */
  int32_t dims;
  tensorc_layout layout;       /* poolings */
  int32_t ceil_mode;           /* poolings: 1 counts a last, partial window */
  int32_t exclude_padding;     /* 1: averages count elements of x only */
  const int64_t *size;         /* not NULL */
  const int64_t *stride;       /* poolings: size; else 1 */
  const int64_t *padding_low;  /* 0 */
  const int64_t *padding_high; /* as padding_low */
  const int64_t *dilation;     /* 1 */
  double divisor; /* averages: the divisor of sums; 0: the number of elements */
} tensorc_window_options;

/* PyTorch's max_pool and avg_pool of 1 to 3 dimensions: TENSORC_MAX (NaN if the
   window has a NaN) or TENSORC_MEAN (floats; f16 and bf16 accumulate in f32).
   Padding is at most half of the window. The dimension N may be missing. */
TENSORC_API tensorc_status *tensorc_pool(tensorc_reduction reduction,
                                         const tensorc_tensor *x,
                                         const tensorc_window_options *options,
                                         tensorc_location at,
                                         tensorc_tensor **out);
/* PyTorch's adaptive_max_pool and adaptive_avg_pool of 1 to 3 dimensions:
   TENSORC_MAX or TENSORC_MEAN of windows so that the result has `size`: one
   number for each of `dims`. Window i of o over n elements reaches from
   floor(i n / o) to ceil((i + 1) n / o). */
TENSORC_API tensorc_status *
tensorc_adaptive_pool(tensorc_reduction reduction, const tensorc_tensor *x,
                      int32_t dims, tensorc_layout layout, const int64_t *size,
                      tensorc_location at, tensorc_tensor **out);
/* PyTorch's unfold, of any number of spatial dimensions: images N, C, spatial
   to N, C * elements of a window, windows. Strides are 1 by default, padding is
   zeros. The dimension N may be missing. */
TENSORC_API tensorc_status *
tensorc_unfold(const tensorc_tensor *x, const tensorc_window_options *options,
               tensorc_location at, tensorc_tensor **out);
/* Reduces windows that slide over all dimensions of x by TENSORC_SUM, PROD,
   MAX, MIN or MEAN. Padding holds the reduction's identity; a mean counts it
   as zeros. */
TENSORC_API tensorc_status *
tensorc_reduce_window(tensorc_reduction reduction, const tensorc_tensor *x,
                      const tensorc_window_options *options,
                      tensorc_location at, tensorc_tensor **out);

#ifdef __cplusplus
}
#endif

#endif
