//===- Combiner.h - How a reduction combines elements ---------------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_COMBINER_H
#define TENSORC_CODEGEN_EMITTERS_COMBINER_H

#include "codegen/emitters/ExpressionEmitter.h"

namespace tensorc::codegen {

/// The state of one reduction or scan op, as scalars or as vectors of lanes:
/// one value, or for argmax and argmin the chosen element and its position. The
/// largest and smallest floats are integers in the same order, where a target
/// compares these faster.
class Combiner {
public:
  Combiner(KernelBuilder &kernel, mlir::Operation *op);

  using State = llvm::SmallVector<mlir::Value, 2>;

  /// Element types of the state's values.
  llvm::SmallVector<mlir::Type, 2> stateTypes();
  unsigned stateSize() const { return isArgument ? 2 : 1; }
  /// The neutral state: of `width` lanes, or scalar if 0.
  State neutral(int64_t width);
  /// The state of one element (or lane); `position` is its row-major index
  /// within the reduced dims, needed where the result is one.
  State of(mlir::Value element, mlir::Value position);
  mlir::FailureOr<State> combine(mlir::ValueRange a, mlir::ValueRange b);
  /// The lanes combined in a fixed tree: halves, quarters, ...
  mlir::FailureOr<State> acrossLanes(State lanes);
  /// What the op's result holds, rounded to its dtype.
  mlir::Value result(mlir::ValueRange state);
  bool needsPosition() const { return isArgument; }
  /// Whether the bits are the same in any order.
  bool isExact() const {
    return !isArgument && (ordinal || !isa<mlir::FloatType>(accumulator));
  }

private:
  mlir::ImplicitLocOpBuilder &b;
  mlir::Operation *op;
  bool isArgument;
  /// Of the operand, and that in which values are combined (f16 and bf16
  /// accumulate in f32).
  mlir::Type element, accumulator;
  /// Those integers' type, or null.
  mlir::IntegerType ordinal;

  mlir::Value toOrdinal(mlir::Value value);
  mlir::Value fromOrdinal(mlir::Value value);
};

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_COMBINER_H
