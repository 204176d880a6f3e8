/* Tensors on several devices, from C99; part of c_api_test. */
#include "tests/compiler/api/c_checks.h"

#include "tensorc/devices.h"
#include "tensorc/dlpack.h"

#include <stdio.h>
#include <string.h>

static void check(tensorc_status *status) {
  if (!status)
    return;
  printf("%s\n", tensorc_status_message(status));
  tensorc_status_free(status);
  ++failures;
}

static void moves(tensorc_rt_device *cpu, tensorc_rt_device *sim) {
  const int64_t dims[1] = {2};
  const float data[2] = {1, 2};
  float copy[2] = {0, 0};
  tensorc_tensor *x, *moved, *sum, *back;
  tensorc_status *status;
  check(tensorc_from_data(TENSORC_F32, 1, dims, data, NULL, HERE, &x));
  EXPECT(tensorc_tensor_device(x) == cpu);
  EXPECT(tensorc_tensor_device(NULL) == NULL);
  check(tensorc_to(x, sim, HERE, &moved));
  EXPECT(tensorc_tensor_device(moved) == sim);
  status = tensorc_concatenate((const tensorc_tensor *const[]){x, moved}, 2, 0,
                               HERE, &sum);
  EXPECT(tensorc_status_code(status) == TENSORC_INVALID_ARGUMENT);
  EXPECT(strstr(tensorc_status_message(status), "f32[2] on sim:0") != NULL);
  tensorc_status_free(status);
  check(tensorc_reduce(TENSORC_SUM, moved, 0, NULL, 1, HERE, &sum));
  check(tensorc_to(sum, cpu, HERE, &back));
  check(tensorc_read(back, copy, sizeof copy[0]));
  EXPECT(copy[0] == 3);
  tensorc_tensor_release(back);
  tensorc_tensor_release(sum);
  check(tensorc_trace_argument_like(moved, HERE, &sum));
  EXPECT(tensorc_tensor_device(sum) == sim && tensorc_tensor_is_traced(sum));
  tensorc_tensor_release(sum);
  tensorc_tensor_release(moved);
  tensorc_tensor_release(x);
}

/* x, which has two elements, is computed on a stream of its own. */
static void streams(tensorc_rt_device *sim, tensorc_tensor *x) {
  tensorc_rt_stream *stream = NULL;
  tensorc_function *function;
  tensorc_capture capture;
  tensorc_tensor *argument, *both, *sum;
  uint64_t bytes;
  check(tensorc_rt_stream_create(sim, &stream));
  check(tensorc_set_stream(sim, stream));
  EXPECT(tensorc_current_stream(sim) == stream);
  EXPECT(!tensorc_tensor_is_ready(x));
  check(tensorc_eval(&x, 1));
  check(tensorc_rt_device_synchronize(sim));
  EXPECT(tensorc_tensor_is_ready(x));
  check(tensorc_set_stream(sim, NULL));
  EXPECT(tensorc_current_stream(sim) == tensorc_rt_device_default_stream(sim));
  tensorc_rt_stream_release(stream);
  check(tensorc_trace_argument_like(x, HERE, &argument));
  check(tensorc_add(TENSORC_ARG(argument), TENSORC_ARG(x), HERE, &both));
  check(tensorc_reduce(TENSORC_SUM, both, 0, NULL, 0, HERE, &sum));
  check(tensorc_function_create(&argument, 1, &sum, 1, &function));
  check(tensorc_function_memory(function, &bytes));
  EXPECT(bytes == 64);
  EXPECT(tensorc_function_captures(function, &capture, 1) == 1);
  EXPECT(capture.tensor == x &&
         capture.at.line == tensorc_tensor_location(x).line);
  tensorc_function_release(function);
  tensorc_tensor_release(sum);
  tensorc_tensor_release(both);
  tensorc_tensor_release(argument);
}

static void current(tensorc_rt_device *sim) {
  const int64_t dims[1] = {2};
  tensorc_rt_device *found;
  tensorc_tensor *x;
  char *name;
  int32_t type = -1, id = -1;
  check(tensorc_thread_device(&name));
  EXPECT(!strcmp(name, ""));
  tensorc_string_free(name);
  check(tensorc_set_device("sim:0"));
  check(tensorc_find_device("sim", &found));
  EXPECT(found == sim);
  for (int32_t i = 0; i < tensorc_rt_device_count(); ++i) {
    tensorc_rt_device_properties properties;
    tensorc_rt_device_get_properties(tensorc_rt_device_get(i), &properties);
    check(tensorc_check_device_name(properties.name));
  }
  check(tensorc_check_device_name("cuda:7"));
  EXPECT(tensorc_is_available("cpu") && tensorc_is_available("sim:0") &&
         tensorc_is_available("auto"));
  EXPECT(!tensorc_is_available("mps") && !tensorc_is_available("xpu") &&
         !tensorc_is_available("opencl:0") && !tensorc_is_available("") &&
         !tensorc_is_available("cpu:x") && !tensorc_is_available("null"));
  tensorc_dlpack_device(sim, &type, &id);
  EXPECT(type == 0 && id == 0);
  check(tensorc_dlpack_find_device(1, 5, &found)); /* memory of the host */
  tensorc_dlpack_device(found, &type, &id);
  EXPECT(type == 1 && id == 0);
  check(tensorc_thread_device(&name));
  EXPECT(!strcmp(name, "sim:0"));
  tensorc_string_free(name);
  check(tensorc_full(TENSORC_F32, 1, dims, TENSORC_ARG(3), HERE, &x));
  EXPECT(tensorc_tensor_device(x) == sim);
  streams(sim, x);
  tensorc_tensor_release(x);
  check(tensorc_set_device(NULL));
}

static void automatic(tensorc_rt_device *cpu) {
  const int64_t dims[1] = {2}, *mesh = dims, *split = dims;
  tensorc_tensor *x, *y;
  char *text;
  check(tensorc_set_device("auto"));
  check(tensorc_full(TENSORC_F32, 1, dims, TENSORC_ARG(3), HERE, &x));
  EXPECT(tensorc_tensor_is_auto(x) && !tensorc_tensor_device(x));
  EXPECT(!tensorc_tensor_residence(x));
  check(tensorc_explain_placement(&x, 1, 0, &text));
  EXPECT(strstr(text, "cpu:0: chosen") != NULL);
  tensorc_string_free(text);
  check(tensorc_eval(&x, 1));
  EXPECT(tensorc_tensor_residence(x) == cpu);
  check(tensorc_to(x, cpu, HERE, &y));
  EXPECT(!tensorc_tensor_is_auto(y) && tensorc_tensor_device(y) == cpu);
  EXPECT(!tensorc_tensor_sharding(y, &mesh, &split) && !mesh && !split);
  tensorc_tensor_release(x);
  check(tensorc_to_auto(y, HERE, &x));
  EXPECT(tensorc_tensor_is_auto(x));
  tensorc_tensor_release(y);
  tensorc_tensor_release(x);
  check(tensorc_set_device(NULL));
  check(tensorc_device_figures(cpu, &text));
  EXPECT(strstr(text, "\"launch_us\"") != NULL);
  tensorc_string_free(text);
}

void test_devices(void) {
  tensorc_rt_device *cpu = NULL, *sim = NULL;
  check(tensorc_rt_device_find("cpu", &cpu));
  check(tensorc_rt_device_find("sim:0", &sim));
  check(tensorc_set_device("cpu"));
  if (cpu && sim)
    moves(cpu, sim);
  if (cpu)
    automatic(cpu);
  check(tensorc_set_device(NULL));
  if (sim)
    current(sim);
}
