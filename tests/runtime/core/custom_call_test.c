/* A function of the embedder, called from a package that the tool made. */
#include "tensorc/runtime.h"

#include <stdio.h>
#include <string.h>

static int calls = 0;

/* y = x * factor; checks what it is given, as such a function should. */
static tensorc_rt_status *scale(const tensorc_rt_custom_call *call) {
  int *count = (int *)call->user;
  const float *x = (const float *)call->inputs[0];
  float *y = (float *)call->outputs[0];
  uint64_t i, n = call->scalars[0], factor = call->scalars[1];
  ++*count;
  if (call->input_count != 1 || call->output_count != 1 ||
      call->scalar_count != 2 || call->input_sizes[0] != n * sizeof(float) ||
      call->output_sizes[0] != n * sizeof(float) || strcmp(call->config, "up"))
    return tensorc_rt_status_create(TENSORC_RT_INVALID_ARGUMENT,
                                    "scale: other arguments expected");
  if (n == 5)
    return tensorc_rt_status_create(TENSORC_RT_CUSTOM_CALL,
                                    "scale: five is too many");
  for (i = 0; i < n; ++i)
    y[i] = x[i] * (float)factor;
  return NULL;
}

static int failed(tensorc_rt_status *status, const char *expected) {
  int differs = strcmp(tensorc_rt_status_message(status), expected);
  if (differs)
    fprintf(stderr, "'%s', expected '%s'\n", tensorc_rt_status_message(status),
            expected);
  tensorc_rt_status_free(status);
  return differs;
}

static int run(tensorc_rt_module *module, int64_t n, const char *expected) {
  float values[5] = {1, 2, 3, 4, 5};
  tensorc_rt_buffer *x = NULL;
  tensorc_rt_arg arg;
  tensorc_rt_output y;
  int wrong = 0;
  memset(&arg, 0, sizeof(arg));
  if (failed(tensorc_rt_buffer_allocate(tensorc_rt_module_device(module),
                                        sizeof(values), &x),
             "") ||
      failed(tensorc_rt_buffer_write(x, 0, values, sizeof(values), NULL), ""))
    return 1;
  arg.buffer = x;
  arg.dims = &n;
  arg.rank = 1;
  arg.dtype = TENSORC_RT_F32;
  wrong = failed(
      tensorc_rt_run(tensorc_rt_module_entry(module, 0), &arg, 1, &y, 1, NULL),
      expected);
  if (y.buffer) {
    wrong |= failed(tensorc_rt_buffer_read(y.buffer, 0, values,
                                           (size_t)n * sizeof(float), NULL),
                    "");
    wrong |= values[0] != 3 || values[n - 1] != 3 * (float)n;
  }
  tensorc_rt_buffer_release(y.buffer);
  tensorc_rt_buffer_release(x);
  return wrong;
}

int main(int argc, char **argv) {
  tensorc_rt_module *module = NULL;
  if (argc != 2)
    return 2;
  if (failed(tensorc_rt_load(NULL, argv[1], &module),
             "package: it calls 'test.scale', which is not registered: before "
             "loading, make it a tensorc::CustomOp, or call "
             "tensorc_rt_register_op or tensorc_rt_register_custom_call"))
    return 3;
  if (failed(tensorc_rt_register_custom_call("test.scale", scale, &calls),
             "") ||
      failed(tensorc_rt_load(NULL, argv[1], &module), ""))
    return 4;
  if (run(module, 4, "") || run(module, 1, "") ||
      run(module, 5, "scale: five is too many") || calls != 3)
    return 5;
  tensorc_rt_module_release(module);
  return 0;
}
