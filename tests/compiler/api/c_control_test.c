/* Branches and loops of recorded bodies, from C99; part of c_api_test. */
#include "tests/compiler/api/c_checks.h"

#include "tensorc/control.h"
#include "tensorc/devices.h"

#include <stddef.h>

/* x + x of an argument like x. */
static void doubled(const tensorc_tensor *like, tensorc_tensor **argument,
                    tensorc_tensor **result) {
  EXPECT(!tensorc_trace_argument_like(like, HERE, argument));
  EXPECT(!tensorc_add(TENSORC_ARG(*argument), TENSORC_ARG(*argument), HERE,
                      result));
}

static void release(tensorc_tensor **tensors, int count) {
  while (count-- > 0)
    tensorc_tensor_release(tensors[count]);
}

void test_control(void) {
  const float data[3] = {1, 2, 3};
  const int64_t dims[1] = {3}, axes[2] = {TENSORC_NO_AXIS, 0};
  tensorc_tensor *x = NULL, *y = NULL, *p = NULL, *s = NULL;
  tensorc_tensor *argument = NULL, *result = NULL, *sum = NULL, *small = NULL;
  tensorc_tensor *arguments[3] = {NULL, NULL, NULL}, *results[2] = {NULL, NULL};
  tensorc_tensor *out[2] = {NULL, NULL}, *values[2] = {NULL, NULL};
  tensorc_body twice, once, condition, step, branches[2];
  EXPECT(!tensorc_from_data(TENSORC_F32, 1, dims, data, NULL, HERE, &x));
  EXPECT(!tensorc_full(TENSORC_I1, 0, NULL, TENSORC_ARG((_Bool)1), HERE, &p));
  doubled(x, &argument, &result);
  twice.arguments = once.arguments = condition.arguments = &argument;
  twice.argument_count = once.argument_count = condition.argument_count = 1;
  twice.results = &result;
  once.results = &argument;
  twice.result_count = once.result_count = condition.result_count = 1;
  EXPECT_SUM(tensorc_cond(p, &x, 1, &twice, &once, HERE, &y), 12);
  branches[0] = twice;
  branches[1] = once;
  EXPECT(!tensorc_full(TENSORC_UI8, 0, NULL, TENSORC_ARG(200), HERE, &s));
  EXPECT_SUM(tensorc_switch(s, &x, 1, branches, 2, HERE, &y), 6);
  tensorc_tensor_release(s);
  /* Until the sum is 40 or more. */
  EXPECT(!tensorc_reduce(TENSORC_SUM, argument, 0, NULL, 0, HERE, &sum));
  EXPECT(!tensorc_lt(TENSORC_ARG(sum), TENSORC_ARG(40), HERE, &small));
  condition.results = &small;
  EXPECT_SUM(tensorc_while_loop(&x, 1, &condition, &twice, 0, HERE, &y), 48);
  EXPECT_SUM(tensorc_while_loop(&x, 1, &condition, &twice, 2, HERE, &y), 24);
  /* Sums so far, of parts. */
  EXPECT(!tensorc_full(TENSORC_F32, 0, NULL, TENSORC_ARG(0), HERE, &s));
  EXPECT(!tensorc_trace_argument(TENSORC_I64, 0, NULL, HERE, &arguments[0]));
  EXPECT(!tensorc_trace_argument_like(s, HERE, &arguments[1]));
  EXPECT(!tensorc_trace_part_like(x, HERE, &arguments[2]));
  EXPECT(!tensorc_add(TENSORC_ARG(arguments[1]), TENSORC_ARG(arguments[2]),
                      HERE, &results[0]));
  results[1] = results[0];
  step.arguments = arguments;
  step.argument_count = 3;
  step.results = results;
  step.result_count = 2;
  EXPECT(!tensorc_scan_loop(&s, 1, &x, 1, 3, 0, &step, HERE, out));
  y = out[0];
  EXPECT_SUM(NULL, 6);
  y = out[1];
  EXPECT_SUM(NULL, 10);
  /* The sum of one example for three, which share the first operand. */
  step.arguments = arguments + 1;
  step.argument_count = 2;
  step.result_count = 1;
  values[0] = s;
  values[1] = x;
  EXPECT_SUM(tensorc_vmap(values, axes, 2, &step, axes + 1, HERE, &y), 6);
  release(arguments, 3);
  release(results, 1);
  release(&argument, 1);
  release(&result, 1);
  release(&sum, 1);
  release(&small, 1);
  release(&x, 1);
  release(&p, 1);
  release(&s, 1);
}
