//===- MakeWindows.cpp - Random windows, poolings and convolutions --------===//

#include "tests/fuzz/Generator.h"

#include <cmath>

using namespace mlir;

namespace tensorc::fuzz {

/// Windows of up to 3 elements along these dims, where they fit in every run.
Generator::Maybe Generator::windowsOf(const Entry &x, ArrayRef<int64_t> along) {
  Dims dims = dimsOf(x);
  SmallVector<int64_t> sizes, strides, dilations;
  for (int64_t d : along) {
    sizes.push_back(1 + pick(3));
    strides.push_back(1 + pick(2));
    dilations.push_back(1 + pick(2));
    int64_t extent = (sizes.back() - 1) * dilations.back() + 1;
    if (leastOf(dims[d]) < extent)
      return std::nullopt;
    dims[d] = floorDiv(dims[d] - extent, strides.back()) + 1;
  }
  for (int64_t size : sizes)
    dims.push_back(Dim(size));
  if (elementsOf(dims) > 20000)
    return std::nullopt;
  Type type = tx::tensorType(dims, elementOf(x));
  return finish(tx::WindowsOp::create(builder, loc, type, x.value, along, sizes,
                                      strides, dilations),
                x.limit, x.error, false);
}

Generator::Maybe Generator::makeWindows() {
  Entry x = any();
  int64_t rank = dimsOf(x).size();
  if (rank == 0 || rank > 3)
    return std::nullopt;
  return windowsOf(x, pick(rank));
}

/// A reduction over windows along one or two dims.
Generator::Maybe Generator::makePooling() {
  Entry x = any();
  int64_t rank = dimsOf(x).size(), count = 1 + pick(2);
  if (rank < count || rank > 4 || isBool(x))
    return std::nullopt;
  auto along = llvm::to_vector(llvm::seq<int64_t>(rank - count, rank));
  Maybe windows = windowsOf(x, along);
  if (!windows)
    return std::nullopt;
  auto reduced = llvm::to_vector(llvm::seq<int64_t>(rank, rank + count));
  Dims dims = dimsOf(*windows);
  dims.resize(rank);
  Type type = tx::tensorType(dims, elementOf(x));
  Value w = windows->value;
  switch (pick(3)) {
  case 0:
    return finish(tx::ReduceMaxOp::create(builder, loc, type, w, reduced),
                  x.limit, x.error, false);
  case 1:
    return finish(tx::ReduceMinOp::create(builder, loc, type, w, reduced),
                  x.limit, x.error, false);
  default:
    if (isFloat(x) && !(x.limit < 1e3))
      return std::nullopt;
    return finish(tx::SumOp::create(builder, loc, type, w, reduced),
                  9 * x.limit,
                  9 * x.error + 40 * epsilonOf(elementOf(x)) * x.limit, true);
  }
}

/// As compiler/graph/nn/Convolution.cpp builds it: windows along the last dims
/// contracted with a kernel, over a dim of channels or not.
Generator::Maybe Generator::makeConvolution() {
  Entry x = any();
  int64_t rank = dimsOf(x).size(), count = 1 + pick(2);
  if (rank < count || rank > 4 || isBool(x) || !(x.limit < 1e3))
    return std::nullopt;
  auto along = llvm::to_vector(llvm::seq<int64_t>(rank - count, rank));
  Maybe windows = windowsOf(x, along);
  if (!windows)
    return std::nullopt;
  Dims dims = dimsOf(*windows), kernel = {Dim(1 + pick(5))}, result;
  SmallVector<int64_t> contracting, ofKernel;
  bool hasChannels = rank > count && chance(60);
  for (int64_t d = 0, end = dims.size(); d < end; ++d) {
    if (d < rank && !(hasChannels && d == 0)) {
      result.push_back(dims[d]);
      continue;
    }
    contracting.push_back(d);
    ofKernel.push_back(kernel.size());
    kernel.push_back(dims[d]);
  }
  // Weights that differ: a ramp along a dim of the kernel.
  auto type = tx::tensorType(kernel, elementOf(x));
  int64_t ramp = pick(kernel.size());
  Value weights = tx::IotaOp::create(builder, loc, type, ramp);
  double limit = sizeOf(kernel[ramp]), k = 1;
  for (Dim dim : ArrayRef(kernel).drop_front())
    k *= sizeOf(dim);
  result.push_back(kernel[0]);
  if (elementsOf(result) * k > 200000 || result.size() > 5)
    return std::nullopt;
  double product = k * x.limit * limit;
  double error = k * x.error * limit + std::max(4.0, std::sqrt(k)) *
                                           epsilonOf(elementOf(x)) * product;
  return finish(tx::DotGeneralOp::create(
                    builder, loc, tx::tensorType(result, elementOf(x)),
                    windows->value, weights, ArrayRef<int64_t>(),
                    ArrayRef<int64_t>(), contracting, ofKernel),
                product, error, true);
}

} // namespace tensorc::fuzz
