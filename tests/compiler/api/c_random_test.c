/* Random numbers from C99; part of c_api_test. */
#include "tensorc/random.h"
#include "tests/compiler/api/c_checks.h"

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
  tensorc_tensor_release(x);
  tensorc_tensor_release(key);
}
