//===- CompositeRules.cpp - Batching rules of composites ------------------===//
//
// These composites are batched without being expanded. All others are expanded
// first.
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/batching/Rules.h"
#include "ir/library/Fourier.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tensorc::compiler::batching {

/// True if all examples share the operands from `first` on, such as scalars
/// that only enter arithmetic.
static bool isShared(const Step &s, unsigned first) {
  return llvm::none_of(s.operands.drop_front(first),
                       [](const Batched &x) { return x.isBatched; });
}

/// Batches a composite along one dim.
template <typename Op> static MaybeResult alongDim(Op op, Step &s) {
  if (!isShared(s, 1))
    return std::nullopt;
  auto made = s.again(op, s.values());
  made.setDim(op.getDim() + 1);
  return s.give(made);
}

/// Batches a composite over a list of dims.
template <typename Op> static MaybeResult overDims(Op op, Step &s) {
  if (!isShared(s, 1))
    return std::nullopt;
  auto made = s.again(op, s.values());
  made.setDims(shifted(op.getDims()));
  return s.give(made);
}

/// Batches an element-wise composite, or a composite along the last dim, as the
/// same op. The first `numWhole` operands are tensors, which get the batch; all
/// examples must share the others.
static MaybeResult sameOp(Step &s, unsigned numWhole) {
  if (!isShared(s, numWhole))
    return std::nullopt;
  SmallVector<Value> operands = s.values();
  for (unsigned i = 0; i < numWhole; ++i)
    operands[i] = s.whole(i);
  return s.give(s.remake(operands)->getResult(0));
}

static MaybeResult batch(tx::GroupNormOp op, Step &s) {
  if (!isShared(s, 1))
    return std::nullopt;
  SmallVector<Value> operands = s.values();
  operands[0] = mergeInto(s.e, operands[0], 0);
  SmallVector<Dim> dims(dimsOf(operands[0]));
  auto made = s.again(op, operands, Dims(dims));
  return s.give(
      splitFrom(s.e, made, 0, s.dimsWithBatch(dimsOf(op.getResult()))));
}

static MaybeResult batch(tx::CrossEntropyOp op, Step &s) {
  if (op.getReduction() != tx::LossReduction::None || !isShared(s, 2))
    return std::nullopt;
  SmallVector<Value> operands = s.values();
  operands[0] = s.whole(0);
  operands[1] = s.whole(1);
  if (rankOf(op.getLogits()) == 1)
    return s.give(s.again(op, operands));
  operands[0] = mergeInto(s.e, operands[0], 0);
  operands[1] = mergeInto(s.e, operands[1], 0);
  SmallVector<Dim> dims(dimsOf(operands[1]));
  auto made = s.again(op, operands, Dims(dims));
  return s.give(
      splitFrom(s.e, made, 0, s.dimsWithBatch(dimsOf(op.getResult()))));
}

static MaybeResult batch(tx::AttentionOp op, Step &s) {
  if (s.isBatched(3))
    return std::nullopt;
  SmallVector<Value> operands = s.values();
  for (unsigned i = 0; i < 3; ++i)
    operands[i] = s.whole(i);
  if (op.getMask() && s.isBatched(4)) {
    // The mask's dims are the last ones of the scores.
    Dims mask = dimsOf(op.getMask());
    SmallVector<Dim> dims(1 + rankOf(op.getQ()), Dim(1));
    dims.front() = s.size;
    llvm::copy(mask, dims.end() - mask.size());
    operands[4] = s.e.reshape(operands[4], dims);
  }
  return s.give(s.again(op, operands));
}

/// The dim of real and imaginary parts remains the first dim.
static MaybeResult batch(tx::FftOp op, Step &s) {
  auto order = llvm::to_vector(llvm::seq<int64_t>(0, rankOf(op.getX()) + 1));
  std::swap(order[0], order[1]);
  Value x = s.e.transpose(s.value(0), order);
  SmallVector<Dim> dims(dimsOf(x));
  return s.give(s.e.transpose(s.again(op, x, Dims(dims)), order));
}

static MaybeResult batch(tx::AllToAllOp op, Step &s) {
  auto made = s.again(op, s.values());
  made.setSplit(op.getSplit() + 1);
  made.setConcat(op.getConcat() + 1);
  return s.give(made);
}

/// A mesh axis splits the same dim as before, shifted by the batch dim.
template <typename Op> static MaybeResult overMesh(Op op, Step &s) {
  auto made = s.again(op, s.values());
  SmallVector<int64_t> dims(op.getDims());
  for (int64_t &dim : dims)
    dim = dim < 0 ? -1 : dim + 1;
  made.setDims(dims);
  return s.give(made);
}

MaybeResult batchComposite(Step &s) {
  return llvm::TypeSwitch<Operation *, MaybeResult>(s.op)
      .Case<tx::SoftmaxOp, tx::LogSoftmaxOp, tx::BatchNormOp, tx::AllGatherOp,
            tx::ReduceScatterOp>([&](auto op) { return alongDim(op, s); })
      .Case<tx::LogsumexpOp, tx::MeanOp, tx::VarOp, tx::StdOp, tx::NormOp,
            tx::InterpolateOp>([&](auto op) { return overDims(op, s); })
      .Case<tx::LayerNormOp, tx::RmsNormOp, tx::ReluOp, tx::SiluOp, tx::GeluOp,
            tx::EluOp, tx::LeakyReluOp, tx::SoftplusOp, tx::MishOp,
            tx::HardswishOp, tx::SoftsignOp, tx::LogsigmoidOp, tx::CeluOp,
            tx::RandnOp, tx::AllReduceOp, tx::CollectiveBroadcastOp,
            tx::CollectivePermuteOp>([&](auto) { return sameOp(s, 1); })
      .Case([&](tx::DropoutOp) { return sameOp(s, 2); })
      .Case<tx::CholeskyOp, tx::LuOp, tx::DeterminantOp, tx::QrOp, tx::SvdOp,
            tx::EighOp>([&](auto) { return sameOp(s, 1); })
      .Case<tx::SolveOp, tx::TriangularSolveOp, tx::TridiagonalSolveOp>(
          [&](auto) { return sameOp(s, 2); })
      .Case<tx::GroupNormOp, tx::CrossEntropyOp, tx::AttentionOp, tx::FftOp,
            tx::AllToAllOp>([&](auto op) { return batch(op, s); })
      .Case<tx::ShardOp, tx::LocalPartOp, tx::JoinPartsOp>(
          [&](auto op) { return overMesh(op, s); })
      .Default([](Operation *) { return std::nullopt; });
}

} // namespace tensorc::compiler::batching
