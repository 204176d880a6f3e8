/* What the tests of the C interface share: parts of a test count into one
   number of failures. */
#ifndef TENSORC_TESTS_UNIT_EXPORTS_C_CHECKS_H
#define TENSORC_TESTS_UNIT_EXPORTS_C_CHECKS_H

#include "tensorc/ops.h"
#include "tensorc/tensorc.h"

extern int failures;

tensorc_location here(const char *file, uint32_t line);
#define HERE here(__FILE__, __LINE__)

void expect(int holds, const char *what, int line);
#define EXPECT(condition) expect(condition, #condition, __LINE__)

/* The sum of a tensor just made, exact except for f32; releases it. */
void expect_sum(tensorc_status *status, tensorc_tensor *x, double sum,
                int line);
/* Of a call whose last parameter is &y. */
#define EXPECT_SUM(call, sum) expect_sum(call, y, sum, __LINE__)

/* A function of ops.h: one of the three is not NULL. */
typedef struct op_function {
  const char *name;
  tensorc_status *(*unary)(const tensorc_arg *, tensorc_location,
                           tensorc_tensor **);
  tensorc_status *(*binary)(const tensorc_arg *, const tensorc_arg *,
                            tensorc_location, tensorc_tensor **);
  tensorc_status *(*ternary)(const tensorc_arg *, const tensorc_arg *,
                             const tensorc_arg *, tensorc_location,
                             tensorc_tensor **);
} op_function;
/* All of them, then one without a name. */
extern const op_function op_functions[];
/* With x as every operand. */
tensorc_status *call_op(const op_function *op, const tensorc_arg *x,
                        tensorc_location at, tensorc_tensor **out);

/* The parts of c_api_test. */
void test_control(void);
void test_devices(void);
void test_examples(void);
void test_gradients(void);
void test_indexing(void);
void test_programs(void);
void test_windows(void);

#endif
