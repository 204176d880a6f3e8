//===- ShapeSolver.h - The dims of a trace as expressions -----------------===//
//
// Every size of a trace other than 0 and 1 is a symbol, and so is the size of
// joinedDim(). If an op requires two dims to be equal, the equation eliminates
// one symbol, whose coefficient must be an integer. All dims become expressions
// of the remaining symbols.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_GRAPH_MODULE_SHAPESOLVER_H
#define TENSORC_COMPILER_GRAPH_MODULE_SHAPESOLVER_H

#include "compiler/graph/CustomCalls.h"
#include "compiler/graph/Trace.h"
#include "ir/shape/Rules.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

namespace tensorc::graph {

class ShapeSolver {
public:
  using Dims = llvm::SmallVector<shape::Dim, 4>;

  /// Solves for the sizes of a whole trace. The expressions belong to the
  /// context. The caller must hold graphMutex().
  ShapeSolver(const Trace &trace, mlir::MLIRContext &context);
  /// Solves for the sizes of a list of nodes, with the nodes of `given` as
  /// arguments. `sizes` are the sizes of both lists (appendSizes), followed by
  /// the sizes for calls of open(). If `isFixed`, all sizes are numbers.
  ShapeSolver(llvm::ArrayRef<Node *> given, llvm::ArrayRef<Node *> order,
              llvm::ArrayRef<int64_t> sizes, bool isFixed,
              mlir::MLIRContext &context);

  /// Returns true if all equations have been solved. If not, the sizes cannot
  /// be expressed, and the trace must be compiled for its own sizes only.
  bool succeeded() const { return solvable; }

  /// Returns the dims of a node of the trace, in terms of the remaining
  /// symbols.
  Dims dims(const Node &node) const;
  /// Returns the values of the named sizes of a region.
  Dims names(const Node &regionCall) const;
  shape::Dim resolve(shape::Dim dim) const;

  /// Adds equations beyond those of the ops.
  void equate(shape::Dim a, shape::Dim b);
  void equateDims(const Node &a, const Node &b);
  /// Returns a dim for the next of `sizes`: a symbol, or a number if the key
  /// fixes it.
  shape::Dim open(int64_t size);
  /// Returns the index of the size that a symbol represents.
  unsigned sizeOf(shape::Dim symbol) const { return ids.lookup(symbol); }

  /// Returns the smallest size that a symbol can represent.
  int64_t minimumOf(shape::Dim symbol) const {
    unsigned size = sizeOf(symbol); // regions have further symbols
    return size < owners.size() && owners[size] == Owner::Joined ? 1 : 2;
  }
  /// Returns the symbols that are not bound by a dim of an argument, as indices
  /// into Trace::sizes.
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
  void assignRegions(const Node &node, const CustomCall &call, Dims &result);
  bool isGiven(const Node &node) const {
    return isArgument(node) || given.contains(&node);
  }
  shape::InferredShape infer(const Node &node, shape::Dims result);
  void equate(const shape::InferredShape &rule);
  void fixSmall(const Node &node, llvm::ArrayRef<int64_t> dims);
  void equateWhole(const Node &node, llvm::ArrayRef<shape::Dim> windows);
  shape::Dim addSymbol();
  void equate(llvm::ArrayRef<shape::Dim> a, llvm::ArrayRef<shape::Dim> b);

  llvm::ArrayRef<int64_t> sizes;
  mlir::MLIRContext &context;
  bool isFixed = false;
  llvm::DenseSet<const Node *> given;
  bool solvable = true;
  unsigned nextSize = 0;
  /// The symbol of each size, and the index of the size that a symbol stands
  /// for.
  std::vector<shape::Dim> symbols;
  llvm::DenseMap<shape::Dim, unsigned> ids;
  /// The kind of value that each size belongs to.
  enum class Owner : uint8_t { Op, Argument, Joined };
  llvm::SmallVector<Owner> owners;
  llvm::DenseMap<shape::Dim, shape::Dim> solved;
  llvm::DenseMap<const Node *, Dims> known;
  llvm::DenseMap<const Node *, Dims> regionNames;
};

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_MODULE_SHAPESOLVER_H
