//===- WeightOrder.cpp - Element order of a quantized weight --------------===//

#include "compiler/frontends/quantize/WeightOrder.h"
#include "ir/builder/TensorBuilder.h"
#include "ir/tx/Tx.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;

namespace tensorc::compiler {

using reference::Array;
using tx::DType;

Value constantOf(OpBuilder &b, Location loc, const Array &array) {
  std::vector<uint8_t> bytes = reference::pack(array);
  auto type = RankedTensorType::get(
      array.shape, tx::elementType(b.getContext(), array.dtype));
  ArrayRef<char> raw(reinterpret_cast<const char *>(bytes.data()),
                     bytes.size());
  // Maximum number of elements of a constant that kernels inline.
  static constexpr int64_t maxInline = 64;
  ElementsAttr value =
      array.size() <= maxInline && !tx::isPacked(array.dtype)
          ? cast<ElementsAttr>(DenseElementsAttr::getFromRawBuffer(type, raw))
          : cast<ElementsAttr>(DenseResourceElementsAttr::get(
                type, "quantized",
                HeapAsmResourceBlob::allocateAndCopyWithAlign(raw, 64)));
  return tx::ConstantOp::create(b, loc, type, value);
}

WeightOrder::WeightOrder(ArrayRef<int64_t> shape, ArrayRef<int64_t> groups,
                         ArrayRef<int64_t> summed, bool isDot, DType dtype)
    : shape(shape) {
  if (isDot)
    dims = llvm::to_vector(summed);
  for (int64_t d : llvm::seq<int64_t>(0, shape.size()))
    if (!llvm::is_contained(dims, d))
      dims.push_back(d);
  if (!tx::isPacked(dtype))
    return;
  int64_t count = summed.size();
  if (isDot && count > 0 && groups[dims[count - 1]] % 2 == 0) {
    split = count - 1;
    isGrouped = true;
    parts = shape[dims[split]] / groups[dims[split]];
  } else if (!isDot) {
    // The dims are in the order of the stored weight from here on.
    split =
        llvm::find_if(
            dims, [&](int64_t d) { return !llvm::is_contained(summed, d); }) -
        dims.begin();
    if (shape[split] % 2)
      split = -1;
  }
}

namespace {
/// One dim of the rearranged array: its number of elements and their stride.
struct Step {
  int64_t size, stride;
};
} // namespace

/// Collects the elements that the steps visit, the last step innermost.
static Array collect(const Array &from, ArrayRef<Step> steps) {
  SmallVector<int64_t> shape =
      llvm::map_to_vector(steps, [](Step step) { return step.size; });
  Array to = *Array::create(from.dtype, shape);
  int64_t width = tx::byteWidth(from.dtype), at = 0;
  // Uses plain loops for the last two dims, because the last one may have only
  // two elements.
  size_t plain = std::min<size_t>(steps.size(), 2);
  Step rows = plain == 2 ? steps[steps.size() - 2] : Step{1, 0};
  Step columns = plain ? steps.back() : Step{1, 0};
  int64_t inner = rows.size * columns.size;
  SmallVector<int64_t> outer(ArrayRef(shape).drop_back(plain));
  reference::forEachIndex(outer, [&](int64_t, ArrayRef<int64_t> index) {
    int64_t start = 0;
    for (auto [i, step] : llvm::zip(index, steps))
      start += i * step.stride;
    for (int64_t i = 0; i < inner; ++i) {
      int64_t row = i / columns.size, column = i % columns.size;
      std::copy_n(from.at(start + row * rows.stride + column * columns.stride),
                  width, to.at(at++));
    }
  });
  return to;
}

Array WeightOrder::arrange(const Array &from) const {
  SmallVector<int64_t> strides = reference::stridesOf(from.shape);
  SmallVector<Step> steps;
  Step halves{0, 0};
  for (auto [i, d] : llvm::enumerate(dims)) {
    Step step{from.shape[d], strides[d]};
    if (static_cast<int64_t>(i) != split) {
      steps.push_back(step);
      continue;
    }
    // A group has a single scale.
    int64_t half = shape[d] / parts / 2, each = step.size / parts;
    if (isGrouped)
      steps.push_back({parts, each * step.stride});
    halves = {each == 1 ? 1 : 2, half * step.stride};
    steps.push_back({each == 1 ? 1 : half, step.stride});
  }
  if (halves.size)
    steps.push_back(halves);
  return collect(from, steps);
}

Value WeightOrder::restore(OpBuilder &b, Location loc, Value x) const {
  builder::TensorBuilder t(b, loc);
  int64_t rank = dims.size();
  SmallVector<int64_t> own(rank);
  for (auto [i, d] : llvm::enumerate(dims))
    own[d] = i;
  if (split >= 0) {
    int64_t last = builder::rankOf(x) - 1;
    SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, last));
    order.insert(order.begin() + split + isGrouped, last);
    SmallVector<shape::Dim> merged;
    for (int64_t d : dims)
      merged.push_back(shape[d]);
    x = t.reshape(t.transpose(x, order), merged);
  }
  return llvm::is_sorted(own) ? x : t.transpose(x, own);
}

} // namespace tensorc::compiler
