/* Complex numbers, Fourier transforms, linear algebra, statistics and
 * quantization from C99; part of c_api_test. */
#include "tests/compiler/api/c_checks.h"

#include "tensorc/arrays.h"
#include "tensorc/random.h"

#include <stdio.h>

static tensorc_tensor *make(int32_t rank, int64_t rows, int64_t columns,
                            const float *values) {
  const int64_t dims[2] = {rows, columns};
  tensorc_tensor *x = NULL;
  if (tensorc_from_data(TENSORC_F32, rank, dims + 2 - rank, values, NULL, HERE,
                        &x))
    ++failures;
  return x;
}

static tensorc_tensor *as(const tensorc_tensor *x, tensorc_dtype dtype) {
  tensorc_tensor *y = NULL;
  if (tensorc_astype(x, dtype, HERE, &y))
    ++failures;
  return y;
}

/* Rows of a factorization whose signs are the method's. */
static void expect_rows(tensorc_status *status, tensorc_tensor *x,
                        int64_t rows) {
  EXPECT(!status && tensorc_tensor_dims(x)[0] == rows);
  tensorc_tensor_release(x);
}

static void factorizations(void) {
  static const float a[4] = {4, 1, 1, 3}, b[2] = {1, 2},
                     bands[6] = {0, 1, 4, 3, 1, 0}, i[3] = {1, 0, 0},
                     j[3] = {0, 1, 0};
  tensorc_tensor *x = make(2, 2, 2, a), *v = make(1, 0, 2, b),
                 *d = make(2, 3, 2, bands), *u = make(1, 0, 3, i),
                 *w = make(1, 0, 3, j), *y = NULL;
  EXPECT_SUM(tensorc_cholesky(x, 0, HERE, &y), 4.158312395);
  EXPECT_SUM(tensorc_solve(x, v, HERE, &y), 8.0 / 11);
  EXPECT_SUM(tensorc_triangular_solve(x, v, 0, 0, 0, HERE, &y), 2.5 / 3);
  EXPECT_SUM(tensorc_tridiagonal_solve(d, v, HERE, &y), 8.0 / 11);
  EXPECT_SUM(tensorc_lu_packed(x, HERE, &y), 9);
  expect_rows(tensorc_qr_packed(x, 0, HERE, &y), y, 2);
  expect_rows(tensorc_svd_packed(x, HERE, &y), y, 5);
  expect_rows(tensorc_eigh_packed(x, HERE, &y), y, 3);
  EXPECT_SUM(tensorc_slogdet(x, HERE, &y), 3.397895273);
  EXPECT_SUM(tensorc_det(x, HERE, &y), 11);
  EXPECT_SUM(tensorc_inv(x, HERE, &y), 5.0 / 11);
  EXPECT_SUM(tensorc_pinv(x, -1, HERE, &y), 5.0 / 11);
  EXPECT_SUM(tensorc_lstsq(x, v, -1, HERE, &y), 8.0 / 11);
  EXPECT_SUM(tensorc_matrix_rank(x, -1, HERE, &y), 2);
  EXPECT_SUM(tensorc_svdvals(x, HERE, &y), 7);
  EXPECT_SUM(tensorc_eigvalsh(x, HERE, &y), 7);
  EXPECT_SUM(tensorc_condition_number(x, HERE, &y), 1.938748919);
  EXPECT_SUM(tensorc_matrix_power(x, 2, HERE, &y), 41);
  EXPECT_SUM(tensorc_trace(x, 0, HERE, &y), 7);
  EXPECT_SUM(tensorc_cross(u, w, -1, HERE, &y), 1);
  tensorc_tensor_release(x);
  tensorc_tensor_release(v);
  tensorc_tensor_release(d);
  tensorc_tensor_release(u);
  tensorc_tensor_release(w);
}

static void statistics(void) {
  static const float four[4] = {1, 2, 3, 4}, pairs[4] = {0, 0, 1, 1},
                     edges[3] = {1, 2, 4}, line[2] = {1, 2};
  tensorc_tensor *x = make(1, 0, 4, four), *p = make(1, 0, 4, pairs),
                 *e = make(1, 0, 3, edges), *c = make(1, 0, 2, line), *y = NULL;
  tensorc_tensor *s = as(p, TENSORC_I32);
  EXPECT_SUM(tensorc_quantile(x, TENSORC_ARG(0.5), 0, NULL, 0, HERE, &y), 2.5);
  EXPECT_SUM(tensorc_percentile(x, TENSORC_ARG(25), 0, NULL, 0, HERE, &y),
             1.75);
  EXPECT_SUM(tensorc_median(x, 0, NULL, 0, HERE, &y), 2.5);
  EXPECT_SUM(tensorc_bincount(s, 1, NULL, HERE, &y), 2);
  EXPECT_SUM(tensorc_bincount(s, 2, x, HERE, &y), 10);
  EXPECT_SUM(tensorc_histogram(x, e, HERE, &y), 4);
  EXPECT_SUM(tensorc_segment_sum(x, s, 2, HERE, &y), 10);
  EXPECT_SUM(tensorc_segment_prod(x, s, 2, HERE, &y), 14);
  EXPECT_SUM(tensorc_segment_min(x, s, 2, HERE, &y), 4);
  EXPECT_SUM(tensorc_segment_max(x, s, 2, HERE, &y), 6);
  EXPECT_SUM(tensorc_unique(p, 3, TENSORC_ARG(7), HERE, &y), 8);
  EXPECT_SUM(tensorc_interp(x, x, x, HERE, &y), 10);
  EXPECT_SUM(tensorc_polyval(c, x, HERE, &y), 18);
  EXPECT_SUM(tensorc_trapezoid(x, 1, -1, HERE, &y), 7.5);
  EXPECT_SUM(tensorc_cov(x, 1, HERE, &y), 5.0 / 3);
  EXPECT_SUM(tensorc_corrcoef(x, HERE, &y), 1);
  tensorc_tensor_release(x);
  tensorc_tensor_release(p);
  tensorc_tensor_release(e);
  tensorc_tensor_release(c);
  tensorc_tensor_release(s);
}

static void quantization(void) {
  static const float four[4] = {1, 2, 3, 4}, half[1] = {0.5f};
  tensorc_tensor *x = make(1, 0, 4, four), *h = make(0, 0, 0, half),
                 *q = as(x, TENSORC_I8), *key = NULL, *y = NULL;
  EXPECT_SUM(tensorc_quantize(x, h, NULL, TENSORC_I8, -1, HERE, &y), 20);
  EXPECT_SUM(tensorc_dequantize(q, h, NULL, -1, HERE, &y), 5);
  EXPECT_SUM(tensorc_fake_quantize(x, h, NULL, -4, 4, -1, HERE, &y), 7);
  EXPECT_SUM(tensorc_matmul_i32(q, q, HERE, &y), 30);
  if (tensorc_random_key(TENSORC_ARG(1), HERE, &key))
    ++failures;
  EXPECT_SUM(tensorc_stochastic_round(key, x, TENSORC_I8, HERE, &y), 10);
  tensorc_tensor_release(x);
  tensorc_tensor_release(h);
  tensorc_tensor_release(q);
  tensorc_tensor_release(key);
}

static void complex_numbers(void) {
  static const float three[1] = {3}, four[1] = {4};
  tensorc_tensor *a = make(1, 0, 1, three), *b = make(1, 0, 1, four), *z = NULL,
                 *polar = NULL, *conj = NULL, *y = NULL;
  if (tensorc_complex(TENSORC_ARG(a), TENSORC_ARG(b), HERE, &z) ||
      tensorc_conj(z, HERE, &conj) ||
      tensorc_polar(TENSORC_ARG(5.0), TENSORC_ARG(b), HERE, &polar))
    ++failures;
  EXPECT(tensorc_tensor_dtype(z) == TENSORC_C64);
  EXPECT_SUM(tensorc_real(z, HERE, &y), 3);
  EXPECT_SUM(tensorc_imag(conj, HERE, &y), -4);
  EXPECT_SUM(tensorc_angle(z, HERE, &y), 0.92729521);
  EXPECT_SUM(tensorc_real(polar, HERE, &y), 5 * -0.6536436);
  tensorc_tensor_release(a);
  tensorc_tensor_release(b);
  tensorc_tensor_release(z);
  tensorc_tensor_release(polar);
  tensorc_tensor_release(conj);
}

static void signals(void) {
  static const float four[4] = {1, 2, 3, 4};
  const int64_t sizes[1] = {6}, last[1] = {-1};
  tensorc_tensor *x = make(1, 0, 4, four), *z = NULL, *frames = NULL, *y = NULL;
  EXPECT_SUM(
      tensorc_fourier(TENSORC_HFFT, x, 1, sizes, 1, last, "backward", HERE, &y),
      6);
  if (tensorc_fourier(TENSORC_RFFT, x, 0, NULL, 0, NULL, "ortho", HERE, &z) ||
      tensorc_stft(x, 4, 4, NULL, 0, 1, HERE, &frames))
    ++failures;
  EXPECT(tensorc_tensor_dtype(z) == TENSORC_C64 &&
         tensorc_tensor_dims(z)[0] == 3);
  EXPECT_SUM(
      tensorc_fourier(TENSORC_IRFFT, z, 0, NULL, 0, NULL, "ortho", HERE, &y),
      10);
  EXPECT_SUM(tensorc_istft(frames, 4, 4, NULL, 0, 1, -1, HERE, &y), 10);
  EXPECT_SUM(tensorc_fftfreq(4, 1, TENSORC_F32, HERE, &y), -0.5);
  EXPECT_SUM(tensorc_rfftfreq(4, 1, TENSORC_F32, HERE, &y), 0.75);
  EXPECT_SUM(tensorc_fftshift(x, 0, NULL, HERE, &y), 10);
  EXPECT_SUM(tensorc_ifftshift(x, 0, NULL, HERE, &y), 10);
  EXPECT_SUM(tensorc_window("hann", 4, 1, TENSORC_F32, HERE, &y), 2);
  EXPECT_SUM(tensorc_convolve(x, x, "full", "auto", HERE, &y), 100);
  EXPECT_SUM(tensorc_correlate(x, x, "full", "fft", HERE, &y), 100);
  tensorc_tensor_release(x);
  tensorc_tensor_release(z);
  tensorc_tensor_release(frames);
}

void test_linalg(void) {
  complex_numbers();
  signals();
  factorizations();
  statistics();
  quantization();
}
