//===- Kernel.h - Kernels written by users ----------------------*- C++ -*-===//
//
// A description is checked once and never destroyed, because recorded calls and
// cached code refer to it.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_GRAPH_KERNELS_KERNEL_H
#define TENSORC_COMPILER_GRAPH_KERNELS_KERNEL_H

#include "ir/tx/DType.h"
#include "ir/tx/TxDialect.h"
#include "runtime/abi/DeviceKinds.h"

#include "llvm/Support/Error.h"

#include <map>
#include <string>
#include <vector>

namespace tensorc::kernels {

/// The values of a description's named sizes.
using Sizes = std::map<std::string, int64_t, std::less<>>;

/// A list of expressions over named sizes: "n ceildiv 256, m".
struct Exprs {
  std::string text;
  /// The parsed text, in the context that parsed it; null for an empty text.
  tx::DimsAttr parsed;

  llvm::ArrayRef<shape::Dim> dims() const {
    return parsed ? parsed.getDims() : llvm::ArrayRef<shape::Dim>();
  }
  size_t size() const { return dims().size(); }
  /// Returns the values, or nullopt if one overflows or divides by zero.
  std::optional<llvm::SmallVector<int64_t, 4>>
  evaluate(const Sizes &sizes) const;
};

struct Description {
  /// The language; null means MLIR, a gpu.module.
  const rt::KernelLanguage *language = nullptr;
  std::string source, name;
  std::vector<std::string> flags;
  struct Value {
    tx::DType dtype;
    Exprs dims;
  };
  std::vector<Value> inputs, outputs;
  Exprs grid, shared, scalars;
  std::vector<int32_t> block;
  bool zeroed = false;
  /// File and line at which the text begins. If the user's file is unknown,
  /// this is line 1 of a file named after the kernel.
  std::string file;
  uint32_t line = 1;
};

struct Kernel : Description {
  /// The whole description as text, for cache keys.
  std::string key;

  /// Returns the shapes of the outputs for the inputs' shapes, or an error that
  /// names the dim that does not match.
  using Shapes = llvm::SmallVector<llvm::SmallVector<int64_t, 4>, 1>;
  llvm::Expected<Shapes>
  outputShapes(llvm::ArrayRef<llvm::ArrayRef<int64_t>> inputs) const;
};

/// Checks and stores a description, and returns an existing kernel for an equal
/// description. `location` is the user's call; if that file contains the text,
/// errors refer to its lines. The context must have all dialects and live
/// forever. Thread-safe.
llvm::Expected<const Kernel *> makeKernel(mlir::MLIRContext &context,
                                          Description description,
                                          const char *location);

/// Adds the kernel's text to a module, unless it is already there, and returns
/// its symbol. It cannot fail, because the text was parsed before.
mlir::StringAttr addToModule(mlir::ModuleOp module, const Kernel &kernel);
/// Returns the kernel that addToModule added to this module, or to the module
/// from whose text this one was read.
const Kernel &kernelOf(mlir::ModuleOp module, llvm::StringRef symbol);

/// Returns the expressions in another context, over sizes of that context.
tx::DimsAttr substitute(mlir::MLIRContext &context, const Exprs &exprs,
                        llvm::function_ref<shape::Dim(llvm::StringRef)> sizeOf);

} // namespace tensorc::kernels

#endif // TENSORC_COMPILER_GRAPH_KERNELS_KERNEL_H
