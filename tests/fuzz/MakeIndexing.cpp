//===- MakeIndexing.cpp - Random gathers, windows and casts of bits -------===//

#include "tests/fuzz/Generator.h"

#include <limits>

using namespace mlir;

namespace tensorc::fuzz {

/// Rows of x at whatever integers there are: starts are clamped.
Generator::Maybe Generator::makeGather() {
  Entry x = any(), i = any();
  Dims dims = dimsOf(x);
  if (dims.empty() || !isExact(i))
    return std::nullopt;
  if (isFloat(i) || isBool(i))
    i = *fitDType(i, chance(50) ? builder.getI32Type() : builder.getI64Type());
  Dims result = dimsOf(i);
  int64_t batch = result.size();
  result.append(dims.begin() + 1, dims.end());
  if (result.size() > 4 || elementsOf(result) > 20000)
    return std::nullopt;
  SmallVector<int64_t> sizes(dims.size(), -1);
  sizes[0] = 1;
  auto offsets = llvm::to_vector(llvm::seq<int64_t>(batch, result.size()));
  return finish(tx::GatherOp::create(builder, loc,
                                     space.type(result, elementOf(x)), x.value,
                                     i.value, offsets, ArrayRef<int64_t>(0),
                                     ArrayRef<int64_t>(0), batch, sizes),
                x.limit, x.error, false);
}

/// Windows of up to 3 elements along one dim.
Generator::Maybe Generator::makeWindows() {
  Entry x = any();
  Dims dims = dimsOf(x);
  if (dims.empty() || dims.size() > 3)
    return std::nullopt;
  int64_t d = pick(dims.size()), size = 1 + pick(3), stride = 1, dilation = 1;
  if (auto constant = dyn_cast<AffineConstantExpr>(dims[d])) {
    stride += pick(2);
    dilation += pick(2);
    int64_t last = constant.getValue() - 1 - (size - 1) * dilation;
    if (last < 0)
      return std::nullopt;
    dims[d] = space.constant(last / stride + 1);
  } else if (isa<AffineSymbolExpr>(dims[d])) {
    dims[d] = space.simplify(dims[d] - (size - 1)); // Named dims have 3.
  } else {
    return std::nullopt;
  }
  dims.push_back(space.constant(size));
  if (elementsOf(dims) > 20000)
    return std::nullopt;
  Type type = space.type(dims, elementOf(x));
  return finish(
      tx::WindowsOp::create(builder, loc, type, x.value, ArrayRef<int64_t>(d),
                            ArrayRef<int64_t>(size), ArrayRef<int64_t>(stride),
                            ArrayRef<int64_t>(dilation)),
      x.limit, x.error, false);
}

/// Between numbers of one width. The bits of a NaN are nobody's promise, so
/// floats among which are some stay as they are.
Generator::Maybe Generator::makeBitcast() {
  Entry x = any();
  unsigned width = elementOf(x).getIntOrFloatBitWidth();
  if (!isExact(x) || width == 1 ||
      (isFloat(x) && x.limit == std::numeric_limits<double>::infinity()))
    return std::nullopt;
  SmallVector<Type> choices = {builder.getIntegerType(width),
                               builder.getIntegerType(width, false)};
  if (width == 16)
    choices.append({builder.getF16Type(), builder.getBF16Type()});
  if (width == 32)
    choices.push_back(builder.getF32Type());
  if (width == 64)
    choices.push_back(builder.getF64Type());
  Type element = choices[pick(choices.size())];
  if (element == elementOf(x))
    return std::nullopt;
  return finish(tx::BitcastOp::create(
                    builder, loc,
                    tx::withElementType(x.value.getType(), element), x.value),
                std::numeric_limits<double>::infinity(), 0, false);
}

} // namespace tensorc::fuzz
