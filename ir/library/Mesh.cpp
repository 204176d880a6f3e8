//===- Mesh.cpp - Grids of ranks and shardings of tensors -----------------===//

#include "ir/library/Mesh.h"

#include "ir/builder/TensorBuilder.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tensorc::tx {

using builder::TensorBuilder;

int64_t Mesh::stride(int64_t axis) const {
  int64_t product = 1;
  for (int64_t size : ArrayRef(sizes).drop_front(axis + 1))
    product *= size;
  return product;
}

int64_t Mesh::size(ArrayRef<int64_t> axes) const {
  int64_t product = 1;
  for (int64_t axis : axes)
    product *= sizes[axis];
  return product;
}

SmallVector<int64_t> Mesh::groups(ArrayRef<int64_t> axes) const {
  // The distances of a group's ranks from its first rank.
  SmallVector<int64_t> offsets = {0};
  for (int64_t axis : axes) {
    SmallVector<int64_t> next;
    for (int64_t offset : offsets)
      for (int64_t i = 0; i < sizes[axis]; ++i)
        next.push_back(offset + i * stride(axis));
    offsets = next;
  }
  int64_t all = stride(-1);
  if (static_cast<int64_t>(offsets.size()) == all)
    return {};
  SmallVector<int64_t> result;
  for (int64_t first = 0; first < all; ++first)
    if (llvm::all_of(axes, [&](int64_t axis) {
          return first / stride(axis) % sizes[axis] == 0;
        }))
      for (int64_t offset : offsets)
        result.push_back(first + offset);
  return result;
}

SmallVector<int64_t> Mesh::axesOf(const Sharding &sharding, int64_t dim) const {
  SmallVector<int64_t> result;
  for (auto [axis, split] : llvm::enumerate(sharding))
    if (split == dim)
      result.push_back(axis);
  return result;
}

RankedTensorType Mesh::localType(RankedTensorType type,
                                 const Sharding &sharding) const {
  SmallVector<shape::Dim> dims(dimsOf(type));
  for (auto [axis, dim] : llvm::enumerate(sharding))
    if (dim >= 0)
      dims[dim] = shape::floorDiv(dims[dim], sizes[axis]);
  return tensorType(dims, type.getElementType());
}

std::string Mesh::text(ArrayRef<int64_t> axes) const {
  std::string result;
  for (int64_t axis : axes)
    result += (result.empty() ? "" : ",") + names[axis];
  return result.empty() ? "-" : result;
}

std::string Mesh::text(const Sharding &sharding, int64_t rank) const {
  SmallVector<std::string> dims;
  for (int64_t dim = 0; dim < rank; ++dim)
    dims.push_back(text(axesOf(sharding, dim)));
  return "[" + llvm::join(dims, " ") + "]";
}

Value Mesh::slice(OpBuilder &builder, Value x, int64_t dim,
                  ArrayRef<int64_t> axes) const {
  TensorBuilder b(builder, x.getLoc());
  auto number = [&](int64_t value) { return b.full(value, DType::I64); };
  Value rank = PartitionIdOp::create(
      builder, x.getLoc(), tensorType({}, builder.getI64Type()), numRanks());
  Value part;
  for (int64_t axis : axes) {
    Value position = b.map<FloorDivOp>({rank, number(stride(axis))});
    position = b.map<ModOp>({position, number(sizes[axis])});
    part = part ? b.add(b.mul(part, number(sizes[axis])), position) : position;
  }
  auto type = cast<RankedTensorType>(x.getType());
  SmallVector<shape::Dim> dims(dimsOf(type));
  shape::Dim size = shape::floorDiv(dims[dim], this->size(axes));
  dims[dim] = size;
  if (!size.isNumber()) {
    // The sizes of a slice are numbers: takes one of the parts.
    SmallVector<shape::Dim> apart(dims);
    apart.insert(apart.begin() + dim, this->size(axes));
    SmallVector<Value> starts(apart.size(), number(0));
    SmallVector<int64_t> sliceSizes(apart.size(), -1);
    starts[dim] = part;
    sliceSizes[dim] = 1;
    Value parts = b.reshape(x, apart);
    apart[dim] = 1;
    Value one = DynamicSliceOp::create(builder, x.getLoc(),
                                       tensorType(apart, type.getElementType()),
                                       parts, starts, sliceSizes);
    return b.reshape(one, dims);
  }
  SmallVector<Value> starts(type.getRank(), number(0));
  starts[dim] = b.mul(part, number(*size.number()));
  SmallVector<int64_t> sliceSizes(type.getRank(), -1);
  sliceSizes[dim] = *size.number();
  return DynamicSliceOp::create(builder, x.getLoc(),
                                tensorType(dims, type.getElementType()), x,
                                starts, sliceSizes);
}

} // namespace tensorc::tx
