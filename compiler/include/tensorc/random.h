/*===- random.h - random numbers; included by tensorc.hpp -----------------===*\
|*
|* Conventions of tensorc.h.
|*
\*===----------------------------------------------------------------------===*/
#ifndef TENSORC_RANDOM_H
#define TENSORC_RANDOM_H

#include "tensorc/tensorc.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Functions of an explicit key, a ui32[2]: the same bits on every device. The
 * formulas are in docs/random.md. A key serves one call; more keys come from
 * splitting it. */
typedef enum tensorc_random_algorithm {
  TENSORC_PHILOX4X32_10 = 0,
  TENSORC_THREEFRY2X32 = 1
} tensorc_random_algorithm;

/* The key of an integer: a number, or a tensor of rank 0. */
TENSORC_API tensorc_status *
tensorc_random_key(tensorc_arg seed, tensorc_location at, tensorc_tensor **out);
/* ui32[count, 2]: each row is a key. */
TENSORC_API tensorc_status *tensorc_random_split(const tensorc_tensor *key,
                                                 int64_t count,
                                                 tensorc_location at,
                                                 tensorc_tensor **out);
/* The key of a key and an integer, a number or a tensor of rank 0; for i row i
 * of a split. */
TENSORC_API tensorc_status *tensorc_random_fold_in(const tensorc_tensor *key,
                                                   tensorc_arg data,
                                                   tensorc_location at,
                                                   tensorc_tensor **out);
/* dtype ui32 or ui64. */
TENSORC_API tensorc_status *
tensorc_random_bits(const tensorc_tensor *key,
                    tensorc_random_algorithm algorithm, tensorc_dtype dtype,
                    int32_t rank, const int64_t *dims, tensorc_location at,
                    tensorc_tensor **out);
/* Floats in [low, high). */
TENSORC_API tensorc_status *
tensorc_random_uniform(const tensorc_tensor *key, tensorc_dtype dtype,
                       int32_t rank, const int64_t *dims, double low,
                       double high, tensorc_location at, tensorc_tensor **out);
/* Floats of mean 0 and variance 1. */
TENSORC_API tensorc_status *
tensorc_random_normal(const tensorc_tensor *key, tensorc_dtype dtype,
                      int32_t rank, const int64_t *dims, tensorc_location at,
                      tensorc_tensor **out);
/* Integers in [low, high); the bounds are numbers. */
TENSORC_API tensorc_status *
tensorc_random_integers(const tensorc_tensor *key, tensorc_dtype dtype,
                        int32_t rank, const int64_t *dims, tensorc_arg low,
                        tensorc_arg high, tensorc_location at,
                        tensorc_tensor **out);
/* i1, true with probability p: a number, or floats that broadcast to dims. */
TENSORC_API tensorc_status *
tensorc_random_bernoulli(const tensorc_tensor *key, int32_t rank,
                         const int64_t *dims, tensorc_arg p,
                         tensorc_location at, tensorc_tensor **out);
/* i64[count]: 0 to count - 1 in random order. */
TENSORC_API tensorc_status *
tensorc_random_permutation(const tensorc_tensor *key, int64_t count,
                           tensorc_location at, tensorc_tensor **out);
/* 0 with probability `rate`, else x / (1 - rate). */
TENSORC_API tensorc_status *tensorc_dropout(const tensorc_tensor *x,
                                            const tensorc_tensor *key,
                                            double rate, tensorc_location at,
                                            tensorc_tensor **out);

#ifdef __cplusplus
}
#endif

#endif
