//===- Rules.h - The gradient rule of each op -----------------------------===//
//
// A rule adds the ops that make the gradients of an op's operands out of those
// of its results. Those of element-wise ops follow from `derivatives` in their
// definitions; the others are functions of this folder.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_AUTODIFF_RULES_H
#define TENSORC_COMPILER_AUTODIFF_RULES_H

#include "ir/library/Expansion.h"

namespace tensorc::compiler::autodiff {

using library::Dim;
using library::Dims;
using library::dimsOf;
using library::DType;
using library::dtypeOf;
using library::Expansion;
using library::Numbers;
using library::rankOf;
using mlir::failure;
using mlir::LogicalResult;
using mlir::Operation;
using mlir::success;
using mlir::Value;

/// One op on the way back.
class Pullback {
public:
  Pullback(mlir::OpBuilder &b, Operation *op, llvm::ArrayRef<Value> cotangents,
           llvm::ArrayRef<bool> wanted)
      : e(b, op), op(op), cotangents(cotangents), wanted(wanted),
        gradients(op->getNumOperands()) {}

  Expansion e;
  Operation *op;
  /// Per result its gradient; null: 0.
  llvm::ArrayRef<Value> cotangents;
  /// Whether anybody asks for the gradient of this operand.
  llvm::ArrayRef<bool> wanted;
  /// Per operand, what the rule makes; null: 0.
  llvm::SmallVector<Value> gradients;

  bool wants(unsigned operand) const { return wanted[operand]; }
  void set(unsigned operand, Value gradient) { gradients[operand] = gradient; }
  /// Makes the gradient of an operand if it is wanted.
  template <typename Fn> void give(unsigned operand, Fn make) {
    if (wants(operand))
      set(operand, make());
  }
  Value zerosLike(Value x) { return e.full(0.0, dtypeOf(x), dimsOf(x)); }
};

/// Adds the gradients of the operands that are wanted. Fails with a diagnostic
/// at the op if it has none.
LogicalResult pullBack(Pullback &p);

/// Element-wise ops; false: it is another.
bool pullBackElementwise(Pullback &p);

// MovementRules.cpp
void pullBack(tx::BroadcastOp op, Value g, Pullback &p);
void pullBack(tx::ReshapeOp op, Value g, Pullback &p);
void pullBack(tx::TransposeOp op, Value g, Pullback &p);
void pullBack(tx::PadOp op, Value g, Pullback &p);
void pullBack(tx::ConcatenateOp op, Value g, Pullback &p);
LogicalResult pullBack(tx::SliceOp op, Value g, Pullback &p);
LogicalResult pullBack(tx::WindowsOp op, Value g, Pullback &p);

// ReductionRules.cpp
void pullBack(tx::SumOp op, Value g, Pullback &p);
void pullBack(tx::ProdOp op, Value g, Pullback &p);
void pullBack(tx::ReduceMaxOp op, Value g, Pullback &p);
void pullBack(tx::ReduceMinOp op, Value g, Pullback &p);
void pullBack(tx::DotGeneralOp op, Value g, Pullback &p);
void pullBack(tx::CumsumOp op, Value g, Pullback &p);
LogicalResult pullBack(tx::CumprodOp op, Value g, Pullback &p);
void pullBack(tx::CummaxOp op, Value g, Pullback &p);
void pullBack(tx::CumminOp op, Value g, Pullback &p);

// IndexingRules.cpp
void pullBack(tx::GatherOp op, Value g, Pullback &p);
LogicalResult pullBack(tx::ScatterOp op, Value g, Pullback &p);
void pullBack(tx::DynamicSliceOp op, Value g, Pullback &p);
void pullBack(tx::DynamicUpdateSliceOp op, Value g, Pullback &p);
void pullBack(tx::SortOp op, Value g, Pullback &p);

/// x[..., indices, ...] along a dim, where x and the i64 indices agree in the
/// other dims.
Value takeAlong(Expansion &e, Value x, Value indices, int64_t dim);
/// Zeros of these dims, plus `updates` at the indices along a dim.
Value addAlong(Expansion &e, Dims dims, Value updates, Value indices,
               int64_t dim);

} // namespace tensorc::compiler::autodiff

#endif // TENSORC_COMPILER_AUTODIFF_RULES_H
