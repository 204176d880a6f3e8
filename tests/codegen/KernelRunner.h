//===- KernelRunner.h - Text kernel to callable function --------*- C++ -*-===//
//
// Compiles kernels from text the way the product does and maps the image with
// dlopen, for tests and benchmarks of code generation.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_TESTS_CODEGEN_KERNELRUNNER_H
#define TENSORC_TESTS_CODEGEN_KERNELRUNNER_H

#include "codegen/targets/cpu/CpuTarget.h"

#include "mlir/IR/MLIRContext.h"
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tensorc::test {

/// Arguments in the form in which the runtime passes them: 64-bit words.
class Words {
public:
  Words &buffer(const void *pointer) { return bits(uint64_t(pointer)); }
  template <typename T> Words &scalar(T value) {
    uint64_t word = 0;
    std::memcpy(&word, &value, sizeof(T));
    return bits(word);
  }
  const uint64_t *data() const { return words.data(); }

private:
  Words &bits(uint64_t word) {
    words.push_back(word);
    return *this;
  }
  std::vector<uint64_t> words;
};

using KernelFunction = void (*)(const uint64_t *args, int64_t begin,
                                int64_t end, void *scratch);

/// A kernel `k` of buffers %x, %y, %z that runs `body` on %i = begin, begin +
/// 16, ... with %a = x[i..i+16], %b = y[i..i+16], both of `in`, and stores %r
/// of `out` to z[i..i+16].
std::string getLoopKernel(const std::string &in, const std::string &out,
                          const std::string &body);

/// Milliseconds that each step took.
struct CompileTimes {
  double parse = 0, passes = 0, llvm = 0, link = 0, load = 0;
  double total() const { return parse + passes + llvm + link + load; }
};

/// A mapped image; unmapped on destruction.
class Image {
public:
  explicit Image(llvm::ArrayRef<char> bytes);
  ~Image();
  Image(const Image &) = delete;
  KernelFunction find(const char *name) const;

private:
  // Kept open while the image is mapped, because dlopen returns the same
  // library for a path that it has already loaded.
  int fd;
  void *handle = nullptr;
};

class KernelRunner {
public:
  KernelRunner();
  ~KernelRunner();

  /// Ends the process with the diagnostics if `text`, which is part of the
  /// test, does not compile.
  std::unique_ptr<Image> compile(llvm::StringRef text,
                                 codegen::CodegenOptions options = {},
                                 CompileTimes *times = nullptr);

  mlir::MLIRContext &getContext() { return *context; }

  /// Called with each parsed module before the passes run.
  std::function<void(mlir::ModuleOp)> edit;

  /// Returns the image's bytes or the error, for tests of refused programs.
  llvm::Expected<codegen::ImageBytes>
  compileToBytes(llvm::StringRef text, codegen::CodegenOptions options,
                 CompileTimes *times = nullptr);

private:
  std::unique_ptr<mlir::MLIRContext> context;
};

} // namespace tensorc::test

#endif // TENSORC_TESTS_CODEGEN_KERNELRUNNER_H
