//===- LinearAlgebra.cpp - Expansions of linear algebra to calls ----------===//
//
// A call's name is "linalg." followed by the op's name; its config lists the
// options that are set.
//
//===----------------------------------------------------------------------===//

#include "ir/builder/TensorBuilder.h"
#include "ir/library/Library.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tensorc::tx {

using builder::TensorBuilder;

/// Creates a call of the linear algebra library, in f32 for f16 and bf16.
/// Complex numbers are passed unchanged.
static Value callLibrary(OpBuilder &builder, Operation *op,
                         ArrayRef<StringRef> options = {}) {
  TensorBuilder b(builder, op);
  Value result = op->getResult(0);
  DType dtype = builder::wideOf(builder::dtypeOf(result));
  SmallVector<Value> inputs;
  for (Value operand : op->getOperands())
    inputs.push_back(isa<EigOp>(op) ? operand : b.convert(operand, dtype));
  Type type = tensorType(builder::dimsOf(result),
                         elementType(builder.getContext(), dtype));
  std::string name = ("linalg." + op->getName().stripDialect()).str();
  SmallVector<StringRef> set;
  llvm::copy_if(options, std::back_inserter(set),
                [](StringRef option) { return !option.empty(); });
  StringAttr config =
      set.empty() ? StringAttr() : builder.getStringAttr(llvm::join(set, " "));
  auto call = CustomCallOp::create(builder, op->getLoc(), type,
                                   builder.getStringAttr(name), inputs, config,
                                   StringAttr());
  return b.convertLike(call.getResult(0), result);
}

static StringRef option(bool isSet, StringRef name) {
  return isSet ? name : StringRef();
}

Value CholeskyOp::expand(OpBuilder &b) {
  return callLibrary(b, *this,
                     {option(getUpper(), "upper"), option(getInfo(), "info")});
}
Value TriangularSolveOp::expand(OpBuilder &b) {
  return callLibrary(b, *this,
                     {option(getUpper(), "upper"),
                      option(getTransposed(), "transposed"),
                      option(getUnit(), "unit")});
}
Value SolveOp::expand(OpBuilder &b) { return callLibrary(b, *this); }
Value TridiagonalSolveOp::expand(OpBuilder &b) { return callLibrary(b, *this); }
Value LuOp::expand(OpBuilder &b) { return callLibrary(b, *this); }
Value DeterminantOp::expand(OpBuilder &b) {
  return callLibrary(b, *this, option(getLogarithm(), "logarithm"));
}
Value CofactorsOp::expand(OpBuilder &b) { return callLibrary(b, *this); }
Value QrOp::expand(OpBuilder &b) {
  return callLibrary(b, *this, option(getComplete(), "complete"));
}
Value SvdOp::expand(OpBuilder &b) { return callLibrary(b, *this); }
Value EighOp::expand(OpBuilder &b) { return callLibrary(b, *this); }
Value EigOp::expand(OpBuilder &b) { return callLibrary(b, *this); }

} // namespace tensorc::tx
