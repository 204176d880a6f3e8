//===- Packages.h - packages from text, for tests ---------------*- C++ -*-===//
#ifndef TENSORC_TESTS_UNIT_PACKAGE_PACKAGES_H
#define TENSORC_TESTS_UNIT_PACKAGE_PACKAGES_H

#include "compiler/output/package/Serialize.h"
#include "mlir/IR/MLIRContext.h"
#include "tensorc/runtime.h"

#include <string>
#include <vector>

namespace tensorc::test {

/// Returns the package of a module's text and the kernels of kernels.c. On an
/// error the result is empty, and `errors` has the diagnostics.
std::string packageOf(llvm::StringRef text, std::string *errors = nullptr,
                      compiler::ConstantsFile *constants = nullptr);

/// The image of kernels.c.
const std::string &kernelImage();

/// The message of a status, which is freed; "" for success.
std::string take(tensorc_rt_status *status);

/// A loaded package; fails the test when it cannot be loaded.
class Loaded {
public:
  explicit Loaded(const std::string &package, const char *device = "cpu");
  ~Loaded() { tensorc_rt_module_release(module); }
  const tensorc_rt_entry *entry(const char *name = nullptr) const;

  tensorc_rt_device *device = nullptr;
  tensorc_rt_module *module = nullptr;
};

/// A buffer argument with its values.
class Argument {
public:
  template <typename T>
  Argument(tensorc_rt_device *device, tensorc_rt_dtype dtype,
           std::vector<int64_t> shape, const std::vector<T> &values)
      : dims(std::move(shape)) {
    init(device, dtype, values.data(), values.size() * sizeof(T));
  }
  Argument(const Argument &) = delete;
  ~Argument() { tensorc_rt_buffer_release(arg.buffer); }

  std::vector<int64_t> dims;
  tensorc_rt_arg arg = {};

private:
  void init(tensorc_rt_device *device, tensorc_rt_dtype dtype, const void *data,
            size_t size);
};

inline tensorc_rt_arg scalar(uint64_t word) {
  return {nullptr, word, nullptr, 0, TENSORC_RT_NONE};
}

/// Copies an output's elements out.
template <typename T> std::vector<T> valuesOf(const tensorc_rt_output &output) {
  const auto *data =
      static_cast<const T *>(tensorc_rt_buffer_data(output.buffer));
  int64_t count = 1;
  for (int32_t i = 0; i < output.rank; ++i)
    count *= output.dims[i];
  return std::vector<T>(data, data + count);
}

/// Releases outputs when the test ends.
struct Outputs {
  explicit Outputs(size_t count) : list(count) {}
  ~Outputs() {
    for (tensorc_rt_output &output : list)
      tensorc_rt_buffer_release(output.buffer);
  }
  std::vector<tensorc_rt_output> list;
};

/// Runs and returns the error message, "" for success.
std::string run(const tensorc_rt_entry *entry,
                const std::vector<tensorc_rt_arg> &args, Outputs &outputs,
                tensorc_rt_stream *stream = nullptr);

} // namespace tensorc::test

#endif
