/* Convolution, pooling and composites from C99; part of c_api_test. */
#include "tests/compiler/api/c_checks.h"

#include "tensorc/arrays.h"
#include "tensorc/nn.h"
#include "tensorc/windows.h"

#include <math.h>
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

static void arrays(void) {
  const int64_t dims[2] = {2, 3}, one[1] = {1}, two[2] = {1, 1};
  tensorc_tensor *x = ramp(2, dims), *y, *grid[2], *rows[2];
  const tensorc_tensor *pair[2];
  int i;
  pair[0] = pair[1] = x;
  EXPECT_SUM(tensorc_einsum("ij,kj->ik", pair, 2, HERE, &y), 9 + 25 + 49);
  EXPECT_SUM(tensorc_tensordot(x, x, 1, one, one, HERE, &y), 9 + 25 + 49);
  EXPECT_SUM(tensorc_kron(x, x, HERE, &y), 225);
  EXPECT_SUM(tensorc_bitcast(x, TENSORC_F32, HERE, &y), 15);
  EXPECT_SUM(tensorc_triangle(x, 0, 0, HERE, &y), 0 + 3 + 4);
  EXPECT_SUM(tensorc_diag(x, 1, HERE, &y), 1 + 5);
  EXPECT_SUM(tensorc_roll(x, 1, one, 1, one, HERE, &y), 15);
  EXPECT_SUM(tensorc_tile(x, 2, dims, HERE, &y), 90);
  EXPECT_SUM(tensorc_repeat(x, 3, -1, HERE, &y), 45);
  EXPECT_SUM(tensorc_stack(pair, 2, 0, HERE, &y), 30);
  EXPECT_SUM(tensorc_pad_with(x, two, two, TENSORC_PAD_EDGE, HERE, &y),
             5 + 5 + 20 + 20);
  for (i = 0; i < 2; ++i)
    rows[i] = ramp(1, dims + i);
  pair[0] = rows[0], pair[1] = rows[1];
  if (tensorc_meshgrid(pair, 2, 1, HERE, grid))
    ++failures;
  expect_sum(NULL, grid[0], 3, __LINE__);
  expect_sum(NULL, grid[1], 6, __LINE__);
  for (i = 0; i < 2; ++i)
    tensorc_tensor_release(rows[i]);
  tensorc_tensor_release(x);
}

static void neural_networks(void) {
  const double zero = 0;
  const int64_t dims[2] = {2, 3}, three[1] = {3}, two[1] = {2}, six[1] = {6},
                image[3] = {1, 2, 3};
  tensorc_tensor *x = ramp(2, dims), *v = ramp(1, three), *f = ramp(1, two),
                 *labels, *wide, *y;
  EXPECT_SUM(tensorc_activate_with(TENSORC_LEAKY_RELU, x, 0.1, HERE, &y), 15);
  EXPECT_SUM(tensorc_logsumexp(x, 0, NULL, 0, HERE, &y), 5.456193);
  EXPECT_SUM(tensorc_std(x, 0, NULL, 0, 0, HERE, &y), 1.707825);
  EXPECT_SUM(tensorc_norm(x, 2, 0, NULL, 0, HERE, &y), 7.416198);
  EXPECT_SUM(tensorc_rms_norm(x, v, 1e-5, HERE, &y), 3.872972 + 3.429285);
  EXPECT_SUM(tensorc_group_norm(x, 1, NULL, NULL, 1e-5, HERE, &y), 0);
  EXPECT_SUM(tensorc_batch_norm(x, v, v, NULL, v, 1, 1, HERE, &y),
             6 + 3 * (1 + 0.707107 + 0.577350));
  EXPECT_SUM(tensorc_layer_norm_over(x, 2, NULL, NULL, 1e-5, HERE, &y), 0);
  if (tensorc_astype(f, TENSORC_I64, HERE, &labels))
    ++failures;
  EXPECT_SUM(tensorc_cross_entropy(x, labels, NULL, TENSORC_LOSS_SUM, -100, 0,
                                   HERE, &y),
             2.407606 + 1.407606);
  if (tensorc_reshape(x, 3, image, HERE, &wide))
    ++failures;
  EXPECT_SUM(tensorc_instance_norm(wide, NULL, NULL, 1e-5, HERE, &y), 0);
  EXPECT_SUM(tensorc_interpolate(wide, 1, six, TENSORC_NEAREST, HERE, &y), 30);
  tensorc_tensor_release(wide);
  EXPECT_SUM(tensorc_attention(x, x, x, NULL, 1, &zero, HERE, &y),
             3 + 15.0 / 2);
  tensorc_tensor_release(labels);
  tensorc_tensor_release(f);
  tensorc_tensor_release(v);
  tensorc_tensor_release(x);
}

void test_windows(void) {
  windows();
  arrays();
  neural_networks();
}
