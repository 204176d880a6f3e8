//===- LibraryRules.h - Shape rules of composites -------------------------===//
//
// Like Rules.h, for the ops of ir/library.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_IR_SHAPE_LIBRARYRULES_H
#define TENSORC_IR_SHAPE_LIBRARYRULES_H

#include "ir/shape/Rules.h"

namespace tensorc::shape {

/// Dims of an optional operand.
using OptionalDims = std::optional<Dims>;

/// The result has x's shape.
InferredShape inferSame(Dims x);
/// The result has the shape of x and y, which must be equal.
InferredShape inferSameAs(Dims x, Dims y);
/// The result has x's shape; `dim` must be one of its dims.
InferredShape inferAlong(Dims x, int64_t dim);
/// The result has the remaining dims; with `keepDims` also 1 for the others.
InferredShape inferKeptReduction(Dims x, Numbers dims, bool keepDims);

//===----------------------------------------------------------------------===//
// Collectives (CollectiveRules.cpp)
//===----------------------------------------------------------------------===//

// `groups` lists the ranks of all groups, with `ranks` ranks per group. If it
// is empty, all ranks are one group.

/// The result has x's shape on each rank.
InferredShape inferOverRanks(Dims x, int64_t ranks, Numbers groups);
/// `dims` are the dims of x that the axes of the mesh split, or -1.
InferredShape inferShard(Dims x, Numbers mesh, Numbers dims);
InferredShape inferLocalPart(Dims x, Numbers mesh, Numbers dims);
InferredShape inferJoinParts(Dims x, Numbers mesh, Numbers dims);
InferredShape inferAllGather(Dims x, int64_t dim, int64_t ranks,
                             Numbers groups);
InferredShape inferReduceScatter(Dims x, int64_t dim, int64_t ranks,
                                 Numbers groups);
InferredShape inferAllToAll(Dims x, int64_t split, int64_t concat,
                            int64_t ranks, Numbers groups);
InferredShape inferFromRank(Dims x, int64_t root, int64_t ranks,
                            Numbers groups);
/// The pairs are listed as source, target, source, target.
InferredShape inferPermute(Dims x, Numbers pairs, int64_t ranks);

//===----------------------------------------------------------------------===//
// Normalizations (NormalizationRules.cpp)
//===----------------------------------------------------------------------===//

/// The result has x's shape; scale and bias have its last dim, which is
/// normalized.
InferredShape inferLayerNorm(Dims x, OptionalDims scale, OptionalDims bias);
InferredShape inferRmsNorm(Dims x, OptionalDims scale);
/// A normalization of images, whose channels are dim 1.
InferredShape inferGroupNorm(Dims x, OptionalDims scale, OptionalDims bias,
                             int64_t groups);
/// Each list has one number per channel.
InferredShape inferBatchNorm(Dims x, llvm::ArrayRef<OptionalDims> lists,
                             int64_t dim);
InferredShape inferCrossEntropy(Dims logits, Dims labels, OptionalDims weight,
                                bool isReduced);

//===----------------------------------------------------------------------===//
// Linear algebra and quantization (LinearAlgebraRules.cpp)
//===----------------------------------------------------------------------===//

/// The last two dims are square matrices, and the preceding dims are a batch.
InferredShape inferSquare(Dims x);
/// The result has the shape of b, which has a matrix of right-hand sides for
/// each matrix.
InferredShape inferSolve(Dims matrix, Dims b);
/// The diagonals are three rows.
InferredShape inferTridiagonal(Dims diagonals, Dims b);
InferredShape inferCholesky(Dims x, bool hasInfo);
InferredShape inferLu(Dims x);
InferredShape inferDeterminant(Dims x, bool ofLogarithm);
InferredShape inferQr(Dims x, bool isComplete);
InferredShape inferSvd(Dims x);
InferredShape inferEigh(Dims x);
/// The result has x's shape. Each dim of the scale divides the dim of x.
InferredShape inferScaled(Dims x, Dims scale, OptionalDims zeroPoint);

//===----------------------------------------------------------------------===//
// Fourier transforms (FourierRules.cpp)
//===----------------------------------------------------------------------===//

/// The result has x's shape. It holds real and imaginary parts, and the last
/// dim has this length.
InferredShape inferFft(Dims x, int64_t length);
/// The result has x's shape with these lengths along the dims. With `toHalf`
/// the result, or with `fromHalf` x, has length / 2 + 1 along the last of them.
InferredShape inferFourier(Dims x, Numbers lengths, Numbers dims, bool toHalf,
                           bool fromHalf);

//===----------------------------------------------------------------------===//
// Attention and windows (WindowRules.cpp)
//===----------------------------------------------------------------------===//

/// Each key is shared by `groups` queries along q's dim -3.
InferredShape inferAttention(Dims q, Dims k, Dims v, OptionalDims mask,
                             int64_t groups);

/// Positions of dims in an image and in a kernel with this many spatial dims.
/// Images are N, C, spatial, or N, spatial, C. Kernels have their channels in
/// the order out, in. Transposed kernels, and all kernels for images with
/// channels last, have them in the order in, out.
struct ConvolutionPlaces {
  int64_t dims;
  bool channelsLast, transposed;

  int64_t channel() const { return channelsLast ? dims + 1 : 1; }
  int64_t spatial(int64_t i) const { return (channelsLast ? 1 : 2) + i; }
  int64_t ofKernel(int64_t i) const { return (channelsLast ? 0 : 2) + i; }
  int64_t in() const {
    return (channelsLast ? dims : 0) + (transposed || channelsLast ? 0 : 1);
  }
  int64_t out() const {
    return (channelsLast ? dims : 0) + (transposed || channelsLast ? 1 : 0);
  }
  /// The dim of the kernel that holds the channels of all groups.
  int64_t grouped() const { return transposed ? in() : out(); }
};

struct ConvolutionNumbers {
  bool channelsLast, transposed;
  int64_t groups;
  /// One number per spatial dim. `sizes` are the kernel's sizes.
  Numbers sizes, strides, dilations, low, high, inputDilations;
};
InferredShape inferConvolution(Dims x, Dims kernel, OptionalDims bias,
                               const ConvolutionNumbers &numbers);

/// The windows of a pooling op, which slide over padded dims.
struct PooledWindows {
  Numbers dims, sizes, strides, dilations, low, high;
};
/// Rejects lists of different lengths, and numbers out of bounds.
InferredShape checkPooling(const PooledWindows &numbers);
InferredShape inferPooling(Dims x, const PooledWindows &numbers);

/// The result's dims have these sizes.
InferredShape inferInterpolation(Dims x, Numbers dims, Dims result);

} // namespace tensorc::shape

#endif // TENSORC_IR_SHAPE_LIBRARYRULES_H
