//===- ProgramWriter.cpp - a program's arguments and results --------------===//
//
// i32 PREFIX.impl(inputs, outputs, workspace, threads, parallel_for)
//
// Without parallel_for, launches run on the calling thread.
//
//===----------------------------------------------------------------------===//
#include "compiler/output/object/ProgramLowering.h"

using namespace mlir;
using namespace tensorc;
using namespace tensorc::compiler;

//===----------------------------------------------------------------------===//
// Structs as C lays them out
//===----------------------------------------------------------------------===//

static Type fieldType(const ObjectField &field, MLIRContext *context) {
  switch (field.kind) {
  case ObjectField::Buffer:
  case ObjectField::Callback:
  case ObjectField::Context:
    return LLVM::LLVMPointerType::get(context);
  case ObjectField::Scalar:
    return IntegerType::get(context,
                            8 * cBytesOf(getElementTypeOrSelf(field.type)));
  default:
    return IntegerType::get(context, 64);
  }
}

static Type structType(ArrayRef<ObjectField> fields, MLIRContext *context) {
  return LLVM::LLVMStructType::getLiteral(
      context, llvm::map_to_vector(fields, [&](const ObjectField &field) {
        return fieldType(field, context);
      }));
}

Value ProgramWriter::field(Value base, Type type, unsigned index) {
  return LLVM::GEPOp::create(
      b, pointer(), type, base,
      ArrayRef<LLVM::GEPArg>{0, static_cast<int32_t>(index)});
}

Value ProgramWriter::loadField(unsigned index) {
  Value at = field(inputs, structType(signature.inputs, b.getContext()), index);
  Type type = fieldType(signature.inputs[index], b.getContext());
  return LLVM::LoadOp::create(b, type, at);
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// Checks what C types do not guarantee: that memory is not null and elements
/// are aligned.
void ProgramWriter::checkPointer(Value data, Value bytes,
                                 const ObjectField &field) {
  Value isNull = compare(Predicate::eq, data, null());
  Value isUsed = compare(Predicate::sgt, bytes, word(0));
  failIf(LLVM::AndOp::create(b, isNull, isUsed),
         field.label + " is a null pointer");
  unsigned align =
      cBytesOf(cast<RankedTensorType>(field.type).getElementType());
  if (align == 1)
    return;
  Value address = LLVM::PtrToIntOp::create(b, i64(), data);
  Value low = LLVM::AndOp::create(b, address, word(align - 1));
  failIf(compare(Predicate::ne, low, word(0)),
         field.label + " is not aligned to " + std::to_string(align) +
             " bytes");
}

/// If kernels use the tile registers of AMX, requests permission from Linux by a
/// function that codegen/native defines. Returns a word that is 0 if permission
/// is granted, or null if no kernel uses them.
static Value requestTiles(OpBuilder &b, ModuleOp object) {
  bool isNeeded = object
                      .walk([](LLVM::CallIntrinsicOp op) {
                        return op.getIntrin() == "llvm.x86.ldtilecfg"
                                   ? WalkResult::interrupt()
                                   : WalkResult::advance();
                      })
                      .wasInterrupted();
  if (!isNeeded)
    return {};
  constexpr StringLiteral name = "tensorc.request_tiles";
  auto function = object.lookupSymbol<LLVM::LLVMFuncOp>(name);
  if (!function) {
    OpBuilder top(object.getBodyRegion());
    function = LLVM::LLVMFuncOp::create(
        top, object.getLoc(), name,
        LLVM::LLVMFunctionType::get(b.getI64Type(), {}));
  }
  return LLVM::CallOp::create(b, object.getLoc(), function, ValueRange())
      .getResult();
}

void ProgramWriter::loadArguments() {
  if (!signature.inputs.empty())
    failIf(compare(Predicate::eq, inputs, null()), "no inputs are given");
  for (unsigned index : signature.dimFields) {
    Value size = loadField(index);
    failIf(compare(Predicate::slt, size, word(0)),
           signature.inputs[index].label + " is negative");
    dims.push_back(size);
  }
  for (auto [i, argument] : llvm::enumerate(signature.func.getArguments())) {
    unsigned index = signature.argumentFields[i];
    const ObjectField &input = signature.inputs[index];
    if (input.kind == ObjectField::Buffer) {
      Value bytes = bytesOf(input.type, signature.argumentDims[i]);
      buffers[argument] = {loadField(index), bytes};
      checkPointer(buffers[argument].data, bytes, input);
      continue;
    }
    Value value = loadField(index);
    bool isWord = value.getType().isInteger(64);
    words[argument] =
        isWord ? value : Value(LLVM::ZExtOp::create(b, i64(), value));
  }
}

void ProgramWriter::loadOutputs() {
  if (!signature.outputs.empty())
    failIf(compare(Predicate::eq, outputs, null()), "no outputs are given");
  Type type = structType(signature.outputs, b.getContext());
  for (auto [i, index] : llvm::enumerate(signature.resultFields)) {
    const ObjectField &output = signature.outputs[index];
    Value data =
        LLVM::LoadOp::create(b, pointer(), field(outputs, type, index));
    Value bytes;
    if (signature.isGiven(signature.resultDims[i])) {
      bytes = bytesOf(output.type, signature.resultDims[i]);
    } else {
      unsigned capacity = index;
      while (signature.outputs[capacity].kind != ObjectField::Capacity ||
             signature.outputs[capacity].label != output.label)
        ++capacity;
      bytes = LLVM::LoadOp::create(b, i64(), field(outputs, type, capacity));
    }
    checkPointer(data, bytes, output);
    results.push_back({data, bytes});
  }
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// Copies results that were not computed in the caller's memory into it.
LogicalResult ProgramWriter::finish(txp::ReturnOp op) {
  Type type = structType(signature.outputs, b.getContext());
  auto given = op.getDims().begin();
  auto copy = object.lookupSymbol<LLVM::LLVMFuncOp>("tensorc.copy");
  for (auto [i, value] : llvm::enumerate(op.getResults())) {
    const ObjectField &output = signature.outputs[signature.resultFields[i]];
    BufferValue to = results[i], from = buffers.lookup(value);
    Value bytes = to.bytes;
    bool isGiven = signature.isGiven(signature.resultDims[i]);
    SmallVector<Value> sizes;
    for (shape::Dim dim : signature.resultDims[i]) {
      if (dim.isNumber())
        sizes.push_back(evaluate(dim));
      else if (!op.getDims().empty())
        sizes.push_back(word(*given++));
    }
    if (!isGiven) {
      unsigned next = signature.resultFields[i];
      for (auto [size, dim] : llvm::zip(sizes, signature.resultDims[i])) {
        if (dim.isNumber())
          continue;
        do
          ++next;
        while (signature.outputs[next].kind != ObjectField::RunDim ||
               signature.outputs[next].label != output.label);
        LLVM::StoreOp::create(b, size, field(outputs, type, next));
      }
      bytes =
          bytesOf(cast<RankedTensorType>(output.type).getElementType(), sizes);
      failIf(compare(Predicate::sgt, bytes, to.bytes),
             output.label + " needs more bytes than its capacity");
    }
    failIf(compare(Predicate::sgt, bytes, from.bytes),
           output.label + " does not fit its buffer");
    Block *differs = newBlock(), *next = newBlock();
    branchIf(compare(Predicate::ne, from.data, to.data), differs, next);
    b.setInsertionPointToStart(differs);
    LLVM::CallOp::create(b, copy, ValueRange{to.data, from.data, bytes});
    branch(next);
    b.setInsertionPointToStart(next);
  }
  Type i32 = b.getI32Type();
  LLVM::ReturnOp::create(
      b, LLVM::ConstantOp::create(b, i32, b.getI32IntegerAttr(0)));
  return success();
}

/// Allocates one area for the arguments of all launches, as large as the
/// largest of them.
void ProgramWriter::allocateArea() {
  area = LLVM::AllocaOp::create(b, pointer(), i64(), word(1), 8);
}

void ProgramWriter::sizeArea() {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&func.getBody().front());
  area.getArraySizeMutable().assign(word(std::max<int64_t>(areaWords, 1)));
}

LogicalResult ProgramWriter::write() {
  inputs = func.getArgument(0);
  outputs = func.getArgument(1);
  workspace = func.getArgument(2);
  threads = func.getArgument(3);
  if (func.getNumArguments() > 4)
    parallelFor = func.getArgument(4);
  allocateArea();
  loadArguments();
  loadOutputs();
  if (Value refused = requestTiles(b, object))
    failIf(compare(Predicate::ne, refused, word(0)),
           "the system refuses permission to use AMX");
  if (failed(block(signature.func.getBody().front())))
    return failure();
  auto ret =
      cast<txp::ReturnOp>(signature.func.getBody().front().getTerminator());
  if (failed(finish(ret)))
    return failure();
  sizeArea();
  return success();
}
