//===- ShapeSolver.h - The dims of a trace as expressions -----------------===//
//
// Every size of Trace::sizes other than 0 and 1 is a symbol. Where an op
// requires two dims to be equal, the equation eliminates a symbol that stands
// in it with an integer weight; all dims are expressions of what remains.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_GRAPH_SHAPESOLVER_H
#define TENSORC_COMPILER_GRAPH_SHAPESOLVER_H

#include "compiler/graph/Trace.h"
#include "compiler/kernels/Kernel.h"
#include "ir/shape/Rules.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace tensorc::graph {

class ShapeSolver {
public:
  using Dims = llvm::SmallVector<shape::Dim, 4>;

  /// Needs graphMutex().
  /// The expressions are the context's.
  ShapeSolver(const Trace &trace, shape::DimContext &context);

  /// Whether all equations have been solved. If not, the sizes cannot be
  /// expressed and the trace must be compiled for its sizes alone.
  bool succeeded() const { return solvable; }

  /// A node of the trace, in the symbols that remain.
  Dims dims(const Node &node) const;

  /// Symbols that no argument's dim binds, as indices into Trace::sizes.
  llvm::SmallVector<unsigned> unbound() const;

private:
  void assign(const Node &node);
  void assignOwned(const Node &node, Dims &result);
  void assignReshape(const Node &node, Dims &result);
  void fixWords(const Node &node);
  void assignSlice(const Node &node, Dims &result);
  void assignDerived(const Node &node, Dims &result);
  void assignKernel(const Node &node, const kernels::Kernel &kernel,
                    Dims &result);
  shape::InferredShape infer(const Node &node, shape::Dims result);
  void equate(const shape::InferredShape &rule);
  void fixSmall(const Node &node, llvm::ArrayRef<int64_t> dims);
  void equateWhole(const Node &node, llvm::ArrayRef<shape::Dim> windows);
  shape::Dim addSymbol();
  shape::Dim open(int64_t size);
  shape::Dim resolve(shape::Dim dim) const;
  void equate(shape::Dim a, shape::Dim b);
  void equate(llvm::ArrayRef<shape::Dim> a, llvm::ArrayRef<shape::Dim> b);

  const Trace &trace;
  shape::DimContext &context;
  bool solvable = true;
  unsigned nextSize = 0;
  /// Of Trace::sizes.
  std::vector<shape::Dim> symbols;
  llvm::DenseMap<shape::Dim, unsigned> ids;
  llvm::SmallVector<bool> ofArgument;
  llvm::DenseMap<shape::Dim, shape::Dim> solved;
  llvm::DenseMap<const Node *, Dims> known;
};

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_SHAPESOLVER_H
