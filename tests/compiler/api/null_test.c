/* Every function of the C interface with NULL, negative counts and numbers that
   no enumerator has: what gives a status refuses it and names the operation,
   the others do nothing and give 0, NULL or "". */
#include "tensorc/arrays.h"
#include "tensorc/compile.h"
#include "tensorc/control.h"
#include "tensorc/devices.h"
#include "tensorc/dlpack.h"
#include "tensorc/files.h"
#include "tensorc/grad.h"
#include "tensorc/indexing.h"
#include "tensorc/kernel.h"
#include "tensorc/nn.h"
#include "tensorc/operations.h"
#include "tensorc/progress.h"
#include "tensorc/random.h"
#include "tensorc/tune.h"
#include "tensorc/windows.h"
#include "tests/compiler/api/c_checks.h"

#include <stdio.h>
#include <string.h>

static const tensorc_location at = {"null_test.c", 1};
static const int64_t ones[2] = {1, 1};
static const float data[2] = {1, 2};
static tensorc_tensor *x, *out;

/* The message begins with the operation, says something, and out was reset. */
static void refused(tensorc_status *status, const char *op, const char *what,
                    int line) {
  const char *message = tensorc_status_message(status);
  size_t length = strlen(op);
  int holds = tensorc_status_code(status) == TENSORC_INVALID_ARGUMENT &&
              !strncmp(message, op, length) &&
              !strncmp(message + length, ": ", 2) && message[length + 2] &&
              !out;
  if (!holds)
    printf("line %d: %s: '%s'\n", line, what, message);
  failures += !holds;
  tensorc_status_free(status);
  out = x; /* to be reset by the next call */
}
#define REFUSED(op, call) (out = NULL, refused(call, op, #call, __LINE__))
/* Of a call whose last parameter is `out`. */
#define RESETS(op, call) refused(call, op, #call, __LINE__)

static void *leaveNothing(void) { return NULL; }

static tensorc_arg unknown_kind(void) {
  tensorc_arg arg;
  int kind = 9;
  memset(&arg, 0, sizeof arg);
  memcpy(&arg.kind, &kind, sizeof kind);
  return arg;
}

static void elementwise(void) {
  const tensorc_arg none = tensorc_tensor_arg(NULL), nine = unknown_kind();
  size_t i;
  for (i = 0; op_functions[i].name; ++i) {
    const char *op = op_functions[i].name + strlen("tensorc_");
    RESETS(op, call_op(&op_functions[i], NULL, at, &out));
    RESETS(op, call_op(&op_functions[i], &none, at, &out));
    RESETS(op, call_op(&op_functions[i], &nine, at, &out));
    REFUSED(op, call_op(&op_functions[i], TENSORC_ARG(x), at, NULL));
  }
}

static void values(void) {
  const tensorc_dtype f32 = TENSORC_F32;
  static char bytes[192];
  char *aligned = bytes + (64 - (uintptr_t)bytes % 64) % 64, *text = bytes;
  double f = 1;
  int64_t i = 1;
  RESETS("from_data", tensorc_from_data(f32, 2, NULL, data, NULL, at, &out));
  RESETS("from_data", tensorc_from_data(f32, -1, ones, data, NULL, at, &out));
  RESETS("from_data", tensorc_from_data(f32, 1, ones, NULL, NULL, at, &out));
  REFUSED("from_data", tensorc_from_data(f32, 1, ones, data, NULL, at, NULL));
  for (i = 0; i < 2; ++i) { /* aligned: not copied */
    char *memory = aligned + 4 * i;
    RESETS("from_memory",
           tensorc_from_memory(f32, 2, NULL, memory, NULL, NULL, at, &out));
    RESETS("from_memory",
           tensorc_from_memory(f32, -1, ones, memory, NULL, NULL, at, &out));
    REFUSED("from_memory",
            tensorc_from_memory(f32, 1, ones, memory, NULL, NULL, at, NULL));
  }
  RESETS("from_memory",
         tensorc_from_memory(f32, 1, ones, NULL, NULL, NULL, at, &out));
  RESETS("from_memory", tensorc_from_strided_memory(f32, 1, ones, ones, NULL,
                                                    NULL, NULL, at, &out));
  RESETS("from_memory",
         tensorc_from_strided_memory(f32, -1, ones, ones, aligned, NULL, NULL,
                                     at, &out));
  REFUSED("from_memory",
          tensorc_from_strided_memory(f32, 1, ones, ones, aligned, NULL, NULL,
                                      at, NULL));
  RESETS("from_buffer", tensorc_from_buffer(f32, 2, NULL, NULL, at, &out));
  RESETS("from_buffer", tensorc_from_buffer(f32, 1, ones, NULL, at, &out));
  REFUSED("from_buffer", tensorc_from_buffer(f32, 1, ones, NULL, at, NULL));
  REFUSED("eval", tensorc_eval(NULL, 1));
  REFUSED("eval", tensorc_eval(&x, -1));
  REFUSED("eval", tensorc_eval((tensorc_tensor *[]){NULL}, 1));
  REFUSED("read", tensorc_read(NULL, bytes, 4));
  REFUSED("read", tensorc_read(x, NULL, 8));
  REFUSED("settle", tensorc_tensor_settle(NULL));
  REFUSED("item", tensorc_item(NULL, &f, &i));
  EXPECT(f == 0 && i == 0);
  REFUSED("item", tensorc_item(x, NULL, NULL));
  REFUSED("to_string", tensorc_to_string(NULL, &text));
  EXPECT(!text);
  REFUSED("to_string", tensorc_to_string(x, NULL));
  REFUSED("to_mlir", tensorc_to_mlir(NULL, 0, &text));
  REFUSED("to_mlir", tensorc_to_mlir(x, 0, NULL));
}

static void tensors(void) {
  tensorc_rt_buffer *buffer;
  EXPECT(tensorc_status_code(NULL) == TENSORC_OK);
  EXPECT(!strcmp(tensorc_status_message(NULL), ""));
  tensorc_status_free(NULL);
  tensorc_string_free(NULL);
  EXPECT(strlen(tensorc_version()) >= 5);
  EXPECT(tensorc_dtype_name(0) && tensorc_dtype_size(0) == 0);
  EXPECT(tensorc_promote(0, TENSORC_F32) == 0);
  tensorc_tensor_retain(NULL);
  tensorc_tensor_release(NULL);
  EXPECT(tensorc_tensor_dtype(NULL) == 0 && tensorc_tensor_rank(NULL) == 0);
  EXPECT(!tensorc_tensor_dims(NULL) && !tensorc_tensor_is_evaluated(NULL));
  EXPECT(!tensorc_tensor_is_traced(NULL));
  EXPECT(tensorc_set_tracer(NULL) && tensorc_tracer());
  REFUSED("runtime_device", tensorc_runtime_device(NULL));
  REFUSED("tensor_buffer", tensorc_tensor_buffer(x, NULL));
  REFUSED("eval", tensorc_tensor_buffer(NULL, &buffer));
  EXPECT(!buffer);
}

static void indexing(void) {
  const tensorc_arg one = tensorc_int_arg(1), nine = unknown_kind();
  tensorc_gather_numbers numbers;
  memset(&numbers, 0, sizeof numbers);
  RESETS("index", tensorc_index(NULL, 0, NULL, at, &out));
  RESETS("index", tensorc_index(x, 1, NULL, at, &out));
  RESETS("index", tensorc_index(x, -1, NULL, at, &out));
  REFUSED("index", tensorc_index(x, 0, NULL, at, NULL));
  RESETS("at", tensorc_index_update(NULL, 0, NULL, TENSORC_UPDATE_SET, &one, at,
                                    &out));
  RESETS("at",
         tensorc_index_update(x, 0, NULL, TENSORC_UPDATE_SET, NULL, at, &out));
  RESETS("at",
         tensorc_index_update(x, 0, NULL, TENSORC_UPDATE_SET, &nine, at, &out));
  REFUSED("at",
          tensorc_index_update(x, 0, NULL, TENSORC_UPDATE_SET, &one, at, NULL));
  RESETS("gather", tensorc_gather(x, x, NULL, ones, at, &out));
  RESETS("gather", tensorc_gather(x, x, &numbers, NULL, at, &out));
  numbers.num_window_dims = -1;
  RESETS("gather", tensorc_gather(x, x, &numbers, ones, at, &out));
  REFUSED("gather", tensorc_gather(x, x, &numbers, ones, at, NULL));
  RESETS("scatter",
         tensorc_scatter(x, x, x, TENSORC_UPDATE_SET, NULL, at, &out));
  RESETS("scatter",
         tensorc_scatter(x, x, x, TENSORC_UPDATE_SET, &numbers, at, &out));
  REFUSED("scatter",
          tensorc_scatter(x, x, x, TENSORC_UPDATE_SET, &numbers, at, NULL));
}

/* Those that compiler/api/Api.td describes. */
static void functions_of_the_description(void) {
  const tensorc_arg one = tensorc_int_arg(1), nine = unknown_kind();
  const tensorc_arg empty = tensorc_tensor_arg(NULL);
  const int64_t zeros[1] = {0}, two[1] = {2};
  const tensorc_tensor *const none[1] = {NULL}, *const some[1] = {x};
  const uint32_t words[2] = {1, 2};
  tensorc_tensor *key = NULL, *second = NULL;
  EXPECT(!tensorc_from_data(TENSORC_UI32, 1, two, words, NULL, at, &key));
#include "null_functions.inc"
  EXPECT(!second);
  tensorc_tensor_release(key);
}

static void windows(void) {
  tensorc_conv_options conv;
  tensorc_window_options window;
  memset(&conv, 0, sizeof conv);
  conv.struct_size = sizeof conv;
  conv.dims = 1;
  memset(&window, 0, sizeof window);
  window.struct_size = sizeof window;
  window.dims = 1;
  RESETS("conv", tensorc_conv(x, x, NULL, NULL, at, &out));
  RESETS("conv1d", tensorc_conv(x, NULL, NULL, &conv, at, &out));
  REFUSED("conv1d", tensorc_conv(x, x, NULL, &conv, at, NULL));
  RESETS("conv_transpose", tensorc_conv_transpose(x, x, NULL, NULL, at, &out));
  RESETS("conv_transpose1d",
         tensorc_conv_transpose(NULL, x, NULL, &conv, at, &out));
  REFUSED("conv_transpose1d",
          tensorc_conv_transpose(x, x, NULL, &conv, at, NULL));
  RESETS("unfold", tensorc_unfold(x, NULL, at, &out));
  RESETS("unfold", tensorc_unfold(NULL, &window, at, &out));
  REFUSED("unfold", tensorc_unfold(x, &window, at, NULL));
  RESETS("adaptive_pool",
         tensorc_adaptive_pool(TENSORC_MAX, x, 0, TENSORC_CHANNELS_FIRST, ones,
                               at, &out));
  RESETS("adaptive_max_pool1d",
         tensorc_adaptive_pool(TENSORC_MAX, x, 1, TENSORC_CHANNELS_FIRST, NULL,
                               at, &out));
  RESETS("adaptive_max_pool1d",
         tensorc_adaptive_pool(TENSORC_SUM, x, 1, TENSORC_CHANNELS_FIRST, ones,
                               at, &out));
  RESETS("adaptive_max_pool1d",
         tensorc_adaptive_pool(TENSORC_MAX, NULL, 1, TENSORC_CHANNELS_FIRST,
                               ones, at, &out));
  REFUSED("adaptive_max_pool1d",
          tensorc_adaptive_pool(TENSORC_MAX, x, 1, TENSORC_CHANNELS_FIRST, ones,
                                at, NULL));
  RESETS("max_pool", tensorc_pool(TENSORC_MAX, x, NULL, at, &out));
  RESETS("max_pool1d", tensorc_pool(TENSORC_MAX, NULL, &window, at, &out));
  RESETS("max_pool1d", tensorc_pool(TENSORC_MAX, x, &window, at, &out));
  REFUSED("max_pool1d", tensorc_pool(TENSORC_MAX, x, &window, at, NULL));
  RESETS("reduce_window",
         tensorc_reduce_window(TENSORC_SUM, x, NULL, at, &out));
  RESETS("reduce_window",
         tensorc_reduce_window(TENSORC_SUM, NULL, &window, at, &out));
  REFUSED("reduce_window",
          tensorc_reduce_window(TENSORC_SUM, x, &window, at, NULL));
}

static tensorc_status *nothing(const tensorc_rt_op_call *call) {
  (void)call;
  return NULL;
}

static void calls(void) {
  const tensorc_tensor *const none[1] = {NULL};
  const tensorc_arg one = tensorc_int_arg(1);
  tensorc_type type;
  tensorc_custom_op op;
  memset(&op, 0, sizeof op);
  op.struct_size = sizeof op;
  REFUSED("custom_op", tensorc_register_custom_op(NULL));
  REFUSED("custom_op", tensorc_register_custom_op(&op));
  op.name = "null.op";
  op.function = nothing;
  EXPECT(!tensorc_register_custom_op(&op));
  memset(&type, 0, sizeof type);
  type.dtype = TENSORC_F32;
  RESETS("custom_call",
         tensorc_custom_call("null.op", NULL, 1, &type, 1, NULL, at, &out));
  RESETS("custom_call",
         tensorc_custom_call("null.op", none, -1, &type, 1, NULL, at, &out));
  RESETS("null.op",
         tensorc_custom_call("null.op", none, 1, &type, 1, NULL, at, &out));
  REFUSED("custom_call",
          tensorc_custom_call("null.op", none, 0, &type, 1, NULL, at, NULL));
  REFUSED("custom_call",
          tensorc_custom_call("null.op", none, 0, &type, -1, NULL, at, &out));
  RESETS("check_numerics", tensorc_check_numerics(NULL, NULL, at, &out));
  REFUSED("check_numerics", tensorc_check_numerics(NULL, NULL, at, NULL));
  RESETS("debug_print", tensorc_debug_print(NULL, NULL, at, &out));
  REFUSED("debug_print", tensorc_debug_print(NULL, NULL, at, NULL));
  {
    tensorc_kernel_options options;
    tensorc_kernel *kernel = NULL;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    REFUSED("cuda_kernel",
            tensorc_cuda_kernel(NULL, "k", &options, at, &kernel));
    REFUSED("cuda_kernel",
            tensorc_cuda_kernel("", NULL, &options, at, &kernel));
    REFUSED("cuda_kernel", tensorc_cuda_kernel("", "k", NULL, at, &kernel));
    REFUSED("cuda_kernel", tensorc_cuda_kernel("", "k", &options, at, NULL));
    REFUSED("gpu_kernel", tensorc_gpu_kernel(NULL, "k", &options, at, &kernel));
    REFUSED("gpu_kernel", tensorc_gpu_kernel("", "k", &options, at, NULL));
    REFUSED("k", tensorc_gpu_kernel("", "k", &options, at, &kernel));
    options.input_count = 1;
    REFUSED("k", tensorc_gpu_kernel("", "k", &options, at, &kernel));
    REFUSED("kernel_call", tensorc_kernel_call(NULL, none, 0, at, &out));
  }
  RESETS("call", tensorc_call(NULL, &one, 1, at, &out, 1));
  RESETS("call", tensorc_call(NULL, NULL, 1, at, &out, 1));
  REFUSED("call", tensorc_call(NULL, &one, 1, at, NULL, 1));
  REFUSED("call", tensorc_call(NULL, &one, -1, at, NULL, 0));
  REFUSED("call", tensorc_call(NULL, &one, 0, at, NULL, -1));
}

/* Of an f32[1] that is an argument, and one made of it. */
static void gradients(tensorc_tensor *argument, tensorc_tensor *result) {
  const int32_t wanted = 1;
  tensorc_tensor *none = NULL, *made = x;
#define PULLED(of, by, flags, count, from, with, results, values, gradients)   \
  REFUSED("grad", tensorc_pullback(of, by, flags, count, from, with, results,  \
                                   at, values, gradients))
  PULLED(NULL, &argument, &wanted, 1, &result, NULL, 1, &made, &made);
  PULLED(&none, &argument, &wanted, 1, &result, NULL, 1, &made, &made);
  PULLED(&argument, NULL, &wanted, 1, &result, NULL, 1, &made, &made);
  PULLED(&argument, &none, &wanted, 1, &result, NULL, 1, &made, &made);
  PULLED(&argument, &x, &wanted, 1, &result, NULL, 1, &made, &made);
  PULLED(&x, &x, &wanted, 1, &result, NULL, 1, &made, &made);
  PULLED(&argument, &argument, NULL, 1, &result, NULL, 1, &made, &made);
  PULLED(&argument, &argument, &wanted, -1, &result, NULL, 1, &made, &made);
  PULLED(&argument, &argument, &wanted, 1, NULL, NULL, 1, &made, &made);
  PULLED(&argument, &argument, &wanted, 1, &none, NULL, 1, &made, &made);
  PULLED(&argument, &argument, &wanted, 1, &result, NULL, 0, &made, &made);
  PULLED(&argument, &argument, &wanted, 1, &result, NULL, -1, &made, &made);
  PULLED(&argument, &argument, &wanted, 1, &result, &x, 1, &made, &made);
  PULLED(&argument, &argument, &wanted, 1, &result, NULL, 1, NULL, &made);
  PULLED(&argument, &argument, &wanted, 1, &result, NULL, 1, &made, NULL);
  EXPECT(!made);
}

/* Of an f32[1]. */
static void tapes(void) {
  tensorc_tensor *none = NULL, *made = x;
  tensorc_tape *tape = NULL;
  REFUSED("tape", tensorc_tape_create(at, NULL));
  REFUSED("watch", tensorc_tape_watch(NULL, x, at));
  REFUSED("gradient", tensorc_tape_gradient(NULL, x, &x, 1, at, &made));
  tensorc_tape_release(NULL);
  EXPECT(!tensorc_tape_is_recording());
  EXPECT(!tensorc_tape_create(at, &tape));
  REFUSED("watch", tensorc_tape_watch(tape, NULL, at));
  EXPECT(!tensorc_tape_watch(tape, x, at));
  REFUSED("gradient", tensorc_tape_gradient(tape, NULL, &x, 1, at, &made));
  REFUSED("gradient", tensorc_tape_gradient(tape, x, NULL, 1, at, &made));
  REFUSED("gradient", tensorc_tape_gradient(tape, x, &none, 1, at, &made));
  REFUSED("gradient", tensorc_tape_gradient(tape, x, &x, -1, at, &made));
  REFUSED("gradient", tensorc_tape_gradient(tape, x, &x, 1, at, NULL));
  EXPECT(!made);
  tensorc_tape_release(tape);
}

/* Of an f32[1] that is an argument, and one made of it. */
static void control(tensorc_tensor *argument, tensorc_tensor *result) {
  const int64_t axis = 0;
  tensorc_tensor *none = NULL;
  tensorc_body body = {&argument, 1, &result, 1},
               bad = {&argument, -1, NULL, 1};
  RESETS("scan", tensorc_trace_part_like(NULL, at, &out));
  REFUSED("scan", tensorc_trace_part_like(x, at, NULL));
  REFUSED("cond", tensorc_cond(NULL, &argument, 1, &body, &body, at, &none));
  REFUSED("cond", tensorc_cond(x, NULL, 1, &body, &body, at, &none));
  REFUSED("cond", tensorc_cond(x, &argument, -1, &body, &body, at, &none));
  REFUSED("cond", tensorc_cond(x, &argument, 1, NULL, &body, at, &none));
  REFUSED("cond", tensorc_cond(x, &argument, 1, &body, &bad, at, &none));
  REFUSED("cond", tensorc_cond(x, &argument, 1, &body, &body, at, NULL));
  REFUSED("cond", tensorc_cond(x, &argument, 1, &body, &body, at, &none));
  REFUSED("switch", tensorc_switch(NULL, &argument, 1, &body, 1, at, &none));
  REFUSED("switch", tensorc_switch(x, NULL, 1, &body, 1, at, &none));
  REFUSED("switch", tensorc_switch(x, &argument, -1, &body, 1, at, &none));
  REFUSED("switch", tensorc_switch(x, &argument, 1, NULL, 1, at, &none));
  REFUSED("switch", tensorc_switch(x, &argument, 1, &body, -1, at, &none));
  REFUSED("switch", tensorc_switch(x, &argument, 1, &body, 0, at, &none));
  REFUSED("switch", tensorc_switch(x, &argument, 1, &bad, 1, at, &none));
  REFUSED("switch", tensorc_switch(x, &argument, 1, &body, 1, at, NULL));
  REFUSED("switch", tensorc_switch(x, &argument, 1, &body, 1, at, &none));
  REFUSED("while_loop",
          tensorc_while_loop(NULL, 1, &body, &body, 0, at, &none));
  REFUSED("while_loop",
          tensorc_while_loop(&argument, -1, &body, &body, 0, at, &none));
  REFUSED("while_loop",
          tensorc_while_loop(&argument, 1, NULL, &body, 0, at, &none));
  REFUSED("while_loop",
          tensorc_while_loop(&argument, 1, &body, &bad, 0, at, &none));
  REFUSED("while_loop",
          tensorc_while_loop(&argument, 1, &body, &body, 0, at, NULL));
  REFUSED("while_loop",
          tensorc_while_loop(&argument, 1, &body, &body, -1, at, &none));
  REFUSED("scan", tensorc_scan_loop(NULL, 1, NULL, 0, 1, 0, &body, at, &none));
  REFUSED("scan",
          tensorc_scan_loop(&argument, 1, &x, -1, 1, 0, &body, at, &none));
  REFUSED("scan",
          tensorc_scan_loop(&argument, 1, NULL, 0, -1, 0, &body, at, &none));
  REFUSED("scan",
          tensorc_scan_loop(&argument, 1, NULL, 0, 1, 0, NULL, at, &none));
  REFUSED("scan",
          tensorc_scan_loop(&argument, 1, NULL, 0, 1, 0, &body, at, &none));
  REFUSED("vmap", tensorc_vmap(NULL, &axis, 1, &body, &axis, at, &none));
  REFUSED("vmap", tensorc_vmap(&argument, NULL, 1, &body, &axis, at, &none));
  REFUSED("vmap", tensorc_vmap(&argument, &axis, -1, &body, &axis, at, &none));
  REFUSED("vmap", tensorc_vmap(&argument, &axis, 1, NULL, &axis, at, &none));
  REFUSED("vmap", tensorc_vmap(&argument, &axis, 1, &bad, &axis, at, &none));
  REFUSED("vmap", tensorc_vmap(&argument, &axis, 1, &body, NULL, at, &none));
  REFUSED("vmap", tensorc_vmap(&argument, &axis, 1, &body, &axis, at, NULL));
  REFUSED("vmap", tensorc_vmap(&argument, &axis, 0, &body, &axis, at, &none));
  RESETS("stop_gradient", tensorc_stop_gradient(NULL, at, &out));
  REFUSED("stop_gradient", tensorc_stop_gradient(x, at, NULL));
  REFUSED("custom_vjp",
          tensorc_custom_vjp(NULL, 1, 1, &body, &body, at, &none));
  REFUSED("custom_vjp",
          tensorc_custom_vjp(&argument, -1, 1, &body, &body, at, &none));
  REFUSED("custom_vjp",
          tensorc_custom_vjp(&argument, 1, -1, &body, &body, at, &none));
  REFUSED("custom_vjp",
          tensorc_custom_vjp(&argument, 1, 2, &body, &body, at, &none));
  REFUSED("custom_vjp",
          tensorc_custom_vjp(&argument, 1, 1, NULL, &body, at, &none));
  REFUSED("custom_vjp",
          tensorc_custom_vjp(&argument, 1, 1, &body, &bad, at, &none));
  REFUSED("custom_vjp",
          tensorc_custom_vjp(&argument, 1, 1, &body, &body, at, NULL));
  REFUSED("checkpoint", tensorc_checkpoint(NULL, 1, &body, at, &none));
  REFUSED("checkpoint", tensorc_checkpoint(&argument, -1, &body, at, &none));
  REFUSED("checkpoint", tensorc_checkpoint(&argument, 0, &body, at, &none));
  REFUSED("checkpoint", tensorc_checkpoint(&argument, 1, NULL, at, &none));
  REFUSED("checkpoint", tensorc_checkpoint(&argument, 1, &body, at, NULL));
  EXPECT(!none);
}

static void functions(void) {
  tensorc_tensor *argument = NULL, *none = NULL, *doubled = NULL;
  tensorc_function *function = NULL;
  tensorc_trace_group *group = NULL;
  tensorc_type type;
  RESETS("jit", tensorc_trace_argument(TENSORC_F32, 1, NULL, at, &out));
  RESETS("jit", tensorc_trace_argument(TENSORC_F32, -1, ones, at, &out));
  REFUSED("jit", tensorc_trace_argument(TENSORC_F32, 1, ones, at, NULL));
  EXPECT(!tensorc_trace_argument(TENSORC_F32, 1, ones, at, &argument));
  EXPECT(
      !tensorc_add(TENSORC_ARG(argument), TENSORC_ARG(argument), at, &doubled));
  control(argument, doubled);
  gradients(argument, doubled);
  tapes();
  REFUSED("jit", tensorc_function_create(NULL, 1, &doubled, 1, &function));
  REFUSED("jit", tensorc_function_create(&none, 1, &doubled, 1, &function));
  REFUSED("jit",
          tensorc_function_create(&argument, -1, &doubled, 1, &function));
  REFUSED("jit", tensorc_function_create(&argument, 1, NULL, 1, &function));
  REFUSED("jit", tensorc_function_create(&argument, 1, &none, 1, &function));
  REFUSED("jit", tensorc_function_create(&argument, 1, &doubled, 1, NULL));
  EXPECT(!function);
  EXPECT(!tensorc_function_create(&argument, 1, &doubled, 1, &function));
  EXPECT(!tensorc_function_accepts(NULL, NULL, 0));
  EXPECT(!tensorc_function_accepts(function, NULL, 1));
  EXPECT(!tensorc_function_accepts(function, &none, 1));
  EXPECT(!tensorc_function_accepts(function, &x, -1));
  REFUSED("jit", tensorc_function_call(NULL, &x, &out));
  REFUSED("jit", tensorc_function_call(function, NULL, &out));
  REFUSED("jit", tensorc_function_call(function, &none, &out));
  REFUSED("jit", tensorc_function_call(function, &x, &out)); /* two elements */
  REFUSED("jit", tensorc_function_call(function, &x, NULL));
  REFUSED("jit", tensorc_function_call_into(NULL, &x, NULL, &out));
  REFUSED("jit", tensorc_function_call_into(function, &x, NULL, NULL));
  REFUSED("jit", tensorc_function_call_into(function, NULL, NULL, &out));
  REFUSED("jit", tensorc_function_argument(NULL, 0, &type));
  REFUSED("jit", tensorc_function_argument(function, 1, &type));
  REFUSED("jit", tensorc_function_argument(function, -1, &type));
  REFUSED("jit", tensorc_function_argument(function, 0, NULL));
  REFUSED("copy_forwarded", tensorc_copy_forwarded(&x, -1, &out, 1));
  REFUSED("copy_forwarded", tensorc_copy_forwarded(NULL, 1, &out, 1));
  REFUSED("copy_forwarded", tensorc_copy_forwarded(&x, 1, NULL, 1));
  REFUSED("copy_forwarded", tensorc_copy_forwarded(&x, 1, &out, -1));
  REFUSED("copy_forwarded", tensorc_copy_forwarded(&none, 1, &out, 0));
  REFUSED("copy_forwarded", tensorc_copy_forwarded(&x, 1, &none, 1));
  REFUSED("copy_forwarded", tensorc_copy_forwarded(&x, 1, &argument, 1));
  REFUSED("jit", tensorc_function_result(NULL, 0, &type));
  REFUSED("jit", tensorc_function_result(function, 1, &type));
  REFUSED("jit", tensorc_function_result(function, -1, &type));
  REFUSED("jit", tensorc_function_result(function, 0, NULL));
  REFUSED("rebind", tensorc_function_rebind(NULL, 0, x));
  REFUSED("rebind", tensorc_function_rebind(function, 0, NULL));
  REFUSED("rebind", tensorc_function_rebind(function, 7, x));
  REFUSED("rebind", tensorc_function_rebind(function, -1, x));
  REFUSED("jit", tensorc_trace_group_create(NULL));
  EXPECT(!tensorc_trace_group_create(&group));
  REFUSED("rebind", tensorc_trace_group_rebind(group, x, x)); /* is empty */
  REFUSED("jit", tensorc_trace_group_add(NULL, function));
  REFUSED("jit", tensorc_trace_group_add(group, NULL));
  EXPECT(!tensorc_trace_group_add(group, function));
  REFUSED("rebind", tensorc_trace_group_rebind(NULL, x, x));
  REFUSED("rebind", tensorc_trace_group_rebind(group, NULL, x));
  REFUSED("rebind", tensorc_trace_group_rebind(group, x, NULL));
  REFUSED("rebind", tensorc_trace_group_rebind(group, x, x)); /* not captured */
  tensorc_trace_group_release(group);
  tensorc_trace_group_release(NULL);
  tensorc_function_release(function);
  tensorc_function_release(NULL);
  tensorc_tensor_release(doubled);
  tensorc_tensor_release(argument);
}

static void devices(void) {
  tensorc_rt_device *device = tensorc_tensor_device(x), *found = NULL;
  tensorc_tensor *none = NULL;
  char *text = NULL;
  uint64_t bytes;
  EXPECT(device && !tensorc_tensor_device(NULL));
  RESETS("to", tensorc_to(NULL, device, at, &out));
  RESETS("to", tensorc_to(x, NULL, at, &out));
  REFUSED("to", tensorc_to(x, device, at, NULL));
  RESETS("to", tensorc_to_auto(NULL, at, &out));
  REFUSED("to", tensorc_to_auto(x, at, NULL));
  EXPECT(!tensorc_tensor_is_auto(NULL) && !tensorc_tensor_residence(NULL));
  EXPECT(!tensorc_tensor_sharding(NULL, NULL, NULL));
  EXPECT(!tensorc_tensor_sharding(x, NULL, NULL));
  REFUSED("explain_placement", tensorc_explain_placement(&x, 1, 0, NULL));
  REFUSED("explain_placement", tensorc_explain_placement(NULL, 1, 0, &text));
  REFUSED("explain_placement", tensorc_explain_placement(&x, -1, 0, &text));
  REFUSED("explain_placement", tensorc_explain_placement(&none, 1, 0, &text));
  REFUSED("device_figures", tensorc_device_figures(NULL, &text));
  REFUSED("device_figures", tensorc_device_figures(device, NULL));
  REFUSED("thread_device", tensorc_thread_device(NULL));
  RESETS("jit", tensorc_trace_argument_like(NULL, at, &out));
  REFUSED("jit", tensorc_trace_argument_like(x, at, NULL));
  EXPECT(!tensorc_set_device(NULL)); /* none */
  REFUSED("set_stream", tensorc_set_stream(NULL, NULL));
  EXPECT(!tensorc_current_stream(NULL) && !tensorc_tensor_is_ready(NULL));
  REFUSED("jit", tensorc_function_memory(NULL, &bytes));
  REFUSED("jit", tensorc_function_memory(NULL, NULL));
  EXPECT(!tensorc_function_captures(NULL, NULL, 0));
  EXPECT(!tensorc_tensor_location(NULL).file);
  REFUSED("device", tensorc_check_device_name(NULL));
  REFUSED("find_device", tensorc_find_device(NULL, &found));
  REFUSED("find_device", tensorc_find_device("cpu", NULL));
  EXPECT(!tensorc_is_available(NULL));
}

static void operations(void) {
  tensorc_op_info info;
  tensorc_location place;
  const tensorc_arg one[1] = {tensorc_int_arg(2)};
  const tensorc_arg none[2] = {tensorc_tensor_arg(NULL), unknown_kind()};
  int32_t add = tensorc_op_find("add"), conv = tensorc_op_find("conv");
  EXPECT(tensorc_op_count() > 100 && add >= 0 && conv >= 0);
  EXPECT(tensorc_op_find(NULL) == -1 && tensorc_op_find("none") == -1);
  info.struct_size = sizeof info;
  REFUSED("op_describe", tensorc_op_describe(-1, &info));
  REFUSED("op_describe", tensorc_op_describe(tensorc_op_count(), &info));
  REFUSED("op_describe", tensorc_op_describe(0, NULL));
  RESETS("apply", tensorc_apply(-1, one, 1, NULL, &out));
  RESETS("apply", tensorc_apply(add, one, 1, NULL, &out));
  RESETS("add", tensorc_apply(add, none, 2, NULL, &out));
  RESETS("apply", tensorc_apply(add, NULL, 2, NULL, &out));
  RESETS("apply", tensorc_apply(conv, one, 1, NULL, &out));
  REFUSED("apply", tensorc_apply(add, one, 1, NULL, NULL));
  tensorc_copy_location(NULL, 7, &place);
  EXPECT(!place.file && place.line == 7);
  tensorc_copy_location("here", 7, NULL);
}

static void dlpack(void) {
  struct DLManagedTensor *older = NULL;
  struct DLManagedTensorVersioned *array = NULL;
  tensorc_rt_device *device = NULL;
  int32_t type = -1;
  RESETS("from_dlpack", tensorc_from_dlpack(NULL, NULL, at, &out));
  REFUSED("from_dlpack", tensorc_from_dlpack(NULL, NULL, at, NULL));
  RESETS("from_dlpack", tensorc_from_dlpack_unversioned(NULL, NULL, at, &out));
  REFUSED("from_dlpack", tensorc_from_dlpack_unversioned(NULL, NULL, at, NULL));
  REFUSED("dlpack_find_device", tensorc_dlpack_find_device(1, 0, NULL));
  REFUSED("from_dlpack", tensorc_dlpack_find_device(-1, 0, &device));
  REFUSED("from_dlpack", tensorc_dlpack_find_device(0, 0, &device));
  EXPECT(!device);
  tensorc_dlpack_device(NULL, &type, NULL);
  EXPECT(type == 0);
  tensorc_dlpack_device(NULL, NULL, NULL);
  REFUSED("to_dlpack", tensorc_to_dlpack(NULL, NULL, &array));
  REFUSED("to_dlpack", tensorc_to_dlpack(x, NULL, NULL));
  REFUSED("to_dlpack", tensorc_to_dlpack_copied(NULL, NULL, &array));
  REFUSED("to_dlpack", tensorc_to_dlpack_copied(x, NULL, NULL));
  REFUSED("to_dlpack", tensorc_to_dlpack_unversioned(NULL, NULL, &older));
  REFUSED("to_dlpack", tensorc_to_dlpack_unversioned(x, NULL, NULL));
}

static void files(void) {
  tensorc_tensor_file *file = NULL;
  const char *name = NULL;
  REFUSED("load", tensorc_load_file(NULL, at, &file));
  REFUSED("load", tensorc_load_file("none.npy", at, &file));
  REFUSED("load", tensorc_load_file("none.npy", at, NULL));
  tensorc_tensor_file_release(NULL);
  EXPECT(!tensorc_tensor_file_count(NULL));
  EXPECT(!tensorc_tensor_file_name(NULL, 0));
  EXPECT(!tensorc_tensor_file_tensor(NULL, 0));
  REFUSED("save", tensorc_save_file(NULL, NULL, &x, 1));
  REFUSED("save", tensorc_save_file("x.npy", NULL, NULL, 1));
  REFUSED("save", tensorc_save_file("x.npz", NULL, &x, -1));
  REFUSED("save", tensorc_save_file("x.npz", NULL, &x, 1));
  REFUSED("save", tensorc_save_file("x.npz", &name, &x, 1));
}

static void session(void) {
  EXPECT(!tensorc_set_default_device(NULL)); /* the cpu */
  REFUSED("default_device", tensorc_default_device(NULL));
  tensorc_get_compile_stats(NULL);
  tensorc_reset_compile_stats(0);
  EXPECT(!tensorc_set_disk_cache(NULL));
  REFUSED("disk_cache_folder", tensorc_disk_cache_folder(NULL));
  EXPECT(!tensorc_set_tuning(NULL));
  REFUSED("tune", tensorc_tune(NULL, 1, NULL, NULL));
  EXPECT(!tensorc_tune(NULL, 0, NULL, NULL));
  tensorc_set_progress(0);
  tensorc_set_progress_file(-1);
  tensorc_set_store_intermediates(0);
  tensorc_set_op_by_op(0);
  EXPECT(!tensorc_set_host_lock(NULL, NULL)); /* no host has one */
  REFUSED("set_host_lock", tensorc_set_host_lock(leaveNothing, NULL));
  EXPECT(!tensorc_set_matmul_precision(NULL)); /* the highest */
  EXPECT(tensorc_matmul_precision()[0] == 'h');
  REFUSED("set_default_dtype", tensorc_set_default_dtype((tensorc_dtype)0));
  EXPECT(tensorc_default_dtype() == TENSORC_F32);
  EXPECT(!tensorc_set_thread_dtype((tensorc_dtype)0)); /* none of its own */
  EXPECT(!tensorc_thread_dtype());
  REFUSED("last_kernels", tensorc_last_kernels(NULL));
}

static tensorc_status *record_nothing(void *user,
                                      tensorc_tensor *const *arguments,
                                      tensorc_recording *recording) {
  (void)user;
  EXPECT(!arguments[0] || tensorc_tensor_is_traced(arguments[0]));
  return tensorc_recording_result(recording, NULL);
}

static void programs(void) {
  tensorc_input input = {NULL, TENSORC_F32, 1, ones, NULL};
  tensorc_function *function = NULL;
  tensorc_program *none = NULL;
  tensorc_costs costs;
  char *text = NULL;
  int nine = 99;
  REFUSED("compile", tensorc_recording_result(NULL, x));
  REFUSED("compile",
          tensorc_program_create(NULL, 1, record_nothing, NULL, at, &none));
  REFUSED("compile",
          tensorc_program_create(&input, -1, record_nothing, NULL, at, &none));
  REFUSED("compile", tensorc_program_create(&input, 1, NULL, NULL, at, &none));
  REFUSED("compile",
          tensorc_program_create(&input, 1, record_nothing, NULL, at, NULL));
  REFUSED("compile",
          tensorc_program_create(&input, 1, record_nothing, NULL, at, &none));
  input.dims = NULL;
  REFUSED("compile",
          tensorc_program_create(&input, 1, record_nothing, NULL, at, &none));
  memcpy(&input.dtype, &nine, sizeof nine);
  REFUSED("compile",
          tensorc_program_create(&input, 1, record_nothing, NULL, at, &none));
  REFUSED("read", tensorc_program_read(NULL, 0, NULL, &none));
  REFUSED("read", tensorc_program_read("", 0, NULL, NULL));
  REFUSED("read", tensorc_program_read("", 0, NULL, &none));
  REFUSED("read", tensorc_program_read_artifact(NULL, 0, NULL, &none));
  REFUSED("read", tensorc_program_read_artifact("", 0, NULL, NULL));
  REFUSED("read", tensorc_program_read_artifact("", 0, NULL, &none));
  EXPECT(!tensorc_program_donates(NULL, 0));
  REFUSED("sharding", tensorc_program_sharding(NULL, 0, 0, &text));
  REFUSED("sharding", tensorc_program_sharding(NULL, 0, 0, NULL));
  REFUSED("memory_kind", tensorc_program_memory_kind(NULL, 0, 0, &text));
  REFUSED("memory_kind", tensorc_program_memory_kind(NULL, 0, 0, NULL));
  EXPECT(!tensorc_program_returns_effect(NULL));
  EXPECT(!tensorc_program_whole_ops(NULL));
  REFUSED("collectives", tensorc_program_collectives(NULL, &text));
  REFUSED("collectives", tensorc_program_collectives(NULL, NULL));
  costs.struct_size = sizeof costs;
  REFUSED("costs", tensorc_program_costs(NULL, &costs));
  REFUSED("costs", tensorc_program_costs(NULL, NULL));
  EXPECT(!tensorc_function_argument_count(NULL));
  EXPECT(!tensorc_function_result_count(NULL));
  REFUSED("save", tensorc_program_save(NULL, "x.tcpkg", NULL));
  REFUSED("constant", tensorc_constant(NULL));
  REFUSED("to_mlir", tensorc_program_to_mlir(NULL, &text));
  REFUSED("to_mlir", tensorc_program_to_mlir(NULL, NULL));
  REFUSED("jit", tensorc_program_function(NULL, &function));
  REFUSED("jit", tensorc_program_function(NULL, NULL));
  REFUSED("jit", tensorc_program_function_with(NULL, NULL, &function));
  REFUSED("jit", tensorc_program_function_with(NULL, "n=1", NULL));
  tensorc_program_release(NULL);
}

int main(void) {
  const int64_t dims[1] = {2};
  setvbuf(stdout, NULL, _IONBF, 0);
  EXPECT(!tensorc_from_data(TENSORC_F32, 1, dims, data, NULL, at, &x));
  out = x;
  elementwise();
  values();
  tensors();
  indexing();
  functions_of_the_description();
  windows();
  calls();
  functions();
  devices();
  session();
  operations();
  dlpack();
  files();
  programs();
  tensorc_tensor_release(x);
  return failures != 0;
}
