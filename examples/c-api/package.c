/* Runs a package through runtime.h. The program does not link the compiler. */
#include <stdio.h>
#include <stdlib.h>
#include <tensorc/runtime.h>

static int failed(tensorc_rt_status *status) {
  if (!status)
    return 0;
  fprintf(stderr, "%s\n", tensorc_rt_status_message(status));
  tensorc_rt_status_free(status);
  return 1;
}

/* Prints the inputs of the entry with the names of their dimensions. */
static int describe(const tensorc_rt_entry *entry) {
  int32_t i, d;
  tensorc_rt_value_info info;
  for (i = 0; i < tensorc_rt_entry_input_count(entry); ++i) {
    if (failed(tensorc_rt_entry_input(entry, i, &info)))
      return 1;
    printf("%s: %s[", info.name, tensorc_rt_dtype_name(info.dtype));
    for (d = 0; d < info.rank; ++d)
      printf("%s%s", d ? ", " : "", info.dim_names[d]);
    printf("]\n");
  }
  return 0;
}

int main(int argc, char **argv) {
  static const float values[6] = {3, 0, 4, 0, 0, 2};
  static const int64_t dims[2] = {2, 3};
  tensorc_rt_device *device;
  tensorc_rt_module *module = NULL;
  const tensorc_rt_entry *entry;
  tensorc_rt_arg x = {NULL, 0, dims, 2, TENSORC_RT_F32};
  tensorc_rt_output y = {NULL, TENSORC_RT_NONE, 0, {0}};
  float result[6];
  int i, status = 1;

  if (argc != 2) {
    fprintf(stderr, "usage: package FILE.tcpkg\n");
    return 2;
  }
  if (failed(tensorc_rt_device_find("cpu", &device)) ||
      failed(tensorc_rt_load(device, argv[1], &module)) ||
      failed(tensorc_rt_module_find(module, NULL, &entry)) || describe(entry) ||
      failed(tensorc_rt_buffer_allocate(device, sizeof values, &x.buffer)) ||
      failed(
          tensorc_rt_buffer_write(x.buffer, 0, values, sizeof values, NULL)) ||
      failed(tensorc_rt_run(entry, &x, 1, &y, 1, NULL)) ||
      failed(tensorc_rt_buffer_read(y.buffer, 0, result, sizeof result, NULL)))
    goto done;
  for (i = 0; i < 6; ++i)
    printf("%g%s", result[i], i % 3 == 2 ? "\n" : " ");
  status = 0;
done:
  tensorc_rt_buffer_release(x.buffer);
  tensorc_rt_buffer_release(y.buffer);
  tensorc_rt_module_release(module);
  return status;
}
