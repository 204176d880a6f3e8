//===- Kernel.h - kernels that the user wrote, as described -----*- C++ -*-===//
//
// A description is checked once and lives for good: recorded calls and cached
// code refer to it.
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

/// Sizes by the names that a description gives them.
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
  /// The values; nothing when one overflows or divides by zero.
  std::optional<llvm::SmallVector<int64_t, 4>>
  evaluate(const Sizes &sizes) const;
};

struct Description {
  /// Null: MLIR, a gpu.module.
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
  /// File and line at which the text begins; line 1 of a file named after the
  /// kernel if the user's file is unknown.
  std::string file;
  uint32_t line = 1;
};

struct Kernel : Description {
  /// All of the description, for caches.
  std::string key;

  /// Shapes of the outputs for as many inputs as there are; an error that says
  /// what does not fit.
  using Shapes = llvm::SmallVector<llvm::SmallVector<int64_t, 4>, 1>;
  llvm::Expected<Shapes>
  outputShapes(llvm::ArrayRef<llvm::ArrayRef<int64_t>> inputs) const;
};

/// Checks and keeps a description; the same one for an equal one. `location` is
/// where the user calls: if that file holds the text, its lines are the text's.
/// The context, with all dialects, lives for good. Thread-safe.
llvm::Expected<const Kernel *> makeKernel(mlir::MLIRContext &context,
                                          Description description,
                                          const char *location);

/// Puts the kernel's text into a module, once for each, and gives its symbol.
/// The text was parsed before, so nothing can fail.
mlir::StringAttr addToModule(mlir::ModuleOp module, const Kernel &kernel);
/// What addToModule put into this module, or one whose text it was read from.
const Kernel &kernelOf(mlir::ModuleOp module, llvm::StringRef symbol);

/// The expressions in another context, over sizes of that one.
tx::DimsAttr substitute(mlir::MLIRContext &context, const Exprs &exprs,
                        llvm::function_ref<shape::Dim(llvm::StringRef)> sizeOf);

} // namespace tensorc::kernels

#endif // TENSORC_COMPILER_GRAPH_KERNELS_KERNEL_H
