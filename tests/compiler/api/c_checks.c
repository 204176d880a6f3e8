/* What the tests of the C interface share. */
#include "tests/compiler/api/c_checks.h"

#include <math.h>
#include <stdio.h>

int failures = 0;

tensorc_location here(const char *file, uint32_t line) {
  tensorc_location at;
  at.file = file;
  at.line = line;
  return at;
}

void expect(int holds, const char *what, int line) {
  if (holds)
    return;
  printf("line %d: not %s\n", line, what);
  ++failures;
}

void expect_sum(tensorc_status *status, tensorc_tensor *x, double sum,
                int line) {
  tensorc_tensor *total = NULL;
  double value = 0;
  int64_t whole = 0;
  double error =
      tensorc_tensor_dtype(x) == TENSORC_F32 ? 1e-6 * (1 + fabs(sum)) : 0;
  if (!status)
    status = tensorc_reduce(TENSORC_SUM, x, 0, NULL, 0, HERE, &total);
  if (!status)
    status = tensorc_item(total, &value, &whole);
  if (status || fabs(value - sum) > error) {
    printf("line %d: %g, not %g: %s\n", line, value, sum,
           tensorc_status_message(status));
    ++failures;
  }
  tensorc_status_free(status);
  tensorc_tensor_release(total);
  tensorc_tensor_release(x);
}

const op_function op_functions[] = {
#include "op_functions.inc"
    {NULL, NULL, NULL, NULL}};

tensorc_status *call_op(const op_function *op, const tensorc_arg *x,
                        tensorc_location at, tensorc_tensor **out) {
  if (op->unary)
    return op->unary(x, at, out);
  if (op->binary)
    return op->binary(x, x, at, out);
  return op->ternary(x, x, x, at, out);
}
