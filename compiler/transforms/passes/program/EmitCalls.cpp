//===- EmitCalls.cpp - Calls of functions and kernels written by the user -===//

#include "compiler/transforms/passes/TensorProgram.h"
#include "compiler/transforms/passes/program/ProgramEmitter.h"
#include "ir/program/LaunchAttributes.h"
#include "ir/tx/DType.h"

using namespace mlir;

namespace tensorc::compiler {

/// Passes the buffers of the inputs and results, followed by one word with the
/// dtype and rank of each of these values and by its sizes, as
/// tensorc_rt_register_op expects.
void ProgramEmitter::emitCustomCall(tx::CustomCallOp call) {
  SmallVector<Value> ins, outs, words;
  auto describe = [&](Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    auto dtype = static_cast<int64_t>(*tx::dtypeOf(type.getElementType()));
    words.push_back(sizes.word(dtype | type.getRank() << 8));
    for (shape::Dim dim : tx::dimsOf(type))
      words.push_back(sizes.value(dim));
  };
  for (Value input : call.getInputs()) {
    ins.push_back(values[input]);
    describe(input);
  }
  for (Value result : call.getResults()) {
    outs.push_back(
        txp::AllocOp::create(b, bufferType(), sizes.bytesOf(result.getType())));
    values[result] = outs.back();
    describe(result);
  }
  auto queue = call->getAttrOfType<IntegerAttr>(queueAttr);
  auto number = queue ? static_cast<int32_t>(queue.getInt()) : 0;
  auto emitWork = [&] {
    txp::CustomCallOp::create(b, call.getNameAttr(), ins, outs, words,
                              call.getConfigAttr(),
                              b.getI32IntegerAttr(number));
  };
  if (number)
    queues.run(number, outs, emitWork);
  else
    emitWork();
}

/// Returns a call's expressions over the symbolic sizes, all of which are
/// bound.
FailureOr<ArrayRef<shape::Dim>>
ProgramEmitter::expressionsOf(tx::KernelCallOp call, tx::DimsAttr exprs) {
  if (!exprs)
    return ArrayRef<shape::Dim>();
  for (shape::Dim symbol : shape::symbolsOf(exprs.getDims()))
    if (!sizes.of.contains(symbol))
      return call.emitError("nothing gives the size \"")
                 << symbol.name() << "\"",
             failure();
  return exprs.getDims();
}

SmallVector<Value> ProgramEmitter::evaluate(ArrayRef<shape::Dim> dims) {
  return llvm::map_to_vector(
      dims, [&](shape::Dim dim) -> Value { return sizes.value(dim); });
}

/// Declares the arguments of a user kernel for the launch checks. Its accesses
/// are unknown.
void ProgramEmitter::declareUserKernel(tx::KernelCallOp call, Operation *launch,
                                       shape::Dim extent,
                                       ArrayRef<shape::Dim> scalars) {
  SmallVector<shape::Dim> declared = {extent, 0};
  SmallVector<Type> elements;
  for (Type value :
       llvm::concat<const Type>(SmallVector<Type>(call.getInputs().getTypes()),
                                SmallVector<Type>(call.getResultTypes()))) {
    declared.push_back(tx::bytesOf(cast<RankedTensorType>(value)));
    elements.push_back(getElementTypeOrSelf(value));
  }
  declared.append(scalars.begin(), scalars.end());
  elements.append(scalars.size(), b.getIndexType());
  declare(launch, declared, elements);
  if (call.getZeroed())
    launch->setAttr(txp::updatesAttr, b.getUnitAttr());
}

/// Returns the number of blocks after checking it against the size of the
/// results.
Value ProgramEmitter::checkGrid(tx::KernelCallOp call, ArrayRef<Value> grid) {
  Value blocks = sizes.word(1), bytes = sizes.word(0);
  for (Value size : grid) {
    sizes.require(arith::CmpIPredicate::sge, size, sizes.word(0),
                  "'" + call.getKernel() + "': a size of the grid is negative");
    blocks = b.createOrFold<arith::MulIOp>(blocks, size);
  }
  if (call.getZeroed())
    return blocks;
  for (Value result : call.getResults())
    bytes =
        b.createOrFold<arith::AddIOp>(bytes, sizes.bytesOf(result.getType()));
  auto compare = [&](arith::CmpIPredicate predicate, Value x) {
    return b.createOrFold<arith::CmpIOp>(predicate, x, sizes.word(0));
  };
  sizes.require(
      b.createOrFold<arith::OrIOp>(compare(arith::CmpIPredicate::ne, blocks),
                                   compare(arith::CmpIPredicate::eq, bytes)),
      "'" + call.getKernel() +
          "': a grid of no blocks leaves its results unwritten");
  return blocks;
}

LogicalResult ProgramEmitter::emitKernelCall(tx::KernelCallOp call) {
  auto grid = expressionsOf(call, call.getGrid());
  auto shared = expressionsOf(call, call.getSharedAttr());
  auto scalars = expressionsOf(call, call.getScalarsAttr());
  if (failed(grid) || failed(shared) || failed(scalars))
    return failure();
  auto source = userKernels.source(call);
  if (source && !call.getBlock())
    return call.emitError(source.getKernel()) << ": the call gives no block";
  FailureOr<UserKernel> kernel;
  if (!source && failed(kernel = userKernels.get(call)))
    return failure();
  SmallVector<Value> ins, outs;
  for (Value input : call.getInputs())
    ins.push_back(values[input]);
  for (Value result : call.getResults()) {
    outs.push_back(
        txp::AllocOp::create(b, bufferType(), sizes.bytesOf(result.getType())));
    values[result] = outs.back();
    if (call.getZeroed())
      txp::FillOp::create(b, outs.back(), sizes.word(0), 1);
  }
  Value blocks = checkGrid(call, evaluate(*grid));
  if (source) {
    auto op = txp::LaunchGridOp::create(
        b, call.getKernel(), evaluate(*grid), *call.getBlock(),
        shared->empty() ? Value() : evaluate(*shared).front(), ins, outs,
        evaluate(*scalars));
    declareUserKernel(call, op, grid->front(), *scalars);
    return success();
  }
  SmallVector<shape::Dim> words(*scalars);
  if (kernel->takesGrid) {
    SmallVector<shape::Dim> both(*grid);
    both.resize(2, 1);
    words.append(both);
  }
  auto symbol = SymbolRefAttr::get(SymbolTable::getSymbolName(kernels),
                                   {FlatSymbolRefAttr::get(kernel->function)});
  auto op = txp::LaunchOp::create(
      b, symbol, blocks, sizes.word(1), Value(), ins, outs, evaluate(words),
      /*queue=*/0, kernel->block, kernel->dynamicShared, ArrayAttr(),
      ValueRange());
  declareUserKernel(call, op, shape::product(*grid), words);
  return success();
}

} // namespace tensorc::compiler
