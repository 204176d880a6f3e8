//===- ExpandShortReductions.cpp - Unrolls reductions of a few elements ---===//
//
//   %s = tx.sum %p dims = [1] : 8x3 -> 8
// becomes
//   %a = tx.slice %p offsets = [0, 0] ; %b, %c likewise
//   %s = ((%a + %c) + %b) + 0
//
// A kernel of rows uses 32 lanes per row, and fuses no other reduction. The
// expanded form is element-wise: its lanes run along other dims, and kernels
// that reduce along those can fuse it. An example are distances of particles,
// whose 3 coordinates are the last dim.
//
// The order is that of a kernel of rows, which halves the number of lanes
// repeatedly, so the bits do not change. Adding 0 turns a sum of negative zeros
// into 0, as there.
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/passes/Passes.h"
#include "ir/builder/TensorBuilder.h"
#include "ir/tx/Combining.h"

using namespace mlir;

namespace tensorc::compiler {

#define GEN_PASS_DEF_EXPANDSHORTREDUCTIONSPASS
#include "compiler/transforms/passes/Passes.h.inc"

/// Maximum number of elements of a reduction to expand. After the expansion the
/// operand is read at one index per element, and a kernel computes a value at
/// up to four indices (maxReads in LoopRule.cpp).
static constexpr int64_t maxElements = 4;
/// Maximum number of ops that compute the reduced value. They are duplicated
/// for each element of the reduction.
static constexpr int64_t maxOps = 8;
/// Maximum number of transitive users to inspect.
static constexpr size_t maxUsers = 64;

static bool movesElements(Operation *op) {
  return isa<tx::BroadcastOp, tx::ReshapeOp, tx::TransposeOp, tx::SliceOp,
             tx::ConvertOp>(op);
}

static ArrayRef<int64_t> reducedDims(Operation *op) {
  return op->getAttrOfType<DenseI64ArrayAttr>("dims").asArrayRef();
}

/// True if the op reduces only the last dims, not counting kept ones of size 1,
/// these have few elements, and the dtype is unchanged.
static bool isShort(Operation *op) {
  std::optional<tx::Combining> combining = tx::combiningOf(op);
  if (!op->hasTrait<tx::Reduction>() || !combining || combining->by.empty() ||
      isa<tx::CountNonzeroOp>(op))
    return false;
  auto from = cast<RankedTensorType>(op->getOperand(0).getType());
  Type element = from.getElementType();
  if (element != getElementTypeOrSelf(op->getResult(0).getType()) ||
      !(element.isF32() || element.isF64() || isa<IntegerType>(element)))
    return false;
  int64_t count = 1, last = from.getRank();
  for (int64_t d : llvm::reverse(reducedDims(op))) {
    while (--last > d)
      if (from.getDimSize(last) != 1)
        return false;
    if (from.isDynamicDim(d))
      return false;
    count *= from.getDimSize(d);
  }
  return count > 1 && count <= maxElements;
}

/// True if the value is computed by few cheap ops and does not read windows,
/// which have their own kernels.
static bool isCheap(Value x) {
  llvm::SetVector<Operation *> ops;
  ops.insert(x.getDefiningOp());
  int64_t count = 0;
  for (size_t i = 0; i < ops.size(); ++i) {
    Operation *op = ops[i];
    if (!op)
      continue;
    if (isa<tx::WindowsOp>(op) || op->hasTrait<tx::Costly>())
      return false;
    bool computes = op->hasTrait<tx::Elementwise>() && !isa<tx::ConvertOp>(op);
    count += computes;
    if (count > maxOps)
      return false;
    if (computes || movesElements(op))
      for (Value operand : op->getOperands())
        ops.insert(operand.getDefiningOp());
  }
  return true;
}

/// True if elements of the whole shape read the result, as in a norm, and
/// nothing reduces them along other dims. In that case a kernel of rows
/// computes both in one pass.
static bool isForItsRow(Operation *op) {
  ArrayRef<shape::Dim> whole =
      tx::dimsOf(cast<RankedTensorType>(op->getOperand(0).getType()));
  bool goesBack = false;
  llvm::SetVector<Operation *> users;
  users.insert(op);
  for (size_t i = 0; i < users.size() && i < maxUsers; ++i)
    for (Operation *user : users[i]->getUsers()) {
      if (user->hasTrait<tx::Reduction>() &&
          reducedDims(user) != reducedDims(op))
        return false;
      if (!user->hasTrait<tx::Elementwise>() && !movesElements(user))
        continue;
      auto type = cast<RankedTensorType>(user->getResult(0).getType());
      goesBack |= tx::dimsOf(type) == whole;
      users.insert(user);
    }
  return goesBack;
}

static Value combine(builder::TensorBuilder &b, StringRef by, Value x,
                     Value y) {
  if (by == tx::AddOp::getOperationName())
    return b.add(x, y);
  if (by == tx::MulOp::getOperationName())
    return b.mul(x, y);
  if (by == tx::MaxOp::getOperationName())
    return b.max(x, y);
  if (by == tx::MinOp::getOperationName())
    return b.min(x, y);
  return by == tx::OrOp::getOperationName() ? b.logicalOr(x, y)
                                            : b.logicalAnd(x, y);
}

static void expand(OpBuilder &builder, Operation *op) {
  builder.setInsertionPoint(op);
  builder::TensorBuilder b(builder, op);
  StringRef by = tx::combiningOf(op)->by;
  Value x = op->getOperand(0);
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  auto from = cast<RankedTensorType>(x.getType());
  SmallVector<shape::Dim> sizes(tx::dimsOf(from));
  int64_t rank = from.getRank(), count = 1;
  for (int64_t d : reducedDims(op)) {
    count *= from.getDimSize(d);
    sizes[d] = 1;
  }
  SmallVector<int64_t> strides(rank, 1);
  SmallVector<Value> elements;
  for (int64_t i = 0; i < count; ++i) {
    SmallVector<int64_t> offsets(rank, 0);
    int64_t place = i;
    for (int64_t d : llvm::reverse(reducedDims(op))) {
      offsets[d] = place % from.getDimSize(d);
      place /= from.getDimSize(d);
    }
    elements.push_back(
        b.reshape(b.slice(x, offsets, strides, sizes), tx::dimsOf(type)));
  }
  // Combines halves of the lanes repeatedly. The number of lanes is rounded up
  // to a power of two.
  for (size_t half = llvm::PowerOf2Ceil(count) / 2; half > 0; half /= 2) {
    for (size_t i = half; i < elements.size(); ++i)
      elements[i - half] = combine(b, by, elements[i - half], elements[i]);
    elements.resize(std::min(elements.size(), half));
  }
  Value result = elements.front();
  if (isa<tx::SumOp>(op) && isa<FloatType>(type.getElementType()))
    result = b.add(result, 0.0);
  op->getResult(0).replaceAllUsesWith(result);
  op->erase();
}

namespace {
struct ExpandShortReductions
    : impl::ExpandShortReductionsPassBase<ExpandShortReductions> {
  void runOnOperation() override {
    SmallVector<Operation *> found;
    getOperation().walk([&](Operation *op) {
      if (isShort(op) && isCheap(op->getOperand(0)) && !isForItsRow(op))
        found.push_back(op);
    });
    OpBuilder builder(&getContext());
    for (Operation *op : found)
      expand(builder, op);
  }
};
} // namespace

} // namespace tensorc::compiler
