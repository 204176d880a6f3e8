//===- kernel.hpp - GPU kernels as operations; included by tensorc.hpp ----===//
#ifndef TENSORC_KERNEL_HPP
#define TENSORC_KERNEL_HPP

#include "tensorc/kernel.h"
#include "tensorc/tensor.hpp"

namespace tensorc {

/// The dtype and shape of a kernel's buffer. Dims are expressions of named
/// sizes, with + - * floordiv ceildiv mod and parentheses: "n, 64".
struct KernelValue {
  DType dtype = DType::f32;
  std::string dims = {};
};

/// The signature and launch of a kernel; see tensorc_kernel_options.
struct KernelOptions {
  /// An input's dim that is only a name defines the name.
  std::vector<KernelValue> inputs = {}, outputs = {};
  /// Number of blocks in up to three dims: "n ceildiv 256, m".
  std::string grid = {};
  /// Threads per block in up to three dims. May be empty in gpu_kernel if the
  /// text has known_block_size.
  std::vector<int32_t> block = {};
  /// Integer arguments after the buffers: "n, m".
  std::string scalars = {};
  /// CUDA: bytes of dynamic shared memory, an expression like the dims.
  std::string shared = {};
  /// If set, outputs are zeroed before the launch. Otherwise the kernel must
  /// write all elements.
  bool zeroed = false;
  /// CUDA: options of NVRTC.
  std::vector<std::string> flags = {};
};

/// A user's kernel as an operation. Calls are recorded like other operations.
class Kernel {
public:
  /// Returns the first output.
  Tensor operator()(const std::vector<Tensor> &inputs,
                    Location at = Location::current()) const {
    return call(inputs, at)[0];
  }
  /// Returns all outputs.
  std::vector<Tensor> call(const std::vector<Tensor> &inputs,
                           Location at = Location::current()) const {
    auto handles = detail::handlesOf(title.c_str(), inputs, at);
    std::vector<tensorc_tensor *> out(outputs);
    detail::check(tensorc_kernel_call(kernel, handles.data(),
                                      static_cast<int32_t>(handles.size()), at,
                                      out.data()));
    std::vector<Tensor> results;
    for (tensorc_tensor *handle : out)
      results.push_back(Tensor::take(handle));
    return results;
  }
  tensorc_kernel *raw() const { return kernel; }

private:
  using Make = tensorc_status *(*)(const char *, const char *,
                                   const tensorc_kernel_options *,
                                   tensorc_location, tensorc_kernel **);
  Kernel(Make make, const std::string &source, const std::string &name,
         const KernelOptions &options, Location at)
      : title(name), outputs(options.outputs.size()) {
    auto values = [](const std::vector<KernelValue> &list) {
      std::vector<tensorc_kernel_value> raw;
      for (const KernelValue &value : list)
        raw.push_back(
            {static_cast<tensorc_dtype>(value.dtype), value.dims.c_str()});
      return raw;
    };
    std::vector<tensorc_kernel_value> in = values(options.inputs),
                                      out = values(options.outputs);
    std::vector<const char *> flags;
    for (const std::string &flag : options.flags)
      flags.push_back(flag.c_str());
    tensorc_kernel_options raw{};
    raw.struct_size = sizeof raw;
    raw.inputs = in.data();
    raw.input_count = static_cast<int32_t>(in.size());
    raw.outputs = out.data();
    raw.output_count = static_cast<int32_t>(out.size());
    raw.grid = options.grid.c_str();
    if (options.block.size() > 3)
      detail::fail(name, "a block has at most 3 dims", at);
    for (size_t i = 0; i < options.block.size(); ++i)
      raw.block[i] = options.block[i];
    raw.shared = options.shared.c_str();
    raw.scalars = options.scalars.c_str();
    raw.zeroed = options.zeroed;
    raw.flags = flags.data();
    raw.flag_count = static_cast<int32_t>(flags.size());
    detail::check(make(source.c_str(), name.c_str(), &raw, at, &kernel));
  }
  friend Kernel cuda_kernel(const std::string &, const std::string &,
                            const KernelOptions &, Location);
  friend Kernel gpu_kernel(const std::string &, const std::string &,
                           const KernelOptions &, Location);

  std::string title;
  tensorc_kernel *kernel = nullptr; // never released
  size_t outputs;
};

/// A kernel in CUDA C++, for cuda devices. `name` is that of a __global__
/// function. Its parameters are the inputs' pointers, the outputs' pointers,
/// and then the scalars. NVRTC compiles it when a value is first needed. Errors
/// refer to lines of the source, or of the user's file if the source is a raw
/// string literal in it.
///
///   tensorc::Kernel saxpy = tensorc::cuda_kernel(R"(
///     extern "C" __global__ void saxpy(const float *x, const float *y,
///                                      float *out, int n) {
///       int i = blockIdx.x * blockDim.x + threadIdx.x;
///       if (i < n) out[i] = 2 * x[i] + y[i];
///     })", "saxpy", {{{f32, "n"}, {f32, "n"}}, {{f32, "n"}},
///                    "n ceildiv 256", {256}, "n"});
///   tensorc::Tensor z = saxpy({x, y});
inline Kernel cuda_kernel(const std::string &source, const std::string &name,
                          const KernelOptions &options,
                          Location at = Location::current()) {
  return {tensorc_cuda_kernel, source, name, options, at};
}

/// A kernel for any GPU, and for the simulator: the text of a gpu.module with
/// one gpu.func of this name. The function takes a memref<?xT> for each input
/// and each output, and then the scalars.
inline Kernel gpu_kernel(const std::string &text, const std::string &name,
                         const KernelOptions &options,
                         Location at = Location::current()) {
  return {tensorc_gpu_kernel, text, name, options, at};
}

} // namespace tensorc

#endif
