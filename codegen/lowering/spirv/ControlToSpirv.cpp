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
// In upstream's conversion, carried values are stored only in the body, so that
// the results of a loop without iterations are undefined.
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

Value createI32(OpBuilder &b, Location loc, int32_t value) {
  return spirv::ConstantOp::create(b, loc, b.getI32Type(),
                                   b.getI32IntegerAttr(value));
}

/// Detects that a loop ended before its condition became false.
struct LoopChecks {
  Value wasCut; // i32 variable; null if loops are not checked
  /// Memory that stores whether the loop should continue. It is not a variable
  /// of the function, because drivers would then know its value after the loop.
  Value goesOn;

  void setGoesOn(OpBuilder &b, Location loc, Value value) const {
    if (goesOn)
      spirv::StoreOp::create(b, loc, goesOn, value);
  }
  void checkAfterLoop(OpBuilder &b, Location loc) const {
    if (!goesOn)
      return;
    Value sum = spirv::BitwiseOrOp::create(
        b, loc, spirv::LoadOp::create(b, loc, wasCut),
        spirv::LoadOp::create(b, loc, goesOn));
    spirv::StoreOp::create(b, loc, wasCut, sum);
  }
};

LoopChecks createLoopChecks(spirv::FuncOp function) {
  OpBuilder b = OpBuilder::atBlockBegin(&function.getBody().front());
  Location loc = function.getLoc();
  Value hidden = createHiddenZero(b, loc);
  Value zero = createI32(b, loc, 0);
  Value wasCut = createVariable(b, loc, b.getI32Type(), zero);
  Value array =
      createVariable(b, loc, spirv::ArrayType::get(b.getI32Type(), 2));
  return {wasCut, spirv::AccessChainOp::create(b, loc, array, hidden)};
}

class Structurer {
public:
  Structurer(Operation *op, const LoopChecks &checks)
      : op(op), checks(checks), b(op), loc(op->getLoc()) {}

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

  /// Moves the ops of `from`, except its terminator, to the insertion point,
  /// the end of a block. Returns the terminator.
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

  /// A loop whose header has been started, and whose other blocks are empty.
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

  /// Ends the header of a loop.
  void branch(const Loop &loop, Value more) {
    checks.setGoesOn(b, loc,
                     spirv::SelectOp::create(b, loc, more, createI32(b, loc, 1),
                                             createI32(b, loc, 0)));
    spirv::BranchConditionalOp::create(b, loc, more, loop.body, ValueRange(),
                                       loop.merge, ValueRange());
  }
  /// Ends the loop.
  void repeat(const Loop &loop) {
    checks.setGoesOn(b, loc, createI32(b, loc, 1));
    spirv::BranchOp::create(b, loc, loop.header);
    b.setInsertionPoint(op);
    checks.checkAfterLoop(b, loc);
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
    branch(loop, more);
    b.setInsertionPointToEnd(loop.body);
    SmallVector<Value> arguments{i};
    llvm::append_range(arguments, load(carried));
    Operation *end = splice(op.getBody(), arguments);
    store(carried, end->getOperands());
    spirv::BranchOp::create(b, loc, loop.next);
    b.setInsertionPointToEnd(loop.next);
    store(index, {spirv::IAddOp::create(b, loc, i, op.getStep())});
    repeat(loop);
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
    branch(loop, end.getCondition());
    b.setInsertionPointToEnd(loop.body);
    store(before, splice(op.getAfterBody(), load(after))->getOperands());
    spirv::BranchOp::create(b, loc, loop.next);
    b.setInsertionPointToEnd(loop.next);
    repeat(loop);
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
  const LoopChecks &checks;
  OpBuilder b;
  Location loc;
};

/// Emits `if (wasCut) *status = 1` before the kernel returns.
void storeStatus(spirv::FuncOp function, Value wasCut, Value status) {
  OpBuilder b(function.getBody().back().getTerminator());
  Location loc = function.getLoc();
  Value isCut = spirv::INotEqualOp::create(
      b, loc, b.getI1Type(), spirv::LoadOp::create(b, loc, wasCut),
      createI32(b, loc, 0));
  spirv::SelectionOp::createIfThen(
      loc, isCut,
      [&](OpBuilder &b) {
        auto word = spirv::StructType::get(
            {b.getI32Type()}, {0u}, {},
            {{spirv::Decoration::Block, b.getUnitAttr()}});
        Value block = spirv::ConvertUToPtrOp::create(
            b, loc,
            spirv::PointerType::get(word,
                                    spirv::StorageClass::PhysicalStorageBuffer),
            status);
        Value pointer =
            spirv::AccessChainOp::create(b, loc, block, createI32(b, loc, 0));
        spirv::StoreOp::create(
            b, loc, pointer, createI32(b, loc, 1),
            spirv::MemoryAccessAttr::get(b.getContext(),
                                         spirv::MemoryAccess::Aligned),
            b.getI32IntegerAttr(4));
      },
      b);
}

} // namespace

void structureControl(const MovedKernel &kernel) {
  // Nested ops come before the ops that contain them.
  SmallVector<Operation *> ops;
  bool hasLoops = false;
  spirv::FuncOp(kernel.function).walk([&](Operation *op) {
    hasLoops |= isa<scf::ForOp, scf::WhileOp>(op);
    if (isa<scf::ForOp, scf::WhileOp, scf::IfOp>(op))
      ops.push_back(op);
  });
  spirv::FuncOp function = kernel.function;
  LoopChecks checks;
  if (kernel.status && hasLoops)
    checks = createLoopChecks(function);
  for (Operation *op : ops)
    Structurer(op, checks).run();
  if (checks.wasCut)
    storeStatus(function, checks.wasCut, kernel.status);
}

} // namespace tensorc::codegen
