/* Devices as in PyTorch programs, through the C interface. Comments show the
   lines of a program of libtorch.

     build/bin/devices-c [SECOND]

   SECOND is a second device. Without it, this is the first GPU, or the simulated
   GPU if there is none. */
#include <stdio.h>
#include <tensorc/devices.h>
#include <tensorc/ops.h>
#include <tensorc/tensorc.h>

static tensorc_location at(const char *file, uint32_t line) {
  tensorc_location location;
  location.file = file;
  location.line = line;
  return location;
}
#define HERE at(__FILE__, __LINE__)

/* Returns whether a call failed, and prints and frees its message. The runtime's
   functions return statuses of the same type. */
static int failed(tensorc_status *status) {
  if (!status)
    return 0;
  printf("%s\n", tensorc_status_message(status));
  tensorc_status_free(status);
  return 1;
}

static const char *name_of(tensorc_rt_device *device) {
  static tensorc_rt_device_properties properties;
  tensorc_rt_device_get_properties(device, &properties);
  return properties.name;
}

/* Returns the first of these kinds of devices that is available. Unknown kinds
   are not available, and not an error. */
static const char *best(void) {
  /* torch::cuda::is_available() ? torch::kCUDA : torch::mps::is_available() ... */
  return tensorc_is_available("cuda")  ? "cuda"
         : tensorc_is_available("mps") ? "mps"
         : tensorc_is_available("xpu") ? "xpu"
                                       : "cpu";
}

/* Makes ones of this size on the thread's current device. */
static int make(int64_t size, tensorc_tensor **x) {
  return failed(tensorc_full(TENSORC_F32, 1, &size, TENSORC_ARG(1), HERE, x));
}

static int print_sum(const char *text, tensorc_tensor *x) {
  tensorc_tensor *sum = NULL;
  double value = 0;
  int64_t integer = 0;
  int status = failed(tensorc_reduce(TENSORC_SUM, x, 0, NULL, 0, HERE, &sum)) ||
               failed(tensorc_item(sum, &value, &integer));
  if (!status)
    printf("%s %s on %s: %g\n", text,
           tensorc_dtype_name(tensorc_tensor_dtype(x)),
           name_of(tensorc_tensor_device(x)), value);
  tensorc_tensor_release(sum);
  return status;
}

static int create_and_convert(tensorc_rt_device *device) {
  const float values[4] = {0, 1, 2, 3};
  const int64_t dims[1] = {4};
  tensorc_tensor *x = NULL, *moved = NULL, *both = NULL, *back = NULL;
  tensorc_rt_device *cpu = NULL;
  int status;
  /* auto x = torch::tensor({0., 1., 2., 3.}); x.to(device);
     x.to(device, torch::kFloat64); x.cpu() */
  status =
      failed(tensorc_find_device("cpu", &cpu)) ||
      failed(tensorc_from_data(TENSORC_F32, 1, dims, values, NULL, HERE, &x)) ||
      failed(tensorc_to(x, device, HERE, &moved)) ||
      failed(tensorc_astype(moved, TENSORC_F64, HERE, &both)) ||
      failed(tensorc_to(both, cpu, HERE, &back)) ||
      print_sum("moved:", moved) || print_sum("converted:", both) ||
      print_sum("back:", back);
  tensorc_tensor_release(x);
  tensorc_tensor_release(moved);
  tensorc_tensor_release(both);
  tensorc_tensor_release(back);
  return status;
}

static int guard(const char *device) {
  char *before = NULL, *after = NULL;
  tensorc_tensor *inside = NULL, *nested = NULL;
  /* { c10::DeviceGuard guard(device); ... } restores the device at its end. */
  int status = failed(tensorc_thread_device(&before)) ||
               failed(tensorc_set_device(device)) || make(2, &inside) ||
               failed(tensorc_set_device("cpu")) || make(2, &nested) ||
               failed(tensorc_set_device(*before ? before : NULL)) ||
               failed(tensorc_thread_device(&after));
  if (!status) {
    printf("within the guard on %s, ", name_of(tensorc_tensor_device(inside)));
    printf("within another one on %s, ",
           name_of(tensorc_tensor_device(nested)));
    printf("afterwards on \"%s\"\n", after);
  }
  tensorc_tensor_release(inside);
  tensorc_tensor_release(nested);
  tensorc_string_free(before);
  tensorc_string_free(after);
  return status;
}

static int mix(tensorc_rt_device *device) {
  tensorc_tensor *x = NULL, *moved = NULL, *y = NULL, *sum = NULL;
  int status = make(2, &x) || failed(tensorc_to(x, device, HERE, &y));
  /* "Expected all tensors to be on the same device, but found at least two" */
  if (!status &&
      !failed(tensorc_add(TENSORC_ARG(x), TENSORC_ARG(y), HERE, &sum)))
    status = print_sum("added:", sum);
  tensorc_tensor_release(sum);
  sum = NULL;
  status =
      status || failed(tensorc_to(x, device, HERE, &moved)) ||
      failed(tensorc_add(TENSORC_ARG(moved), TENSORC_ARG(y), HERE, &sum)) ||
      print_sum("moved first:", sum);
  tensorc_tensor_release(x);
  tensorc_tensor_release(moved);
  tensorc_tensor_release(y);
  tensorc_tensor_release(sum);
  return status;
}

static int measure(const char *name, tensorc_rt_device *device) {
  tensorc_rt_event *start = NULL, *end = NULL;
  tensorc_rt_stream *stream = tensorc_current_stream(device);
  tensorc_tensor *x = NULL, *y = NULL;
  int64_t nanoseconds = -1;
  int status;
  /* torch::Event start(kind), end(kind); start.record(stream); ... */
  status = failed(tensorc_set_device(name)) || make(1 << 16, &x) ||
           failed(tensorc_rt_event_create(device, &start)) ||
           failed(tensorc_rt_event_create(device, &end)) ||
           failed(tensorc_rt_event_record(start, stream)) ||
           failed(tensorc_sqrt(TENSORC_ARG(x), HERE, &y)) ||
           failed(tensorc_eval(&y, 1)) ||
           failed(tensorc_rt_event_record(end, stream)) ||
           failed(tensorc_rt_event_synchronize(end)) ||
           failed(tensorc_rt_event_elapsed(start, end, &nanoseconds)) ||
           failed(tensorc_set_device(NULL));
  if (!status)
    printf("between two events: %d, done: %d\n", nanoseconds >= 0,
           tensorc_rt_event_query(end));
  tensorc_tensor_release(x);
  tensorc_tensor_release(y);
  tensorc_rt_event_release(start);
  tensorc_rt_event_release(end);
  return status;
}

static void check_names(void) {
  static const char *const names[] = {"cpu", "cpu:0", "cuda:1", "mps",
                                      "cuda:-1"};
  size_t i;
  for (i = 0; i < sizeof names / sizeof names[0]; ++i) {
    printf("%s: ", names[i]);
    if (!failed(tensorc_check_device_name(names[i])))
      printf("available %d\n", tensorc_is_available(names[i]));
  }
}

int main(int argc, char **argv) {
  const char *names[2] = {"cpu", NULL};
  tensorc_rt_device *device = NULL;
  int i;
  names[1] = argc > 1 ? argv[1] : tensorc_is_available("cuda") ? "cuda" : "sim";
  printf("the best is one that computes: %d, an unknown one does not: %d\n",
         tensorc_is_available(best()), tensorc_is_available("toaster"));
  for (i = 0; i < 2; ++i)
    if (failed(tensorc_find_device(names[i], &device)) ||
        create_and_convert(device) || guard(names[i]) ||
        measure(names[i], device))
      return 1;
  if (mix(device))
    return 1;
  check_names();
  return 0;
}
