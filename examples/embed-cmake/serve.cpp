// Runs a package that was compiled at build time: links the runtime alone.
#include "tensorc/runtime.h"

#include <iostream>
#include <memory>
#include <stdexcept>

static void check(tensorc_rt_status *status) {
  if (!status)
    return;
  std::string message = tensorc_rt_status_message(status);
  tensorc_rt_status_free(status);
  throw std::runtime_error(message);
}

struct Release {
  void operator()(tensorc_rt_module *p) const { tensorc_rt_module_release(p); }
  void operator()(tensorc_rt_buffer *p) const { tensorc_rt_buffer_release(p); }
};
using Module = std::unique_ptr<tensorc_rt_module, Release>;
using Buffer = std::unique_ptr<tensorc_rt_buffer, Release>;

static Module load(const char *path) {
  tensorc_rt_module *module = nullptr;
  check(tensorc_rt_load(nullptr, path, &module));
  return Module(module);
}

/// Runs the package's entry on rows of three numbers and prints the result.
static void serve(const Module &module, const float *rows, int64_t count) {
  const tensorc_rt_entry *entry = nullptr;
  check(tensorc_rt_module_find(module.get(), "scale", &entry));
  tensorc_rt_device *device = nullptr;
  check(tensorc_rt_device_find(nullptr, &device));

  size_t size = count * 3 * sizeof(float);
  int64_t dims[] = {count, 3};
  tensorc_rt_buffer *input = nullptr;
  check(tensorc_rt_buffer_allocate(device, size, &input));
  Buffer owner(input);
  check(tensorc_rt_buffer_write(input, 0, rows, size, nullptr));

  tensorc_rt_arg x{input, 0, dims, 2, TENSORC_RT_F32};
  tensorc_rt_output y{};
  check(tensorc_rt_run(entry, &x, 1, &y, 1, nullptr));
  Buffer result(y.buffer);
  auto *values = static_cast<const float *>(tensorc_rt_buffer_data(y.buffer));
  for (int64_t i = 0; i < count * 3; ++i)
    std::cout << values[i] << (i % 3 == 2 ? "\n" : " ");
}

int main(int argc, char **argv) try {
  if (argc != 2) {
    std::cerr << "usage: serve scale.tcpkg\n";
    return 2;
  }
  Module module = load(argv[1]);
  const float two[] = {3, 0, 4, 0, 0, 2}, one[] = {0, 5, 0};
  serve(module, two, 2); // the number of rows is a named dimension:
  serve(module, one, 1); // any number runs the same code
  return 0;
} catch (const std::exception &error) {
  std::cerr << error.what() << "\n";
  return 1;
}
