//===- ControlToSpirv.cpp - scf as structured control flow of SPIR-V ------===//
//
// %r = scf.for %i = %l to %u step %s iter_args(%x = %init) { ... yield %y }
// ->
// spirv.Store %index, %l; spirv.Store %carried, %init
// spirv.mlir.loop {
//   spirv.Branch ^header
// ^header: spirv.BranchConditional (%i < %u), ^body, ^merge
// ^body: %x = spirv.Load %carried ... spirv.Store %carried, %y
//   spirv.Branch ^continue
// ^continue: spirv.Store %index, %i + %s; spirv.Branch ^header
// ^merge: spirv.mlir.merge
// }
// %r = spirv.Load %carried
//
// Upstream's conversion stores carried values only in the body, so that a loop
// of no iterations returns garbage.
//
//===----------------------------------------------------------------------===//

#include "codegen/lowering/spirv/ToSpirv.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tensorc::codegen {

Value createVariable(OpBuilder &b, Location loc, Type type, Value initializer) {
  OpBuilder::InsertionGuard guard(b);
  Operation *parent = b.getInsertionBlock()->getParentOp();
  auto function = dyn_cast<FunctionOpInterface>(parent);
  if (!function)
    function = parent->getParentOfType<FunctionOpInterface>();
  Block &entry = function.getFunctionBody().front();
  if (initializer && initializer.getParentBlock() == &entry)
    b.setInsertionPointAfterValue(initializer);
  else
    b.setInsertionPointToStart(&entry);
  auto pointer = spirv::PointerType::get(type, spirv::StorageClass::Function);
  return spirv::VariableOp::create(b, loc, pointer,
                                   spirv::StorageClass::Function, initializer);
}

namespace {

class Structurer {
public:
  explicit Structurer(Operation *op) : op(op), b(op), loc(op->getLoc()) {}

  void run() {
    if (auto loop = dyn_cast<scf::ForOp>(op))
      convertFor(loop);
    else if (auto loop = dyn_cast<scf::WhileOp>(op))
      convertWhile(loop);
    else if (auto branch = dyn_cast<scf::IfOp>(op))
      convertIf(branch);
  }

private:
  using Variables = SmallVector<Value>;

  Variables variablesOf(TypeRange types) {
    Variables variables;
    for (Type type : types)
      variables.push_back(createVariable(b, loc, type));
    return variables;
  }
  void store(const Variables &variables, ValueRange values) {
    for (auto [variable, value] : llvm::zip_equal(variables, values))
      spirv::StoreOp::create(b, loc, variable, value);
  }
  SmallVector<Value> load(const Variables &variables) {
    SmallVector<Value> values;
    for (Value variable : variables)
      values.push_back(spirv::LoadOp::create(b, loc, variable));
    return values;
  }

  /// Moves the ops of `from` but its terminator, which is returned, to the
  /// builder's position, the end of a block.
  Operation *splice(Block *from, ValueRange arguments) {
    Block *to = b.getInsertionBlock();
    for (auto [old, value] : llvm::zip_equal(from->getArguments(), arguments))
      old.replaceAllUsesWith(value);
    Operation *end = from->getTerminator();
    to->getOperations().splice(to->end(), from->getOperations(), from->begin(),
                               end->getIterator());
    b.setInsertionPointToEnd(to);
    return end;
  }

  /// A loop whose header is begun and whose blocks are still to be filled.
  struct Loop {
    Block *header, *body, *next, *merge;
  };
  Loop createLoop() {
    auto loop = spirv::LoopOp::create(b, loc, spirv::LoopControl::None);
    loop.addEntryAndMergeBlock(b);
    Block *merge = loop.getMergeBlock();
    Loop blocks{nullptr, nullptr, nullptr, merge};
    for (Block **block : {&blocks.header, &blocks.body, &blocks.next})
      *block = b.createBlock(merge);
    b.setInsertionPointToEnd(loop.getEntryBlock());
    spirv::BranchOp::create(b, loc, blocks.header);
    b.setInsertionPointToEnd(blocks.header);
    return blocks;
  }

  void replaceByVariables(const Variables &variables) {
    b.setInsertionPoint(op);
    op->replaceAllUsesWith(load(variables));
    op->erase();
  }

  void convertFor(scf::ForOp op) {
    Variables carried = variablesOf(op.getResultTypes());
    Variables index = variablesOf(op.getInductionVar().getType());
    store(carried, op.getInitArgs());
    store(index, op.getLowerBound());
    Loop loop = createLoop();
    Value i = load(index)[0];
    Value more = op.getUnsignedCmp()
                     ? spirv::ULessThanOp::create(b, loc, b.getI1Type(), i,
                                                  op.getUpperBound())
                           .getResult()
                     : spirv::SLessThanOp::create(b, loc, b.getI1Type(), i,
                                                  op.getUpperBound());
    spirv::BranchConditionalOp::create(b, loc, more, loop.body, ValueRange(),
                                       loop.merge, ValueRange());
    b.setInsertionPointToEnd(loop.body);
    SmallVector<Value> arguments{i};
    llvm::append_range(arguments, load(carried));
    Operation *end = splice(op.getBody(), arguments);
    store(carried, end->getOperands());
    spirv::BranchOp::create(b, loc, loop.next);
    b.setInsertionPointToEnd(loop.next);
    store(index, {spirv::IAddOp::create(b, loc, i, op.getStep())});
    spirv::BranchOp::create(b, loc, loop.header);
    replaceByVariables(carried);
  }

  void convertWhile(scf::WhileOp op) {
    Variables before = variablesOf(op.getInits().getTypes());
    Variables after = variablesOf(op.getResultTypes());
    store(before, op.getInits());
    Loop loop = createLoop();
    Block *condition = b.createBlock(loop.body);
    b.setInsertionPointToEnd(loop.header);
    spirv::BranchOp::create(b, loc, condition);
    b.setInsertionPointToEnd(condition);
    auto end = cast<scf::ConditionOp>(splice(op.getBeforeBody(), load(before)));
    store(after, end.getArgs());
    spirv::BranchConditionalOp::create(b, loc, end.getCondition(), loop.body,
                                       ValueRange(), loop.merge, ValueRange());
    b.setInsertionPointToEnd(loop.body);
    store(before, splice(op.getAfterBody(), load(after))->getOperands());
    spirv::BranchOp::create(b, loc, loop.next);
    b.setInsertionPointToEnd(loop.next);
    spirv::BranchOp::create(b, loc, loop.header);
    replaceByVariables(after);
  }

  void convertIf(scf::IfOp op) {
    Variables results = variablesOf(op.getResultTypes());
    auto selection =
        spirv::SelectionOp::create(b, loc, spirv::SelectionControl::None);
    selection.addMergeBlock(b);
    Block *merge = selection.getMergeBlock();
    Block *header = b.createBlock(merge);
    auto fill = [&](Block *from) {
      Block *block = b.createBlock(merge);
      store(results, splice(from, {})->getOperands());
      spirv::BranchOp::create(b, loc, merge);
      return block;
    };
    Block *then = fill(op.thenBlock());
    Block *other = op.elseBlock() ? fill(op.elseBlock()) : merge;
    b.setInsertionPointToEnd(header);
    spirv::BranchConditionalOp::create(b, loc, op.getCondition(), then,
                                       ValueRange(), other, ValueRange());
    replaceByVariables(results);
  }

  Operation *op;
  OpBuilder b;
  Location loc;
};

} // namespace

void structureControl(spirv::FuncOp function) {
  // Inner ops first.
  SmallVector<Operation *> ops;
  function.walk([&](Operation *op) {
    if (isa<scf::ForOp, scf::WhileOp, scf::IfOp>(op))
      ops.push_back(op);
  });
  for (Operation *op : ops)
    Structurer(op).run();
}

} // namespace tensorc::codegen
