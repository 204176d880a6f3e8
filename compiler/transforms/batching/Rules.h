//===- Rules.h - The batching rule of each op -----------------------------===//
//
// A value that differs between examples has the batch as its first dim; other
// values stay as they are. The rule of an op replaces it by ops whose results
// have the batch first.
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

/// The batched form of a value.
struct Batched {
  Value value;
  /// True if the first dim is the batch; otherwise all examples share the
  /// value.
  bool isBatched = false;
};

/// Returns x with the batch as its first dim; x is broadcast if all examples
/// share it.
Value withBatch(TensorBuilder &e, Dim size, const Batched &x);

/// The op that is being batched.
class Step {
public:
  Step(mlir::OpBuilder &b, Operation *op, Dim size,
       llvm::ArrayRef<Batched> operands)
      : e(b, op), op(op), size(size), operands(operands) {}

  TensorBuilder e;
  /// The op of one example; it is not changed.
  Operation *op;
  Dim size;
  llvm::ArrayRef<Batched> operands;
  /// The batched results, set by the rule.
  llvm::SmallVector<Batched> results;

  bool isBatched(unsigned operand) const { return operands[operand].isBatched; }
  Value value(unsigned operand) const { return operands[operand].value; }
  /// Returns the operand with the batch as first dim.
  Value whole(unsigned operand) {
    return withBatch(e, size, operands[operand]);
  }
  llvm::SmallVector<Value> allWhole();
  llvm::SmallVector<Value> values() const;
  /// Returns the batch followed by the dims of a value of one example.
  llvm::SmallVector<Dim> dimsWithBatch(Dims dims) const;
  /// Adds the op with other operands. Its result has the dims `dims`; by
  /// default these are the batch followed by the dims of one example. The
  /// caller updates the attributes.
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

/// Return the given dims of one example renumbered for a batch dim in front.
/// prependShifted also prepends `first`.
llvm::SmallVector<int64_t> shifted(Numbers dims);
llvm::SmallVector<int64_t> prependShifted(int64_t first, Numbers dims);
/// Returns `first`, followed by the numbers.
llvm::SmallVector<int64_t> prepend(int64_t first, Numbers numbers);

/// mergeInto merges the batch, which precedes the dims [d0, d1, ...] of one
/// example, into dim `dim`. splitFrom splits the batch off again; `to` are the
/// dims after the split, the first of which is the batch.
Value mergeInto(TensorBuilder &e, Value x, int64_t dim);
Value splitFrom(TensorBuilder &e, Value x, int64_t dim, Dims to);

/// These rules set the results of an op some of whose operands have the batch.
/// They return nullopt for ops of other files, or if there is no rule for these
/// operands.
using MaybeResult = std::optional<LogicalResult>;
MaybeResult batchMovement(Step &s);  // MovementRules.cpp
MaybeResult batchIndexing(Step &s);  // IndexingRules.cpp
MaybeResult batchWindows(Step &s);   // WindowRules.cpp
MaybeResult batchComposite(Step &s); // CompositeRules.cpp
MaybeResult batchControl(Step &s);   // LoopRules.cpp
/// Runs the op in a loop over the examples. This is correct for every op that
/// reads only its operands.
LogicalResult batchByScan(Step &s);

} // namespace tensorc::compiler::batching

#endif // TENSORC_COMPILER_TRANSFORMS_BATCHING_RULES_H
