//===- LowerOps.cpp - lowers txp ops to llvm ------------------------------===//
#include "compiler/output/object/ProgramLowering.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tensorc;
using namespace tensorc::compiler;

LogicalResult ProgramWriter::block(Block &body) {
  for (Operation &op : body)
    if (failed(layOutBefore(op)) || failed(operation(op)))
      return failure();
  return success();
}

LogicalResult ProgramWriter::operation(Operation &op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(&op)
      .Case([&](scf::IfOp op) { return ifOp(op); })
      .Case([&](scf::WhileOp op) { return whileOp(op); })
      .Case([&](scf::ForOp op) { return forOp(op); })
      // These are handled by their parents, or have no effect because there is
      // only one queue.
      .Case<scf::YieldOp, scf::ConditionOp, txp::ReturnOp, txp::RecordOp,
            txp::WaitOp>([](auto) { return success(); })
      .Default([&](Operation *op) { return program(*op); });
}

/// Lays out the workspace before the op that first needs it. This is after the
/// asserts on dims, whose messages are more specific than an overflow error.
LogicalResult ProgramWriter::layOutBefore(Operation &op) {
  if (layout || !(op.getNumRegions() ||
                  isa<txp::AllocOp, txp::LaunchOp, txp::CallOp>(op)))
    return success();
  auto laidOut = layOut(threads);
  if (failed(laidOut))
    return failure();
  layout = std::move(*laidOut);
  Value isNull = compare(Predicate::eq, workspace, null());
  Value isUsed = compare(Predicate::sgt, layout->total, word(0));
  failIf(LLVM::AndOp::create(b, isNull, isUsed),
         "the workspace is a null pointer");
  Value address = LLVM::PtrToIntOp::create(b, i64(), workspace);
  Value gap = LLVM::AndOp::create(b, LLVM::SubOp::create(b, word(0), address),
                                  word(63));
  workspace = offset(workspace, gap);
  return success();
}

LogicalResult ProgramWriter::program(Operation &op) {
  if (op.getName().getDialectNamespace() == "arith") {
    if (isa<arith::SelectOp>(op) &&
        isa<txp::BufferType>(op.getResult(0).getType())) {
      Value condition = word(op.getOperand(0));
      BufferValue yes = buffers.lookup(op.getOperand(1));
      BufferValue no = buffers.lookup(op.getOperand(2));
      buffers[op.getResult(0)] = {
          LLVM::SelectOp::create(b, condition, yes.data, no.data),
          LLVM::SelectOp::create(b, condition, yes.bytes, no.bytes)};
      return success();
    }
    SmallVector<Value> operands;
    for (Value operand : op.getOperands())
      operands.push_back(word(operand));
    Value result = arithmetic(op, operands);
    if (!result)
      return op.emitOpError("cannot be part of a program");
    words[op.getResult(0)] = result;
    return success();
  }
  return llvm::TypeSwitch<Operation *, LogicalResult>(&op)
      .Case([&](txp::DimOp op) {
        unsigned number = cast<BlockArgument>(op.getBuffer()).getArgNumber();
        words[op] = evaluate(signature.argumentDims[number][op.getIndex()]);
        return success();
      })
      .Case([&](txp::AssertOp op) {
        Value holds = word(op.getCondition());
        failIf(LLVM::XOrOp::create(b, holds, truth(true)), op.getMessage());
        return success();
      })
      .Case([&](txp::AllocOp op) { return alloc(op); })
      .Case([&](txp::ViewOp op) { return view(op), success(); })
      .Case([&](txp::ConstantBufferOp op) { return constant(op); })
      .Case([&](txp::CopyOp op) { return copy(op), success(); })
      .Case([&](txp::FillOp op) { return fill(op), success(); })
      .Case([&](txp::ReadScalarOp op) { return readScalar(op), success(); })
      .Case([&](txp::LaunchOp op) { return launch(op), success(); })
      .Case([&](txp::CustomCallOp op) { return customCall(op), success(); })
      .Case([&](txp::CallOp op) { return call(op); })
      .Default([](Operation *op) {
        return LogicalResult(op->emitOpError("has no form in an object"));
      });
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// Returns a copy of the slot that holds no buffer of an earlier iteration.
Value ProgramWriter::freeCopy(const WorkspaceLayout::Slot &slot, Value base,
                              txp::AllocOp op) {
  Value used = word(0);
  Value first = LLVM::PtrToIntOp::create(b, i64(), base);
  for (Value carried : buffersCarriedAround(op, calls)) {
    Value address =
        LLVM::PtrToIntOp::create(b, i64(), buffers.lookup(carried).data);
    Value distance = LLVM::SubOp::create(b, address, first);
    Value index = LLVM::UDivOp::create(b, distance, slot.stride);
    Value inside = compare(Predicate::ult, index, word(slot.copies));
    Value bit = LLVM::ShlOp::create(
        b, word(1), LLVM::SelectOp::create(b, inside, index, word(63)));
    used = LLVM::OrOp::create(b, used, bit);
  }
  Value free = LLVM::XOrOp::create(b, used, word(-1));
  Value index = LLVM::CountTrailingZerosOp::create(b, i64(), free,
                                                   /*isZeroPoison=*/false);
  return offset(base, LLVM::MulOp::create(b, index, slot.stride));
}

LogicalResult ProgramWriter::alloc(txp::AllocOp op) {
  const WorkspaceLayout::Slot &slot = layout->slots[nextSlot++];
  Value bytes = word(op.getBytes());
  failIf(compare(Predicate::slt, bytes, word(0)),
         "allocates a negative number of bytes");
  Value data = offset(workspace, slot.offset);
  if (slot.copies > 1)
    data = freeCopy(slot, data, op);
  if (std::optional<unsigned> i = resultOf(op, calls)) {
    const BufferValue &result = results[*i];
    Value fits = compare(Predicate::sle, bytes, result.bytes);
    // If the value does not fit into the result's memory, it must fit into the
    // slot, which may have size 0.
    Value larger = compare(Predicate::sgt, bytes, slot.bytes);
    Value neither = LLVM::AndOp::create(
        b, larger, LLVM::XOrOp::create(b, fits, truth(true)));
    bool isGiven = signature.isGiven(signature.resultDims[*i]);
    failIf(neither, signature.outputs[signature.resultFields[*i]].label +
                        (isGiven ? " needs more bytes than its shape has"
                                 : " needs more bytes than its capacity"));
    data = LLVM::SelectOp::create(b, fits, result.data, data);
  }
  buffers[op] = {data, bytes};
  return success();
}

void ProgramWriter::view(txp::ViewOp op) {
  BufferValue source = buffers.lookup(op.getSource());
  Value at = word(op.getOffset()), bytes = word(op.getBytes());
  Value left = LLVM::SubOp::create(b, source.bytes, at);
  // The comparison is unsigned, so that negative offsets count as too large.
  Value outside =
      LLVM::OrOp::create(b, compare(Predicate::ugt, at, source.bytes),
                         compare(Predicate::ugt, bytes, left));
  failIf(outside, "a view is outside its buffer");
  buffers[op] = {offset(source.data, at), bytes};
}

LogicalResult ProgramWriter::constant(txp::ConstantBufferOp op) {
  FailureOr<LLVM::GlobalOp> global = constants.global(op);
  if (failed(global))
    return failure();
  auto type = cast<LLVM::LLVMArrayType>(global->getGlobalType());
  int64_t bytes = type.getNumElements();
  buffers[op] = {addressOf(*global),
                 word(global->getSymName().ends_with(".empty") ? 0 : bytes)};
  return success();
}

void ProgramWriter::copy(txp::CopyOp op) {
  BufferValue from = buffers.lookup(op.getSource());
  BufferValue to = buffers.lookup(op.getTarget());
  failIf(compare(Predicate::ne, from.bytes, to.bytes),
         "copies between buffers of different sizes");
  LLVM::CallOp::create(b, object.lookupSymbol<LLVM::LLVMFuncOp>("tensorc.copy"),
                       ValueRange{to.data, from.data, to.bytes});
}

void ProgramWriter::fill(txp::FillOp op) {
  // Repeats the pattern to fill a word.
  Value pattern = word(op.getPattern());
  uint64_t factor = 1;
  if (op.getWidth() < 8) {
    uint64_t mask = (uint64_t(1) << (8 * op.getWidth())) - 1;
    factor = ~uint64_t(0) / mask;
    pattern = LLVM::AndOp::create(b, pattern, word(int64_t(mask)));
    pattern = LLVM::MulOp::create(b, pattern, word(int64_t(factor)));
  }
  BufferValue to = buffers.lookup(op.getTarget());
  LLVM::CallOp::create(b, object.lookupSymbol<LLVM::LLVMFuncOp>("tensorc.fill"),
                       ValueRange{to.data, pattern, to.bytes});
}

void ProgramWriter::readScalar(txp::ReadScalarOp op) {
  BufferValue from = buffers.lookup(op.getBuffer());
  Value at = word(op.getOffset());
  Type element = op.getElement();
  unsigned bytes = cBytesOf(element);
  Value last = LLVM::SubOp::create(b, from.bytes, word(bytes));
  failIf(LLVM::OrOp::create(b, compare(Predicate::slt, at, word(0)),
                            compare(Predicate::sgt, at, last)),
         "reads outside a buffer");
  Value value = LLVM::LoadOp::create(b, b.getIntegerType(8 * bytes),
                                     offset(from.data, at), /*alignment=*/1);
  // Signed integers are sign-extended; i1 and unsigned integers are
  // zero-extended; floats are passed as bits.
  bool isSigned = isa<IntegerType>(element) && !element.isUnsignedInteger() &&
                  !element.isInteger(1);
  if (bytes < 8)
    value = isSigned ? Value(LLVM::SExtOp::create(b, i64(), value))
                     : Value(LLVM::ZExtOp::create(b, i64(), value));
  words[op] = value;
}

//===----------------------------------------------------------------------===//
// Work
//===----------------------------------------------------------------------===//

Value ProgramWriter::stackWords(ArrayRef<Value> values, int64_t at) {
  areaWords = std::max<int64_t>(areaWords, at + values.size());
  for (auto [i, value] : llvm::enumerate(values))
    LLVM::StoreOp::create(b, value, offset(area, word(8 * (at + i))),
                          /*alignment=*/8);
  return offset(area, word(8 * at));
}

void ProgramWriter::launch(txp::LaunchOp op) {
  SmallVector<Value> args;
  for (Value buffer : llvm::concat<Value>(op.getIns(), op.getOuts()))
    args.push_back(buffers.lookup(buffer).data);
  for (Value scalar : op.getScalars())
    args.push_back(word(scalar));
  Value scratch = null(), stride = word(0);
  if (op.getScratch()) {
    scratch = offset(workspace, layout->scratchOffset);
    stride = alignUp(word(op.getScratch()), 128);
  }
  StringRef kernel = op.getKernel().getLeafReference();
  if (!parallelFor)
    return launchHere(kernel, word(op.getExtent()), args, scratch);
  Value code = LLVM::AddressOfOp::create(b, pointer(), kernel);
  LLVM::CallOp::create(
      b, object.lookupSymbol<LLVM::LLVMFuncOp>("tensorc.launch"),
      ValueRange{code, stackWords(args), word(op.getExtent()),
                 word(op.getGrain()), scratch, stride, threads, parallelFor});
}

/// Calls the kernel directly on this thread, so that LLVM can inline it.
void ProgramWriter::launchHere(StringRef kernel, Value extent,
                               ArrayRef<Value> args, Value scratch) {
  Block *some = newBlock(), *next = newBlock();
  branchIf(compare(Predicate::sgt, extent, word(0)), some, next);
  b.setInsertionPointToStart(some);
  LLVM::CallOp::create(b, object.lookupSymbol<LLVM::LLVMFuncOp>(kernel),
                       ValueRange{stackWords(args), word(0), extent, scratch});
  branch(next);
  b.setInsertionPointToStart(next);
}

/// Fills a tensorc_object_custom_call (Header.cpp) and calls its function.
void ProgramWriter::customCall(txp::CustomCallOp op) {
  unsigned field = signature.callbacks.lookup(op.getCallee());
  Value function = loadField(field), context = loadField(field + 1);
  std::string name = ("custom call '" + op.getCallee() + "'").str();
  failIf(compare(Predicate::eq, function, null()), name + " is a null pointer");
  SmallVector<Value> ins, inBytes, outs, outBytes, scalars;
  for (Value buffer : op.getIns()) {
    ins.push_back(buffers.lookup(buffer).data);
    inBytes.push_back(buffers.lookup(buffer).bytes);
  }
  for (Value buffer : op.getOuts()) {
    outs.push_back(buffers.lookup(buffer).data);
    outBytes.push_back(buffers.lookup(buffer).bytes);
  }
  for (Value scalar : op.getScalars())
    scalars.push_back(word(scalar));
  std::string config = op.getConfig().value_or("").str();
  Value text = addressOf(ObjectConstants::addBytes(
      object, "tensorc.config", StringRef(config.c_str(), config.size() + 1),
      1));
  constexpr int64_t callWords = 10;
  int64_t at = callWords;
  SmallVector<Value> call = {context, word(int64_t(ins.size())),
                             word(int64_t(outs.size())),
                             word(int64_t(scalars.size()))};
  for (ArrayRef<Value> list : {ArrayRef(ins), ArrayRef(inBytes), ArrayRef(outs),
                               ArrayRef(outBytes), ArrayRef(scalars)}) {
    call.push_back(stackWords(list, at));
    at += list.size();
  }
  call.push_back(text);
  assert(call.size() == callWords);
  auto type = LLVM::LLVMFunctionType::get(b.getI32Type(), {pointer()});
  Value status =
      LLVM::CallOp::create(b, type, ValueRange{function, stackWords(call)})
          .getResult();
  Value zero =
      LLVM::ConstantOp::create(b, b.getI32Type(), b.getI32IntegerAttr(0));
  failIf(compare(Predicate::ne, status, zero), name + " failed");
}

/// Inlines the callee. layOut has reported recursion as an error.
LogicalResult ProgramWriter::call(txp::CallOp op) {
  Block &body = calleeOf(op).getBody().front();
  bind(body.getArguments(), flat(op.getArgs()));
  calls.push_back(op);
  if (failed(block(body)))
    return failure();
  calls.pop_back();
  bind(op.getResults(),
       flat(cast<txp::ReturnOp>(body.getTerminator()).getResults()));
  return success();
}
