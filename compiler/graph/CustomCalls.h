//===- CustomCalls.h - Functions and kernels of the user as nodes ---------===//
#ifndef TENSORC_COMPILER_GRAPH_CUSTOMCALLS_H
#define TENSORC_COMPILER_GRAPH_CUSTOMCALLS_H

#include "compiler/graph/Recorder.h"
#include "compiler/graph/kernels/Kernel.h"

namespace tensorc::graph {

/// A module with one function, which holds an op with blocks and the kernels
/// that it calls. Equal modules share one template, which is never freed.
struct RegionTemplate {
  /// The module as MLIR bytecode without locations. The bytes are the same in
  /// every process. Cache keys use them, and MLIR contexts other than the one
  /// that built the module read them.
  std::string bytes;
};

/// The attributes of a CustomCall: three strings, a kernel and a region, which
/// are never freed, and a dtype and shape per result.
struct CustomCall {
  struct Output {
    DType dtype;
    llvm::ArrayRef<int64_t> shape;
  };
  const char *name, *config, *derivative;  // never null
  const kernels::Kernel *kernel = nullptr; // null for a host function
  // Null unless the call is an op with blocks.
  const RegionTemplate *region = nullptr;
  // Values of the names of sizes in the region.
  llvm::ArrayRef<int64_t> sizes;
  llvm::SmallVector<Output, 2> outputs;

  static CustomCall read(Ints words);
  size_t numWords() const;
  void write(int64_t *words) const;
  /// Returns the position of a result's first dim in the list of all results'
  /// dims.
  size_t firstDim(unsigned result) const;
};

/// Makes one node per result. Returns none and reports an error if the types
/// are invalid. The strings of `call` are interned.
llvm::SmallVector<NodeRef> customCall(Recorder &r, const CustomCall &call,
                                      llvm::ArrayRef<NodeRef> inputs);

/// Passes x through a built-in host function of the runtime that returns its
/// input (a check or a print). `text` is the user's label.
NodeRef throughFunction(Recorder &r, const char *function, const NodeRef &x,
                        const char *text);

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_CUSTOMCALLS_H
