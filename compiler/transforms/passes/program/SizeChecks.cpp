//===- SizeChecks.cpp - Checks of sizes at run time -----------------------===//

#include "compiler/transforms/passes/program/ProgramSizes.h"
#include "ir/tx/ops/ShapeRules.h"

#include "llvm/Support/Path.h"

using namespace mlir;
using tensorc::shape::Dim;

namespace tensorc::compiler {

/// Emits the checks of one op.
class SizeChecks {
public:
  SizeChecks(ProgramSizes &sizes, llvm::function_ref<Value(unsigned)> input)
      : sizes(sizes), b(sizes.b), input(input) {}

  void check(Operation *op);

private:
  ProgramSizes &sizes;
  ImplicitLocOpBuilder &b;
  llvm::function_ref<Value(unsigned)> input;

  void checkOffsets(tx::SliceOp slice);
  void checkOffset(tx::SliceOp slice, unsigned dim, Value offset);
  void checkBytes(tx::ReinterpretOp view);
  void checkRule(Operation *op);
  void checkResults(Operation *op);
};

/// Returns a message such as `slice: reads outside dimension 0  at app.cpp:41`.
static std::string message(Operation *op, const Twine &text) {
  std::string result = (op->getName().stripDialect() + ": " + text).str();
  if (auto at = op->getLoc()->findInstanceOf<FileLineColLoc>())
    // Omits the folder of the source file, because artefacts must not depend on
    // it.
    result += ("  at " + llvm::sys::path::filename(at.getFilename()) + ":" +
               Twine(at.getLine()))
                  .str();
  else if (auto name = op->getLoc()->findInstanceOf<NameLoc>())
    // Ops of imported models have no line numbers.
    result += (", in " + name.getName().getValue()).str();
  return result;
}

/// Checks that a slice with a dynamic offset lies inside its operand.
void SizeChecks::checkOffset(tx::SliceOp slice, unsigned dim, Value offset) {
  Value extent = sizes.value(tx::dimsOf(slice.getX().getType())[dim]);
  Value count = sizes.value(tx::dimsOf(slice.getType())[dim]);
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

/// Checks dynamic offsets, which the shape rule does not check.
void SizeChecks::checkOffsets(tx::SliceOp slice) {
  unsigned next = 0;
  for (auto [dim, offset] : llvm::enumerate(slice.getStaticOffsets()))
    if (ShapedType::isDynamic(offset)) {
      auto inner = cast<BlockArgument>(slice.getOffsets()[next++]);
      checkOffset(slice, dim, input(inner.getArgNumber()));
    }
}

void SizeChecks::checkBytes(tx::ReinterpretOp view) {
  Dim from = tx::bytesOf(view.getX().getType());
  Dim to = tx::bytesOf(view.getType());
  if (from != to)
    sizes.require(
        arith::CmpIPredicate::eq, sizes.value(from), sizes.value(to),
        message(view, "the operand has not as many bytes as the result"));
}

/// Emits the checks that the op's shape rule defers to run time.
void SizeChecks::checkRule(Operation *op) {
  auto rule = tx::inferShape(op);
  if (!rule)
    return;
  for (const shape::Condition &condition : rule->conditions)
    sizes.require(condition.relation == shape::Condition::AtMost
                      ? arith::CmpIPredicate::sle
                      : arith::CmpIPredicate::eq,
                  sizes.value(condition.a), sizes.value(condition.b),
                  message(op, condition.text));
}

/// Checks that no result has a negative size, because loops and addresses are
/// computed from sizes. Also visits the ops inside a fusion.
void SizeChecks::checkResults(Operation *op) {
  for (Type type : op->getResultTypes()) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor)
      continue;
    for (Dim size : tx::dimsOf(tensor)) {
      if (shape::isLess(size, 0) == false)
        continue;
      Block *before =
          std::exchange(sizes.notNegative[size], b.getInsertionBlock());
      if (before != b.getInsertionBlock())
        sizes.require(
            arith::CmpIPredicate::sge, sizes.value(size), sizes.word(0),
            message(op, "the size " + shape::toString(size) + " is negative"));
    }
  }
}

void SizeChecks::check(Operation *op) {
  checkResults(op);
  if (auto slice = dyn_cast<tx::SliceOp>(op))
    checkOffsets(slice);
  if (auto view = dyn_cast<tx::ReinterpretOp>(op))
    return checkBytes(view);
  checkRule(op);
}

void checkSizes(ProgramSizes &sizes, Operation *op,
                llvm::function_ref<Value(unsigned)> input) {
  SizeChecks(sizes, input).check(op);
}

} // namespace tensorc::compiler
