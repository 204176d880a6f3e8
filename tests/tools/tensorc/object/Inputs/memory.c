/* Hands good and bad memory to memory.mlir's functions. */
#include "memory.h"
#include "tensorc/runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Memory that begins `odd` bytes behind a multiple of 64; never freed. */
static void *make(size_t bytes, size_t odd) {
  uintptr_t address = (uintptr_t)malloc(bytes + 128 + odd);
  return (void *)((address + 63) / 64 * 64 + odd);
}

static void large(void) {
  int64_t n = (16 << 20) + 3, wrong = 0;
  float *x = make(4 * (size_t)n, 4), *y = make(4 * (size_t)n, 20);
  memory_inputs in = {x, n};
  memory_outputs out = {y};
  for (int64_t i = 0; i < n; ++i)
    x[i] = (float)(i % 1000);
  int status = memory_run(&in, &out, NULL);
  for (int64_t i = 0; i < n; ++i)
    wrong += y[i] != x[i] + x[i];
  printf("large and odd: %s\n", status  ? memory_error(status)
                                : wrong ? "wrong"
                                        : "same");
}

static int rows(const float *x, float *y, float *total, int64_t n,
                int32_t threads) {
  memory_rows_inputs in = {x, n};
  memory_rows_outputs out = {y, total};
  int64_t bytes = memory_rows_workspace_size_threads(n, threads);
  char *workspace = malloc((size_t)bytes + 64);
  memset(workspace + bytes, 0x5A, 64);
  int status = threads > 1
                   ? memory_rows_run_threads(&in, &out, workspace, threads,
                                             tensorc_rt_parallel_for)
                   : memory_rows_run(&in, &out, workspace);
  for (int i = 0; i < 64; ++i)
    status |= workspace[bytes + i] != 0x5A;
  free(workspace);
  return status;
}

static void threads(void) {
  for (int64_t n = 1; n < 3000; n = 3 * n + 1) {
    size_t bytes = 1200 * (size_t)n;
    float *x = malloc(bytes), *y = malloc(bytes), *z = malloc(bytes), a, b;
    for (int64_t i = 0; i < 300 * n; ++i)
      x[i] = (float)(i * 7919 % 1009) / 300;
    int status = rows(x, y, &a, n, 1);
    for (int32_t count = 2; count < 10; count += 3) {
      status |= rows(x, z, &b, n, count);
      if (status || memcmp(y, z, bytes) || memcmp(&a, &b, 4)) {
        printf("threads: %d of %d rows differ\n", (int)count, (int)n);
        return;
      }
    }
    free(x);
    free(y);
    free(z);
  }
  printf("threads: same\n");
}

static const char *run(const float *x, float *y, int64_t n) {
  memory_inputs in = {x, n};
  memory_outputs out = {y};
  return memory_error(memory_run(&in, &out, NULL));
}

static void refused(void) {
  float x[8] = {0}, y[8];
  memory_inputs in = {x, 8};
  memory_outputs out = {y};
  memory_rows_inputs rowsIn = {x, 0};
  float total;
  memory_rows_outputs rowsOut = {y, &total};
  printf("empty: %s\n", run(NULL, NULL, 0));
  printf("%s\n", run(NULL, y, 8));
  printf("%s\n", run((const float *)(const void *)((char *)x + 1), y, 7));
  printf("%s\n", run(x, NULL, 8));
  printf("%s\n", run(x, y, -1));
  printf("%s\n", run(x, y, (int64_t)1 << 61));
  rowsIn.n = 0;
  if (memory_rows_workspace_size(0) > 0)
    printf("%s\n", memory_rows_error(memory_rows_run(&rowsIn, &rowsOut, NULL)));
  else
    printf("the workspace is a null pointer (none is needed)\n");
  printf("%s\n", memory_error(memory_run(NULL, &out, NULL)));
  printf("%s\n", memory_error(memory_run(&in, NULL, NULL)));
  memory_bounded_inputs bounded = {x, 4097};
  memory_bounded_outputs same = {y};
  printf("%s\n",
         memory_bounded_error(memory_bounded_run(&bounded, &same, NULL)));
  printf("%s, %s, %s\n", memory_error(0), memory_error(-1),
         memory_error(1000000));
  printf("sizes: %d %d %d\n", (int)memory_workspace_size(-1),
         (int)memory_output_size_y((int64_t)1 << 62),
         (int)memory_workspace_size(1000));
}

int main(void) {
  large();
  threads();
  refused();
  return 0;
}
