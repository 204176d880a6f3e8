//===- MatchLoops.cpp - finds loops that can become kernels ---------------===//
#include "compiler/output/object/LoopOutline.h"
#include "ir/program/LaunchAttributes.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace tensorc;
using namespace tensorc::compiler;

/// Maximum number of buffers that a loop carries. At run time, the bits of one
/// word record which of their copies are free.
static constexpr unsigned maxCarried = 32;

bool Outline::hasForm() const {
  auto areBuffers = [](TypeRange types) {
    return types.size() <= maxCarried &&
           llvm::all_of(types, llvm::IsaPred<txp::BufferType>);
  };
  if (!areBuffers(loop->getResultTypes()))
    return false;
  if (auto op = dyn_cast<scf::ForOp>(loop))
    return matchPattern(op.getStep(), m_One()) && !op.getUnsignedCmp() &&
           op.getInductionVar().getType().isInteger(64);
  auto op = cast<scf::WhileOp>(loop);
  return llvm::equal(op.getConditionOp().getArgs(), op.getBeforeArguments());
}

/// Hoists computations on loop-invariant values, including divisions: sizes are
/// never divided by zero.
void Outline::hoistSizes() {
  loop->walk<WalkOrder::PreOrder>([&](Operation *op) {
    bool moves =
        op != loop && op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
        !isa<txp::ViewOp>(op) && op->getNumResults() == 1 &&
        !op->getResult(0).getType().isInteger(1) &&
        !op->hasTrait<OpTrait::IsTerminator>() &&
        llvm::all_of(op->getOperands(), [&](Value v) { return isOutside(v); });
    if (moves)
      op->moveBefore(loop);
  });
}

bool Outline::isSupportedLaunch(txp::LaunchOp op) {
  auto kernel =
      kernels.lookupSymbol<LLVM::LLVMFuncOp>(op.getKernel().getLeafReference());
  if (!kernel || kernel.getNumArguments() != 4 || op.getBlock() ||
      op.getShared() || op.getMapsAttr() || !isOutside(op.getExtent()) ||
      !isOutside(op.getGrain()) ||
      (op.getScratch() && !isOutside(op.getScratch())))
    return false;
  std::string name = kernel.getName().str();
  unsigned weight = weights.lookup(name);
  if (auto own = op->getAttrOfType<IntegerAttr>(txp::weightAttr))
    weight = static_cast<unsigned>(own.getInt());
  launches += std::max(1u, weight);
  if (!llvm::is_contained(called, name))
    called.push_back(name);
  APInt extent, grain;
  bool hasExtent = matchPattern(op.getExtent(), m_ConstantInt(&extent));
  bool hasGrain = matchPattern(op.getGrain(), m_ConstantInt(&grain));
  if (hasExtent && hasGrain && extent.sgt(grain))
    return false;
  // A grain is at least one item, so an extent of one item never exceeds it.
  bool isSmall = hasExtent && (hasGrain || extent.sle(1));
  std::pair<Value, Value> pair(op.getExtent(), op.getGrain());
  if (!isSmall && !llvm::is_contained(unknown, pair))
    unknown.push_back(pair);
  return llvm::all_of(op.getOuts(), [&](Value v) { return markWritten(v); });
}

/// Records the captured value whose memory is written. Returns false for carried
/// memory, because the loop may not be allowed to write it.
bool Outline::markWritten(Value target) {
  while (!isOutside(target)) {
    Operation *op = target.getDefiningOp();
    if (auto view = dyn_cast_or_null<txp::ViewOp>(op))
      target = view.getSource();
    else
      return isa_and_nonnull<txp::AllocOp>(op);
  }
  written.insert(target);
  return true;
}

Value compiler::definedSizeOf(Value buffer) {
  if (auto alloc = buffer.getDefiningOp<txp::AllocOp>())
    return alloc.getBytes();
  if (auto view = buffer.getDefiningOp<txp::ViewOp>())
    return view.getBytes();
  return Value();
}

static bool isProgramArithmetic(Operation *op) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return isa<IntegerAttr>(constant.getValue());
  if (op->getResult(0).getType().isInteger(1) &&
      isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op))
    return false;
  return isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::MinSIOp,
             arith::MaxSIOp, arith::MinUIOp, arith::MaxUIOp, arith::AndIOp,
             arith::OrIOp, arith::XOrIOp, arith::ShLIOp, arith::ShRSIOp,
             arith::ShRUIOp, arith::ExtUIOp, arith::ExtSIOp, arith::TruncIOp,
             arith::CmpIOp, arith::SelectOp>(op);
}

bool Outline::isSupported(Operation *op) {
  auto queue = op->getAttrOfType<IntegerAttr>("queue");
  if (queue && !queue.getValue().isZero())
    return false;
  if (auto launch = dyn_cast<txp::LaunchOp>(op))
    return isSupportedLaunch(launch);
  if (auto alloc = dyn_cast<txp::AllocOp>(op))
    return isOutside(alloc.getBytes());
  if (auto copy = dyn_cast<txp::CopyOp>(op))
    return definedSizeOf(copy.getTarget()) && markWritten(copy.getTarget());
  if (auto fill = dyn_cast<txp::FillOp>(op))
    return definedSizeOf(fill.getTarget()) && markWritten(fill.getTarget());
  return isa<txp::ViewOp, txp::ReadScalarOp, scf::IfOp, scf::YieldOp,
             scf::ConditionOp>(op) ||
         (isa<arith::ArithDialect>(op->getDialect()) && isPure(op) &&
          isProgramArithmetic(op));
}

std::optional<unsigned> Outline::carriedNumber(Value value) const {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner()->getParentOp() != loop)
    return std::nullopt;
  return argument.getArgNumber() - isFor;
}

/// Returns the size of the value as an i64 from outside the loop, or null. All
/// buffers of a carried value have the same size.
Value Outline::bytesOf(Value value, unsigned depth) const {
  if (depth == 0)
    return Value();
  if (auto number = carriedNumber(value)) {
    Outline &self = const_cast<Outline &>(*this);
    return bytesOf(self.yielded()[*number], depth - 1);
  }
  if (auto choice = value.getDefiningOp<scf::IfOp>())
    return bytesOf(
        choice.thenYield().getOperand(cast<OpResult>(value).getResultNumber()),
        depth - 1);
  Value found = definedSizeOf(value);
  // Uses the size only if it is defined before the loop.
  if (!found || !found.getParentRegion()->isAncestor(loop->getParentRegion()))
    return Value();
  return found;
}

bool Outline::findBytes() {
  constexpr unsigned maxSteps = 16;
  for (auto [init, next] : llvm::zip_equal(inits(), yielded())) {
    Value found = bytesOf(next, maxSteps);
    if (!found)
      found = bytesOf(init, maxSteps);
    if (!found)
      return false;
    bytes.push_back(found);
  }
  return true;
}

/// Collects the values that the loop captures. Returns false if a captured word
/// is not an i64 or i1.
bool Outline::findCaptures() {
  getUsedValuesDefinedAbove(loop->getRegions(), captured);
  captured.insert(bytes.begin(), bytes.end());
  for (Value buffer : written)
    if (Value size = definedSizeOf(buffer))
      captured.insert(size);
  for (Value value : captured) {
    if (isa<txp::BufferType>(value.getType()))
      (written.contains(value) ? outs : ins).push_back(value);
    else if (matchPattern(value, m_Constant()))
      fixed.push_back(value);
    else if (value.getType().isInteger(64))
      words.push_back(value);
    else
      return false;
  }
  return true;
}

bool Outline::matches() {
  if (!hasForm())
    return false;
  hoistSizes();
  WalkResult result = loop->walk([&](Operation *op) {
    return op == loop || isSupported(op) ? WalkResult::advance()
                                         : WalkResult::interrupt();
  });
  return !result.wasInterrupted() && launches > 0 && findBytes() &&
         findCaptures();
}
