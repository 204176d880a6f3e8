//===- Combiner.h - State and combination of a reduction ------------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_COMBINER_H
#define TENSORC_CODEGEN_EMITTERS_COMBINER_H

#include "codegen/emitters/ExpressionEmitter.h"

namespace tensorc::codegen {

/// Emits the combining function of one reduction or scan op. A *state* is the
/// partial result: one value, or for argmax and argmin an element and its
/// position, each a scalar or a vector. If the target compares integers faster
/// than floats, the maximum or minimum of floats is computed on integers of the
/// same order.
class Combiner {
public:
  Combiner(KernelBuilder &kernel, mlir::Operation *op)
      : Combiner(kernel.b, kernel.target, op) {}
  Combiner(mlir::ImplicitLocOpBuilder &b, const TargetInfo &target,
           mlir::Operation *op);

  using State = llvm::SmallVector<mlir::Value, 2>;

  /// Element types of the state's values.
  llvm::SmallVector<mlir::Type, 2> stateTypes();
  unsigned stateSize() const { return isArgument ? 2 : 1; }
  /// Returns the neutral state, as vectors of `width` lanes or as scalars if
  /// `width` is 0.
  State neutral(int64_t width);
  /// Returns the state of one element, or of one element per lane. `position`
  /// is its row-major index in the reduced dims, which is needed if the op
  /// returns positions.
  State of(mlir::Value element, mlir::Value position);
  mlir::FailureOr<State> combine(mlir::ValueRange a, mlir::ValueRange b);
  /// Combines the lanes of a vector state pairwise: lane i with lane i + n/2,
  /// then with i + n/4, and so on.
  mlir::FailureOr<State> acrossLanes(State lanes);
  /// Returns the op's result, rounded to its dtype.
  mlir::Value result(mlir::ValueRange state);
  bool needsPosition() const { return isArgument; }
  /// True if the result does not depend on the order of combining.
  bool isExact() const {
    return !isArgument && (ordinal || !isa<mlir::FloatType>(accumulator));
  }

private:
  mlir::ImplicitLocOpBuilder &b;
  mlir::Operation *op;
  bool isArgument;
  /// Element type of the operand, and the type in which elements are
  /// accumulated (f32 for f16 and bf16).
  mlir::Type element, accumulator;
  /// The integer type on which a float maximum or minimum is computed, or null.
  mlir::IntegerType ordinal;

  mlir::Value toOrdinal(mlir::Value value);
  mlir::Value fromOrdinal(mlir::Value value);
};

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_COMBINER_H
