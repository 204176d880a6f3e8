/* Convolution, pooling and composites from C99; part of c_api_test. */
#include "tests/unit/exports/c_windows_test.h"

#include "tensorc/windows.h"

#include <math.h>
#include <stdio.h>

static tensorc_location here(uint32_t line) {
  tensorc_location at;
  at.file = __FILE__;
  at.line = line;
  return at;
}
#define HERE here(__LINE__)

static int failures = 0;
/* The sum of a tensor that was just made; releases it. */
static void expect_sum(tensorc_status *status, tensorc_tensor *x, double sum,
                       int line) {
  tensorc_tensor *total = NULL;
  double value = 0;
  int64_t whole = 0;
  if (!status)
    status = tensorc_reduce(TENSORC_SUM, x, 0, NULL, 0, HERE, &total);
  if (!status)
    status = tensorc_item(total, &value, &whole);
  if (status || fabs(value - sum) > 1e-4 * (1 + fabs(sum))) {
    printf("line %d: %g, not %g: %s\n", line, value, sum,
           tensorc_status_message(status));
    ++failures;
  }
  tensorc_status_free(status);
  tensorc_tensor_release(total);
  tensorc_tensor_release(x);
}
#define EXPECT_SUM(call, sum) expect_sum(call, y, sum, __LINE__)

static tensorc_tensor *ramp(int32_t rank, const int64_t *dims) {
  tensorc_tensor *flat = NULL, *x = NULL;
  double count = 1;
  int32_t i;
  for (i = 0; i < rank; ++i)
    count *= (double)dims[i];
  if (tensorc_arange(TENSORC_F32, 0, count, 1, HERE, &flat) ||
      tensorc_reshape(flat, rank, dims, HERE, &x))
    ++failures;
  tensorc_tensor_release(flat);
  return x;
}

static void windows(void) {
  const int64_t image[4] = {1, 1, 3, 3}, kernel[4] = {1, 1, 2, 2},
                two[2] = {2, 2};
  tensorc_tensor *x = ramp(4, image), *k = ramp(4, kernel), *flat, *y;
  tensorc_conv_options conv = {0};
  tensorc_window_options window = {0};
  conv.struct_size = sizeof conv;
  conv.dims = 2;
  EXPECT_SUM(tensorc_conv(x, k, NULL, &conv, HERE, &y), 19 + 25 + 37 + 43);
  EXPECT_SUM(tensorc_conv_transpose(x, k, NULL, &conv, HERE, &y), 36 * 6);
  window.struct_size = sizeof window;
  window.dims = 2;
  window.size = two;
  EXPECT_SUM(tensorc_pool(TENSORC_MAX, x, &window, HERE, &y), 4);
  EXPECT_SUM(tensorc_pool(TENSORC_MEAN, x, &window, HERE, &y), 2);
  if (tensorc_squeeze(x, 0, NULL, HERE, &flat))
    ++failures;
  EXPECT_SUM(tensorc_reduce_window(TENSORC_SUM, flat, &window, HERE, &y),
             8 + 12 + 20 + 24);
  tensorc_tensor_release(flat);
  tensorc_tensor_release(x);
  tensorc_tensor_release(k);
}

int test_windows(void) {
  windows();
  return failures;
}
