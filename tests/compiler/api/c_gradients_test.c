/* Gradients of recorded functions, from C99; part of c_api_test. */
#include "tests/compiler/api/c_checks.h"

#include "tensorc/devices.h"
#include "tensorc/grad.h"

#include <stddef.h>

/* x x, summed, read, and its gradient by x. */
static void test_tape(tensorc_tensor *x) {
  tensorc_tape *tape = NULL;
  tensorc_tensor *square = NULL, *sum = NULL, *y = NULL;
  EXPECT(!tensorc_tape_is_recording());
  EXPECT(!tensorc_tape_create(HERE, &tape));
  EXPECT(tensorc_tape_is_recording());
  EXPECT(!tensorc_tape_watch(tape, x, HERE));
  EXPECT(!tensorc_mul(TENSORC_ARG(x), TENSORC_ARG(x), HERE, &square));
  EXPECT(!tensorc_reduce(TENSORC_SUM, square, 0, NULL, 0, HERE, &sum));
  EXPECT(!tensorc_eval(&sum, 1));
  EXPECT_SUM(tensorc_tape_gradient(tape, sum, &x, 1, HERE, &y), 12);
  tensorc_tape_release(tape);
  EXPECT(!tensorc_tape_is_recording());
  tensorc_tensor_release(square);
  tensorc_tensor_release(sum);
}

/* x y, summed, and its gradients by x and, where it is wanted, y. */
void test_gradients(void) {
  const float data[3] = {1, 2, 3};
  const int64_t dims[1] = {3};
  const int32_t wanted[2] = {1, 0};
  tensorc_tensor *values[2] = {NULL, NULL}, *arguments[2] = {NULL, NULL};
  tensorc_tensor *product = NULL, *scaled = NULL, *sum = NULL, *y = NULL,
                 *value = NULL;
  tensorc_tensor *gradients[2] = {NULL, NULL};
  tensorc_body forward, backward;
  int i;
  for (i = 0; i < 2; ++i) {
    EXPECT(
        !tensorc_from_data(TENSORC_F32, 1, dims, data, NULL, HERE, &values[i]));
    EXPECT(!tensorc_trace_argument_like(values[i], HERE, &arguments[i]));
  }
  EXPECT(!tensorc_mul(TENSORC_ARG(arguments[0]), TENSORC_ARG(arguments[1]),
                      HERE, &product));
  EXPECT(!tensorc_reduce(TENSORC_SUM, product, 0, NULL, 0, HERE, &sum));
  EXPECT(!tensorc_pullback(arguments, values, wanted, 2, &sum, NULL, 1, HERE,
                           &value, gradients));
  EXPECT(!gradients[1]);
  y = value;
  EXPECT_SUM(NULL, 14);
  y = gradients[0];
  EXPECT_SUM(NULL, 6);
  /* The product's, with a cotangent of its own. */
  EXPECT(!tensorc_pullback(arguments, values, wanted, 2, &product, &values[0],
                           1, HERE, &value, gradients));
  tensorc_tensor_release(value);
  y = gradients[0];
  EXPECT_SUM(NULL, 14);
  EXPECT_SUM(tensorc_stop_gradient(values[0], HERE, &y), 6);
  /* A product, whose gradient by its argument is the cotangent. */
  EXPECT(!tensorc_mul(TENSORC_ARG(arguments[0]), TENSORC_ARG(values[1]), HERE,
                      &scaled));
  forward.arguments = backward.results = arguments;
  forward.argument_count = backward.result_count = 1;
  forward.results = &scaled;
  forward.result_count = 1;
  backward.arguments = arguments;
  backward.argument_count = 1;
  EXPECT_SUM(tensorc_custom_vjp(values, 1, 1, &forward, &backward, HERE, &y),
             14);
  /* The product again, which its gradient computes once more. */
  EXPECT_SUM(tensorc_checkpoint(values, 1, &forward, HERE, &y), 14);
  test_tape(values[0]);
  for (i = 0; i < 2; ++i) {
    tensorc_tensor_release(values[i]);
    tensorc_tensor_release(arguments[i]);
  }
  tensorc_tensor_release(product);
  tensorc_tensor_release(scaled);
  tensorc_tensor_release(sum);
}
