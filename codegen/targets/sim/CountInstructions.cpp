//===- CountInstructions.cpp - Adds callbacks that count instructions -----===//
//
// %c = arith.mulf %a, %b : f32
// %d = arith.addf %c, %b : f32
// ->
// llvm.call (llvm.load %calls[...])(%thread, 0)
//     {sim.call = "sim.count", sim.access = array<i32: 2, 0>}
// %c = ...
//
// If a kernel is compiled for a profile, each of its blocks gets a callback at
// its beginning for each class of instructions and each line of the user's
// program. Divisions of the number of the grid block also get a callback,
// because they show which blocks of the grid execute the same instructions.
//
//===----------------------------------------------------------------------===//

#include "codegen/targets/sim/Passes.h"
#include "codegen/targets/sim/SimKernelAttrs.h"
#include "codegen/targets/sim/SiteTable.h"
#include "runtime/abi/Sim.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/MapVector.h"
#include <cstddef>

using namespace mlir;

namespace tensorc::codegen {
#define GEN_PASS_DEF_COUNTINSTRUCTIONSPASS
#include "codegen/targets/sim/Passes.h.inc"

namespace {

using namespace sim;

/// Instructions of one class.
struct Instructions {
  rt::SimClass counted;
  int64_t number;
};

int64_t lanesOf(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getNumElements() : 1;
}

/// Returns the class of arithmetic on this type.
rt::SimClass classOf(Type type) {
  Type element = getElementTypeOrSelf(type);
  if (!isa<FloatType>(element))
    return rt::SimClass::Integer;
  return element.isF64() ? rt::SimClass::Double : rt::SimClass::Float;
}

/// Returns the instructions that an op takes per thread, or nullopt if it takes
/// none. Constants, casts of integers and memory accesses take none.
std::optional<Instructions> instructionsOf(Operation *op) {
  if (isa<arith::ConstantOp, arith::IndexCastOp, arith::IndexCastUIOp,
          arith::BitcastOp, arith::ExtUIOp, arith::ExtSIOp, arith::TruncIOp>(
          op))
    return std::nullopt;
  if (auto reduction = dyn_cast<vector::ReductionOp>(op))
    return Instructions{classOf(reduction.getType()),
                        lanesOf(reduction.getVector().getType()) - 1};
  if (op->getNumOperands() == 0 ||
      !(isa<vector::FMAOp>(op) ||
        isa<arith::ArithDialect, math::MathDialect>(op->getDialect())))
    return std::nullopt;
  // Comparisons have i1 results, so the type of an operand is used.
  Type type = op->getOperands().back().getType();
  if (isa<arith::ExtFOp, arith::TruncFOp, arith::SIToFPOp, arith::UIToFPOp,
          arith::FPToSIOp, arith::FPToUIOp>(op))
    return Instructions{rt::SimClass::Convert, lanesOf(type)};
  bool isPlainMath =
      isa<math::FmaOp, math::AbsFOp, math::CopySignOp, math::AbsIOp>(op);
  bool isSpecial = isa<arith::DivFOp, arith::RemFOp>(op) ||
                   (isa<math::MathDialect>(op->getDialect()) && !isPlainMath);
  return Instructions{isSpecial ? rt::SimClass::Special : classOf(type),
                      lanesOf(type)};
}

class InstructionCounter {
public:
  explicit InstructionCounter(func::FuncOp kernel)
      : kernel(kernel), b(kernel.getContext()), loc(kernel.getLoc()),
        pointer(LLVM::LLVMPointerType::get(kernel.getContext())) {}

  void count(Block &block);
  /// Reports divisions of the block number to the profile.
  void reportRadixes();

private:
  /// Returns the product of the numbers by which the block number was divided
  /// to compute a value, or null if the value is computed in another way.
  Value unitOf(Value value);
  void callBack(size_t offset, ArrayRef<Value> operands, StringRef what,
                ArrayRef<int32_t> access);
  Value toI64(Value value);

  func::FuncOp kernel;
  OpBuilder b;
  Location loc;
  Type pointer;
};

void InstructionCounter::callBack(size_t offset, ArrayRef<Value> operands,
                                  StringRef what, ArrayRef<int32_t> access) {
  Value slot = LLVM::GEPOp::create(
      b, loc, pointer, b.getI8Type(), kernel.getArgument(CallsArg),
      ArrayRef<LLVM::GEPArg>{int32_t(offset)}, LLVM::GEPNoWrapFlags::inbounds);
  auto function = LLVM::LoadOp::create(b, loc, pointer, slot, 8);
  function.setInvariant(true);
  SmallVector<Value> all{kernel.getArgument(ThreadArg)};
  all.append(operands.begin(), operands.end());
  // The site, which sim-lower-accesses sets.
  all.push_back(LLVM::ConstantOp::create(b, loc, b.getI32IntegerAttr(0)));
  auto type =
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()),
                                  llvm::to_vector(TypeRange(ValueRange(all))));
  all.insert(all.begin(), function);
  auto call = LLVM::CallOp::create(b, loc, type, all);
  call->setAttr(kCallAttr, b.getStringAttr(what));
  call->setAttr(kAccessAttr, b.getDenseI32ArrayAttr(access));
}

void InstructionCounter::count(Block &block) {
  llvm::MapVector<std::pair<Attribute, unsigned>, std::pair<int64_t, Location>>
      counts;
  for (Operation &op : block) {
    std::optional<Instructions> taken = instructionsOf(&op);
    if (!taken || taken->number == 0)
      continue;
    FileLineColLoc line = findLine(op.getLoc());
    auto key =
        std::make_pair(line ? Attribute(LocationAttr(line)) : Attribute(),
                       unsigned(taken->counted));
    auto [it, isNew] =
        counts.try_emplace(key, std::make_pair(int64_t(0), op.getLoc()));
    it->second.first += taken->number;
  }
  b.setInsertionPointToStart(&block);
  for (auto &[key, value] : counts) {
    loc = value.second;
    callBack(offsetof(rt::SimCalls, count), {}, kCountCall,
             {int32_t(value.first), int32_t(key.second)});
  }
}

Value InstructionCounter::toI64(Value value) {
  if (value.getType().isIndex())
    return arith::IndexCastUIOp::create(b, loc, b.getI64Type(), value);
  if (value.getType().isInteger(64))
    return value;
  return arith::ExtUIOp::create(b, loc, b.getI64Type(), value);
}

Value InstructionCounter::unitOf(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return {};
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtUIOp,
          arith::TruncIOp>(op))
    return unitOf(op->getOperand(0));
  if (auto division = dyn_cast<arith::DivUIOp>(op)) {
    Value unit = unitOf(division.getLhs());
    return unit ? arith::MulIOp::create(b, loc, unit, toI64(division.getRhs()))
                : Value();
  }
  auto load = dyn_cast<LLVM::LoadOp>(op);
  auto slot = load ? load.getAddr().getDefiningOp<LLVM::GEPOp>() : nullptr;
  bool isNumber = slot && load.getType().isInteger(64) &&
                  slot.getBase() == kernel.getArgument(ThreadArg);
  return isNumber ? LLVM::ConstantOp::create(b, loc, b.getI64IntegerAttr(1))
                  : Value();
}

void InstructionCounter::reportRadixes() {
  SmallVector<Operation *> divisions;
  kernel.walk([&](Operation *op) {
    if (isa<arith::DivUIOp, arith::RemUIOp>(op) &&
        !isa<VectorType>(op->getResult(0).getType()))
      divisions.push_back(op);
  });
  for (Operation *op : divisions) {
    loc = op->getLoc();
    b.setInsertionPoint(op);
    if (Value unit = unitOf(op->getOperand(0)))
      callBack(offsetof(rt::SimCalls, radix), {unit, toI64(op->getOperand(1))},
               kRadixCall, {0, 1});
  }
}

struct CountInstructions : impl::CountInstructionsPassBase<CountInstructions> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<func::FuncOp>()) {
      if (!kernel->hasAttr(kProfileAttr))
        continue;
      SmallVector<Block *> blocks;
      kernel.walk([&](Block *block) { blocks.push_back(block); });
      InstructionCounter counter(kernel);
      for (Block *block : blocks)
        counter.count(*block);
      counter.reportRadixes();
    }
  }
};

} // namespace
} // namespace tensorc::codegen
