/* Convolution, pooling and grids from C99; part of c_api_test. */
#include "tests/compiler/api/c_checks.h"

#include "tensorc/arrays.h"
#include "tensorc/windows.h"

#include <stdio.h>

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
  /* 0 1 3 4, 1 2 4 5, ...: 8 + 12 + 20 + 24; windows of 2 x 2 each. */
  EXPECT_SUM(tensorc_unfold(x, &window, HERE, &y), 8 + 12 + 20 + 24);
  EXPECT_SUM(tensorc_adaptive_pool(TENSORC_MEAN, x, 2, TENSORC_CHANNELS_FIRST,
                                   two, HERE, &y),
             (8 + 12 + 20 + 24) / 4);
  window.divisor = 2;
  EXPECT_SUM(tensorc_pool(TENSORC_MEAN, x, &window, HERE, &y), 4);
  window.divisor = 0;
  if (tensorc_squeeze(x, 0, NULL, HERE, &flat))
    ++failures;
  EXPECT_SUM(tensorc_reduce_window(TENSORC_SUM, flat, &window, HERE, &y),
             8 + 12 + 20 + 24);
  tensorc_tensor_release(flat);
  tensorc_tensor_release(x);
  tensorc_tensor_release(k);
}

static void grids(void) {
  const int64_t two[1] = {2}, three[1] = {3};
  tensorc_tensor *axes[2], *grid[2] = {NULL, NULL};
  const tensorc_tensor *pair[2];
  int i;
  pair[0] = axes[0] = ramp(1, two), pair[1] = axes[1] = ramp(1, three);
  if (tensorc_meshgrid(pair, 2, 1, HERE, grid))
    ++failures;
  expect_sum(NULL, grid[0], 3, __LINE__);
  expect_sum(NULL, grid[1], 6, __LINE__);
  for (i = 0; i < 2; ++i)
    tensorc_tensor_release(axes[i]);
}

void test_windows(void) {
  windows();
  grids();
}
