/* Random numbers from C99; part of c_api_test. */
#include "tensorc/random.h"
#include "tests/compiler/api/c_checks.h"

#include <math.h>

/* Parameters at which numbers are known: 0 or 1, whatever is drawn. */
static void test_distributions(const tensorc_tensor *key, tensorc_location at) {
  const int64_t three[] = {3}, square[] = {1, 1};
  const tensorc_arg zero = *TENSORC_ARG(0.0), one = *TENSORC_ARG(1.0);
  const tensorc_arg far = *TENSORC_ARG(INFINITY);
  const tensorc_dtype f32 = TENSORC_F32, i64 = TENSORC_I64;
  tensorc_tensor *y = NULL, *x = NULL, *vector = NULL, *matrix = NULL;
  tensorc_tensor *mean = NULL;
  tensorc_status *(*const standard[])(const tensorc_tensor *, int32_t,
                                      const int64_t *, tensorc_dtype,
                                      tensorc_location, tensorc_tensor **) = {
      tensorc_random_exponential, tensorc_random_gumbel, tensorc_random_laplace,
      tensorc_random_logistic, tensorc_random_cauchy};
  for (size_t i = 0; i < sizeof standard / sizeof *standard; ++i) {
    /* x - x is 0 for finite numbers. */
    if (standard[i](key, 1, three, f32, at, &x)) {
      ++failures;
      continue;
    }
    const tensorc_arg drawn = tensorc_tensor_arg(x);
    EXPECT_SUM(tensorc_sub(&drawn, &drawn, at, &y), 0);
    tensorc_tensor_release(x);
  }
  if (tensorc_random_rademacher(key, 1, three, i64, at, &x))
    ++failures;
  const tensorc_arg sign = tensorc_tensor_arg(x);
  EXPECT_SUM(tensorc_mul(&sign, &sign, at, &y), 3);
  tensorc_tensor_release(x);
  EXPECT_SUM(tensorc_random_rayleigh(key, &zero, 1, three, f32, at, &y), 0);
  EXPECT_SUM(tensorc_random_weibull(key, &zero, &one, 1, three, f32, at, &y),
             0);
  EXPECT_SUM(tensorc_random_pareto(key, &far, 1, three, f32, at, &y), 3);
  EXPECT_SUM(tensorc_random_lognormal(key, &zero, 1, three, f32, at, &y), 3);
  EXPECT_SUM(
      tensorc_random_truncated_normal(key, &one, &one, 1, three, f32, at, &y),
      3);
  EXPECT_SUM(tensorc_random_gamma(key, &zero, 1, three, f32, at, &y), 0);
  if (tensorc_random_loggamma(key, &far, 0, NULL, f32, at, &x))
    ++failures;
  const tensorc_arg logarithm = tensorc_tensor_arg(x);
  EXPECT_SUM(tensorc_is_inf(&logarithm, at, &y), 1);
  tensorc_tensor_release(x);
  EXPECT_SUM(tensorc_random_chisquare(key, &zero, 1, three, f32, at, &y), 0);
  EXPECT_SUM(tensorc_random_t(key, &one, 1, (const int64_t[]){0}, f32, at, &y),
             0);
  EXPECT_SUM(
      tensorc_random_f(key, &one, &one, 1, (const int64_t[]){0}, f32, at, &y),
      0);
  EXPECT_SUM(tensorc_random_beta(key, &zero, &one, 1, three, f32, at, &y), 0);
  EXPECT_SUM(tensorc_random_poisson(key, &zero, 1, three, i64, at, &y), 0);
  EXPECT_SUM(
      tensorc_random_binomial(key, TENSORC_ARG(4), &one, 1, three, i64, at, &y),
      12);
  EXPECT_SUM(tensorc_random_geometric(key, &one, 1, three, i64, at, &y), 3);
  if (tensorc_full(f32, 1, three, &one, at, &vector) ||
      tensorc_full(f32, 1, square, &one, at, &mean) ||
      tensorc_full(f32, 2, square, &one, at, &matrix)) {
    ++failures;
    return;
  }
  EXPECT_SUM(
      tensorc_random_multinomial(key, TENSORC_ARG(5), matrix, i64, at, &y), 5);
  EXPECT_SUM(tensorc_random_dirichlet(key, matrix, 0, NULL, f32, at, &y), 1);
  EXPECT_SUM(tensorc_random_categorical(key, matrix, -1, 1, three, at, &y), 0);
  EXPECT_SUM(tensorc_random_choice(key, 3, 1, three, 0, NULL, at, &y), 3);
  EXPECT_SUM(tensorc_random_choice(key, 3, 1, three, 0, vector, at, &y), 3);
  if (tensorc_random_multivariate_normal(key, mean, matrix, 1, three, f32, at,
                                         &x))
    ++failures;
  const tensorc_arg vectors = tensorc_tensor_arg(x);
  EXPECT_SUM(tensorc_sub(&vectors, &vectors, at, &y), 0);
  tensorc_tensor_release(x);
  if (tensorc_random_orthogonal(key, 1, 0, NULL, f32, at, &x))
    ++failures;
  const tensorc_arg turned = tensorc_tensor_arg(x);
  EXPECT_SUM(tensorc_abs(&turned, at, &y), 1);
  tensorc_tensor_release(x);
  tensorc_tensor_release(vector);
  tensorc_tensor_release(mean);
  tensorc_tensor_release(matrix);
}

void test_random(void) {
  const int64_t four[] = {4}, none[] = {0};
  tensorc_location at = {__FILE__, 1};
  tensorc_tensor *key = NULL, *x = NULL, *y = NULL;
  EXPECT_SUM(tensorc_random_key(TENSORC_ARG(5), at, &y), 5);
  if (tensorc_random_key(TENSORC_ARG(0), at, &key) ||
      tensorc_random_uniform(key, TENSORC_F64, 1, four, 2.5, 2.5, at, &x))
    ++failures;
  EXPECT_SUM(tensorc_random_split(key, 0, at, &y), 0);
  /* The words of block 0: 0x6b200159 + 0x99ba4efe, modulo 2^32. */
  EXPECT_SUM(tensorc_random_fold_in(key, TENSORC_ARG(0), at, &y),
             (double)0x04da5057);
  EXPECT_SUM(tensorc_random_bits(key, TENSORC_PHILOX4X32_10, TENSORC_UI32, 1,
                                 none, at, &y),
             0);
  EXPECT_SUM(
      tensorc_random_uniform(key, TENSORC_F32, 1, four, 2.5, 2.5, at, &y), 10);
  EXPECT_SUM(tensorc_random_normal(key, TENSORC_F32, 1, none, at, &y), 0);
  EXPECT_SUM(tensorc_random_integers(key, TENSORC_I64, 1, four, TENSORC_ARG(5),
                                     TENSORC_ARG(6), at, &y),
             20);
  EXPECT_SUM(tensorc_random_bernoulli(key, 1, four, TENSORC_ARG(1.0), at, &y),
             4);
  EXPECT_SUM(tensorc_random_permutation(key, 10, at, &y), 45);
  EXPECT_SUM(tensorc_dropout(x, key, 0, at, &y), 10);
  EXPECT_SUM(tensorc_dropout(x, key, 1, at, &y), 0);
  test_distributions(key, at);
  tensorc_tensor_release(x);
  tensorc_tensor_release(key);
}
