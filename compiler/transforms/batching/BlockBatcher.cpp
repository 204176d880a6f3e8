//===- BlockBatcher.cpp - Vectorizes a block over a batch -----------------===//

#include "compiler/transforms/batching/BlockBatcher.h"

#include "ir/tx/Control.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tensorc::compiler::batching {

//===----------------------------------------------------------------------===//
// A step
//===----------------------------------------------------------------------===//

Value withBatch(TensorBuilder &e, Dim size, const Batched &x) {
  if (x.isBatched)
    return x.value;
  SmallVector<Dim> dims{size};
  llvm::append_range(dims, dimsOf(x.value));
  return e.broadcast(x.value, dims);
}

SmallVector<Value> Step::allWhole() {
  SmallVector<Value> all;
  for (unsigned i = 0; i < operands.size(); ++i)
    all.push_back(whole(i));
  return all;
}

SmallVector<Value> Step::values() const {
  return llvm::map_to_vector(operands,
                             [](const Batched &x) { return x.value; });
}

SmallVector<Dim> Step::dimsWithBatch(Dims dims) const {
  SmallVector<Dim> all{size};
  llvm::append_range(all, dims);
  return all;
}

Operation *Step::remake(ValueRange with, std::optional<Dims> dims) {
  Value one = op->getResult(0);
  SmallVector<Dim> all =
      dims ? SmallVector<Dim>(*dims) : dimsWithBatch(dimsOf(one));
  Operation *made = e.b.clone(*op);
  made->setOperands(with);
  made->getResult(0).setType(
      tx::tensorType(all, builder::typeOf(one).getElementType()));
  return made;
}

SmallVector<int64_t> prepend(int64_t first, Numbers numbers) {
  SmallVector<int64_t> all{first};
  llvm::append_range(all, numbers);
  return all;
}

SmallVector<int64_t> prependShifted(int64_t first, Numbers dims) {
  SmallVector<int64_t> all{first};
  for (int64_t dim : dims)
    all.push_back(dim + 1);
  return all;
}

SmallVector<int64_t> shifted(Numbers dims) {
  return llvm::map_to_vector(dims, [](int64_t dim) { return dim + 1; });
}

Value mergeInto(TensorBuilder &e, Value x, int64_t dim) {
  auto order = llvm::to_vector(llvm::seq<int64_t>(1, rankOf(x)));
  order.insert(order.begin() + dim, 0);
  Value moved = e.transpose(x, order);
  SmallVector<Dim> dims(dimsOf(moved));
  dims[dim] = dims[dim] * dims[dim + 1];
  dims.erase(dims.begin() + dim + 1);
  return e.reshape(moved, dims);
}

Value splitFrom(TensorBuilder &e, Value x, int64_t dim, Dims to) {
  SmallVector<Dim> dims(to.drop_front());
  dims.insert(dims.begin() + dim, to.front());
  Value apart = e.reshape(x, dims);
  auto order = llvm::to_vector(llvm::seq<int64_t>(0, rankOf(apart)));
  order.erase(order.begin() + dim);
  order.insert(order.begin(), dim);
  return e.transpose(apart, order);
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

static LogicalResult batchOp(Step &s) {
  if (s.op->hasTrait<tx::Elementwise>())
    return s.give(s.remake(s.allWhole())->getResult(0));
  for (auto rule : {batchMovement, batchIndexing, batchControl})
    if (MaybeResult done = rule(s))
      return *done;
  return batchByScan(s);
}

namespace {
class BlockBatcher {
public:
  BlockBatcher(Block &block, Dim size, OpBuilder &b)
      : block(block), size(size), b(b) {}

  FailureOr<SmallVector<Batched>> run(ArrayRef<Batched> arguments);

private:
  LogicalResult visit(Operation *op);
  void expand(tx::CompositeOpInterface op);

  Block &block;
  Dim size;
  OpBuilder &b;
  DenseMap<Value, Batched> values;
};
} // namespace

/// Clones an op whose operands are all shared by the examples.
static void keep(Step &s) {
  IRMapping mapping;
  for (auto [before, now] : llvm::zip(s.op->getOperands(), s.operands))
    mapping.map(before, now.value);
  for (Value result : s.e.b.clone(*s.op, mapping)->getResults())
    s.results.push_back({result, false});
}

/// Expands a composite in place, in the block of one example. Sets `next` to
/// the first op of the expansion.
void BlockBatcher::expand(tx::CompositeOpInterface op) {
  Attribute from = op->getAttr(tx::fromAttr);
  if (!from)
    from = StringAttr::get(op.getContext(), op->getName().stripDialect());
  Operation *before = op->getPrevNode();
  OpBuilder inside(op);
  Value result = op.expand(inside);
  auto first =
      before ? std::next(Block::iterator(before)) : op->getBlock()->begin();
  for (Operation &each : llvm::make_range(first, Block::iterator(op)))
    each.setAttr(tx::fromAttr, from);
  op->getResult(0).replaceAllUsesWith(result);
}

LogicalResult BlockBatcher::visit(Operation *op) {
  SmallVector<Batched> operands = llvm::map_to_vector(
      op->getOperands(), [&](Value x) { return values.lookup(x); });
  Step s(b, op, size, operands);
  bool isAny = llvm::any_of(operands, [](Batched x) { return x.isBatched; });
  if (!isAny)
    keep(s);
  else if (auto composite = dyn_cast<tx::CompositeOpInterface>(op)) {
    for (auto rule : {batchWindows, batchComposite}) {
      MaybeResult done = rule(s);
      if (done && failed(*done))
        return failure();
      if (done)
        break;
    }
    if (s.results.empty()) {
      Operation *before = op->getPrevNode();
      expand(composite);
      auto it = before ? std::next(Block::iterator(before)) : block.begin();
      for (; &*it != op; ++it)
        if (failed(visit(&*it)))
          return failure();
      // The users of the composite now read the result of its expansion.
      return success();
    }
  } else if (failed(batchOp(s))) {
    return failure();
  }
  for (auto [before, now] : llvm::zip_equal(op->getResults(), s.results))
    values[before] = now;
  return success();
}

FailureOr<SmallVector<Batched>> BlockBatcher::run(ArrayRef<Batched> arguments) {
  for (auto [before, now] : llvm::zip_equal(block.getArguments(), arguments))
    values[before] = now;
  for (Operation &op : llvm::make_early_inc_range(block.without_terminator()))
    if (failed(visit(&op)))
      return failure();
  return llvm::map_to_vector(block.getTerminator()->getOperands(),
                             [&](Value x) { return values.lookup(x); });
}

FailureOr<SmallVector<Batched>>
batchBlock(Block &block, ArrayRef<Batched> arguments, Dim size, OpBuilder &b) {
  return BlockBatcher(block, size, b).run(arguments);
}

SmallVector<bool> batchedResults(Block &block, ArrayRef<bool> arguments) {
  DenseSet<Value> batched;
  for (auto [argument, isBatched] :
       llvm::zip_equal(block.getArguments(), arguments))
    if (isBatched)
      batched.insert(argument);
  auto isIn = [&](Value x) { return batched.contains(x); };
  for (Operation &op : block.without_terminator())
    if (llvm::any_of(op.getOperands(), isIn))
      batched.insert_range(op.getResults());
  return llvm::map_to_vector(block.getTerminator()->getOperands(), isIn);
}

} // namespace tensorc::compiler::batching
