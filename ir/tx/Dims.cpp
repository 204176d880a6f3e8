//===- Dims.cpp - Sizes of tensor types -----------------------------------===//

#include "ir/tx/Dims.h"
#include "ir/shape/Evaluate.h"
#include "ir/shape/Rules.h"
#include "ir/tx/DType.h"
#include "ir/tx/Tx.h"

using namespace mlir;

namespace tensorc::tx {

shape::DimContext &dimContext(MLIRContext *context) {
  return context->getOrLoadDialect<TxDialect>()->getDims();
}

ArrayRef<Dim> dimsOf(RankedTensorType type) {
  if (auto dims = dyn_cast_or_null<DimsAttr>(type.getEncoding()))
    return dims.getDims();
  static_assert(ShapedType::kDynamic == Dim::none().opaque());
  return shape::dimsOf(type.getShape());
}

SmallVector<Dim> namedDims(RankedTensorType type, unsigned &unnamed) {
  SmallVector<Dim> dims(dimsOf(type));
  for (Dim &dim : dims)
    if (dim.isNone())
      dim =
          dimContext(type.getContext()).symbol("?" + std::to_string(unnamed++));
  return dims;
}

RankedTensorType tensorType(ArrayRef<Dim> dims, Type element) {
  SmallVector<int64_t> shape;
  for (Dim dim : dims)
    shape.push_back(dim.number().value_or(ShapedType::kDynamic));
  DimsAttr encoding;
  if (!llvm::all_of(dims, [](Dim dim) { return dim.isNumber(); }))
    encoding = DimsAttr::get(element.getContext(), dims);
  return RankedTensorType::get(shape, element, encoding);
}

Dim bytesOf(RankedTensorType type) {
  Dim count = shape::product(dimsOf(type));
  Type element = type.getElementType();
  if (element.isInteger(4)) // two to a byte
    return floorDiv(count + 1, 2);
  int64_t parts = 1;
  if (auto complex = dyn_cast<ComplexType>(element)) {
    parts = 2;
    element = complex.getElementType();
  }
  return count * (parts * llvm::divideCeil(element.getIntOrFloatBitWidth(), 8));
}

std::optional<int64_t> staticBytes(RankedTensorType type) {
  if (!type.hasStaticShape())
    return std::nullopt;
  return bytesOf(type).number();
}

bool sameShape(Type a, Type b) {
  auto x = cast<RankedTensorType>(a), y = cast<RankedTensorType>(b);
  return x.getShape() == y.getShape() &&
         (x.hasStaticShape() || x.getEncoding() == y.getEncoding());
}

std::string shapeString(Type type) {
  return shape::shapeText(dimsOf(cast<RankedTensorType>(type)));
}

RankedTensorType withElementType(Type tensor, Type element) {
  auto t = cast<RankedTensorType>(tensor);
  return RankedTensorType::get(t.getShape(), element, t.getEncoding());
}

//===----------------------------------------------------------------------===//
// Index maps
//===----------------------------------------------------------------------===//

AffineExpr DimSpace::constant(int64_t value) const {
  return getAffineConstantExpr(value, context);
}

AffineExpr DimSpace::symbolOf(Dim dim) {
  auto *it = llvm::find(symbols, dim);
  unsigned position = it - symbols.begin();
  if (it == symbols.end())
    symbols.push_back(dim);
  return getAffineSymbolExpr(position, context);
}

AffineExpr DimSpace::symbol(StringRef name) {
  return symbolOf(dimContext(context).symbol(name));
}

static std::optional<AffineExpr> combine(shape::DimOp op, AffineExpr x,
                                         AffineExpr y) {
  switch (op) {
  case shape::DimOp::Add:
    return x + y;
  case shape::DimOp::Mul:
    return x * y;
  case shape::DimOp::FloorDiv:
    return x.floorDiv(y);
  case shape::DimOp::CeilDiv:
    return x.ceilDiv(y);
  case shape::DimOp::Mod:
    return x % y;
  case shape::DimOp::Min:
  case shape::DimOp::Max:
    return std::nullopt;
  }
  return std::nullopt;
}

AffineExpr DimSpace::affine(Dim dim) {
  auto leaf = [&](Dim dim) -> std::optional<AffineExpr> {
    return dim.isNumber() ? constant(dim.constant()) : symbolOf(dim);
  };
  // Affine expressions have no minimum and maximum, so the whole size becomes a
  // symbol.
  auto expr = shape::Evaluator<AffineExpr>(leaf, combine)(dim);
  return expr ? simplify(*expr) : symbolOf(dim);
}

Dim DimSpace::dim(AffineExpr expr) const {
  if (auto c = dyn_cast<AffineConstantExpr>(expr))
    return c.getValue();
  if (auto s = dyn_cast<AffineSymbolExpr>(expr))
    return symbols[s.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Dim x = dim(binary.getLHS()), y = dim(binary.getRHS());
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return x + y;
  case AffineExprKind::Mul:
    return x * y;
  case AffineExprKind::FloorDiv:
    return floorDiv(x, y);
  case AffineExprKind::CeilDiv:
    return ceilDiv(x, y);
  default:
    return mod(x, y);
  }
}

SmallVector<AffineExpr> DimSpace::dims(RankedTensorType type) {
  SmallVector<AffineExpr> result;
  for (Dim dim : dimsOf(type))
    result.push_back(dim.isNone() ? symbol("?" + std::to_string(symbols.size()))
                                  : affine(dim));
  return result;
}

AffineExpr DimSpace::simplify(AffineExpr expr) const {
  return simplifyAffineExpr(expr, /*numDims=*/0, symbols.size());
}

AffineExpr DimSpace::product(ArrayRef<AffineExpr> factors) const {
  AffineExpr result = constant(1);
  for (AffineExpr f : factors)
    result = result * f;
  return simplify(result);
}

} // namespace tensorc::tx
