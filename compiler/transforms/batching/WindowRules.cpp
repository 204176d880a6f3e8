//===- WindowRules.cpp - Batching rules of convolutions and pools ---------===//

#include "compiler/transforms/batching/Rules.h"
#include "ir/shape/LibraryRules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tensorc::compiler::batching {

template <typename Op> static MaybeResult pool(Op op, Step &s) {
  auto made = s.again(op, s.value(0));
  made.setDims(shifted(op.getDims()));
  return s.give(made);
}

namespace {
template <typename Op> class Convolution {
public:
  Convolution(Op op, Step &s)
      : op(op), s(s), e(s.e),
        places{static_cast<int64_t>(op.getSizes().size()), op.getChannelsLast(),
               std::is_same_v<Op, tx::ConvTransposeOp>} {}

  MaybeResult run() {
    if (!s.isBatched(1))
      return s.give(asImages());
    // The number of groups must be a positive constant.
    if (!s.size.isNumber() || s.size == 0)
      return std::nullopt;
    return s.give(asChannels());
  }

private:
  SmallVector<Dim> result() { return s.dimsWithBatch(dimsOf(op.getResult())); }
  /// Adds a convolution of the given operands. The batch is merged into dim
  /// `dim` of its result.
  Value convolve(Value x, Value kernel, Value bias, int64_t dim,
                 int64_t groups) {
    SmallVector<Value> operands{x, kernel};
    if (bias)
      operands.push_back(bias);
    SmallVector<Dim> dims(dimsOf(op.getResult()));
    dims[dim] = dims[dim] * s.size;
    auto made = s.again(op, operands, Dims(dims));
    made.setGroups(groups);
    return made;
  }

  /// Treats the batch as additional images for the same kernels.
  Value asImages() {
    bool ownBias = op.getBias() && s.isBatched(2);
    Value bias = op.getBias() && !ownBias ? s.value(2) : Value();
    if (!s.isBatched(0)) {
      // Only the bias has a batch, so all examples share the images and the
      // kernels.
      Value y = s.again(op, {s.value(0), s.value(1)}, dimsOf(op.getResult()));
      SmallVector<Dim> dims(dimsOf(op.getResult()));
      dims.insert(dims.begin(), Dim(1));
      return addBias(e.reshape(y, dims));
    }
    Value y = convolve(mergeInto(e, s.value(0), 0), s.value(1), bias, 0,
                       op.getGroups());
    y = splitFrom(e, y, 0, result());
    return ownBias ? addBias(y) : y;
  }

  Value addBias(Value y) {
    SmallVector<Dim> dims(rankOf(y), Dim(1));
    dims[0] = s.size;
    dims[1 + places.channel()] = dimsOf(op.getBias())[0];
    return e.add(y, e.reshape(s.value(2), dims));
  }

  /// Treats each example's kernels as a separate group of channels.
  Value asChannels() {
    Value kernel = mergeInto(e, s.value(1), places.grouped());
    Value bias = op.getBias() ? mergeInto(e, s.whole(2), 0) : Value();
    // If images are shared, the batch is treated as additional output channels.
    bool isShared =
        !s.isBatched(0) && op.getGroups() == 1 && !places.transposed;
    Value x =
        isShared ? s.value(0) : mergeInto(e, s.whole(0), places.channel());
    int64_t groups = isShared ? 1 : op.getGroups() * *s.size.number();
    Value y = convolve(x, kernel, bias, places.channel(), groups);
    return splitFrom(e, y, places.channel(), result());
  }

  Op op;
  Step &s;
  TensorBuilder &e;
  shape::ConvolutionPlaces places;
};
} // namespace

MaybeResult batchWindows(Step &s) {
  return llvm::TypeSwitch<Operation *, MaybeResult>(s.op)
      .Case<tx::MaxPoolOp, tx::AvgPoolOp, tx::ReduceWindowOp>(
          [&](auto op) { return pool(op, s); })
      .Case([&](tx::ConvOp op) { return Convolution(op, s).run(); })
      .Case([&](tx::ConvTransposeOp op) { return Convolution(op, s).run(); })
      .Default([](Operation *) { return std::nullopt; });
}

} // namespace tensorc::compiler::batching
