/* The C interface from C99. Every exported function is used: another test
   compares the program's symbols with the library's.

     c_api_test [FOLDER]: the folder holds softmax.tcpkg, of
     examples/softmax.mlir */
#include "tensorc/kernel.h"
#include "tensorc/progress.h"
#include "tests/compiler/api/c_checks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(tensorc_status *status) {
  if (status) {
    printf("unexpected: %s\n", tensorc_status_message(status));
    ++failures;
  }
  tensorc_status_free(status);
}

/* Expects an error with a part of this message. */
static void refused(tensorc_status *status, const char *part) {
  if (!status || !strstr(tensorc_status_message(status), part)) {
    printf("expected '%s', not '%s'\n", part, tensorc_status_message(status));
    ++failures;
  }
  tensorc_status_free(status);
}

static tensorc_tensor *vector(float a, float b, float c) {
  float data[3];
  const int64_t dims[1] = {3};
  tensorc_tensor *out;
  data[0] = a, data[1] = b, data[2] = c;
  check(tensorc_from_data(TENSORC_F32, 1, dims, data, NULL, HERE, &out));
  return out;
}

/* The sum of a tensor, which is released. */
static double take(tensorc_tensor *tensor) {
  tensorc_tensor *as_f64, *total;
  double value = 0;
  int64_t integer = 0;
  check(tensorc_astype(tensor, TENSORC_F64, HERE, &as_f64));
  check(tensorc_reduce(TENSORC_SUM, as_f64, 0, NULL, 0, HERE, &total));
  check(tensorc_item(total, &value, &integer));
  tensorc_tensor_release(tensor);
  tensorc_tensor_release(as_f64);
  tensorc_tensor_release(total);
  return value;
}
static int near(tensorc_tensor *tensor, double expected) {
  return fabs(take(tensor) - expected) < 1e-4 * (1 + fabs(expected));
}

static void types(void) {
  EXPECT(strlen(tensorc_version()) >= 5);
  EXPECT(!strcmp(tensorc_dtype_name(TENSORC_BF16), "bf16"));
  EXPECT(tensorc_dtype_size(TENSORC_UI16) == 2);
  EXPECT(tensorc_promote(TENSORC_I8, TENSORC_UI8) == TENSORC_I16);
  EXPECT(tensorc_promote(TENSORC_I64, TENSORC_UI64) == (tensorc_dtype)0);
  EXPECT(tensorc_status_code(NULL) == TENSORC_OK);
  EXPECT(!strcmp(tensorc_status_message(NULL), ""));
  tensorc_string_free(NULL);
}

/* Each takes one of the dtypes; what it computes is tested elsewhere. */
static void elementwise(void) {
  static const tensorc_dtype dtypes[3] = {TENSORC_F32, TENSORC_I32, TENSORC_I1};
  tensorc_tensor *x = vector(0.25f, 1, 4), *converted, *y;
  size_t i, k;
  check(tensorc_sub(TENSORC_ARG(x), TENSORC_ARG(1.0), HERE, &y));
  EXPECT(near(y, 2.25));
  check(tensorc_gt(TENSORC_ARG(x), TENSORC_ARG(1), HERE, &converted));
  check(tensorc_bitwise_or(TENSORC_ARG(converted), TENSORC_ARG((_Bool)0), HERE,
                           &y));
  EXPECT(near(y, 1));
  tensorc_tensor_release(converted);
  for (i = 0; op_functions[i].name; ++i) {
    int recorded = 0;
    for (k = 0; k < 3 && !recorded; ++k) {
      tensorc_status *status;
      check(tensorc_astype(x, dtypes[k], HERE, &converted));
      status = call_op(&op_functions[i], TENSORC_ARG(converted), HERE, &y);
      /* The second operand of some is a number. */
      if (status && op_functions[i].binary) {
        tensorc_status_free(status);
        status = op_functions[i].binary(TENSORC_ARG(converted),
                                        TENSORC_ARG(1.0), HERE, &y);
      }
      recorded = !status;
      tensorc_status_free(status);
      tensorc_tensor_release(converted);
      if (recorded) {
        EXPECT(tensorc_tensor_rank(y) == 1 && tensorc_tensor_dims(y)[0] == 3);
        tensorc_tensor_release(y);
      }
    }
    if (!recorded) {
      printf("%s takes no dtype\n", op_functions[i].name);
      ++failures;
    }
  }
  /* A predicate keeps its dtype. */
  check(tensorc_select(TENSORC_ARG((_Bool)1), TENSORC_ARG(x), TENSORC_ARG(-1.0),
                       HERE, &y));
  EXPECT(near(y, 5.25));
  tensorc_tensor_release(x);
}

static int deleted = 0;
static void count_deletion(void *user, void *data) {
  (void)data;
  ++*(int *)user;
}

static void creation(void) {
  static const double grid[6] = {1, 2, 3, 4, 5, 6};
  const int64_t dims[2] = {2, 3}, strides[2] = {1, 2};
  double memory[6] = {1, 2, 3, 4, 5, 6};
  tensorc_tensor *x;
  check(tensorc_from_data(TENSORC_F64, 2, dims, grid, strides, HERE, &x));
  EXPECT(tensorc_tensor_rank(x) == 2 && tensorc_tensor_dims(x)[1] == 3);
  EXPECT(tensorc_tensor_dtype(x) == TENSORC_F64);
  EXPECT(near(x, 21));
  check(tensorc_from_memory(TENSORC_F64, 2, dims, memory, count_deletion,
                            &deleted, HERE, &x));
  EXPECT(near(x, 21) && deleted == 1);
  check(tensorc_from_strided_memory(TENSORC_F64, 2, dims, strides, memory,
                                    count_deletion, &deleted, HERE, &x));
  EXPECT(near(x, 21) && deleted == 2);
}

static void top_k(void) {
  tensorc_tensor *x = vector(1, 2, 3), *y, *places;
  check(tensorc_top_k(x, 2, 0, 1, HERE, &y, &places));
  EXPECT(near(y, 5));
  check(tensorc_astype(places, TENSORC_F32, HERE, &y));
  EXPECT(near(y, 3));
  tensorc_tensor_release(places);
  tensorc_tensor_release(x);
}

static void values(void) {
  tensorc_tensor *x = vector(1, 2, 3), *y, *traced;
  tensorc_rt_buffer *buffer;
  const int64_t dims[1] = {3}, too_many[1] = {4000};
  float data[3];
  char *text;
  check(tensorc_mul(TENSORC_ARG(x), TENSORC_ARG(2.0), HERE, &y));
  EXPECT(!tensorc_tensor_is_evaluated(y) && !tensorc_tensor_is_traced(y));
  check(tensorc_to_mlir(y, 0, &text));
  EXPECT(strstr(text, "tx.mul") != NULL);
  tensorc_string_free(text);
  check(tensorc_eval(&y, 1));
  EXPECT(tensorc_tensor_is_evaluated(y));
  check(tensorc_read(y, data, sizeof data));
  EXPECT(data[0] == 2 && data[2] == 6);
  check(tensorc_to_string(y, &text));
  EXPECT(!strcmp(text, "tensor([2.0, 4.0, 6.0], dtype=f32)"));
  tensorc_string_free(text);
  check(tensorc_last_kernels(&text));
  EXPECT(strlen(text) > 0);
  tensorc_string_free(text);

  check(tensorc_tensor_buffer(y, &buffer));
  check(tensorc_from_buffer(TENSORC_F32, 1, dims, buffer, HERE, &traced));
  EXPECT(near(traced, 12));
  refused(tensorc_from_buffer(TENSORC_F32, 1, too_many, buffer, HERE, &traced),
          "from_buffer: the buffer has");
  tensorc_rt_buffer_release(buffer);

  tensorc_tensor_retain(y);
  tensorc_tensor_release(y);
  tensorc_tensor_release(y);
  tensorc_tensor_release(x);
}

static void traced(void) {
  const int64_t dims[1] = {3}, other[1] = {4};
  tensorc_tensor *x, *y, *result = NULL, *v = vector(1, 2, 3), *w;
  tensorc_function *function;
  tensorc_status *status;
  EXPECT(strcmp(tensorc_set_tracer("batch"), "jit") == 0);
  check(tensorc_trace_argument(TENSORC_F32, 1, dims, HERE, &x));
  status = tensorc_eval(&x, 1);
  EXPECT(status && strstr(tensorc_status_message(status),
                          "not known while batch traces a function"));
  tensorc_status_free(status);
  tensorc_tensor_release(x);
  EXPECT(strcmp(tensorc_set_tracer(NULL), "batch") == 0);
  EXPECT(strcmp(tensorc_tracer(), "jit") == 0);
  check(tensorc_trace_argument(TENSORC_F32, 1, dims, HERE, &x));
  EXPECT(tensorc_tensor_is_traced(x));
  check(tensorc_exp(TENSORC_ARG(x), HERE, &y));
  check(tensorc_function_create(&x, 1, &y, 1, &function));
  EXPECT(tensorc_function_accepts(function, &v, 1));
  check(tensorc_full(TENSORC_F32, 1, other, TENSORC_ARG(0), HERE, &w));
  EXPECT(!tensorc_function_accepts(function, &w, 1));
  check(tensorc_function_call(function, &v, &result));
  EXPECT(near(result, 30.19287));
  tensorc_function_release(function);
  tensorc_tensor_release(v);
  tensorc_tensor_release(w);
  tensorc_tensor_release(x);
  tensorc_tensor_release(y);
}

/* Twice the input, or an error for the config "fail". */
static tensorc_rt_status *twice(const tensorc_rt_op_call *call) {
  const float *x = (const float *)call->inputs[0].data;
  float *y = (float *)call->outputs[0].data;
  int64_t i;
  if (!strcmp(call->config, "fail"))
    return tensorc_rt_status_create(TENSORC_RT_CUSTOM_CALL, "told to fail");
  ++*(int *)call->user;
  for (i = 0; i < call->outputs[0].dims[0]; ++i)
    y[i] = 2 * x[i];
  return NULL;
}
static tensorc_status *same_type(void *user, const tensorc_type *inputs,
                                 int32_t input_count, const char *config,
                                 tensorc_type *outputs, int32_t output_count) {
  (void)user, (void)config;
  if (input_count != 1 || output_count != 1)
    return tensorc_rt_status_create(TENSORC_RT_INVALID_ARGUMENT, "takes one");
  outputs[0] = inputs[0];
  return NULL;
}

static void custom_calls(void) {
  static int calls = 0;
  tensorc_custom_op op;
  tensorc_type type;
  tensorc_tensor *x = vector(1, 2, 3), *y;
  const tensorc_tensor *inputs[1];
  memset(&op, 0, sizeof op);
  op.struct_size = sizeof op;
  op.name = "c.twice";
  op.function = twice;
  op.shape_rule = same_type;
  op.user = &calls;
  check(tensorc_register_custom_op(&op));
  refused(tensorc_register_custom_op(&op), "already registered");
  inputs[0] = x;
  check(tensorc_custom_call("c.twice", inputs, 1, NULL, 1, NULL, HERE, &y));
  EXPECT(near(y, 12) && calls == 1);
  type.dtype = TENSORC_F32;
  type.rank = 1;
  type.dims[0] = 2;
  check(tensorc_custom_call("c.twice", inputs, 1, &type, 1, "", HERE, &y));
  EXPECT(near(y, 6) && calls == 2);
  check(tensorc_custom_call("c.twice", inputs, 1, NULL, 1, "fail", HERE, &y));
  refused(tensorc_eval(&y, 1), "c.twice: told to fail  at ");
  tensorc_tensor_release(y);
  refused(tensorc_custom_call("c.none", inputs, 1, NULL, 1, NULL, HERE, &y),
          "no function is registered as 'c.none'");
  refused(tensorc_custom_call("c.twice", inputs, 0, NULL, 1, NULL, HERE, &y),
          "c.twice: takes one");
  tensorc_tensor_release(x);
}

/* The default device runs ranges: calls are recorded, and refused when run. */
static void kernels(void) {
  const tensorc_kernel_value buffer = {TENSORC_F32, "n"};
  const char *mlir = "gpu.module @m { gpu.func @k(%x: memref<?xf32>, %y: "
                     "memref<?xf32>) kernel { gpu.return } }";
  tensorc_kernel_options options;
  tensorc_kernel *cuda = NULL, *gpu = NULL, *same = NULL;
  tensorc_tensor *x = vector(1, 2, 3), *y = NULL;
  const tensorc_tensor *inputs[1];
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.inputs = options.outputs = &buffer;
  options.input_count = options.output_count = 1;
  options.grid = "n ceildiv 32";
  options.block[0] = 32;
  check(tensorc_cuda_kernel(
      "extern \"C\" __global__ void k(float *x, float *y) {}", "k", &options,
      HERE, &cuda));
  check(tensorc_gpu_kernel(mlir, "k", &options, HERE, &gpu));
  check(tensorc_gpu_kernel(mlir, "k", &options, HERE, &same));
  EXPECT(gpu == same && gpu != cuda);
  options.grid = "q";
  refused(tensorc_gpu_kernel(mlir, "k", &options, HERE, &same),
          "k: grid 'q': no input has the size q");
  inputs[0] = x;
  check(tensorc_kernel_call(cuda, inputs, 1, HERE, &y));
  refused(tensorc_eval(&y, 1), "k: is CUDA C++");
  tensorc_tensor_release(y);
  check(tensorc_kernel_call(gpu, inputs, 1, HERE, &y));
  refused(tensorc_eval(&y, 1), "k: the kernel is for GPUs, not for cpu");
  tensorc_tensor_release(y);
  refused(tensorc_kernel_call(gpu, inputs, 0, HERE, &y),
          "k: takes 1 inputs, not 0");
  tensorc_tensor_release(x);
}

static void session(void) {
  tensorc_compile_stats stats;
  tensorc_disk_cache_options options;
  tensorc_rt_device *device;
  char *text;
  check(tensorc_default_device(&text));
  check(tensorc_set_default_device(text));
  tensorc_string_free(text);
  refused(tensorc_set_default_device("toaster"), "toaster");
  check(tensorc_runtime_device(&device));
  EXPECT(device != NULL);
  stats.struct_size = sizeof stats;
  tensorc_get_compile_stats(&stats);
  EXPECT(stats.hits + stats.compilations > 0);
  tensorc_reset_compile_stats(0);
  tensorc_get_compile_stats(&stats);
  EXPECT(stats.compilations == 0);
  options.struct_size = sizeof options;
  options.folder = "/proc/nothing";
  options.read_only_folder = NULL;
  options.size_limit = 0;
  check(tensorc_set_disk_cache(&options));
  check(tensorc_disk_cache_folder(&text));
  EXPECT(!strcmp(text, ""));
  tensorc_string_free(text);
  check(tensorc_set_disk_cache(NULL));
  tensorc_set_progress_file(1);
  tensorc_set_progress_file(-1);
  tensorc_set_progress(0);
  tensorc_set_store_intermediates(0);
}

/* The host's lock is let go of while a recording evaluates. No lock of tensorc
   is held on either side: both sides record and evaluate. */
static int leaves, enters, isLeft;
static float touch(void) {
  tensorc_tensor *x = vector(1, 2, 3), *sum = NULL;
  float value = 0;
  check(tensorc_reduce(TENSORC_SUM, x, 0, NULL, 0, HERE, &sum));
  check(tensorc_read(sum, &value, sizeof value));
  tensorc_tensor_release(sum);
  tensorc_tensor_release(x);
  return value;
}
static void *leave(void) {
  EXPECT(!isLeft && touch() == 6);
  isLeft = 1;
  ++leaves;
  return &leaves;
}
static void enter(void *left) {
  EXPECT(isLeft && left == &leaves && touch() == 6);
  isLeft = 0;
  ++enters;
}
static void hostLock(void) {
  tensorc_tensor *x = vector(1, 2, 3);
  tensorc_arg one = tensorc_int_arg(1);
  float values[3] = {0};
  check(tensorc_set_host_lock(leave, enter));
  for (int i = 0; i < 8200; ++i) {
    tensorc_arg former = tensorc_tensor_arg(x);
    tensorc_tensor *next = NULL;
    check(tensorc_add(&former, &one, HERE, &next));
    tensorc_tensor_release(x);
    x = next;
    EXPECT(enters == leaves);
  }
  check(tensorc_set_host_lock(NULL, NULL));
  check(tensorc_read(x, values, sizeof values));
  EXPECT(values[0] == 8201 && leaves == 1 && enters == 1);
  tensorc_tensor_release(x);
}

static void numbers(void) {
  tensorc_tensor *x = vector(1, 2, 3), *y = NULL, *z = NULL;
  float values[3] = {0};
  tensorc_set_op_by_op(1);
  check(tensorc_check_numerics(x, "x", HERE, &y));
  EXPECT(tensorc_tensor_is_evaluated(y));
  tensorc_set_op_by_op(0);
  check(tensorc_debug_print(y, "a line of the test", HERE, &z));
  check(tensorc_read(z, values, sizeof values));
  EXPECT(values[0] == 1 && values[2] == 3);
  tensorc_tensor_release(x);
  tensorc_tensor_release(y);
  tensorc_tensor_release(z);
  /* 1 + 2^-9 is no bf16. */
  x = vector(1.001953125f, 0, 0);
  EXPECT(!strcmp(tensorc_matmul_precision(), "highest"));
  check(tensorc_set_matmul_precision("bf16"));
  EXPECT(!strcmp(tensorc_matmul_precision(), "bf16"));
  check(tensorc_matmul(x, x, HERE, &y));
  refused(tensorc_set_matmul_precision("f8"), "\"f8\" is not");
  check(tensorc_set_matmul_precision(NULL));
  EXPECT(take(y) == 1);
  tensorc_tensor_release(x);
}

static void defaultDTypes(void) {
  EXPECT(tensorc_default_dtype() == TENSORC_F32 && !tensorc_thread_dtype());
  check(tensorc_set_default_dtype(TENSORC_F64));
  EXPECT(tensorc_default_dtype() == TENSORC_F64 && !tensorc_thread_dtype());
  tensorc_tensor *x = NULL, *y = NULL;
  check(tensorc_arange(TENSORC_I64, 0, 3, 1, HERE, &x));
  tensorc_arg number = tensorc_float_arg(0.1), integers = tensorc_tensor_arg(x);
  check(tensorc_mul(&integers, &number, HERE, &y));
  EXPECT(tensorc_tensor_dtype(y) == TENSORC_F64);
  tensorc_tensor_release(y);
  check(tensorc_set_thread_dtype(TENSORC_F32));
  EXPECT(tensorc_default_dtype() == TENSORC_F32);
  EXPECT(tensorc_thread_dtype() == TENSORC_F32);
  check(tensorc_mul(&integers, &number, HERE, &y));
  EXPECT(tensorc_tensor_dtype(y) == TENSORC_F32);
  tensorc_tensor_release(y);
  tensorc_tensor_release(x);
  refused(tensorc_set_thread_dtype(TENSORC_F16), "f32 or f64, not f16");
  refused(tensorc_set_default_dtype(TENSORC_I64), "f32 or f64, not i64");
  check(tensorc_set_thread_dtype((tensorc_dtype)0));
  EXPECT(tensorc_default_dtype() == TENSORC_F64);
  check(tensorc_set_default_dtype(TENSORC_F32));
}

static void errors(void) {
  const int64_t four[1] = {4};
  tensorc_rt_buffer *buffer;
  tensorc_tensor *x = vector(1, 2, 3), *y = x;
  tensorc_status *status = tensorc_broadcast_to(x, 1, four, HERE, &y);
  EXPECT(y == NULL);
  EXPECT(tensorc_status_code(status) == TENSORC_INVALID_ARGUMENT);
  refused(status, "c_api_test.c:");
  refused(tensorc_exp(TENSORC_ARG((tensorc_tensor *)NULL), HERE, &y), "exp: ");
  refused(tensorc_eval(&y, 1), "eval: ");
  refused(tensorc_tensor_buffer(NULL, &buffer), "undefined");
  EXPECT(tensorc_tensor_rank(NULL) == 0 && !tensorc_tensor_dims(NULL));
  tensorc_tensor_retain(NULL);
  tensorc_tensor_release(NULL);
  tensorc_tensor_release(x);
}

/* softmax(x * s + b) of a package. */
static void packages(const char *folder) {
  const int64_t dims[2] = {2, 64}, row[1] = {64};
  tensorc_rt_device *device;
  tensorc_rt_module *module = NULL;
  const tensorc_rt_entry *entry;
  tensorc_tensor *x, *b, *y;
  tensorc_arg arguments[3];
  char path[4096];
  if (!folder) {
    refused(tensorc_call(NULL, NULL, 0, HERE, NULL, 0), "no entry");
    return;
  }
  snprintf(path, sizeof path, "%s/softmax.tcpkg", folder);
  check(tensorc_runtime_device(&device));
  check(tensorc_rt_load(device, path, &module));
  if (!module)
    return;
  check(tensorc_rt_module_find(module, NULL, &entry));
  check(tensorc_full(TENSORC_F32, 2, dims, TENSORC_ARG(3), HERE, &x));
  check(tensorc_full(TENSORC_F32, 1, row, TENSORC_ARG(1), HERE, &b));
  arguments[0] = tensorc_tensor_arg(x);
  arguments[1] = tensorc_float_arg(0.5);
  arguments[2] = tensorc_tensor_arg(b);
  check(tensorc_call(entry, arguments, 3, HERE, &y, 1));
  EXPECT(near(y, 2));
  refused(tensorc_call(entry, arguments, 2, HERE, &y, 1),
          "main: takes 3 arguments, got 2  at ");
  arguments[2] = tensorc_tensor_arg(x);
  refused(tensorc_call(entry, arguments, 3, HERE, &y, 1), "c_api_test.c:");
  arguments[2] = tensorc_int_arg(1);
  refused(tensorc_call(entry, arguments, 3, HERE, &y, 1),
          "argument 2 must be a tensor");
  EXPECT(y == NULL);
  tensorc_tensor_release(x);
  tensorc_tensor_release(b);
  tensorc_rt_module_release(module);
}

int main(int argc, char **argv) {
  types();
  elementwise();
  creation();
  top_k();
  defaultDTypes();
  test_examples();
  test_programs();
  test_windows();
  test_control();
  test_gradients();
  test_indexing();
  test_devices();
  values();
  traced();
  custom_calls();
  kernels();
  session();
  numbers();
  hostLock();
  errors();
  packages(argc > 1 ? argv[1] : NULL);
  printf("%d failures\n", failures);
  return failures != 0;
}
