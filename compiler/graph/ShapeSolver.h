//===- ShapeSolver.h - The dims of a trace as expressions -----------------===//
//
// Every size of Trace::sizes other than 0 and 1 is a symbol. Where an op
// requires two dims to be equal, the equation eliminates a symbol; all dims are
// linear in what remains. Windows with a stride count by a division: that is a
// symbol too, which stands for its quotient.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_GRAPH_SHAPESOLVER_H
#define TENSORC_COMPILER_GRAPH_SHAPESOLVER_H

#include "compiler/graph/Trace.h"
#include "compiler/kernels/Kernel.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace tensorc::graph {

/// constant + the sum of coefficient * symbol, sorted by symbol.
struct LinearExpr {
  int64_t constant = 0;
  llvm::SmallVector<std::pair<unsigned, int64_t>, 2> terms;

  LinearExpr(int64_t constant = 0) : constant(constant) {}
  static LinearExpr symbol(unsigned id);
  /// this + factor * other.
  LinearExpr plus(const LinearExpr &other, int64_t factor = 1) const;
  LinearExpr times(int64_t factor) const {
    return LinearExpr().plus(*this, factor);
  }
};

class ShapeSolver {
public:
  using Dims = llvm::SmallVector<LinearExpr, 4>;

  /// Needs graphMutex().
  explicit ShapeSolver(const Trace &trace);

  /// Whether all equations have been solved. If not, the sizes cannot be
  /// expressed and the trace must be compiled for its sizes alone.
  bool succeeded() const { return solvable; }

  /// A node of the trace or of a composite's body, in the symbols that remain.
  Dims dims(const Node &node) const;

  /// dividend floordiv divisor
  struct Quotient {
    LinearExpr dividend;
    int64_t divisor;
  };
  /// What a symbol stands for; null: a size.
  const Quotient *quotient(unsigned id) const {
    auto it = quotients.find(id);
    return it == quotients.end() ? nullptr : &it->second;
  }
  LinearExpr resolve(LinearExpr expr) const;

  /// Symbols that no argument's dim binds, as indices into Trace::sizes.
  llvm::SmallVector<unsigned> unbound() const;

private:
  void assign(const Node &node);
  void assignOwned(const Node &node, Dims &result);
  void assignReshape(const Node &node, Dims &result);
  void fixWords(const Node &node);
  void assignBroadcast(const Node &node, Dims &result);
  void assignSlice(const Node &node, Dims &result);
  void assignDerived(const Node &node, Dims &result);
  void assignWindows(const Node &node, Dims &result);
  void assignDot(const Node &node, Dims &result);
  void assignGather(const Node &node, Dims &result);
  void assignScatter(const Node &node, Dims &result);
  void assignUpdate(const Node &node, Dims &result);
  void assignComposite(const Node &node, Dims &result);
  void assignKernel(const Node &node, const kernels::Kernel &kernel,
                    Dims &result);
  LinearExpr open(int64_t size);
  LinearExpr divide(const LinearExpr &dividend, int64_t divisor);
  void equate(const LinearExpr &a, const LinearExpr &b);
  void equate(const Dims &a, const Dims &b);

  const Trace &trace;
  bool solvable = true;
  bool inBody = false;
  unsigned nextSize = 0;
  /// Symbols beyond Trace::sizes are dims inside composites and quotients.
  unsigned numSymbols;
  llvm::SmallVector<bool> ofArgument;
  llvm::DenseMap<unsigned, LinearExpr> solved;
  llvm::DenseMap<unsigned, Quotient> quotients;
  llvm::DenseMap<const Node *, Dims> known;
};

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_SHAPESOLVER_H
