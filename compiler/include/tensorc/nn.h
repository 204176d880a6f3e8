/*===- nn.h - losses, norms, attention; included by tensorc.hpp -----------===*\
|*
|* PyTorch's functions, with the conventions of tensorc.h. Each is recorded as
|* one composite, which keeps its name until kernels are planned. Sums of f16
|* and bf16 are in f32. Parameters that may be NULL say so.
|*
\*===----------------------------------------------------------------------===*/
#ifndef TENSORC_NN_H
#define TENSORC_NN_H

#include "tensorc/tensorc.h"

#ifdef __cplusplus
extern "C" {
#endif

/* log of the sum of e^x, by the distances to the maximum. No axes: over all. */
TENSORC_API tensorc_status *
tensorc_logsumexp(const tensorc_tensor *x, int32_t count, const int64_t *axes,
                  int32_t keepdims, tensorc_location at, tensorc_tensor **out);
/* The root of tensorc_var. */
TENSORC_API tensorc_status *tensorc_std(const tensorc_tensor *x, int32_t count,
                                        const int64_t *axes, double correction,
                                        int32_t keepdims, tensorc_location at,
                                        tensorc_tensor **out);
/* The vector norm (sum |x|^order)^(1 / order); of order inf and -inf the
   largest and smallest magnitude, of 0 how many are not 0. No axes: over all.
 */
TENSORC_API tensorc_status *tensorc_norm(const tensorc_tensor *x, double order,
                                         int32_t count, const int64_t *axes,
                                         int32_t keepdims, tensorc_location at,
                                         tensorc_tensor **out);
/* x / sqrt(mean(x^2) + epsilon) scale, over the last axis. `scale` may be NULL.
 */
TENSORC_API tensorc_status *
tensorc_rms_norm(const tensorc_tensor *x, const tensorc_tensor *scale,
                 double epsilon, tensorc_location at, tensorc_tensor **out);
/* Normalizes each of `groups` groups of channels (axis 1) of each image; scale
   and bias, one per channel, may be NULL. */
TENSORC_API tensorc_status *
tensorc_group_norm(const tensorc_tensor *x, int64_t groups,
                   const tensorc_tensor *scale, const tensorc_tensor *bias,
                   double epsilon, tensorc_location at, tensorc_tensor **out);
/* (x - mean) / sqrt(variance + epsilon) scale + bias, each one per channel,
   which are along `axis` (PyTorch: 1); scale and bias may be NULL. */
TENSORC_API tensorc_status *
tensorc_batch_norm(const tensorc_tensor *x, const tensorc_tensor *mean,
                   const tensorc_tensor *variance, const tensorc_tensor *scale,
                   const tensorc_tensor *bias, double epsilon, int64_t axis,
                   tensorc_location at, tensorc_tensor **out);

typedef enum tensorc_loss_reduction {
  TENSORC_LOSS_MEAN = 0, /* by the sum of the weights */
  TENSORC_LOSS_SUM = 1,
  TENSORC_LOSS_NONE = 2 /* one loss per label */
} tensorc_loss_reduction;
/* Of logits, whose classes are axis 1 (0 of a vector), and integer labels.
   Labels of `ignore_index` (PyTorch: -100) count nothing; of another label that
   is no class the loss is NaN. `weight`, one per class, may be NULL. A part
   `label_smoothing` of each label is spread over all classes. */
TENSORC_API tensorc_status *tensorc_cross_entropy(
    const tensorc_tensor *logits, const tensorc_tensor *labels,
    const tensorc_tensor *weight, tensorc_loss_reduction reduction,
    int64_t ignore_index, double label_smoothing, tensorc_location at,
    tensorc_tensor **out);

/* softmax(q k^T scale + mask) v: q is heads, L, E; k heads, S, E; v heads, S,
   F, with any dimensions before. k and v may have fewer heads, each for as many
   of q's. `mask` may be NULL; of i1 it is true where an element takes part,
   else it is added. `causal`: query i sees keys 0 to i. A query that sees none
   gives 0. NULL as scale stands for 1 / sqrt(E). */
TENSORC_API tensorc_status *
tensorc_attention(const tensorc_tensor *q, const tensorc_tensor *k,
                  const tensorc_tensor *v, const tensorc_tensor *mask,
                  int32_t causal, const double *scale, tensorc_location at,
                  tensorc_tensor **out);

typedef enum tensorc_interpolation {
  TENSORC_NEAREST = 0,
  TENSORC_LINEAR = 1,        /* between the centers of elements */
  TENSORC_LINEAR_CORNERS = 2 /* PyTorch's align_corners: first on first, last on
                                last */
} tensorc_interpolation;
/* Images N, C and `count` (1 to 3) spatial dimensions, of these sizes. */
TENSORC_API tensorc_status *
tensorc_interpolate(const tensorc_tensor *x, int32_t count,
                    const int64_t *sizes, tensorc_interpolation mode,
                    tensorc_location at, tensorc_tensor **out);

#ifdef __cplusplus
}
#endif

#endif
