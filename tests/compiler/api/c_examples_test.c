/* The examples of the functions that Api.td defines, from C99; part of
   c_api_test. */
#include "tests/compiler/api/c_checks.h"

#include "tensorc/arrays.h"
#include "tensorc/nn.h"
#include "tensorc/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void release_all(size_t count, tensorc_tensor *const *tensors) {
  while (count)
    tensorc_tensor_release(tensors[--count]);
}

/* NULL is counted as a failure. `im` is NULL except for complex numbers. */
static tensorc_tensor *example_tensor(tensorc_dtype dtype, int32_t rank,
                                      const int64_t *dims, const double *re,
                                      const double *im) {
  tensorc_tensor *parts[2] = {NULL, NULL}, *x = NULL;
  tensorc_status *status =
      tensorc_from_data(TENSORC_F64, rank, dims, re, NULL, HERE, &parts[0]);
  if (!status && im) {
    tensorc_tensor *f32[2] = {NULL, NULL};
    status =
        tensorc_from_data(TENSORC_F64, rank, dims, im, NULL, HERE, &parts[1]);
    if (!status)
      status = tensorc_astype(parts[0], TENSORC_F32, HERE, &f32[0]);
    if (!status)
      status = tensorc_astype(parts[1], TENSORC_F32, HERE, &f32[1]);
    if (!status)
      status =
          tensorc_complex(TENSORC_ARG(f32[0]), TENSORC_ARG(f32[1]), HERE, &x);
    release_all(2, f32);
  } else if (!status) {
    status = tensorc_astype(parts[0], dtype, HERE, &x);
  }
  release_all(2, parts);
  if (status)
    printf("%s\n", tensorc_status_message(status)), ++failures;
  tensorc_status_free(status);
  return x;
}

static tensorc_tensor *example_key(int64_t seed) {
  const tensorc_arg number = tensorc_int_arg(seed);
  tensorc_tensor *key = NULL;
  tensorc_status *status = tensorc_random_key(&number, HERE, &key);
  if (status)
    ++failures;
  tensorc_status_free(status);
  return key;
}

static int is_near(double x, double y) {
  return x == y || (isnan(x) && isnan(y)) ||
         fabs(x - y) <= 1e-5 * (1 + fabs(y));
}

/* Whether the elements, as f64, are near the values. */
static int are_near(const tensorc_tensor *x, size_t count,
                    const double *values) {
  tensorc_tensor *wide = NULL;
  double *read = (double *)malloc((count + 1) * sizeof(double));
  tensorc_status *status = tensorc_astype(x, TENSORC_F64, HERE, &wide);
  int same = read != NULL;
  size_t i;
  if (!status && read)
    status = tensorc_read(wide, read, count * sizeof(double));
  for (i = 0; i < count && same && !status; ++i)
    same = is_near(read[i], values[i]);
  if (status)
    printf("%s\n", tensorc_status_message(status)), same = 0;
  tensorc_status_free(status);
  tensorc_tensor_release(wide);
  free(read);
  return same;
}

/* Releases the result. `re` is NULL where any numbers are right. */
static void expect_example(tensorc_status *status, tensorc_tensor **result,
                           const char *text, tensorc_dtype dtype, int32_t rank,
                           const int64_t *dims, const double *re,
                           const double *im) {
  tensorc_tensor *x = *result, *parts[2] = {NULL, NULL};
  int same = !status && tensorc_tensor_dtype(x) == dtype &&
             tensorc_tensor_rank(x) == rank;
  size_t count = 1;
  int32_t i;
  for (i = 0; i < rank && same; ++i) {
    same = tensorc_tensor_dims(x)[i] == dims[i];
    count *= (size_t)dims[i];
  }
  if (same && im) {
    status = tensorc_real(x, HERE, &parts[0]);
    if (!status)
      status = tensorc_imag(x, HERE, &parts[1]);
    same = !status && are_near(parts[0], count, re) &&
           are_near(parts[1], count, im);
  } else if (same && re) {
    same = are_near(x, count, re);
  } else if (same) {
    status = tensorc_eval(result, 1);
    same = !status;
  }
  if (!same) {
    char *got = NULL;
    if (!status)
      status = tensorc_to_string(x, &got);
    printf("%s: %s%s\n", text, got ? got : "", tensorc_status_message(status));
    tensorc_string_free(got);
    ++failures;
  }
  release_all(2, parts);
  tensorc_status_free(status);
  tensorc_tensor_release(x);
}

/* The C of docs/embedding.md. */
static void test_guide(void) {
#include "embedding.inc"
  EXPECT(result[0] == 2 && result[1] == 4 && result[2] == 6);
}

void test_examples(void) {
  test_guide();
#include "function_examples.inc"
}
