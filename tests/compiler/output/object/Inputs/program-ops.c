/* Calls every entry of program-ops.mlir. */
#include "program-ops.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A workspace at an odd address, with a border that must stay as it is. */
static unsigned char *make(int64_t bytes) {
  unsigned char *memory = malloc((size_t)bytes + 17);
  memset(memory, 0xAB, (size_t)bytes + 17);
  return memory + 1;
}

static void drop(unsigned char *memory, int64_t bytes) {
  for (int i = 0; i < 16; ++i)
    if (memory[bytes + i] != 0xAB)
      printf("wrote behind the workspace\n");
  free(memory - 1);
}

static void loop(int64_t k) {
  int32_t x[4] = {100, 101, 102, 103}, y[4] = {0};
  program_ops_loop_inputs in = {x, 4, k};
  program_ops_loop_outputs out = {y};
  int64_t bytes = program_ops_loop_workspace_size(in.n, in.k);
  unsigned char *workspace = make(bytes);
  int status = program_ops_loop_run(&in, &out, workspace);
  printf("loop %d: %d %d %d %d%s\n", (int)k, y[0], y[1], y[2], y[3],
         status ? program_ops_loop_error(status) : "");
  drop(workspace, bytes);
}

static void swap(int64_t k) {
  int32_t a = 0, b = 0;
  program_ops_swap_inputs in = {k};
  program_ops_swap_outputs out = {&a, &b};
  int64_t bytes = program_ops_swap_workspace_size(k);
  unsigned char *workspace = make(bytes);
  int status = program_ops_swap_run(&in, &out, workspace);
  printf("swap %d: %d %d%s\n", (int)k, a, b,
         status ? program_ops_swap_error(status) : "");
  drop(workspace, bytes);
}

static void branch(void) {
  int32_t x[3] = {1, 2, 3}, yes[3], no[3];
  uint8_t flag = 1;
  program_ops_branch_inputs in = {x, &flag};
  program_ops_branch_outputs out = {yes};
  int64_t bytes = program_ops_branch_workspace_size();
  unsigned char *workspace = make(bytes);
  program_ops_branch_run(&in, &out, workspace);
  flag = 0;
  out.y = no;
  program_ops_branch_run(&in, &out, workspace);
  printf("branch 1: %d %d %d, branch 0: %d %d %d\n", yes[0], yes[1], yes[2],
         no[0], no[1], no[2]);
  drop(workspace, bytes);
}

static void called(void) {
  int32_t x[3] = {1, 2, 3}, y[3];
  program_ops_called_inputs in = {x};
  program_ops_called_outputs out = {y};
  int64_t bytes = program_ops_called_workspace_size();
  unsigned char *workspace = make(bytes);
  program_ops_called_run(&in, &out, workspace);
  printf("called: %d %d %d\n", y[0], y[1], y[2]);
  drop(workspace, bytes);
}

static int twice(const tensorc_object_custom_call *call) {
  const int32_t *x = call->inputs[0];
  int32_t *y = call->outputs[0];
  if (call->user)
    return *(int *)call->user;
  for (int64_t i = 0; i < call->input_bytes[0] / 4; ++i)
    y[i] = 2 * x[i];
  printf("custom: %d %d %d, config %s, scalar %d\n", y[0], y[1], y[2],
         call->config, (int)call->scalars[0]);
  return call->input_count != 1 || call->output_count != 1 ||
         call->scalar_count != 1 || call->output_bytes[0] != 12;
}

static void custom(void) {
  int32_t x[3] = {1, 2, 3}, y[3];
  int five = 5;
  program_ops_custom_inputs in = {x, 9, twice, NULL};
  program_ops_custom_outputs out = {y};
  int status = program_ops_custom_run(&in, &out, NULL);
  if (status)
    printf("%s\n", program_ops_custom_error(status));
  in.double_user = &five;
  printf("%s\n",
         program_ops_custom_error(program_ops_custom_run(&in, &out, NULL)));
  in.double_ = NULL;
  printf("%s\n",
         program_ops_custom_error(program_ops_custom_run(&in, &out, NULL)));
}

static void positive(void) {
  int32_t x[5] = {1, -2, 3, 0, 5}, y[5];
  program_ops_positive_inputs in = {x, 5};
  program_ops_positive_outputs out = {y, sizeof(y), 0};
  int64_t bytes = program_ops_positive_workspace_size(5);
  unsigned char *workspace = make(bytes);
  program_ops_positive_run(&in, &out, workspace);
  printf("positive: %d of 5: %d %d %d\n", (int)out.positive_dim0, y[0], y[1],
         y[2]);
  out.positive_capacity = 8;
  printf("%s\n", program_ops_positive_error(
                     program_ops_positive_run(&in, &out, workspace)));
  drop(workspace, bytes);
}

static const char *compute(int64_t a, int64_t b, int64_t *wrong) {
  int64_t x = (int64_t)(0 - (uint64_t)a), s = b & 63;
  int64_t q = b ? x / b : 0, r = b ? x % b : 0;
  int64_t expected[14] = {0};
  expected[0] = q;
  expected[1] = q - (r && (r < 0) != (b < 0));
  expected[2] = b ? a / b + (a % b && (a < 0) == (b < 0)) : 0;
  expected[3] = r;
  expected[4] = (int64_t)((uint64_t)x >> s);
  expected[5] = x >> s;
  expected[6] = (uint64_t)x < (uint64_t)b ? x : b;
  expected[7] = (int64_t)((uint64_t)x << s);
  expected[8] = (uint64_t)x < (uint64_t)b ? -1 : 0;
  expected[9] = b ? (int64_t)((uint64_t)x / (uint64_t)b) : 0;
  program_ops_arithmetic_inputs in = {expected, a, b};
  program_ops_arithmetic_outputs out = {wrong};
  return program_ops_arithmetic_error(
      program_ops_arithmetic_run(&in, &out, NULL));
}

static void arithmetic(void) {
  int64_t wrong = 0, sum = 0;
  for (int64_t a = 0; a < 40; ++a)
    for (int64_t b = 1; b < 40; ++b) {
      if (strcmp(compute(a, b, &wrong), "success"))
        printf("%d %d failed\n", (int)a, (int)b);
      sum += wrong;
    }
  printf("arithmetic: %s\n", sum ? "wrong" : "ok");
  printf("%s\n", compute(1, 0, &wrong));
  printf("%s\n", compute((int64_t)1 << 40, 3, &wrong));
  printf("%s\n", compute(1, 64, &wrong));
}

static void constants(void) {
  int32_t c[3];
  int8_t filled[5];
  program_ops_constants_outputs out = {c, NULL, filled};
  int status = program_ops_constants_run(NULL, &out, NULL);
  printf("constants: %d %d %d, %d\n", c[0], c[1], c[2], status);
  printf("filled: %d %d %d %d %d\n", filled[0], filled[1], filled[2], filled[3],
         filled[4]);
}

int main(void) {
  loop(7);
  loop(0);
  swap(3);
  swap(4);
  branch();
  called();
  custom();
  positive();
  arithmetic();
  constants();
  return 0;
}
