/* Every function of the runtime with NULL where an object, an out parameter or
   data is expected: those that give a status refuse it, the others do nothing
   and give 0, NULL or "". Another test compares the program's symbols with the
   library's. */
#include "tensorc/communicator.h"
#include "tensorc/interrupt.h"
#include "tensorc/memory.h"
#include "tensorc/profile.h"
#include "tensorc/runtime.h"

#include <stdio.h>
#include <string.h>

static int failures = 0;

static void expect(int holds, const char *what, int line) {
  if (holds)
    return;
  printf("line %d: not %s\n", line, what);
  ++failures;
}
#define EXPECT(condition) expect(condition, #condition, __LINE__)

static void refused(tensorc_rt_status *status, const char *what, int line) {
  int holds = tensorc_rt_status_code(status) == TENSORC_RT_INVALID_ARGUMENT &&
              *tensorc_rt_status_message(status);
  expect(holds, what, line);
  tensorc_rt_status_free(status);
}
#define REFUSED(call) refused(call, #call " refused", __LINE__)

static tensorc_rt_device *device;
static tensorc_rt_buffer *buffer;
static tensorc_rt_stream *stream;
static tensorc_rt_event *event;
static char bytes[128];

static int deleted = 0;
static void deleter(void *user, void *data) {
  (void)user, (void)data;
  ++deleted;
}

static void statuses(void) {
  EXPECT(tensorc_rt_status_create(TENSORC_RT_OK, NULL) == NULL);
  tensorc_rt_status *status =
      tensorc_rt_status_create(TENSORC_RT_NOT_FOUND, NULL);
  EXPECT(!strcmp(tensorc_rt_status_message(status), ""));
  tensorc_rt_status_free(status);
  EXPECT(tensorc_rt_status_code(NULL) == TENSORC_RT_OK);
  EXPECT(!strcmp(tensorc_rt_status_message(NULL), ""));
  tensorc_rt_status_free(NULL);
}

static void types(void) {
  const int64_t dims[1] = {2};
  size_t size = 1;
  EXPECT(strlen(tensorc_rt_version()) >= 5);
  EXPECT(!strcmp(tensorc_rt_dtype_name(TENSORC_RT_NONE), "?"));
  EXPECT(tensorc_rt_dtype_bits(TENSORC_RT_NONE) == 0);
  REFUSED(tensorc_rt_byte_size(TENSORC_RT_F32, 1, dims, NULL));
  REFUSED(tensorc_rt_byte_size(TENSORC_RT_F32, 1, NULL, &size));
  EXPECT(size == 0);
  REFUSED(tensorc_rt_byte_size(TENSORC_RT_F32, -1, dims, &size));
}

static void communicators(void) {
  tensorc_rt_communicator *communicator = (tensorc_rt_communicator *)bytes;
  tensorc_rt_device *none = NULL;
  REFUSED(tensorc_rt_communicator_create_local(NULL, 1, &communicator));
  EXPECT(communicator == NULL);
  REFUSED(tensorc_rt_communicator_create_local(&none, 1, &communicator));
  REFUSED(tensorc_rt_communicator_create_local(&device, 0, &communicator));
  REFUSED(tensorc_rt_communicator_create_local(&device, 1, NULL));
  REFUSED(tensorc_rt_communicator_create_mpi(NULL, &communicator));
  REFUSED(tensorc_rt_communicator_create_mpi(device, NULL));
  REFUSED(tensorc_rt_communicator_create_nccl(NULL, "/f", 0, 1, &communicator));
  REFUSED(tensorc_rt_communicator_create_nccl(device, NULL, 0, 1, NULL));
  REFUSED(
      tensorc_rt_communicator_create_nccl(device, "f", 0, 1, &communicator));
  REFUSED(
      tensorc_rt_communicator_create_nccl(device, "/f", 1, 1, &communicator));
  EXPECT(tensorc_rt_thread_communicator() == NULL);
  REFUSED(tensorc_rt_collective_op(NULL));
  EXPECT(tensorc_rt_communicator_rank(NULL) == 0);
  EXPECT(tensorc_rt_communicator_size(NULL) == 0);
  EXPECT(tensorc_rt_communicator_device(NULL) == NULL);
  EXPECT(!strcmp(tensorc_rt_communicator_backend(NULL), ""));
  tensorc_rt_communicator_counters counters = {1, 1};
  tensorc_rt_communicator_get_counters(NULL, &counters);
  EXPECT(counters.collectives == 0 && counters.bytes_sent == 0);
  tensorc_rt_communicator_get_counters(NULL, NULL);
  tensorc_rt_communicator_set_timeout(NULL, 1);
  tensorc_rt_communicator_abort(NULL, NULL);
  tensorc_rt_communicator_retain(NULL);
  tensorc_rt_communicator_release(NULL);
  tensorc_rt_collective barrier;
  memset(&barrier, 0, sizeof barrier);
  REFUSED(tensorc_rt_communicate(NULL, &barrier, NULL));
  EXPECT(!tensorc_rt_communicator_create_local(&device, 1, &communicator));
  REFUSED(tensorc_rt_communicate(communicator, NULL, NULL));
  REFUSED(tensorc_rt_communicate(communicator, &barrier, NULL));
  tensorc_rt_communicator_abort(communicator, NULL);
  tensorc_rt_communicator_retain(communicator);
  tensorc_rt_communicator_release(communicator);
  tensorc_rt_communicator_release(communicator);
}

static void devices(void) {
  tensorc_rt_device_properties properties;
  tensorc_rt_memory_stats memory;
  tensorc_rt_run_stats runs;
  char *text = (char *)&memory;
  REFUSED(tensorc_rt_device_find("cpu", NULL));
  EXPECT(tensorc_rt_device_get(-1) == NULL);
  EXPECT(tensorc_rt_device_get(tensorc_rt_device_count()) == NULL);
  memset(&properties, 1, sizeof properties);
  tensorc_rt_device_get_properties(NULL, &properties);
  EXPECT(!strcmp(properties.name, "") && !strcmp(properties.target, "") &&
         !strcmp(properties.description, "") && !properties.memory);
  tensorc_rt_device_get_properties(device, NULL);
  EXPECT(tensorc_rt_device_accepts(NULL, "cpu") == 0);
  EXPECT(tensorc_rt_device_accepts(device, NULL) == 0);
  memset(&memory, 1, sizeof memory);
  tensorc_rt_device_memory(NULL, &memory);
  EXPECT(!memory.allocated && !memory.cache_hits);
  tensorc_rt_device_memory(device, NULL);
  EXPECT(tensorc_rt_device_default_stream(NULL) == NULL);
  EXPECT(tensorc_rt_device_default_stream(device) != NULL);
  REFUSED(tensorc_rt_device_synchronize(NULL));
  EXPECT(tensorc_rt_buffer_query(NULL) == 0);
  EXPECT(tensorc_rt_buffer_query(buffer) == 1);
  REFUSED(tensorc_rt_buffer_synchronize(NULL));
  REFUSED(tensorc_rt_buffer_written_on(NULL, stream));
  REFUSED(tensorc_rt_buffer_ready_on(NULL, stream));
  REFUSED(tensorc_rt_buffer_used_on(NULL, stream));
  tensorc_rt_buffer_set_origin(NULL, NULL, 0);
  tensorc_rt_buffer_set_origin(buffer, NULL, 0);
  tensorc_rt_device_set_memory_limit(NULL, 1);
  REFUSED(tensorc_rt_device_record_memory(NULL, 1));
  REFUSED(tensorc_rt_device_memory_snapshot(device, NULL));
  REFUSED(tensorc_rt_device_memory_snapshot(NULL, &text));
  EXPECT(!text);
  tensorc_rt_device_reset_peak(NULL);
  tensorc_rt_device_trim(NULL);
  memset(&runs, 1, sizeof runs);
  tensorc_rt_device_run_stats(NULL, &runs);
  EXPECT(!runs.runs && !runs.custom_calls);
  tensorc_rt_device_run_stats(device, NULL);
}

static void buffers(void) {
  tensorc_rt_buffer *out = buffer;
  char *aligned = bytes + (64 - (uintptr_t)bytes % 64) % 64;
  REFUSED(tensorc_rt_buffer_allocate(device, 64, NULL));
  REFUSED(tensorc_rt_buffer_allocate(NULL, 64, &out));
  EXPECT(out == NULL);
  REFUSED(tensorc_rt_buffer_wrap(NULL, aligned, 64, deleter, NULL, &out));
  REFUSED(tensorc_rt_buffer_wrap(device, NULL, 64, deleter, NULL, &out));
  REFUSED(tensorc_rt_buffer_wrap(device, aligned, 64, deleter, NULL, NULL));
  EXPECT(deleted == 0);
  REFUSED(tensorc_rt_buffer_view(NULL, 0, 0, &out));
  REFUSED(tensorc_rt_buffer_view(buffer, 0, 0, NULL));
  tensorc_rt_buffer_retain(NULL);
  tensorc_rt_buffer_release(NULL);
  EXPECT(tensorc_rt_buffer_references(NULL) == 0);
  EXPECT(tensorc_rt_buffer_is_exclusive(NULL, NULL) == 0);
  EXPECT(tensorc_rt_buffer_data(NULL) == NULL);
  EXPECT(tensorc_rt_buffer_size(NULL) == 0);
  EXPECT(tensorc_rt_buffer_device(NULL) == NULL);
  REFUSED(tensorc_rt_buffer_copy(NULL, 0, buffer, 0, 0, NULL));
  REFUSED(tensorc_rt_buffer_copy(buffer, 0, NULL, 0, 0, NULL));
  REFUSED(tensorc_rt_buffer_write(NULL, 0, bytes, 0, NULL));
  REFUSED(tensorc_rt_buffer_write(buffer, 0, NULL, 1, NULL));
  REFUSED(tensorc_rt_buffer_read(NULL, 0, bytes, 0, NULL));
  REFUSED(tensorc_rt_buffer_read(buffer, 0, NULL, 1, NULL));
}

static void streams(void) {
  tensorc_rt_stream *out = stream;
  REFUSED(tensorc_rt_stream_create(NULL, &out));
  EXPECT(out == NULL);
  REFUSED(tensorc_rt_stream_create(device, NULL));
  REFUSED(tensorc_rt_stream_wrap(NULL, NULL, &out));
  EXPECT(out == NULL);
  REFUSED(tensorc_rt_stream_wrap(device, NULL, NULL));
  EXPECT(tensorc_rt_stream_native(NULL) == NULL);
  EXPECT(tensorc_rt_stream_native(stream) == NULL); /* of the cpu */
  tensorc_rt_stream_retain(NULL);
  tensorc_rt_stream_release(NULL);
  REFUSED(tensorc_rt_stream_synchronize(NULL));
  EXPECT(tensorc_rt_stream_query(NULL) == 0);
  REFUSED(tensorc_rt_stream_wait(NULL, event));
  REFUSED(tensorc_rt_stream_wait(stream, NULL));
  EXPECT(tensorc_rt_stream_device(NULL) == NULL);
}

static void events(void) {
  tensorc_rt_event *out = event;
  int64_t time = 1;
  REFUSED(tensorc_rt_event_create(NULL, &out));
  EXPECT(out == NULL);
  REFUSED(tensorc_rt_event_create(device, NULL));
  tensorc_rt_event_retain(NULL);
  tensorc_rt_event_release(NULL);
  REFUSED(tensorc_rt_event_record(NULL, stream));
  REFUSED(tensorc_rt_event_synchronize(NULL));
  EXPECT(tensorc_rt_event_query(NULL) == 0);
  REFUSED(tensorc_rt_event_elapsed(NULL, event, &time));
  EXPECT(time == 0);
  REFUSED(tensorc_rt_event_elapsed(event, NULL, &time));
  REFUSED(tensorc_rt_event_elapsed(event, event, NULL));
}

static void modules(void) {
  tensorc_rt_module *out = NULL;
  const tensorc_rt_entry *entry = NULL;
  tensorc_rt_status *status;
  REFUSED(tensorc_rt_load(device, NULL, &out));
  REFUSED(tensorc_rt_load(device, "/nowhere/x.tcpkg", NULL));
  status = tensorc_rt_load_bytes(device, NULL, 64, TENSORC_RT_COPY, NULL, NULL,
                                 &out);
  EXPECT(tensorc_rt_status_code(status) == TENSORC_RT_INVALID_PACKAGE);
  tensorc_rt_status_free(status);
  REFUSED(tensorc_rt_load_bytes(device, bytes, 64, TENSORC_RT_COPY, NULL, NULL,
                                NULL));
  EXPECT(deleted == 0);
  REFUSED(tensorc_rt_load_bytes(device, bytes, 64, TENSORC_RT_BORROW, deleter,
                                NULL, NULL));
  EXPECT(deleted == 1);
  tensorc_rt_module_retain(NULL);
  tensorc_rt_module_release(NULL);
  EXPECT(!strcmp(tensorc_rt_module_compiler(NULL), ""));
  EXPECT(!strcmp(tensorc_rt_module_target(NULL), ""));
  EXPECT(tensorc_rt_module_ir_hash(NULL) == 0);
  EXPECT(tensorc_rt_module_device(NULL) == NULL);
  REFUSED(tensorc_rt_module_verify(NULL));
  EXPECT(tensorc_rt_module_entry_count(NULL) == 0);
  EXPECT(tensorc_rt_module_entry(NULL, 0) == NULL);
  REFUSED(tensorc_rt_module_find(NULL, "main", &entry));
  REFUSED(tensorc_rt_module_find(NULL, "main", NULL));
}

static void entries(void) {
  tensorc_rt_value_info info;
  tensorc_rt_arg arg;
  tensorc_rt_output output;
  tensorc_rt_memory_plan plan;
  tensorc_rt_module *module = NULL;
  memset(&arg, 0, sizeof arg);
  EXPECT(!strcmp(tensorc_rt_entry_name(NULL), ""));
  EXPECT(tensorc_rt_entry_input_count(NULL) == 0);
  EXPECT(tensorc_rt_entry_output_count(NULL) == 0);
  memset(&info, 1, sizeof info);
  REFUSED(tensorc_rt_entry_input(NULL, 0, &info));
  EXPECT(info.name == NULL && info.rank == 0);
  REFUSED(tensorc_rt_entry_input(NULL, 0, NULL));
  REFUSED(tensorc_rt_entry_output(NULL, 0, &info));
  REFUSED(tensorc_rt_entry_output(NULL, 0, NULL));
  REFUSED(tensorc_rt_run(NULL, &arg, 1, &output, 1, NULL));
  REFUSED(tensorc_rt_entry_memory(NULL, &arg, 1, &plan));
  REFUSED(tensorc_rt_entry_memory(NULL, &arg, 1, NULL));
  REFUSED(tensorc_rt_run_with(NULL, &arg, 1, NULL, 0, NULL, NULL));
  REFUSED(tensorc_rt_run_into(NULL, &arg, 1, NULL, NULL, 0, NULL, NULL));
  REFUSED(tensorc_rt_cancellation_create(NULL));
  REFUSED(tensorc_rt_load_with(device, NULL, NULL, &module));
  REFUSED(tensorc_rt_load_with(device, "none", NULL, NULL));
  REFUSED(tensorc_rt_load_bytes_with(device, NULL, 0, TENSORC_RT_COPY, NULL,
                                     NULL, NULL, NULL));
  REFUSED(tensorc_rt_trust_only(NULL, 1));
  tensorc_rt_trust_all();
  tensorc_rt_cancellation_retain(NULL);
  tensorc_rt_cancellation_release(NULL);
  tensorc_rt_cancel(NULL);
  EXPECT(!tensorc_rt_set_run_options(NULL));
  tensorc_rt_set_interrupt(NULL, NULL);
  EXPECT(!tensorc_rt_check_interrupt());
}

static tensorc_rt_status *custom(const tensorc_rt_custom_call *call) {
  (void)call;
  return NULL;
}
static tensorc_rt_status *op(const tensorc_rt_op_call *call) {
  (void)call;
  return NULL;
}

static void testArrays(void) {
  float value = 1;
  int64_t dims[] = {1}, integer = 0;
  double number = 0;
  char *text = NULL;
  tensorc_rt_nonfinite found;
  tensorc_rt_array array, bad;
  memset(&array, 0, sizeof array);
  REFUSED(tensorc_rt_array_to_string(&array, &text)); /* no dtype */
  array.dtype = TENSORC_RT_F32;
  array.rank = 1;
  array.dims = dims;
  REFUSED(tensorc_rt_array_to_string(&array, &text)); /* no data */
  array.data = &value;
  REFUSED(tensorc_rt_array_to_string(NULL, &text));
  REFUSED(tensorc_rt_array_to_string(&array, NULL));
  tensorc_rt_string_free(NULL);
  REFUSED(tensorc_rt_array_element(NULL, 0, &number, &integer));
  REFUSED(tensorc_rt_array_element(&array, 1, &number, &integer));
  REFUSED(tensorc_rt_array_element(&array, -1, &number, &integer));
  REFUSED(tensorc_rt_array_element(&array, 0, NULL, &integer));
  REFUSED(tensorc_rt_array_element(&array, 0, &number, NULL));
  REFUSED(tensorc_rt_array_nonfinite(NULL, &found));
  REFUSED(tensorc_rt_array_nonfinite(&array, NULL));
  REFUSED(tensorc_rt_array_check_finite(NULL));
  bad = array;
  bad.rank = TENSORC_RT_MAX_RANK + 1;
  REFUSED(tensorc_rt_array_check_finite(&bad));
  REFUSED(tensorc_rt_check_numerics(NULL));
  REFUSED(tensorc_rt_debug_print(NULL));
  REFUSED(tensorc_rt_check_mask(NULL));
}

static void functions(void) {
  REFUSED(tensorc_rt_register_custom_call(NULL, custom, NULL));
  REFUSED(tensorc_rt_register_custom_call("null.call", NULL, NULL));
  REFUSED(tensorc_rt_register_op(NULL, op, NULL));
  REFUSED(tensorc_rt_register_op("null.op", NULL, NULL));
  testArrays();
  tensorc_rt_set_num_threads(0);
  EXPECT(tensorc_rt_num_threads() >= 1);
  tensorc_rt_set_parallel_for(NULL, NULL);
  tensorc_rt_parallel_for(8, 1, 1, NULL, NULL);
  tensorc_rt_set_launch_hook(NULL, NULL);
  tensorc_rt_set_profile_hook(NULL, NULL);
  tensorc_rt_report_faults();
}

int main(void) {
  tensorc_rt_status *made[4];
  int i;
  made[0] = tensorc_rt_device_find("cpu", &device);
  made[1] = tensorc_rt_buffer_allocate(device, 64, &buffer);
  made[2] = tensorc_rt_stream_create(device, &stream);
  made[3] = tensorc_rt_event_create(device, &event);
  for (i = 0; i < 4; ++i)
    EXPECT(!made[i]);
  setvbuf(stdout, NULL, _IONBF, 0);
  statuses();
  types();
  devices();
  communicators();
  buffers();
  streams();
  events();
  modules();
  entries();
  functions();
  tensorc_rt_buffer_release(buffer);
  tensorc_rt_stream_release(stream);
  tensorc_rt_event_release(event);
  return failures != 0;
}
