//===- ReductionSlots.cpp - Slots of rows, and their exchanges ------------===//

#include "codegen/emitters/simt/ReductionSlots.h"
#include "codegen/emitters/simt/Grid.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tensorc::codegen::simt {

/// Number of vectors of a row that a slot reduces, and maximum number of
/// vectors per lane for which a subgroup reduces a row. Longer rows are reduced
/// by a whole block.
static constexpr int64_t vectorsPerSlot = 4;
static constexpr int64_t vectorsPerLane = 8;

/// A number of slots, for rows of more than `minVectors` vectors.
struct SlotStep {
  int64_t slots, minVectors;
};

/// Returns the possible numbers of slots above 1 in ascending order.
static SmallVector<SlotStep> slotSteps(int64_t subgroup) {
  SmallVector<SlotStep> steps;
  for (int64_t n = 2; n <= subgroup; n *= 2)
    steps.push_back({n, n / 2 * vectorsPerSlot});
  steps.push_back({blockThreads, vectorsPerLane * subgroup});
  return steps;
}

int64_t slotsForRow(int64_t vectors, int64_t subgroup) {
  int64_t slots = 1;
  for (SlotStep step : slotSteps(subgroup))
    if (vectors > step.minVectors)
      slots = step.slots;
  return slots;
}

//===----------------------------------------------------------------------===//
// Rows of a named length
//===----------------------------------------------------------------------===//

void NamedRows::emit() {
  ImplicitLocOpBuilder &b = kernel.b;
  Value size = kernel.size(length), vectors = size;
  if (width > 1) {
    Value lanes = indexConstant(kernel, width);
    Value isWhole =
        equal(kernel, rem(kernel, size, lanes), indexConstant(kernel, 0));
    vectors = b.createOrFold<arith::SelectOp>(isWhole, div(kernel, size, lanes),
                                              size);
  }
  logCount = indexConstant(kernel, 0);
  for (SlotStep step : slotSteps(kernel.target.getSubgroupSize()))
    logCount = b.createOrFold<arith::SelectOp>(
        less(kernel, indexConstant(kernel, step.minVectors), vectors),
        indexConstant(kernel, llvm::Log2_64(step.slots)), logCount);
  count = b.createOrFold<arith::ShLIOp>(indexConstant(kernel, 1), logCount);
}

Value NamedRows::slotOf(Value thread) {
  return kernel.b.createOrFold<arith::AndIOp>(
      thread, sub(kernel, count, indexConstant(kernel, 1)));
}

Value NamedRows::rowOf(Value block, Value thread) {
  Value logRows =
      sub(kernel, indexConstant(kernel, llvm::Log2_64(blockThreads)), logCount);
  return add(kernel, kernel.b.createOrFold<arith::ShLIOp>(block, logRows),
             kernel.b.createOrFold<arith::ShRUIOp>(thread, logCount));
}

AffineExpr NamedRows::rowsPerBlock() {
  shape::Dim size = kernel.names.dim(length);
  // The number of vectors, or of elements if they are not whole vectors. The
  // number of vectors is the greater one only if the remainder is 0.
  shape::Dim vectors =
      shape::max(shape::floorDiv(size, width),
                 size * shape::min(shape::mod(size, width), 1));
  shape::Dim slots = 1;
  int64_t previous = 1;
  for (SlotStep step : slotSteps(kernel.target.getSubgroupSize())) {
    shape::Dim exceeds =
        shape::min(shape::floorDiv(vectors, step.minVectors + 1), 1);
    slots = slots + shape::Dim(step.slots - previous) * exceeds;
    previous = step.slots;
  }
  return kernel.names.affine(shape::floorDiv(blockThreads, slots));
}

//===----------------------------------------------------------------------===//
// Exchanges
//===----------------------------------------------------------------------===//

Value ExchangeMemory::buffer(KernelBuilder &kernel, unsigned i, Type element,
                             int64_t size) {
  Value &memory = buffers[{element, i, exchanges % 2}];
  if (!memory)
    memory = kernel.addWorkgroupMemory(size, element);
  return memory;
}

} // namespace tensorc::codegen::simt
