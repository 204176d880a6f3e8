/* A function saved as a package and loaded, and arrays of other frameworks,
   from C99; part of c_api_test. */
#define _POSIX_C_SOURCE 200809L /* mkdtemp */
#include "tests/compiler/api/c_checks.h"

#include "tensorc/compile.h"
#include "tensorc/devices.h"
#include "tensorc/dlpack.h"
#include "tensorc/files.h"
#include "tensorc/operations.h"
#include "tensorc/tune.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* x * w + n, of x[n]; `user` is w. */
static tensorc_status *record(void *user, tensorc_tensor *const *arguments,
                              tensorc_recording *recording) {
  tensorc_tensor *product = NULL, *sum = NULL;
  const tensorc_tensor *x = arguments[0], *w = user;
  int64_t n = tensorc_tensor_dims(x)[0];
  tensorc_status *status =
      tensorc_mul(TENSORC_ARG(x), TENSORC_ARG(w), HERE, &product);
  if (!status)
    status = tensorc_add(TENSORC_ARG(product), TENSORC_ARG(n), HERE, &sum);
  if (!status)
    status = tensorc_recording_result(recording, sum);
  tensorc_tensor_release(product);
  tensorc_tensor_release(sum);
  return status;
}

/* Without the structs: out and in again. */
static void exchange(tensorc_tensor *x) {
  struct DLManagedTensor *older = NULL;
  struct DLManagedTensorVersioned *array = NULL;
  tensorc_tensor *y;
  EXPECT(!tensorc_to_dlpack(x, NULL, &array));
  EXPECT_SUM(tensorc_from_dlpack(array, NULL, HERE, &y), 6);
  EXPECT(!tensorc_to_dlpack_copied(x, NULL, &array));
  EXPECT_SUM(tensorc_from_dlpack(array, NULL, HERE, &y), 6);
  EXPECT(!tensorc_to_dlpack_unversioned(x, NULL, &older));
  EXPECT_SUM(tensorc_from_dlpack_unversioned(older, NULL, HERE, &y), 6);
}

static void files(const char *folder, tensorc_tensor *x) {
  const char *const name = "weights";
  char path[1024];
  tensorc_tensor_file *file = NULL;
  tensorc_tensor *y;
  snprintf(path, sizeof path, "%s/x.safetensors", folder);
  EXPECT(!tensorc_save_file(path, &name, &x, 1));
  EXPECT(!tensorc_load_file(path, HERE, &file));
  EXPECT(tensorc_tensor_file_count(file) == 1);
  EXPECT(!strcmp(tensorc_tensor_file_name(file, 0), name));
  EXPECT(!tensorc_tensor_file_name(file, 1));
  y = tensorc_tensor_file_tensor(file, 0);
  tensorc_tensor_retain(y);
  tensorc_tensor_file_release(file);
  EXPECT_SUM(NULL, 6);
  EXPECT(!remove(path));
}

static void refused(tensorc_status *status, const char *why) {
  EXPECT(status && strstr(tensorc_status_message(status), why));
  tensorc_status_free(status);
}

/* What is fastest is kept in a file, with the same results. */
static void tunes(const char *folder, tensorc_tensor *x) {
  tensorc_tune_options options;
  tensorc_tuned tuned;
  tensorc_tensor *y = NULL;
  char path[1024];
  FILE *file;
  snprintf(path, sizeof path, "%s/x.tctune", folder);
  options.struct_size = sizeof options;
  options.seconds = 0.01;
  options.path = path;
  tuned.struct_size = sizeof tuned;
  EXPECT(!tensorc_add(TENSORC_ARG(x), TENSORC_ARG(x), HERE, &y));
  EXPECT(!tensorc_tune(&y, 1, &options, &tuned));
  EXPECT(tuned.kernels == 1 && tuned.faster <= 1);
  EXPECT(tuned.seconds > 0 && tuned.seconds <= tuned.usual_seconds);
  EXPECT_SUM(NULL, 12);
  EXPECT(!tensorc_set_tuning(path));
  EXPECT(!tensorc_set_tuning(NULL));
  options.seconds = -1;
  refused(tensorc_tune(&x, 1, &options, NULL), "tune: seconds");
  file = fopen(path, "w");
  fputs("{}", file);
  fclose(file);
  refused(tensorc_set_tuning(path), "is not a tuning file");
  EXPECT(!remove(path));
}

/* Products with a weight before it is packed, and after. */
static void constants(void) {
  const int64_t dims[2] = {128, 64};
  static float data[128 * 64];
  tensorc_tensor *x = NULL, *w = NULL, *y = NULL;
  double sum = 0;
  int32_t i;
  for (i = 0; i < 128 * 64; ++i) {
    data[i] = (float)(i % 5);
    sum += data[i] * 2;
  }
  EXPECT(!tensorc_from_data(TENSORC_F32, 2, dims, data, NULL, HERE, &w));
  for (i = 0; i < 2 * 128; ++i)
    data[i] = 1;
  EXPECT(!tensorc_from_data(TENSORC_F32, 2, (const int64_t[]){2, 128}, data,
                            NULL, HERE, &x));
  for (i = 0; i < 3; ++i) {
    EXPECT_SUM(tensorc_matmul(x, w, HERE, &y), sum);
    EXPECT(!tensorc_constant(w));
  }
  tensorc_tensor_release(x);
  tensorc_tensor_release(w);
}

/* The operations as data. The text of the location does not live long. */
static void operations(tensorc_tensor *x) {
  char file[] = "first.c";
  tensorc_location place = {file, 7}, copy;
  const tensorc_arg both[2] = {tensorc_tensor_arg(x), tensorc_int_arg(2)};
  tensorc_op_info info;
  tensorc_tensor *y = NULL;
  int32_t mul = tensorc_op_find("mul"), i;
  for (i = 0; i < tensorc_op_count(); ++i) {
    info.struct_size = sizeof info;
    EXPECT(!tensorc_op_describe(i, &info));
    EXPECT(info.name && info.category && info.summary && info.description);
    EXPECT(info.operand_count >= 0 && info.result_count >= 1);
    EXPECT(tensorc_op_find(info.name) == i);
  }
  info.struct_size = sizeof info;
  EXPECT(!tensorc_op_describe(mul, &info));
  EXPECT(!strcmp(info.function, "tensorc_mul") && info.operand_count == 2);
  EXPECT(!strcmp(info.operands[1].name, "y") && info.attribute_count == 0);
  EXPECT(info.operands[0].dtypes >> TENSORC_F32 & 1);
  EXPECT(!(info.operands[0].dtypes >> TENSORC_I1 & 1));
  info.struct_size = sizeof info;
  EXPECT(!tensorc_op_describe(tensorc_op_find("sum"), &info));
  EXPECT(!info.function && info.attribute_count > 0);
  EXPECT(info.attributes[0].kind == TENSORC_OP_INTEGERS);
  tensorc_copy_location(file, 8, &copy);
  EXPECT(!tensorc_apply(mul, both, 2, &place, &y));
  file[0] = 'w';
  EXPECT(!strcmp(copy.file, "first.c") && copy.line == 8);
  EXPECT(!strcmp(tensorc_tensor_location(y).file, "first.c"));
  EXPECT_SUM(NULL, 12);
}

/* The program as a function for every size, into memory of the caller. */
static void calls(tensorc_program *program, tensorc_tensor *w,
                  tensorc_tensor *x) {
  const float ten = 100;
  const uint8_t donated = 1;
  float memory[3] = {0, 0, 0};
  tensorc_function *function = NULL, *gone = NULL, *later = NULL;
  tensorc_trace_group *group = NULL;
  tensorc_call_options options = {sizeof options, NULL, NULL};
  tensorc_capture capture;
  tensorc_rt_buffer *buffer = NULL;
  tensorc_rt_device *device = NULL;
  tensorc_tensor *y = NULL, *other = NULL, *copy = NULL;
  tensorc_type type;
  EXPECT(!tensorc_program_function(program, &function));
  EXPECT(!tensorc_function_result(function, 0, &type));
  EXPECT(type.dtype == TENSORC_F32 && type.rank == 1 && type.dims[0] == -1);
  type.rank = 0;
  EXPECT(!tensorc_function_argument(function, 0, &type));
  EXPECT(type.dtype == TENSORC_F32 && type.rank == 1 && type.dims[0] == -1);
  EXPECT(tensorc_function_argument_count(function) == 1);
  EXPECT(tensorc_function_result_count(function) == 1);
  EXPECT_SUM(tensorc_function_call(function, &x, &y), 60 + 9);
  EXPECT(!tensorc_runtime_device(&device));
  EXPECT(!tensorc_rt_buffer_wrap(device, memory, sizeof memory, NULL, NULL,
                                 &buffer));
  options.outputs = &buffer;
  EXPECT(!tensorc_function_call_into(function, &x, &options, NULL));
  EXPECT(memory[0] == 13 && memory[2] == 33);
  tensorc_rt_buffer_release(buffer);
  EXPECT(tensorc_function_captures(function, &capture, 1) == 1);
  EXPECT(capture.tensor == w);
  EXPECT(!tensorc_from_data(TENSORC_F32, 0, NULL, &ten, NULL, HERE, &other));
  /* Also in a function that has left the group again. */
  EXPECT(!tensorc_trace_group_create(&group));
  EXPECT(!tensorc_program_function(program, &gone));
  EXPECT(!tensorc_trace_group_add(group, gone));
  tensorc_function_release(gone);
  EXPECT(!tensorc_trace_group_add(group, function));
  EXPECT(!tensorc_trace_group_rebind(group, w, other));
  EXPECT(!tensorc_program_function_with(program, "n=9", &later));
  EXPECT(!tensorc_trace_group_add(group, later));
  EXPECT_SUM(tensorc_function_call(later, &x, &y), 600 + 9);
  EXPECT(!tensorc_trace_group_rebind(group, w, w));
  EXPECT_SUM(tensorc_function_call(later, &x, &y), 60 + 9);
  tensorc_function_release(later);
  tensorc_trace_group_release(group);
  EXPECT(!tensorc_function_rebind(function, 0, other));
  tensorc_tensor_release(other);
  EXPECT(tensorc_function_captures(function, &capture, 1) == 1);
  EXPECT(capture.tensor == w);
  EXPECT(!tensorc_add(TENSORC_ARG(x), TENSORC_ARG(0), HERE, &copy));
  options.outputs = NULL;
  options.donated = &donated; /* the handle is the call's */
  EXPECT_SUM(tensorc_function_call_into(function, &copy, &options, &y),
             600 + 9);
  tensorc_function_release(function);
}

/* A program as JAX gives it to a plugin, here as text: it gives its first
   argument up. */
static void reads_artifact(tensorc_tensor *x) {
  static const char text[] =
      "func.func @main(%x: tensor<3xf32> {jax.buffer_donor = true}, "
      "%y: tensor<3xf32> {mhlo.memory_kind = \"pinned_host\"}) -> "
      "(tensor<3xf32> {mhlo.memory_kind = \"device\"}) {\n"
      "  %r = stablehlo.add %x, %y : tensor<3xf32>\n"
      "  return %r : tensor<3xf32>\n}";
  tensorc_program *program = NULL;
  tensorc_function *function = NULL;
  tensorc_tensor *y = NULL, *both[2];
  tensorc_call_options options = {sizeof options, NULL, NULL};
  const uint8_t donated[2] = {1, 0};
  tensorc_rt_buffer *given = NULL, *taken = NULL;
  char *sharding = NULL, *kind = NULL;
  int32_t index;
  tensorc_costs costs;
  both[0] = both[1] = x;
  EXPECT(!tensorc_program_read_artifact(text, sizeof text - 1, "f", &program));
  EXPECT(tensorc_program_donates(program, 0) == 1);
  EXPECT(tensorc_program_donates(program, 1) == 0);
  EXPECT(tensorc_program_donates(program, 2) == 0);
  EXPECT(!tensorc_program_sharding(program, 1, 0, &sharding));
  EXPECT(!strcmp(sharding, "")); /* it is for one device */
  tensorc_string_free(sharding);
  for (index = 0; index < 4; ++index) { /* x, y, the result, none */
    static const char *const kinds[4] = {"", "pinned_host", "device", ""};
    EXPECT(!tensorc_program_memory_kind(program, index > 1,
                                        index > 1 ? index - 2 : index, &kind));
    EXPECT(!strcmp(kind, kinds[index]));
    tensorc_string_free(kind);
  }
  EXPECT(!tensorc_program_returns_effect(program));
  EXPECT(!tensorc_program_whole_ops(program));
  EXPECT(!tensorc_program_collectives(program, &kind));
  EXPECT(!strcmp(kind, ""));
  tensorc_string_free(kind);
  costs.struct_size = sizeof costs;
  EXPECT(!tensorc_program_costs(program, &costs));
  EXPECT(costs.operations == 3 && costs.bytes == 36 && costs.kernels == 1);
  EXPECT(!tensorc_program_function(program, &function));
  tensorc_program_release(program);
  EXPECT_SUM(tensorc_function_call(function, both, &y), 12);
  y = x;
  tensorc_tensor_retain(y);
  EXPECT(!tensorc_copy_forwarded(both, 2, &y, 1));
  EXPECT(y != x);
  /* Nothing else holds the copy, so a call may compute its result there. */
  both[0] = y;
  EXPECT(!tensorc_tensor_buffer(y, &given));
  tensorc_rt_buffer_release(given);
  options.donated = donated;
  EXPECT(!tensorc_function_call_into(function, both, &options, &y));
  EXPECT(!tensorc_tensor_buffer(y, &taken));
  EXPECT(taken == given);
  tensorc_rt_buffer_release(taken);
  EXPECT_SUM(NULL, 12);
  tensorc_function_release(function);
}

/* A program as text. */
static void reads(tensorc_tensor *x) {
  static const char text[] = "func.func @f(%x: tensor<3xf32>) -> tensor<3xf32> "
                             "{\n  %y = tx.add %x, %x : tensor<3xf32>\n"
                             "  return %y : tensor<3xf32>\n}";
  tensorc_program *program = NULL;
  tensorc_function *function = NULL;
  tensorc_tensor *y = NULL;
  EXPECT(!tensorc_program_read(text, sizeof text - 1, "f.mlir", &program));
  EXPECT(!tensorc_program_function(program, &function));
  tensorc_program_release(program);
  EXPECT_SUM(tensorc_function_call(function, &x, &y), 12);
  tensorc_function_release(function);
}

void test_programs(void) {
  const int64_t multiple = 1, three = 3;
  const char *const size = "n", *const name = "w", *const result = "y";
  const float data[3] = {1, 2, 3}, factor = 10;
  char folder[] = "/tmp/tensorc-c-XXXXXX", path[1024], *text = NULL;
  tensorc_input input = {"x", TENSORC_F32, 1, NULL, NULL};
  tensorc_program *program = NULL;
  tensorc_save_options options = {0};
  tensorc_tensor *w = NULL, *x = NULL, *y = NULL;
  const tensorc_tensor *weight;
  tensorc_rt_device *device = NULL;
  tensorc_rt_module *module = NULL;
  const tensorc_rt_entry *entry = NULL;
  tensorc_arg arguments[2];
  input.dims = &multiple;
  input.sizes = &size;
  EXPECT(mkdtemp(folder) == folder);
  snprintf(path, sizeof path, "%s/x.tcpkg", folder);
  EXPECT(!tensorc_from_data(TENSORC_F32, 0, NULL, &factor, NULL, HERE, &w));
  EXPECT(!tensorc_from_data(TENSORC_F32, 1, &three, data, NULL, HERE, &x));
  EXPECT(!tensorc_program_create(&input, 1, record, w, HERE, &program));
  EXPECT(!tensorc_program_to_mlir(program, &text));
  EXPECT(text && strstr(text, "#tx.dims<[n]>"));
  tensorc_string_free(text);
  weight = w;
  calls(program, w, x);
  options.struct_size = sizeof options;
  options.output_names = &result;
  options.output_name_count = 1;
  options.weights = &weight;
  options.weight_names = &name;
  options.weight_count = 1;
  options.memory_plans = "n";
  tensorc_status *refused = tensorc_program_save(program, path, &options);
  EXPECT(refused && strstr(tensorc_status_message(refused),
                           "save: memory_plans: 'n' is not of the form "));
  tensorc_status_free(refused);
  options.memory_plans = "n=9";
  EXPECT(!tensorc_program_save(program, path, &options));
  tensorc_program_release(program);
  EXPECT(!tensorc_runtime_device(&device));
  EXPECT(!tensorc_rt_load(device, path, &module));
  EXPECT(!tensorc_rt_module_find(module, NULL, &entry));
  arguments[0] = tensorc_tensor_arg(x);
  arguments[1] = tensorc_tensor_arg(w);
  EXPECT_SUM(tensorc_call(entry, arguments, 2, HERE, &y, 1), 60 + 9);
  tensorc_rt_module_release(module);
  EXPECT(!remove(path));
  reads(x);
  reads_artifact(x);
  operations(x);
  constants();
  exchange(x);
  files(folder, x);
  tunes(folder, x);
  EXPECT(!rmdir(folder)); /* which is empty again */
  tensorc_tensor_release(w);
  tensorc_tensor_release(x);
}
