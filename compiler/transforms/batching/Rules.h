//===- Rules.h - How each op does its work for a batch --------------------===//
//
// A value that differs between examples has the batch as its first dimension;
// others stay as they are. A rule makes of an op with some such operands one
// whose result has the batch in front.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_BATCHING_RULES_H
#define TENSORC_COMPILER_TRANSFORMS_BATCHING_RULES_H

#include "ir/builder/TensorBuilder.h"
#include "ir/library/Library.h"

namespace tensorc::compiler::batching {

using builder::Dim;
using builder::Dims;
using builder::dimsOf;
using builder::DType;
using builder::dtypeOf;
using builder::Numbers;
using builder::rankOf;
using builder::TensorBuilder;
using mlir::failure;
using mlir::LogicalResult;
using mlir::Operation;
using mlir::success;
using mlir::Value;

/// What a value of one example has become.
struct Batched {
  Value value;
  /// Has the batch in front; else all examples share it.
  bool isBatched = false;
};

/// x with the batch in front, also where all share it.
Value withBatch(TensorBuilder &e, Dim size, const Batched &x);

/// One op on the way.
class Step {
public:
  Step(mlir::OpBuilder &b, Operation *op, Dim size,
       llvm::ArrayRef<Batched> operands)
      : e(b, op), op(op), size(size), operands(operands) {}

  TensorBuilder e;
  /// Of one example, which is left as it is.
  Operation *op;
  Dim size;
  llvm::ArrayRef<Batched> operands;
  /// One per result.
  llvm::SmallVector<Batched> results;

  bool isBatched(unsigned operand) const { return operands[operand].isBatched; }
  Value value(unsigned operand) const { return operands[operand].value; }
  /// With the batch in front.
  Value whole(unsigned operand) {
    return withBatch(e, size, operands[operand]);
  }
  llvm::SmallVector<Value> allWhole();
  llvm::SmallVector<Value> values() const;
  /// The dims of a value of one example behind the batch.
  llvm::SmallVector<Dim> behindBatch(Dims dims) const;
  /// The op for other operands, whose result has these dims; without them,
  /// those of one example behind the batch. Attributes are the caller's to
  /// change.
  template <typename Op>
  Op again(Op, mlir::ValueRange with, std::optional<Dims> dims = {}) {
    return mlir::cast<Op>(remake(with, dims));
  }
  Operation *remake(mlir::ValueRange with, std::optional<Dims> dims = {});
  LogicalResult give(Value result) {
    results.push_back({result, true});
    return success();
  }
};

/// Dims of one example as they are behind the batch, and the batch before them.
llvm::SmallVector<int64_t> shifted(Numbers dims);
llvm::SmallVector<int64_t> shiftedBehind(int64_t first, Numbers dims);

/// The batch, in front of [d0, d1, ...], becomes a part of dim `dim`, and back:
/// to these dims, whose first is the batch.
Value mergeInto(TensorBuilder &e, Value x, int64_t dim);
Value splitFrom(TensorBuilder &e, Value x, int64_t dim, Dims to);

/// Makes the results of an op some of whose operands have the batch. Each gives
/// std::nullopt of an op that is not its own, or has no rule for these
/// operands.
using MaybeResult = std::optional<LogicalResult>;
MaybeResult batchMovement(Step &s);  // MovementRules.cpp
MaybeResult batchIndexing(Step &s);  // IndexingRules.cpp
MaybeResult batchWindows(Step &s);   // WindowRules.cpp
MaybeResult batchComposite(Step &s); // CompositeRules.cpp
MaybeResult batchControl(Step &s);   // LoopRules.cpp
/// One example after the other: right for each op that reads only its operands.
LogicalResult batchByScan(Step &s);

} // namespace tensorc::compiler::batching

#endif // TENSORC_COMPILER_TRANSFORMS_BATCHING_RULES_H
