//===- Combiner.h - State and combination of a reduction ------------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_COMBINER_H
#define TENSORC_CODEGEN_EMITTERS_COMBINER_H

#include "codegen/emitters/ExpressionEmitter.h"

namespace tensorc::codegen {

/// The state of one reduction or scan op, as scalars or as vectors of lanes:
/// one value, or for argmax and argmin an element and its position. For the
/// maximum and minimum of floats, the state is an integer of the same order if
/// the target compares integers faster.
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
  /// Returns the neutral state with `width` lanes; scalar if 0.
  State neutral(int64_t width);
  /// Returns the state of one element (or of one per lane). `position` is its
  /// row-major index in the reduced dims, needed if the op returns positions.
  State of(mlir::Value element, mlir::Value position);
  mlir::FailureOr<State> combine(mlir::ValueRange a, mlir::ValueRange b);
  /// Combines the lanes in a fixed tree: halves, quarters, ...
  mlir::FailureOr<State> acrossLanes(State lanes);
  /// Returns the op's result, rounded to its dtype.
  mlir::Value result(mlir::ValueRange state);
  bool needsPosition() const { return isArgument; }
  /// True if results are the same bits in any order of combining.
  bool isExact() const {
    return !isArgument && (ordinal || !isa<mlir::FloatType>(accumulator));
  }

private:
  mlir::ImplicitLocOpBuilder &b;
  mlir::Operation *op;
  bool isArgument;
  /// Element type of the operand, and the type in which values are combined
  /// (f16 and bf16 accumulate in f32).
  mlir::Type element, accumulator;
  /// Type of the integers that represent floats in the same order, or null.
  mlir::IntegerType ordinal;

  mlir::Value toOrdinal(mlir::Value value);
  mlir::Value fromOrdinal(mlir::Value value);
};

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_COMBINER_H
