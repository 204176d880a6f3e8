//===- TensorBuilder.h - Creates tx ops -----------------------------------===//
//
// Each function adds tx ops and returns their result. Operands broadcast and
// are promoted as in NumPy, numbers take the dtype of the other operand, and
// result types follow from the shape rules, over named sizes. The class is used
// by expansions of composites, gradient rules, batching rules and importers.
// The caller must have checked shapes and dtypes, so no function here can fail.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_IR_BUILDER_TENSORBUILDER_H
#define TENSORC_IR_BUILDER_TENSORBUILDER_H

#include "ir/shape/Rules.h"
#include "ir/tx/DType.h"
#include "ir/tx/Dims.h"
#include "ir/tx/Size.h"
#include "ir/tx/Tx.h"

namespace tensorc::builder {

using mlir::Value;
using shape::Dim;
using shape::Dims;
using shape::Numbers;
using tx::DType;

/// A tensor or a number.
struct Operand {
  Value value;
  double real = 0;
  int64_t integer = 0;
  bool isReal = false;

  Operand(Value value) : value(value) {}
  Operand(mlir::TypedValue<mlir::RankedTensorType> value) : value(value) {}
  Operand(double real) : real(real), isReal(true) {}
  Operand(int64_t integer) : integer(integer) {}
  Operand(int integer) : integer(integer) {}
};
using In = const Operand &;

mlir::RankedTensorType typeOf(Value x);
DType dtypeOf(Value x);
Dims dimsOf(Value x);
int64_t rankOf(Value x);

/// Returns the dtype used for computing: f32 for f16 and bf16; other dtypes
/// unchanged.
DType wideOf(DType dtype);
/// Returns all dims in [0, rank) except `dims`, in order.
llvm::SmallVector<int64_t> allDimsBut(int64_t rank, Numbers dims);

/// Element-wise ops by name. The derived class has `map`, which makes an op
/// whose operands and result have the same dtype, and `test`, which makes an op
/// with an i1 result.
template <typename Self> class ElementwiseOps {
public:
  Value add(In x, In y) { return map<tx::AddOp>({x, y}); }
  Value sub(In x, In y) { return map<tx::SubOp>({x, y}); }
  Value mul(In x, In y) { return map<tx::MulOp>({x, y}); }
  Value div(In x, In y) { return map<tx::DivOp>({x, y}); }
  Value max(In x, In y) { return map<tx::MaxOp>({x, y}); }
  Value min(In x, In y) { return map<tx::MinOp>({x, y}); }
  Value pow(In x, In y) { return map<tx::PowOp>({x, y}); }
  Value neg(In x) { return map<tx::NegOp>({x}); }
  Value abs(In x) { return map<tx::AbsOp>({x}); }
  Value exp(In x) { return map<tx::ExpOp>({x}); }
  Value expm1(In x) { return map<tx::Expm1Op>({x}); }
  Value log(In x) { return map<tx::LogOp>({x}); }
  Value log1p(In x) { return map<tx::Log1pOp>({x}); }
  Value sqrt(In x) { return map<tx::SqrtOp>({x}); }
  Value rsqrt(In x) { return map<tx::RsqrtOp>({x}); }
  Value tanh(In x) { return map<tx::TanhOp>({x}); }
  Value erf(In x) { return map<tx::ErfOp>({x}); }
  Value sigmoid(In x) { return map<tx::SigmoidOp>({x}); }
  Value floor(In x) { return map<tx::FloorOp>({x}); }
  Value logicalAnd(In x, In y) { return map<tx::AndOp>({x, y}); }
  Value logicalOr(In x, In y) { return map<tx::OrOp>({x, y}); }
  Value logicalNot(In x) { return map<tx::NotOp>({x}); }
  Value equal(In x, In y) { return test<tx::EqOp>({x, y}); }
  Value notEqual(In x, In y) { return test<tx::NeOp>({x, y}); }
  Value less(In x, In y) { return test<tx::LtOp>({x, y}); }
  Value lessOrEqual(In x, In y) { return test<tx::LeOp>({x, y}); }
  Value greater(In x, In y) { return test<tx::GtOp>({x, y}); }
  Value greaterOrEqual(In x, In y) { return test<tx::GeOp>({x, y}); }

private:
  template <typename Op> Value map(llvm::ArrayRef<Operand> operands) {
    return static_cast<Self *>(this)->template map<Op>(operands);
  }
  template <typename Op> Value test(llvm::ArrayRef<Operand> operands) {
    return static_cast<Self *>(this)->template test<Op>(operands);
  }
};

class TensorBuilder : public ElementwiseOps<TensorBuilder> {
public:
  /// Builds ops at b's insertion point, with the op's location.
  TensorBuilder(mlir::OpBuilder &b, mlir::Operation *op)
      : b(b), loc(op->getLoc()) {}
  TensorBuilder(mlir::OpBuilder &b, mlir::Location loc) : b(b), loc(loc) {}

  //===--- Element-wise -------------------------------------------------===//

  /// Makes any element-wise op with operands and result of one dtype.
  template <typename Op> Value map(llvm::ArrayRef<Operand> operands) {
    return make(Op::getOperationName(), operands, false);
  }
  /// Makes an op whose result is i1.
  template <typename Op> Value test(llvm::ArrayRef<Operand> operands) {
    return make(Op::getOperationName(), operands, true);
  }
  Value select(Value predicate, In x, In y);
  Value convert(Value x, DType dtype);
  /// Converts to the dtype of another value.
  Value convertLike(Value x, Value other) { return convert(x, dtypeOf(other)); }
  /// Converts f16 and bf16 to f32.
  Value widen(Value x) { return convert(x, wideOf(dtypeOf(x))); }
  /// Reinterprets the bits as another dtype of the same width.
  Value bitcast(Value x, DType dtype);

  //===--- Making tensors -----------------------------------------------===//

  Value full(In number, DType dtype, Dims dims = {});
  Value iota(DType dtype, Dims dims, int64_t dim);
  /// Returns a size as a tensor of rank 0.
  Value size(Dim size, DType dtype);

  //===--- Moving elements ----------------------------------------------===//

  Value broadcast(Value x, Dims dims);
  Value reshape(Value x, Dims dims);
  Value transpose(Value x, Numbers permutation);
  Value pad(Value x, Numbers low, Numbers high, Numbers interior, In value);
  Value windows(Value x, Numbers dims, Numbers sizes, Numbers strides,
                Numbers dilations);
  /// Returns a slice with these offsets, strides and sizes.
  Value slice(Value x, Numbers offsets, Numbers strides, Dims sizes);
  /// Slices along one dim.
  Value sliceAlong(Value x, int64_t dim, int64_t offset, Dim size,
                   int64_t stride = 1);
  /// Reverses the elements along these dims, whose sizes are numbers.
  Value reverse(Value x, Numbers dims);
  Value concatenate(llvm::ArrayRef<Value> parts, int64_t dim);
  /// Gathers x along a dim at these indices, a vector.
  Value take(Value x, Value indices, int64_t dim);
  /// Gathers x along a dim at i64 indices, which have the same dims as x except
  /// for this one.
  Value takeAlong(Value x, Value indices, int64_t dim);
  /// Adds the updates to a tensor of zeros with these dims, at i64 indices
  /// along one dim. The indices have the same dims except for this one, and the
  /// updates have the shape of the indices.
  Value addAlong(Dims dims, Value updates, Value indices, int64_t dim);
  /// Reshapes a vector so that it broadcasts along this dim of a tensor of this
  /// rank.
  Value alongDim(Value x, int64_t dim, int64_t rank);

  //===--- Reductions and contractions ----------------------------------===//

  /// Reduces x over the dims; returns x if there are none.
  template <typename Op>
  Value reduce(Value x, Numbers dims, bool keepDims = false) {
    return makeReduction(Op::getOperationName(), x, dims, keepDims);
  }
  Value sum(Value x, Numbers dims, bool keepDims = false) {
    return reduce<tx::SumOp>(x, dims, keepDims);
  }
  Value largest(Value x, Numbers dims, bool keepDims = false) {
    return reduce<tx::ReduceMaxOp>(x, dims, keepDims);
  }
  /// Contracts x and y in their common dtype. `result` may be f32 for f16 and
  /// bf16 operands, so that the sums are not rounded to 16 bits.
  Value dot(Value x, Value y, const shape::DotNumbers &numbers,
            std::optional<DType> result = std::nullopt);

  mlir::OpBuilder &b;
  mlir::Location loc;

private:
  Value make(llvm::StringRef name, llvm::ArrayRef<Operand> operands,
             bool isTest);
  Value makeReduction(llvm::StringRef name, Value x, Numbers dims,
                      bool keepDims);
  /// Converts indices along a dim of a tensor with these dims to indices into
  /// the flattened tensor.
  Value flatIndices(Dims dims, Value indices, int64_t dim);
  mlir::Type type(Dims dims, DType dtype);
};

} // namespace tensorc::builder

#endif // TENSORC_IR_BUILDER_TENSORBUILDER_H
