/* Records an expression through tensorc.h, compiles it and reads the result. */
#include <stdio.h>
#include <tensorc/ops.h>
#include <tensorc/tensorc.h>

/* Returns the source location of a call, for messages. */
static tensorc_location at(const char *file, uint32_t line) {
  tensorc_location location;
  location.file = file;
  location.line = line;
  return location;
}
#define HERE at(__FILE__, __LINE__)

/* Returns whether a call failed, and prints and frees its message. */
static int failed(tensorc_status *status) {
  if (!status)
    return 0;
  fprintf(stderr, "%s\n", tensorc_status_message(status));
  tensorc_status_free(status);
  return 1;
}

int main(void) {
  const float values[6] = {3, 0, 4, 0, 0, 2};
  const int64_t dims[2] = {2, 3}, columns[1] = {1};
  float result[6];
  int i, status = 1;
  tensorc_tensor *x = NULL, *squares = NULL, *sums = NULL, *lengths = NULL;
  tensorc_tensor *y = NULL;

  /* Each call records an operation; tensorc_read compiles and runs. */
  if (failed(tensorc_from_data(TENSORC_F32, 2, dims, values, NULL, HERE, &x)) ||
      failed(tensorc_mul(TENSORC_ARG(x), TENSORC_ARG(x), HERE, &squares)) ||
      failed(
          tensorc_reduce(TENSORC_SUM, squares, 1, columns, 1, HERE, &sums)) ||
      failed(tensorc_sqrt(TENSORC_ARG(sums), HERE, &lengths)) ||
      failed(tensorc_div(TENSORC_ARG(x), TENSORC_ARG(lengths), HERE, &y)))
    goto done;
  /* Handles that are still held would be computed as additional results. */
  tensorc_tensor_release(squares);
  tensorc_tensor_release(sums);
  tensorc_tensor_release(lengths);
  squares = sums = lengths = NULL;

  if (failed(tensorc_read(y, result, sizeof result)))
    goto done;
  for (i = 0; i < 6; ++i)
    printf("%g%s", result[i], i % 3 == 2 ? "\n" : " ");
  status = 0;
done:
  tensorc_tensor_release(squares);
  tensorc_tensor_release(sums);
  tensorc_tensor_release(lengths);
  tensorc_tensor_release(x);
  tensorc_tensor_release(y);
  return status;
}
