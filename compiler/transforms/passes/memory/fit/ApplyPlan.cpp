//===- ApplyPlan.cpp - Rewrites a program according to its plan -----------===//

#include "compiler/transforms/passes/memory/fit/FitDecisions.h"
#include "ir/program/HostCopies.h"
#include "ir/program/LaunchAttributes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/SetVector.h"

#include <cmath>
#include <numeric>

using namespace mlir;

namespace tensorc::compiler {

/// The queue of copies to and from the host.
static constexpr int32_t secondQueue = 1;

namespace {
/// Appends the ops of the program in their new order.
class PlanWriter {
public:
  PlanWriter(Block &block, const RunPlan &plan, double iterations)
      : plan(plan), block(block), b(block.getTerminator()),
        iterations(iterations) {}
  void run();

private:
  void shareSlots();
  Value valueOf(unsigned buffer);
  void place(Operation *op);
  void placeOperands(Operation *op);
  void write(const PlannedStep &step);
  void writeMove(const PlannedStep &step);
  Value copyOnSecondQueue(Location loc, function_ref<void()> copy);
  void annotate(Operation *op, StringRef decision, int64_t saved,
                double seconds);

  const RunPlan &plan;
  Block &block;
  OpBuilder b;
  /// Number of times that the block runs.
  double iterations;
  DenseSet<Operation *> placed;
  std::vector<Value> values;
  /// Per buffer: the buffer whose place in the arena it uses, or itself.
  std::vector<unsigned> owners;
  /// A buffer that is moved to the host, and the event of the last copy.
  struct Move {
    Value host, event;
  };
  std::vector<Move> moves;
};
} // namespace

void PlanWriter::shareSlots() {
  owners.resize(plan.buffers.size());
  std::iota(owners.begin(), owners.end(), 0);
  for (const ArenaSlot &slot : plan.slots())
    for (unsigned buffer : slot.buffers)
      owners[buffer] = slot.buffers.front();
}

/// Returns the buffer's allocation. For the first buffer with these contents it
/// is the allocation of the program, otherwise a new one.
Value PlanWriter::valueOf(unsigned buffer) {
  Value &value = values[owners[buffer]];
  if (value)
    return value;
  const PlannedBuffer &owner = plan.buffers[owners[buffer]];
  auto type = txp::BufferType::get(b.getContext());
  if (owner.constant >= 0) {
    Location loc = plan.locationOf(owner);
    Value bytes =
        arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(owner.bytes));
    value = txp::AllocOp::create(b, loc, type, bytes);
    placed.insert(bytes.getDefiningOp());
    placed.insert(value.getDefiningOp());
    return value;
  }
  txp::AllocOp original = owner.alloc;
  if (owner.content == owners[buffer]) {
    place(original);
    return value = original.getBuffer();
  }
  placeOperands(original);
  value = txp::AllocOp::create(b, original.getLoc(), type, original.getBytes());
  placed.insert(value.getDefiningOp());
  return value;
}

/// Moves the op to the end of the ops written so far, after its operands.
void PlanWriter::place(Operation *op) {
  if (!op || op->getBlock() != &block || !placed.insert(op).second)
    return;
  placeOperands(op);
  op->moveBefore(block.getTerminator());
}

void PlanWriter::placeOperands(Operation *op) {
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      place(operand.getDefiningOp());
  });
}

void PlanWriter::annotate(Operation *op, StringRef decision, int64_t saved,
                          double seconds) {
  op->setAttr(
      txp::fitAttr,
      b.getDictionaryAttr(
          {b.getNamedAttr("decision", b.getStringAttr(decision)),
           b.getNamedAttr("bytes", b.getI64IntegerAttr(saved)),
           b.getNamedAttr("microseconds",
                          b.getF64FloatAttr(
                              std::round(seconds * iterations * 1e7) / 10))}));
}

/// Writes a copy that starts after the work so far. Returns the event of its
/// end.
Value PlanWriter::copyOnSecondQueue(Location loc, function_ref<void()> copy) {
  auto type = txp::EventType::get(b.getContext());
  Value before = txp::RecordOp::create(b, loc, type, 0);
  txp::WaitOp::create(b, loc, before, secondQueue);
  copy();
  return txp::RecordOp::create(b, loc, type, secondQueue);
}

/// Writes a part of the move of a buffer to the host and back.
void PlanWriter::writeMove(const PlannedStep &step) {
  Move &move = moves[step.move];
  Value buffer = valueOf(step.others.front());
  Location loc = plan.locationOf(step);
  switch (step.kind) {
  case PlannedStep::Kind::Spill:
    move.event = copyOnSecondQueue(loc, [&] {
      auto spill = txp::SpillOp::create(
          b, loc, txp::BufferType::get(b.getContext()), buffer, secondQueue);
      annotate(spill, "spilled", step.savedBytes, step.seconds);
      move.host = spill.getHost();
    });
    return;
  case PlannedStep::Kind::Restore:
    if (int number = plan.buffers[step.others.front()].constant; number >= 0) {
      txp::ConstantBufferOp constant = plan.constants[number].op;
      place(constant);
      move.host = constant.getBuffer();
    }
    move.event = copyOnSecondQueue(loc, [&] {
      auto restore =
          txp::RestoreOp::create(b, loc, move.host, buffer, secondQueue);
      if (plan.buffers[step.others.front()].constant >= 0)
        annotate(restore, "streamed", step.savedBytes, step.seconds);
    });
    return;
  default:
    txp::WaitOp::create(b, loc, move.event, 0);
  }
}

void PlanWriter::write(const PlannedStep &step) {
  if (step.kind != PlannedStep::Kind::Work)
    return writeMove(step);
  for (unsigned number : plan.bodiesOf(step)) {
    const LoopBody &body = plan.bodies[number];
    PlanWriter(*body.block, *body.plan, iterations * body.iterations).run();
  }
  SmallVector<Value> ins, outs;
  for (int buffer : step.ins)
    ins.push_back(buffer < 0 ? Value() : valueOf(buffer));
  for (int buffer : step.outs)
    outs.push_back(buffer < 0 ? Value() : valueOf(buffer));
  for (Operation *original : step.ops) {
    Operation *op = original;
    if (step.isRepeat) {
      placeOperands(original);
      op = b.clone(*original);
      placed.insert(op);
    }
    if (auto launch = dyn_cast<txp::LaunchOp>(op)) {
      for (auto [operand, value] : llvm::zip(launch.getInsMutable(), ins))
        if (value)
          operand.set(value);
      for (auto [operand, value] : llvm::zip(launch.getOutsMutable(), outs))
        if (value)
          operand.set(value);
    }
    if (step.isRepeat)
      annotate(op, "repeated", step.savedBytes, step.seconds);
    else
      place(op);
  }
  for (auto [in, out] : step.inPlace) {
    int from = step.ins[in], to = step.outs[out];
    if (!step.isRepeat && from >= 0 && to >= 0 && owners[from] == owners[to] &&
        !step.ops.front()->hasAttr(txp::fitAttr))
      annotate(step.ops.front(), "in place", plan.buffers[to].bytes, 0);
  }
}

void PlanWriter::run() {
  SmallVector<Operation *> originals;
  for (Operation &op : block.without_terminator())
    originals.push_back(&op);
  values.resize(plan.buffers.size());
  moves.resize(plan.moves);
  shareSlots();
  for (const PlannedStep &step : plan.steps)
    write(step);
  for (Value operand : block.getTerminator()->getOperands())
    place(operand.getDefiningOp());
  // Erases ops without uses, such as an allocation that shares the place of
  // another one.
  for (Operation *op : llvm::reverse(originals))
    if (!placed.contains(op) && op->use_empty())
      op->erase();
}

void applyPlan(txp::FuncOp program, const RunPlan &plan) {
  PlanWriter(program.getBody().front(), plan, 1).run();
}

} // namespace tensorc::compiler
