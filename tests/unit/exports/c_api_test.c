/* The C interface from C99: record, evaluate, read, and an error. */
#include "tensorc/ops.h"
#include "tensorc/tensorc.h"

#include <stdio.h>
#include <string.h>

#define HERE here(__FILE__, __LINE__)

static tensorc_location here(const char *file, uint32_t line) {
  tensorc_location at;
  at.file = file;
  at.line = line;
  return at;
}

static int failures = 0;
static void check(tensorc_status *status) {
  if (status) {
    printf("unexpected: %s\n", tensorc_status_message(status));
    ++failures;
  }
  tensorc_status_free(status);
}

int main(void) {
  const float data[3] = {1, 2, 3};
  const int64_t dims[1] = {3}, wrong[1] = {4};
  float result[3];
  tensorc_tensor *x, *y, *z;
  tensorc_status *status;
  check(tensorc_from_data(TENSORC_F32, 1, dims, data, NULL, HERE, &x));
  check(tensorc_mul(tensorc_tensor_arg(x), tensorc_float_arg(2), HERE, &y));
  check(tensorc_read(y, result, sizeof result));
  failures += result[0] != 2 || result[2] != 6;

  status = tensorc_broadcast_to(y, 1, wrong, HERE, &z);
  if (!status || z || tensorc_status_code(status) != TENSORC_INVALID_ARGUMENT ||
      !strstr(tensorc_status_message(status), "c_api_test.c:")) {
    printf("no proper error\n");
    ++failures;
  }
  tensorc_status_free(status);
  tensorc_tensor_release(x);
  tensorc_tensor_release(y);
  printf("%d failures\n", failures);
  return failures;
}
