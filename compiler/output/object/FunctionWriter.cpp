//===- FunctionWriter.cpp - blocks, checks and sizes of a function --------===//
#include "compiler/output/object/ProgramLowering.h"

#include "ir/shape/Evaluate.h"

using namespace mlir;
using namespace tensorc;
using namespace tensorc::compiler;

FunctionWriter::FunctionWriter(const ObjectSignature &signature,
                               ObjectMessages &messages, ModuleOp object,
                               LLVM::LLVMFuncOp func)
    : signature(signature), messages(messages), object(object), func(func),
      b(func.getLoc(), object.getContext()) {
  b.setInsertionPointToStart(func.addEntryBlock(b));
}

Value FunctionWriter::word(int64_t value) {
  return LLVM::ConstantOp::create(b, i64(), b.getI64IntegerAttr(value));
}

Value FunctionWriter::truth(bool value) {
  return LLVM::ConstantOp::create(b, b.getI1Type(), b.getBoolAttr(value));
}

Value FunctionWriter::null() { return LLVM::ZeroOp::create(b, pointer()); }

Value FunctionWriter::compare(Predicate predicate, Value x, Value y) {
  return LLVM::ICmpOp::create(b, predicate, x, y);
}

Value FunctionWriter::offset(Value data, Value bytes) {
  return LLVM::GEPOp::create(b, pointer(), b.getI8Type(), data,
                             ArrayRef<LLVM::GEPArg>{bytes});
}

Value FunctionWriter::addressOf(LLVM::GlobalOp global) {
  return LLVM::AddressOfOp::create(b, global);
}

Block *FunctionWriter::newBlock(TypeRange types) {
  Block *block = new Block;
  func.getBody().push_back(block);
  for (Type type : types)
    block->addArgument(type, b.getLoc());
  return block;
}

void FunctionWriter::branch(Block *to, ValueRange values) {
  LLVM::BrOp::create(b, values, to);
}

void FunctionWriter::branchIf(Value condition, Block *yes, Block *no) {
  LLVM::CondBrOp::create(b, condition, yes, no);
}

void FunctionWriter::failIf(Value condition, StringRef message) {
  if (!isChecked)
    return;
  int64_t status = failureValue ? *failureValue : messages.code(message);
  Block *&failure = failures[status];
  if (!failure) {
    failure = newBlock();
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(failure);
    Type type = func.getFunctionType().getReturnType();
    LLVM::ReturnOp::create(
        b, LLVM::ConstantOp::create(b, type, b.getIntegerAttr(type, status)));
  }
  Block *next = newBlock();
  branchIf(condition, failure, next);
  b.setInsertionPointToStart(next);
}

Value FunctionWriter::alignUp(Value bytes, int64_t alignment) {
  Value up = checkedAdd(bytes, word(alignment - 1));
  return LLVM::AndOp::create(b, up, word(-alignment));
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

Value FunctionWriter::evaluate(shape::Dim dim) {
  using shape::DimOp;
  auto leaf = [&](shape::Dim dim) {
    return std::optional(dim.isNumber() ? word(dim.constant())
                                        : dims[*signature.dimOf(dim)]);
  };
  auto combine = [&](DimOp op, Value x, Value y) -> std::optional<Value> {
    switch (op) {
    case DimOp::Add:
      return checkedAdd(x, y);
    case DimOp::Mul:
      return checkedMul(x, y);
    case DimOp::FloorDiv:
      return divide(Quotient::Floor, x, y);
    case DimOp::CeilDiv:
      return divide(Quotient::Ceil, x, y);
    case DimOp::Mod:
      return divide(Quotient::Mod, x, y);
    case DimOp::Min:
      return LLVM::SMinOp::create(b, x, y);
    case DimOp::Max:
      return LLVM::SMaxOp::create(b, x, y);
    }
    return std::nullopt;
  };
  return *shape::Evaluator<Value>(leaf, combine)(dim);
}

Value FunctionWriter::bytesOf(Type element, ArrayRef<Value> sizes) {
  Value count = word(1);
  Value zero = word(0);
  for (Value size : sizes) {
    failIf(compare(Predicate::slt, size, zero), "a dimension is negative");
    count = checkedMul(count, size);
  }
  if (element.isIntOrFloat() && element.getIntOrFloatBitWidth() == 4)
    return LLVM::LShrOp::create(b, checkedAdd(count, word(1)), word(1));
  return checkedMul(count, word(cBytesOf(element)));
}

Value FunctionWriter::bytesOf(Type tensor, const ObjectDims &sizes) {
  SmallVector<Value> values;
  for (shape::Dim size : sizes)
    values.push_back(evaluate(size));
  return bytesOf(cast<RankedTensorType>(tensor).getElementType(), values);
}

//===----------------------------------------------------------------------===//
// Functions that depend only on the dims
//===----------------------------------------------------------------------===//

LogicalResult WorkspaceWriter::write() {
  failureValue = -1;
  size_t count = signature.dimFields.size();
  for (size_t i = 0; i < count; ++i) {
    dims.push_back(func.getArgument(i));
    failIf(compare(Predicate::slt, dims.back(), word(0)), "");
  }
  auto layout = layOut(func.getArgument(count));
  if (failed(layout))
    return failure();
  // The caller's workspace may have any alignment; the slots begin at its first
  // multiple of 64. Reserves 63 bytes for that.
  Value none = compare(Predicate::eq, layout->total, word(0));
  Value padded = checkedAdd(layout->total, word(63));
  LLVM::ReturnOp::create(
      b, LLVM::SelectOp::create(b, none, word(0), padded).getResult());
  return success();
}

/// Loads the symbolic sizes, which are the first arguments.
void OutputWriter::readDims() {
  failureValue = -1;
  for (size_t i = 0; i < signature.dimFields.size(); ++i) {
    dims.push_back(func.getArgument(i));
    failIf(compare(Predicate::slt, dims.back(), word(0)), "");
  }
}

void OutputWriter::writeSize(unsigned result) {
  readDims();
  Type type = signature.outputs[signature.resultFields[result]].type;
  LLVM::ReturnOp::create(b, bytesOf(type, signature.resultDims[result]));
}

void OutputWriter::writeShape(unsigned result) {
  readDims();
  size_t count = signature.dimFields.size();
  for (auto [d, expr] : llvm::enumerate(signature.resultDims[result])) {
    Value size = evaluate(expr);
    failIf(compare(Predicate::slt, size, word(0)), "");
    Value at = offset(func.getArgument(count), word(8 * d));
    LLVM::StoreOp::create(b, size, at, /*alignment=*/8);
  }
  Type i32 = b.getI32Type();
  LLVM::ReturnOp::create(
      b, LLVM::ConstantOp::create(b, i32, b.getI32IntegerAttr(0)));
}
