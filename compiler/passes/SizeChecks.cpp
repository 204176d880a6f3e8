//===- SizeChecks.cpp - What only the sizes of a run can tell -------------===//

#include "compiler/passes/ProgramSizes.h"
#include "ir/tx/Tx.h"

#include "llvm/Support/Path.h"

using namespace mlir;

namespace tensorc::compiler {

/// The checks of one op.
class SizeChecks {
public:
  SizeChecks(ProgramSizes &sizes, llvm::function_ref<Value(unsigned)> input)
      : sizes(sizes), names(sizes.names), b(sizes.b), input(input) {}

  void check(Operation *op);

private:
  ProgramSizes &sizes;
  tx::DimSpace &names;
  ImplicitLocOpBuilder &b;
  llvm::function_ref<Value(unsigned)> input;

  void checkOffsets(tx::SliceOp slice);
  void checkOffset(tx::SliceOp slice, unsigned dim, Value offset);
  void checkReshape(tx::ReshapeOp reshape);
  void checkBytes(tx::ReinterpretOp view);
  void checkWindows(tx::WindowsOp windows);
  void checkSlice(Operation *op, Value x, unsigned dim, AffineExpr slice);
  void checkSlices(Operation *op, Value x, ArrayRef<int64_t> slices);
  void checkUpdate(tx::DynamicUpdateSliceOp op);
  void checkWindows(tx::ScatterOp scatter);
  void checkArgument(Operation *op, ArrayRef<int64_t> reduced);
};

/// `slice: reads outside dimension 0  at app.cpp:41`
static std::string message(Operation *op, const Twine &text) {
  std::string result = (op->getName().stripDialect() + ": " + text).str();
  if (auto at = op->getLoc()->findInstanceOf<FileLineColLoc>())
    // Without the folder, which artefacts must not depend on.
    result += ("  at " + llvm::sys::path::filename(at.getFilename()) + ":" +
               Twine(at.getLine()))
                  .str();
  return result;
}

/// What a slice reads must lie inside its operand; offsets are known only now.
void SizeChecks::checkOffset(tx::SliceOp slice, unsigned dim, Value offset) {
  Value extent = sizes.value(names.dims(slice.getX().getType())[dim]);
  Value count = sizes.value(names.dims(slice.getType())[dim]);
  Value steps = b.createOrFold<arith::SubIOp>(count, sizes.word(1));
  Value last = b.createOrFold<arith::AddIOp>(
      offset, b.createOrFold<arith::MulIOp>(
                  steps, sizes.word(slice.getStrides()[dim])));
  Value low = b.createOrFold<arith::MinSIOp>(offset, last);
  Value high = b.createOrFold<arith::MaxSIOp>(offset, last);
  Value empty = b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::eq, count,
                                              sizes.word(0));
  Value notNegative = b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::sge,
                                                    low, sizes.word(0));
  Value below =
      b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::slt, high, extent);
  Value inside = b.createOrFold<arith::AndIOp>(notNegative, below);
  Value holds = b.createOrFold<arith::OrIOp>(empty, inside);
  sizes.require(holds, message(slice, "reads outside dimension " + Twine(dim)));
}

void SizeChecks::checkOffsets(tx::SliceOp slice) {
  unsigned next = 0;
  for (auto [dim, offset] : llvm::enumerate(slice.getStaticOffsets())) {
    if (ShapedType::isDynamic(offset)) {
      auto inner = cast<BlockArgument>(slice.getOffsets()[next++]);
      checkOffset(slice, dim, input(inner.getArgNumber()));
      continue;
    }
    // Of static sizes the verifier has seen to it.
    bool isStatic =
        isa<AffineConstantExpr>(names.dims(slice.getType())[dim]) &&
        isa<AffineConstantExpr>(names.dims(slice.getX().getType())[dim]);
    if (!isStatic)
      checkOffset(slice, dim, sizes.word(offset));
  }
}

void SizeChecks::checkReshape(tx::ReshapeOp reshape) {
  AffineExpr from = names.product(names.dims(reshape.getX().getType()));
  AffineExpr to = names.product(names.dims(reshape.getType()));
  if (from != to)
    sizes.require(
        arith::CmpIPredicate::eq, sizes.value(from), sizes.value(to),
        message(reshape, "cannot reshape " +
                             tx::shapeString(reshape.getX().getType()) +
                             " to " + tx::shapeString(reshape.getType())));
}

void SizeChecks::checkBytes(tx::ReinterpretOp view) {
  AffineExpr from = names.bytesOf(view.getX().getType());
  AffineExpr to = names.bytesOf(view.getType());
  if (from != to)
    sizes.require(
        arith::CmpIPredicate::eq, sizes.value(from), sizes.value(to),
        message(view, "the operand has not as many bytes as the result"));
}

void SizeChecks::checkWindows(tx::WindowsOp windows) {
  SmallVector<AffineExpr> dims = names.dims(windows.getX().getType());
  for (auto [i, d] : llvm::enumerate(windows.getDims())) {
    int64_t extent =
        (windows.getSizes()[i] - 1) * windows.getDilations()[i] + 1;
    if (!isa<AffineConstantExpr>(dims[d]))
      sizes.require(
          arith::CmpIPredicate::sge, sizes.value(dims[d]), sizes.word(extent),
          message(windows, "a window of " + Twine(extent) +
                               " does not fit into dimension " + Twine(d) +
                               " of " +
                               tx::shapeString(windows.getX().getType())));
  }
}

/// A slice of x must fit into it along `dim`.
void SizeChecks::checkSlice(Operation *op, Value x, unsigned dim,
                            AffineExpr slice) {
  auto type = cast<RankedTensorType>(x.getType());
  AffineExpr whole = names.dims(type)[dim];
  // Of static sizes the verifier has seen to it.
  if (slice == whole ||
      (isa<AffineConstantExpr>(whole) && isa<AffineConstantExpr>(slice)))
    return;
  sizes.require(arith::CmpIPredicate::sge, sizes.value(whole),
                sizes.value(slice),
                message(op, "a slice of " + tx::toString(slice, names.names()) +
                                " does not fit into dimension " + Twine(dim) +
                                " of " + tx::shapeString(type)));
}

void SizeChecks::checkSlices(Operation *op, Value x, ArrayRef<int64_t> slices) {
  for (auto [d, slice] : llvm::enumerate(slices))
    if (slice != -1)
      checkSlice(op, x, d, names.constant(slice));
}

void SizeChecks::checkUpdate(tx::DynamicUpdateSliceOp op) {
  for (auto [d, slice] : llvm::enumerate(names.dims(op.getUpdate().getType())))
    checkSlice(op, op.getX(), d, slice);
}

void SizeChecks::checkWindows(tx::ScatterOp scatter) {
  SmallVector<AffineExpr> updates = names.dims(scatter.getUpdates().getType());
  for (auto [d, at] : llvm::enumerate(scatter.getWindowDimOfX()))
    if (at >= 0)
      checkSlice(scatter, scatter.getX(), d, updates[at]);
}

/// argmax and argmin choose among the elements.
void SizeChecks::checkArgument(Operation *op, ArrayRef<int64_t> reduced) {
  auto type = cast<RankedTensorType>(op->getOperand(0).getType());
  SmallVector<AffineExpr> dims = names.dims(type);
  for (int64_t d : reduced)
    if (!isa<AffineConstantExpr>(dims[d]))
      sizes.require(arith::CmpIPredicate::ne, sizes.value(dims[d]),
                    sizes.word(0),
                    message(op, "has no elements to choose from: " +
                                    tx::shapeString(type)));
}

void SizeChecks::check(Operation *op) {
  if (auto slice = dyn_cast<tx::SliceOp>(op))
    checkOffsets(slice);
  else if (auto reshape = dyn_cast<tx::ReshapeOp>(op))
    checkReshape(reshape);
  else if (auto view = dyn_cast<tx::ReinterpretOp>(op))
    checkBytes(view);
  else if (auto windows = dyn_cast<tx::WindowsOp>(op))
    checkWindows(windows);
  else if (auto gather = dyn_cast<tx::GatherOp>(op))
    checkSlices(op, gather.getX(), gather.getSliceSizes());
  else if (auto slice = dyn_cast<tx::DynamicSliceOp>(op))
    checkSlices(op, slice.getX(), slice.getSliceSizes());
  else if (auto update = dyn_cast<tx::DynamicUpdateSliceOp>(op))
    checkUpdate(update);
  else if (auto scatter = dyn_cast<tx::ScatterOp>(op))
    checkWindows(scatter);
  else if (auto argmax = dyn_cast<tx::ArgmaxOp>(op))
    checkArgument(op, argmax.getDims());
  else if (auto argmin = dyn_cast<tx::ArgminOp>(op))
    checkArgument(op, argmin.getDims());
}

void checkSizes(ProgramSizes &sizes, Operation *op,
                llvm::function_ref<Value(unsigned)> input) {
  SizeChecks(sizes, input).check(op);
}

} // namespace tensorc::compiler
