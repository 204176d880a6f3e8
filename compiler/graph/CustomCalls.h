//===- CustomCalls.h - Functions and kernels of the user as nodes ---------===//
#ifndef TENSORC_COMPILER_GRAPH_CUSTOMCALLS_H
#define TENSORC_COMPILER_GRAPH_CUSTOMCALLS_H

#include "compiler/graph/Recorder.h"
#include "compiler/graph/kernels/Kernel.h"

namespace tensorc::graph {

/// An op with blocks and its kernels, as a module with one function. Equal
/// modules have the same template, which lives for good.
struct RegionTemplate {
  /// The module as MLIR bytecode without locations: the same in every process,
  /// for keys, and for contexts other than the one that built it.
  std::string bytes;
};

/// The attributes of a CustomCall: three texts, a kernel and a region, which
/// live for good, and a dtype and shape per result.
struct CustomCall {
  struct Output {
    DType dtype;
    llvm::ArrayRef<int64_t> shape;
  };
  const char *name, *config, *derivative;  // never null
  const kernels::Kernel *kernel = nullptr; // null: a function of the host
  const RegionTemplate *region = nullptr;  // null: no op with blocks
  llvm::ArrayRef<int64_t> sizes;           // what the region's names stand for
  llvm::SmallVector<Output, 2> outputs;

  static CustomCall read(Ints words);
  size_t numWords() const;
  void write(int64_t *words) const;
  /// Position of a result's first dim in the list of all results' dims.
  size_t firstDim(unsigned result) const;
};

/// Makes one node per result; none, with an error, if the types are invalid.
/// The texts of `call` are copied for good.
llvm::SmallVector<NodeRef> customCall(Recorder &r, const CustomCall &call,
                                      llvm::ArrayRef<NodeRef> inputs);

/// Passes x through a host function that returns its input: one of the
/// runtime's built-in ops, with a text of the user's.
NodeRef throughFunction(Recorder &r, const char *function, const NodeRef &x,
                        const char *text);

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_CUSTOMCALLS_H
