//===- PlanMemory.cpp - Places temporaries in one arena -------------------===//
//
//   %a = txp.alloc %c256                %arena = txp.alloc %c320
//   launch @f ins(%x) outs(%a)          %a = txp.view %arena[%c0] bytes(%c256)
//   %b = txp.alloc %c64                 launch @f ins(%x) outs(%a)
//   launch @g ins(%a) outs(%b)     =>   %b = txp.view %arena[%c256] bytes(%c64)
//   %c = txp.alloc %c256                launch @g ins(%a) outs(%b)
//   launch @h ins(%b) outs(%c)          %c = txp.view %arena[%c0] bytes(%c256)
//   ...                                 launch @h ins(%b) outs(%c)
//
// Buffers that escape their block (results) stay allocations of their own. They
// are annotated with the arguments whose memory may be reused for them: those
// that are dead when the result is first written, except for reads by a kernel
// that may run in place. The arena of a loop's body is allocated before the loop,
// and placed among the temporaries there. Temporaries with static sizes are packed by greedy
// best fit. Those with symbolic sizes share a slot if one size is at most the
// other's for all values of the symbols.
//
//===----------------------------------------------------------------------===//
#include "compiler/transforms/passes/Passes.h"
#include "compiler/transforms/passes/memory/ArenaPacking.h"
#include "compiler/transforms/passes/memory/BufferAliases.h"
#include "compiler/transforms/passes/memory/PlanBlock.h"
#include "compiler/transforms/passes/memory/QueueRanges.h"
#include "ir/program/LaunchAttributes.h"
#include "ir/program/Txp.h"
#include "ir/shape/Dim.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tensorc::compiler {
#define GEN_PASS_DEF_PLANMEMORYPASS
#include "compiler/transforms/passes/Passes.h.inc"
} // namespace tensorc::compiler

using namespace mlir;
using namespace tensorc;
using namespace tensorc::compiler;
using shape::Dim;

/// Maximum number of terms of a symbolic size, and maximum number of ops that
/// are followed to compute it. A larger size becomes an opaque symbol.
static constexpr size_t maxSizeTerms = 16;
static constexpr unsigned maxSizeOps = 256;

namespace {
/// Maps i64 values of the program to symbolic sizes. Values of equal symbolic
/// size are known to be equal, even if different ops compute them.
class Words {
public:
  Dim sizeOf(Value value) { return sizeOf(value, maxSizeOps); }

private:
  Dim sizeOf(Value value, unsigned depth);
  Dim compute(Value value, unsigned depth);
  shape::DimContext context;
  DenseMap<Value, Dim> known;
};

/// A temporary. Its live range is given as positions of ops in its block. If
/// its size is static, `offset` is its position in the static part of the
/// arena.
struct Temporary : LiveRange {
  txp::AllocOp alloc;
  Dim size;
  int slot = -1; // index of its slot if the size is symbolic

  Temporary(txp::AllocOp alloc, Dim size) : alloc(alloc), size(size) {
    if (isStatic())
      bytes = size.constant();
  }
  bool isStatic() const { return size.isNumber(); }
};

/// A part of the arena that several symbolic temporaries use, one after
/// another.
struct Slot {
  Dim size;
  Value bytes;
  SmallVector<const Temporary *> users;
};

/// Plans the allocations of one block.
class BlockPlanner {
public:
  explicit BlockPlanner(Block &block)
      : block(block),
        loop(isa<LoopLikeOpInterface>(block.getParentOp()) ? block.getParentOp()
                                                           : nullptr) {}
  void run();

private:
  std::pair<unsigned, unsigned> rangeOf(Operation *user, Operation *inBlock);
  bool findLifetime(Temporary &temporary);
  std::optional<unsigned> lastUseOf(Value argument, Value result);
  void sinkUpdates();
  void sinkUpdate(txp::LaunchOp launch);
  int64_t bytesOnlyReadBy(txp::LaunchOp launch);
  void number();
  void findReused(txp::AllocOp alloc);
  bool canHoist(Value value, Operation *before);
  void hoist(Value value, Operation *before);
  void plan(MutableArrayRef<Temporary> group);
  void assignSlots(ArrayRef<Temporary *> temporaries);
  txp::AllocOp rewrite(MutableArrayRef<Temporary> group, int64_t staticBytes);
  void moveBeforeLoop(txp::AllocOp alloc);
  void raiseViews();

  Block &block;
  Operation *loop; // null if the block is not the body of a loop
  Words words;
  DenseMap<Operation *, unsigned> numbers;
  SmallVector<Slot> slots;
};
} // namespace

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

Dim Words::sizeOf(Value value, unsigned depth) {
  auto it = known.find(value);
  if (it != known.end())
    return it->second;
  Dim size = compute(value, depth);
  if (size.isNone() || size.terms().size() > maxSizeTerms) {
    bool isDim = value.getDefiningOp<txp::DimOp>();
    size = context.symbol("v" + std::to_string(known.size()),
                          isDim ? 0 : shape::anyNumber);
  }
  known[value] = size;
  return size;
}

/// Returns the size that the value computes, or Dim::none() if it is known only
/// at run time.
Dim Words::compute(Value value, unsigned depth) {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return number.getSExtValue();
  Operation *op = value.getDefiningOp();
  if (depth == 0 || !isa_and_nonnull<arith::AddIOp, arith::MulIOp>(op))
    return Dim::none();
  Dim x = sizeOf(op->getOperand(0), depth - 1);
  Dim y = sizeOf(op->getOperand(1), depth - 1);
  return isa<arith::AddIOp>(op) ? x + y : x * y;
}

/// True if x <= y for all values of the symbols. Both are sizes and therefore
/// not negative.
static bool isAtMost(Dim x, Dim y) {
  // A single product with a positive coefficient is not negative, because sizes
  // are not.
  if (x.terms().size() == 1 && y.terms().size() == 1 && x.constant() == 0 &&
      y.constant() == 0 && x.terms()[0].factors == y.terms()[0].factors &&
      x.terms()[0].coefficient > 0)
    return x.terms()[0].coefficient <= y.terms()[0].coefficient;
  return shape::isLess(y, x) == false;
}

//===----------------------------------------------------------------------===//
// Lifetimes
//===----------------------------------------------------------------------===//

/// True if the op is a launch that may write `out` in place of `in` and that
/// reads `in` only once.
static bool isInPlace(Operation *op, Value in, Value out) {
  auto launch = dyn_cast<txp::LaunchOp>(op);
  auto pairs = op->getAttrOfType<DenseI64ArrayAttr>(txp::inPlaceAttr);
  if (!launch || !pairs || llvm::count(op->getOperands(), in) != 1)
    return false;
  ArrayRef<int64_t> numbers = pairs;
  for (; !numbers.empty(); numbers = numbers.drop_front(2))
    if (launch.getIns()[numbers[0]] == in &&
        launch.getOuts()[numbers[1]] == out)
      return true;
  return false;
}

/// Returns the position of the last op that reads the argument or an alias of
/// it. Launches that may overwrite the argument with the result are not
/// counted. Returns nullopt if the argument is returned or used by another
/// queue.
std::optional<unsigned> BlockPlanner::lastUseOf(Value argument, Value result) {
  unsigned last = 0;
  SmallVector<Value> work = {argument};
  DenseSet<Value> seen;
  while (!work.empty()) {
    Value value = work.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    for (OpOperand &use : value.getUses()) {
      Operation *user = use.getOwner();
      if (isa<txp::DimOp>(user))
        continue;
      if (isa<txp::ReturnOp>(user) || isOnOtherQueue(user))
        return std::nullopt;
      if (user->getBlock() == &block && isInPlace(user, argument, result))
        continue;
      last = std::max(last, numbers.lookup(block.findAncestorOpInBlock(*user)));
      aliasesAfter(use, work);
    }
  }
  return last;
}

/// Finds the arguments whose memory can be reused for a result that the block
/// allocates.
void BlockPlanner::findReused(txp::AllocOp alloc) {
  auto program = dyn_cast<txp::FuncOp>(block.getParentOp());
  Operation *first = nullptr;
  for (Operation *user : alloc.getBuffer().getUsers()) {
    Operation *inBlock = block.findAncestorOpInBlock(*user);
    if (isOnOtherQueue(user))
      return;
    if (!first || inBlock->isBeforeInBlock(first))
      first = inBlock;
  }
  if (!program || !program.isEntry() || !first ||
      first == block.getTerminator())
    return;
  SmallVector<int64_t> reused;
  for (BlockArgument argument : block.getArguments()) {
    if (!isa<txp::BufferType>(argument.getType()))
      continue;
    std::optional<unsigned> last = lastUseOf(argument, alloc.getBuffer());
    if (last && *last < numbers.lookup(first))
      reused.push_back(argument.getArgNumber());
  }
  if (reused.empty())
    return;
  Builder b(alloc.getContext());
  alloc->setAttr(txp::reusesAttr, b.getDenseI64ArrayAttr(reused));
  Operation *writer = first;
  auto isInPlaceAt = [&](Operation *op) {
    return llvm::all_of(reused, [&](int64_t argument) {
      return isInPlace(op, block.getArgument(argument), alloc.getBuffer());
    });
  };
  if (first->hasAttr(txp::keepsAttr) && isInPlaceAt(first) &&
      isInPlaceAt(first->getNextNode()))
    writer = first->getNextNode();
  bool isLast = llvm::all_of(
      llvm::make_range(std::next(writer->getIterator()), block.end()),
      [](Operation &op) {
        return isa<txp::ViewOp, txp::DimOp, txp::ReturnOp>(op) ||
               (isa<arith::ArithDialect>(op.getDialect()) && isPure(&op));
      });
  if (isLast)
    alloc->setAttr(txp::writtenLastAttr, b.getUnitAttr());
}

void BlockPlanner::number() {
  numbers.clear();
  for (Operation &op : block)
    numbers[&op] = numbers.size();
}

//===----------------------------------------------------------------------===//
// Updates in place
//===----------------------------------------------------------------------===//

/// Returns the total bytes of the temporaries whose last reader is the launch.
/// Sinking the launch would extend their live ranges.
int64_t BlockPlanner::bytesOnlyReadBy(txp::LaunchOp launch) {
  int64_t bytes = 0;
  for (Value in :
       llvm::SetVector<Value>(launch.getIns().begin(), launch.getIns().end())) {
    auto alloc = in.getDefiningOp<txp::AllocOp>();
    bool isLast =
        alloc && llvm::all_of(in.getUsers(), [&](Operation *user) {
          Operation *inBlock = block.findAncestorOpInBlock(*user);
          return inBlock == launch || inBlock->isBeforeInBlock(launch);
        });
    if (!isLast)
      continue;
    Dim size = words.sizeOf(alloc.getBytes());
    if (!size.isNumber())
      return std::numeric_limits<int64_t>::max();
    bytes += size.constant();
  }
  return bytes;
}

/// Moves a launch after the last reader of the argument that the launch could
/// update in place, if this saves more bytes than the extended live ranges
/// cost. A training step updates weights as soon as their gradients are known,
/// but may still read the weights for other gradients.
void BlockPlanner::sinkUpdate(txp::LaunchOp launch) {
  auto pairs = launch->getAttrOfType<DenseI64ArrayAttr>(txp::inPlaceAttr);
  if (!pairs || pairs.size() != 2 || isOnOtherQueue(launch))
    return;
  Value in = launch.getIns()[pairs[0]], out = launch.getOuts()[pairs[1]];
  auto alloc = out.getDefiningOp<txp::AllocOp>();
  if (!isa<BlockArgument>(in) || !alloc || alloc->getBlock() != &block)
    return;
  // No op after the launch may read its results or write its inputs.
  for (Value result : launch.getOuts())
    for (Operation *user : result.getUsers())
      if (user != launch && !isa<txp::ReturnOp>(user))
        return;
  Operation *last = nullptr;
  for (Operation *user : in.getUsers()) {
    if (isa<txp::DimOp>(user) || user == launch)
      continue;
    if (!isa<txp::LaunchOp>(user) || user->getBlock() != &block)
      return;
    if (launch->isBeforeInBlock(user) && (!last || last->isBeforeInBlock(user)))
      last = user;
  }
  if (!last)
    return;
  for (Operation *op = launch->getNextNode();; op = op->getNextNode()) {
    auto other = dyn_cast<txp::LaunchOp>(op);
    if (!other && !isa<txp::AllocOp, txp::ViewOp>(op) &&
        !isa<arith::ArithDialect>(op->getDialect()))
      return;
    if (isOnOtherQueue(op) ||
        (other && llvm::any_of(other.getOuts(), [&](Value written) {
           return llvm::is_contained(launch.getIns(), written);
         })))
      return;
    if (op == last)
      break;
  }
  Dim saved = words.sizeOf(alloc.getBytes());
  if (saved.isNumber() && bytesOnlyReadBy(launch) <= saved.constant())
    launch->moveAfter(last);
}

void BlockPlanner::sinkUpdates() {
  auto program = dyn_cast<txp::FuncOp>(block.getParentOp());
  // A program that was fitted into a limit already has its final order.
  if (!program || !program.isEntry() || program->hasAttr(txp::fitAttr))
    return;
  for (auto launch : llvm::to_vector(block.getOps<txp::LaunchOp>()))
    sinkUpdate(launch);
}

//===----------------------------------------------------------------------===//
// Lifetimes of temporaries
//===----------------------------------------------------------------------===//

/// Returns the positions between which a user of a buffer may run. `inBlock` is
/// the op of the block that contains it. Another queue may start before earlier
/// ops of queue 0 are done, and may still be running when later ones run.
std::pair<unsigned, unsigned> BlockPlanner::rangeOf(Operation *user,
                                                    Operation *inBlock) {
  unsigned number = numbers.lookup(inBlock);
  if (!isOnOtherQueue(user))
    return {number, number};
  Operation *begin = nullptr, *end = nullptr;
  if (user == inBlock)
    std::tie(begin, end) = queueRange(user);
  return {begin ? numbers.lookup(begin) : 0,
          end ? numbers.lookup(end) : numbers.size()};
}

/// Sets the live range of the buffer; returns false if the buffer escapes its
/// block.
bool BlockPlanner::findLifetime(Temporary &temporary) {
  std::optional<unsigned> first, last;
  SmallVector<Value> work = {temporary.alloc.getBuffer()};
  DenseSet<Value> seen;
  while (!work.empty()) {
    Value value = work.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    for (OpOperand &use : value.getUses()) {
      Operation *user = use.getOwner();
      Operation *inBlock = block.findAncestorOpInBlock(*user);
      if (!inBlock || isa<txp::ReturnOp>(user) || user == block.getTerminator())
        return false;
      auto [begin, end] = rangeOf(user, inBlock);
      first = std::min(first.value_or(begin), begin);
      last = std::max(last.value_or(end), end);
      aliasesAfter(use, work);
    }
  }
  unsigned unused = numbers.lookup(temporary.alloc);
  temporary.begin = first.value_or(unused);
  temporary.end = last.value_or(unused);
  return true;
}

//===----------------------------------------------------------------------===//
// Sizes must be known at the point where the arena is allocated
//===----------------------------------------------------------------------===//

bool BlockPlanner::canHoist(Value value, Operation *before) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != &block || op->isBeforeInBlock(before))
    return true;
  return isSizeArithmetic(op) && llvm::all_of(op->getOperands(), [&](Value v) {
           return canHoist(v, before);
         });
}

void BlockPlanner::hoist(Value value, Operation *before) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != &block || op->isBeforeInBlock(before))
    return;
  for (Value operand : op->getOperands())
    hoist(operand, before);
  op->moveBefore(before);
}

//===----------------------------------------------------------------------===//
// Offsets
//===----------------------------------------------------------------------===//

/// Assigns slots in program order. It prefers a free slot of the same size,
/// then a larger one, then a smaller one that grows, and finally a new one.
void BlockPlanner::assignSlots(ArrayRef<Temporary *> temporaries) {
  slots.clear();
  for (Temporary *temporary : temporaries) {
    Dim size = temporary->size;
    Slot *best = nullptr;
    int bestRank = 0;
    for (Slot &slot : slots) {
      if (llvm::any_of(slot.users, [&](const Temporary *user) {
            return user->overlaps(*temporary);
          }))
        continue;
      int rank = slot.size == size           ? 3
                 : isAtMost(size, slot.size) ? 2
                 : isAtMost(slot.size, size) ? 1
                                             : 0;
      if (rank > bestRank) {
        best = &slot;
        bestRank = rank;
      }
    }
    if (!best)
      best = &slots.emplace_back();
    if (bestRank < 2) {
      best->size = size;
      best->bytes = temporary->alloc.getBytes();
    }
    best->users.push_back(temporary);
    temporary->slot = static_cast<int>(best - slots.begin());
  }
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

static Value constant(OpBuilder &b, Location loc, int64_t value) {
  return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(value));
}

/// Returns the slot's size, rounded up to the alignment unless the size is
/// known to be a multiple of it.
static Value alignedBytes(OpBuilder &b, Location loc, const Slot &slot) {
  if (shape::divides(arenaAlignment, slot.size) == true)
    return slot.bytes;
  Value up = arith::AddIOp::create(b, loc, slot.bytes,
                                   constant(b, loc, arenaAlignment - 1));
  return arith::AndIOp::create(b, loc, up, constant(b, loc, -arenaAlignment));
}

txp::AllocOp BlockPlanner::rewrite(MutableArrayRef<Temporary> group,
                                   int64_t staticBytes) {
  Operation *first = group.front().alloc;
  OpBuilder b(first);
  Location loc = first->getLoc();
  Value end = constant(b, loc, staticBytes);
  SmallVector<Value> slotOffsets;
  for (const Slot &slot : slots) {
    slotOffsets.push_back(end);
    Value bytes = alignedBytes(b, loc, slot);
    bool isFirst = staticBytes == 0 && slotOffsets.size() == 1;
    end = isFirst ? bytes : arith::AddIOp::create(b, loc, end, bytes);
  }
  auto type = txp::BufferType::get(b.getContext());
  auto arena = txp::AllocOp::create(b, loc, type, end);
  for (Temporary &temporary : group) {
    txp::AllocOp alloc = temporary.alloc;
    b.setInsertionPoint(alloc);
    Value offset = temporary.isStatic()
                       ? constant(b, alloc.getLoc(), temporary.offset)
                       : slotOffsets[temporary.slot];
    Value view = txp::ViewOp::create(b, alloc.getLoc(), type, arena, offset,
                                     alloc.getBytes());
    alloc.getBuffer().replaceAllUsesWith(view);
    alloc.erase();
  }
  return arena;
}

/// True if work of other queues ends in the iteration in which it begins.
static bool endsInIteration(Block &block) {
  return !block
              .walk([&](Operation *op) {
                bool mayLast =
                    isOnOtherQueue(op) &&
                    !isa<txp::RecordOp, txp::WaitOp>(op) &&
                    (op->getBlock() != &block || !queueRange(op).second);
                return mayLast ? WalkResult::interrupt()
                               : WalkResult::advance();
              })
              .wasInterrupted();
}

/// Moves the value's arithmetic before the loop.
static void moveBefore(Value value, Operation *loop) {
  if (!loop->isAncestor(value.getParentRegion()->getParentOp()))
    return;
  Operation *op = value.getDefiningOp();
  for (Value operand : op->getOperands())
    moveBefore(operand, loop);
  op->moveBefore(loop);
}

/// If the block is the body of a loop, moves the allocation before the loop. All
/// iterations then use this memory, and the block around the loop may use it
/// before and after.
void BlockPlanner::moveBeforeLoop(txp::AllocOp alloc) {
  if (!loop || !isInvariant(alloc.getBytes(), loop) || !endsInIteration(block))
    return;
  moveBefore(alloc.getBytes(), loop);
  alloc->moveBefore(loop);
}

void BlockPlanner::raiseViews() {
  for (txp::ViewOp view : viewsOfCarried(block)) {
    moveBefore(view.getOffset(), loop);
    moveBefore(view.getBytes(), loop);
    view->moveBefore(&block, block.begin());
  }
}

void BlockPlanner::plan(MutableArrayRef<Temporary> group) {
  if (group.size() < 2) {
    // The buffer itself serves as the arena.
    moveBeforeLoop(group.front().alloc);
    return;
  }
  Operation *first = group.front().alloc;
  SmallVector<LiveRange *> fixed;
  SmallVector<Temporary *> symbolic;
  for (Temporary &temporary : group) {
    hoist(temporary.alloc.getBytes(), first);
    if (temporary.isStatic())
      fixed.push_back(&temporary);
    else
      symbolic.push_back(&temporary);
  }
  int64_t staticBytes = packArena(fixed);
  assignSlots(symbolic);
  moveBeforeLoop(rewrite(group, staticBytes));
}

void BlockPlanner::run() {
  sinkUpdates();
  if (loop)
    raiseViews();
  number();
  SmallVector<SmallVector<Temporary>> groups;
  for (auto alloc : block.getOps<txp::AllocOp>()) {
    Temporary temporary{alloc, words.sizeOf(alloc.getBytes())};
    // The runtime reports an error for a negative size.
    bool negative = shape::isLess(temporary.size, 0) == true;
    if (alloc.getQueue() != 0 || negative)
      continue;
    if (!findLifetime(temporary)) {
      findReused(alloc);
      continue;
    }
    // If a size is not yet computed at the point where the arena is allocated,
    // or is computed in each iteration, another arena is started.
    auto fits = [&](const SmallVector<Temporary> &group) {
      Value first = txp::AllocOp(group.front().alloc).getBytes();
      return canHoist(alloc.getBytes(), group.front().alloc) &&
             (!loop ||
              isInvariant(first, loop) == isInvariant(alloc.getBytes(), loop));
    };
    auto group = llvm::find_if(llvm::reverse(groups), fits);
    if (group == groups.rend())
      groups.push_back({std::move(temporary)});
    else
      group->push_back(std::move(temporary));
  }
  for (MutableArrayRef<Temporary> group : groups)
    plan(group);
}

void tensorc::compiler::planBlock(Block &block) { BlockPlanner(block).run(); }

namespace {
struct PlanMemory final
    : public compiler::impl::PlanMemoryPassBase<PlanMemory> {
  void runOnOperation() override {
    getOperation().walk([](Block *block) { planBlock(*block); });
  }
};
} // namespace
