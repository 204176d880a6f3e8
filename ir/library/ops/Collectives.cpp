//===- Collectives.cpp - Expansions of collectives to calls ---------------===//
//
// The call's name is `collective`. Its config consists of the kind and the
// parameters of the collective. The parts of the ranks are along the first dim
// of a call's operand and result, and are transposed there and back.
//
//===----------------------------------------------------------------------===//

#include "ir/builder/TensorBuilder.h"
#include "ir/library/Mesh.h"

using namespace mlir;

namespace tensorc::tx {

using builder::TensorBuilder;

/// Calls the communicator. `config` comes before the number of ranks.
static Value callRanks(OpBuilder &builder, Operation *op, ValueRange inputs,
                       ArrayRef<Dim> dims, const Twine &config, int64_t ranks,
                       ArrayRef<int64_t> groups = {}) {
  Type element = getElementTypeOrSelf(op->getResult(0).getType());
  std::string list = groups.empty() ? "" : " groups=";
  llvm::raw_string_ostream stream(list);
  llvm::interleave(groups, stream, ",");
  auto text = builder.getStringAttr(config + " ranks=" + Twine(ranks) + list);
  return CustomCallOp::create(builder, op->getLoc(), tensorType(dims, element),
                              builder.getStringAttr("collective"), inputs, text,
                              StringAttr())
      .getResult(0);
}

/// Splits a dim into parts of the ranks, and makes these the first dim.
static Value splitToFront(TensorBuilder &b, Value x, int64_t dim,
                          int64_t ranks) {
  SmallVector<Dim> dims(builder::dimsOf(x));
  dims[dim] = shape::floorDiv(dims[dim], ranks);
  dims.insert(dims.begin() + dim, ranks);
  SmallVector<int64_t> order = {dim};
  for (size_t i = 0; i < dims.size(); ++i)
    if (static_cast<int64_t>(i) != dim)
      order.push_back(i);
  return b.transpose(b.reshape(x, dims), order);
}

/// Joins the parts of the ranks, which are the first dim, along a dim of each.
static Value joinFromFront(TensorBuilder &b, Value x, int64_t dim) {
  SmallVector<int64_t> order;
  for (int64_t i = 1; i < builder::rankOf(x); ++i) {
    if (i == dim + 1)
      order.push_back(0);
    order.push_back(i);
  }
  SmallVector<Dim> dims(builder::dimsOf(x).drop_front());
  dims[dim] = dims[dim] * builder::dimsOf(x).front();
  return b.reshape(b.transpose(x, order), dims);
}

Value AllReduceOp::expand(OpBuilder &b) {
  return callRanks(b, *this, getX(), builder::dimsOf(getX()),
                   "all_reduce " + stringifyCombiner(getCombiner()), getRanks(),
                   getGroups());
}

Value AllGatherOp::expand(OpBuilder &builder) {
  TensorBuilder b(builder, *this);
  SmallVector<Dim> dims(builder::dimsOf(getX()));
  dims.insert(dims.begin(), getRanks());
  Value parts = callRanks(builder, *this, getX(), dims, "all_gather",
                          getRanks(), getGroups());
  return joinFromFront(b, parts, getDim());
}

Value ReduceScatterOp::expand(OpBuilder &builder) {
  TensorBuilder b(builder, *this);
  Value parts = splitToFront(b, getX(), getDim(), getRanks());
  return callRanks(builder, *this, parts, builder::dimsOf(parts).drop_front(),
                   "reduce_scatter " + stringifyCombiner(getCombiner()),
                   getRanks(), getGroups());
}

Value AllToAllOp::expand(OpBuilder &builder) {
  TensorBuilder b(builder, *this);
  Value parts = splitToFront(b, getX(), getSplit(), getRanks());
  Value exchanged = callRanks(builder, *this, parts, builder::dimsOf(parts),
                              "all_to_all", getRanks(), getGroups());
  return joinFromFront(b, exchanged, getConcat());
}

Value CollectiveBroadcastOp::expand(OpBuilder &b) {
  return callRanks(b, *this, getX(), builder::dimsOf(getX()),
                   "broadcast root=" + Twine(getRoot()), getRanks(),
                   getGroups());
}

Value CollectivePermuteOp::expand(OpBuilder &b) {
  std::string config = "permute";
  ArrayRef<int64_t> pairs = getPairs();
  for (size_t i = 0; i + 1 < pairs.size(); i += 2)
    config += (" " + Twine(pairs[i]) + ">" + Twine(pairs[i + 1])).str();
  return callRanks(b, *this, getX(), builder::dimsOf(getX()), config,
                   getRanks());
}

Value PartitionIdOp::expand(OpBuilder &b) {
  return callRanks(b, *this, {}, {}, "partition_id", getRanks());
}

/// On a single device.
Value ShardOp::expand(OpBuilder &) { return getX(); }

Value LocalPartOp::expand(OpBuilder &b) {
  Mesh mesh{SmallVector<int64_t>(getMesh())};
  Value x = getX();
  for (int64_t dim = 0; dim < getType().getRank(); ++dim)
    if (auto axes = mesh.axesOf(shardingOf(*this), dim); mesh.size(axes) > 1)
      x = mesh.slice(b, x, dim, axes);
  return x;
}

Value JoinPartsOp::expand(OpBuilder &b) {
  Mesh mesh{SmallVector<int64_t>(getMesh())};
  Value x = getX();
  for (int64_t dim = 0; dim < getType().getRank(); ++dim) {
    auto axes = mesh.axesOf(shardingOf(*this), dim);
    if (mesh.size(axes) == 1)
      continue;
    SmallVector<Dim> dims(builder::dimsOf(x));
    dims[dim] = dims[dim] * mesh.size(axes);
    Type type = tensorType(dims, getType().getElementType());
    x = AllGatherOp::create(b, getLoc(), type, x, dim, mesh.size(axes),
                            mesh.groups(axes));
  }
  return x;
}

} // namespace tensorc::tx
