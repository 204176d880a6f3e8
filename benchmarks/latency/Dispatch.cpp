//===- Dispatch.cpp - Overhead of expressions that are already compiled ---===//

#include "benchmarks/harness/Harness.h"

#include "tensorc/runtime.h"
#include "tensorc/tensorc.hpp"

#include <cstring>
#include <string>
#include <unistd.h>

using namespace bench;
using tensorc::Tensor;

namespace {

constexpr int repetitions = 15;
constexpr int64_t elements = 1000;

Tensor expression(const Tensor &x, const Tensor &y) {
  return tensorc::maximum((x * y + 1.25f) * x - y, 0.125f);
}

struct Inputs {
  Tensor x = tensorc::full({elements}, 0.5f) + 0;
  Tensor y = tensorc::full({elements}, 1.5f) + 0;
  Inputs() { tensorc::eval(x, y); }
};

/// Records five ops, evaluates, and releases the result.
void lazy(benchmark::State &state) {
  Inputs in;
  expression(in.x, in.y).eval();
  for (auto _ : state) {
    Tensor z = expression(in.x, in.y);
    z.eval();
    benchmark::DoNotOptimize(z);
  }
}

void jit(benchmark::State &state) {
  Inputs in;
  auto function = tensorc::jit(expression);
  function(in.x, in.y);
  for (auto _ : state) {
    Tensor z = function(in.x, in.y);
    benchmark::DoNotOptimize(z);
  }
}

/// The entry of a package, called only through the C interface of the runtime.
struct Package {
  tensorc_rt_module *module = nullptr;
  const tensorc_rt_entry *entry = nullptr;
  tensorc_rt_device *device = nullptr;
  tensorc_rt_status *status = nullptr;

  Package() {
    Inputs in;
    std::string path =
        "/tmp/tensorc-dispatch-" + std::to_string(getpid()) + ".tcpkg";
    tensorc::compile(expression, in.x, in.y).save(path);
    status = tensorc_rt_device_find("cpu", &device);
    if (!status)
      status = tensorc_rt_load(device, path.c_str(), &module);
    std::remove(path.c_str());
    if (!status)
      status = tensorc_rt_module_find(module, nullptr, &entry);
  }
  ~Package() {
    tensorc_rt_status_free(status);
    tensorc_rt_module_release(module);
  }
};

void package(benchmark::State &state) {
  Package package;
  const int64_t dims[] = {elements};
  tensorc_rt_arg arguments[2] = {};
  for (tensorc_rt_arg &argument : arguments) {
    if (!package.status)
      package.status = tensorc_rt_buffer_allocate(
          package.device, elements * sizeof(float), &argument.buffer);
    argument.dims = dims;
    argument.rank = 1;
    argument.dtype = TENSORC_RT_F32;
    if (!package.status)
      std::memset(tensorc_rt_buffer_data(argument.buffer), 0,
                  elements * sizeof(float));
  }
  for (auto _ : state) {
    tensorc_rt_output output = {};
    if (!package.status)
      package.status =
          tensorc_rt_run(package.entry, arguments, 2, &output, 1, nullptr);
    tensorc_rt_buffer_release(output.buffer);
  }
  if (package.status)
    state.SkipWithError(tensorc_rt_status_message(package.status));
  for (tensorc_rt_arg &argument : arguments)
    tensorc_rt_buffer_release(argument.buffer);
}

/// Measures only the recording, for comparison.
void record(benchmark::State &state) {
  Inputs in;
  for (auto _ : state) {
    Tensor z = expression(in.x, in.y);
    benchmark::DoNotOptimize(z);
  }
}

/// Measures only the kernel: the same loop written by hand.
void loop(benchmark::State &state) {
  std::vector<float> x(elements, 0.5f), y(elements, 1.5f), z(elements);
  for (auto _ : state) {
    benchmark::DoNotOptimize(x.data());
    for (int64_t i = 0; i < elements; ++i) {
      float v = (x[i] * y[i] + 1.25f) * x[i] - y[i];
      z[i] = v > 0.125f ? v : 0.125f;
    }
    benchmark::DoNotOptimize(z.data());
    benchmark::ClobberMemory();
  }
}

void registerAll() {
  add("dispatch/lazy", repetitions, lazy);
  add("dispatch/jit", repetitions, jit);
  add("dispatch/package", repetitions, package);
  add("dispatch/record", repetitions, record);
  add("dispatch/loop", repetitions, loop);
}

} // namespace

int main(int argc, char **argv) { return run(argc, argv, registerAll); }
