//===- Dims.cpp - Shapes as expressions over named sizes ------------------===//

#include "ir/tx/Dims.h"
#include "ir/tx/DType.h"
#include "ir/tx/Kernel.h"

using namespace mlir;

namespace tensorc::tx {

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// The negative of -5 or n * -2; null if the expression is neither.
static AffineExpr negate(AffineExpr expr) {
  auto isNegative = [](AffineExpr e) {
    auto c = dyn_cast<AffineConstantExpr>(e);
    return c && c.getValue() < 0 && c.getValue() != INT64_MIN;
  };
  auto product = dyn_cast<AffineBinaryOpExpr>(expr);
  bool isProduct = product && expr.getKind() == AffineExprKind::Mul &&
                   isNegative(product.getRHS());
  return isProduct || isNegative(expr) ? -expr : AffineExpr();
}

static void print(llvm::raw_ostream &os, AffineExpr expr,
                  ArrayRef<StringAttr> names, bool nested) {
  if (auto c = dyn_cast<AffineConstantExpr>(expr)) {
    os << c.getValue();
    return;
  }
  if (auto s = dyn_cast<AffineSymbolExpr>(expr)) {
    os << names[s.getPosition()].getValue();
    return;
  }
  auto binary = cast<AffineBinaryOpExpr>(expr);
  StringRef op;
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    op = " + ";
    break;
  case AffineExprKind::Mul:
    op = " * ";
    break;
  case AffineExprKind::FloorDiv:
    op = " floordiv ";
    break;
  case AffineExprKind::CeilDiv:
    op = " ceildiv ";
    break;
  default:
    op = " mod ";
    break;
  }
  bool isAdd = expr.getKind() == AffineExprKind::Add;
  AffineExpr rhs = binary.getRHS();
  // n - 5, not n + -5.
  if (AffineExpr negated = isAdd ? negate(rhs) : AffineExpr()) {
    op = " - ";
    rhs = negated;
  }
  if (nested)
    os << "(";
  print(os, binary.getLHS(), names, /*nested=*/!isAdd);
  os << op;
  print(os, rhs, names, /*nested=*/!isAdd);
  if (nested)
    os << ")";
}

std::string toString(AffineExpr expr, ArrayRef<StringAttr> names) {
  std::string text;
  llvm::raw_string_ostream os(text);
  // A product or quotient at the top needs parentheses around its operands
  // only when they are sums; print() nests every operand but those of sums.
  print(os, expr, names, /*nested=*/false);
  return text;
}

double magnitude(AffineExpr expr) {
  if (auto c = dyn_cast<AffineConstantExpr>(expr))
    return std::abs(static_cast<double>(c.getValue()));
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return 1;
  double lhs = magnitude(binary.getLHS()), rhs = magnitude(binary.getRHS());
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return lhs + rhs;
  case AffineExprKind::Mul:
    return lhs * rhs;
  default:
    return std::max(lhs, rhs);
  }
}

namespace {
/// sum := product (('+' | '-') product)*; product := factor (op factor)*.
class DimParser {
public:
  DimParser(AsmParser &parser) : parser(parser) {}

  SmallVector<StringAttr> names;

  FailureOr<AffineExpr> sum() {
    FailureOr<AffineExpr> lhs = product();
    while (succeeded(lhs)) {
      bool plus = succeeded(parser.parseOptionalPlus());
      if (!plus && failed(parser.parseOptionalMinus()))
        break;
      SMLoc loc = parser.getCurrentLocation();
      FailureOr<AffineExpr> rhs = product();
      if (failed(rhs))
        return failure();
      lhs = checked(loc, magnitude(*lhs) + magnitude(*rhs), *lhs, *rhs,
                    [=] { return plus ? *lhs + *rhs : *lhs - *rhs; });
    }
    return lhs;
  }

private:
  AsmParser &parser;
  /// Operands so far, which bound how deep expressions and parentheses are.
  unsigned operands = 0;
  static constexpr unsigned maxOperands = 1024;

  /// Affine expressions fold constants with wrap-around, so what could wrap is
  /// refused before it is built.
  FailureOr<AffineExpr> checked(SMLoc loc, double bound, AffineExpr lhs,
                                AffineExpr rhs,
                                function_ref<AffineExpr()> combine) {
    if (bound < 0x1p62)
      return combine();
    return parser.emitError(loc, "the size overflows: ")
               << toString(lhs, names) << " and " << toString(rhs, names),
           failure();
  }

  FailureOr<AffineExpr> product() {
    FailureOr<AffineExpr> lhs = factor();
    while (succeeded(lhs)) {
      StringRef op;
      if (succeeded(parser.parseOptionalStar()))
        op = "*";
      else if (failed(parser.parseOptionalKeyword(
                   &op, {"floordiv", "ceildiv", "mod"})))
        break;
      SMLoc loc = parser.getCurrentLocation();
      FailureOr<AffineExpr> rhs = factor();
      if (failed(rhs))
        return failure();
      auto divisor = dyn_cast<AffineConstantExpr>(*rhs);
      if (op != "*" && divisor && divisor.getValue() <= 0)
        return parser.emitError(loc, "divisor must be positive"), failure();
      double bound = op == "*" ? magnitude(*lhs) * magnitude(*rhs) : 1;
      lhs = checked(loc, bound, *lhs, *rhs, [=] {
        return op == "*"          ? *lhs * *rhs
               : op == "floordiv" ? lhs->floorDiv(*rhs)
               : op == "ceildiv"  ? lhs->ceilDiv(*rhs)
                                  : *lhs % *rhs;
      });
    }
    return lhs;
  }

  FailureOr<AffineExpr> factor() {
    MLIRContext *context = parser.getContext();
    if (++operands > maxOperands)
      return parser.emitError(parser.getCurrentLocation(), "more than ")
                 << maxOperands << " operands in the sizes of one tensor",
             failure();
    if (succeeded(parser.parseOptionalLParen())) {
      FailureOr<AffineExpr> inner = sum();
      if (failed(inner) || failed(parser.parseRParen()))
        return failure();
      return inner;
    }
    int64_t value;
    OptionalParseResult number = parser.parseOptionalInteger(value);
    if (number.has_value()) {
      if (failed(*number))
        return failure();
      return getAffineConstantExpr(value, context);
    }
    StringRef keyword;
    if (failed(parser.parseOptionalKeyword(&keyword)))
      return parser.emitError(parser.getCurrentLocation(),
                              "expected a dimension's size or name"),
             failure();
    auto name = StringAttr::get(context, keyword);
    auto *it = llvm::find(names, name);
    unsigned position = it - names.begin();
    if (it == names.end())
      names.push_back(name);
    return getAffineSymbolExpr(position, context);
  }
};
} // namespace

/// Renumbers symbols so that they follow the alphabetical order of the names
/// in use, which makes simplified expressions unique.
static DimsAttr canonicalDims(MLIRContext *context, ArrayRef<StringAttr> names,
                              ArrayRef<AffineExpr> dims) {
  llvm::SmallVector<bool> used(names.size(), false);
  for (AffineExpr dim : dims)
    dim.walk([&](AffineExpr e) {
      if (auto s = dyn_cast<AffineSymbolExpr>(e))
        used[s.getPosition()] = true;
    });
  SmallVector<unsigned> order;
  for (unsigned i = 0; i < names.size(); ++i)
    if (used[i])
      order.push_back(i);
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return names[a].getValue() < names[b].getValue();
  });
  SmallVector<AffineExpr> replacement(names.size(),
                                      getAffineConstantExpr(0, context));
  SmallVector<StringAttr> sorted;
  for (auto [position, old] : llvm::enumerate(order)) {
    replacement[old] = getAffineSymbolExpr(position, context);
    sorted.push_back(names[old]);
  }
  SmallVector<AffineExpr> result;
  for (AffineExpr dim : dims)
    result.push_back(simplifyAffineExpr(dim.replaceSymbols(replacement),
                                        /*numDims=*/0, sorted.size()));
  return DimsAttr::get(context, sorted,
                       AffineMap::get(0, sorted.size(), result, context));
}

Attribute DimsAttr::parse(AsmParser &parser, Type) {
  DimParser dims(parser);
  SmallVector<AffineExpr> exprs;
  auto one = [&]() -> ParseResult {
    FailureOr<AffineExpr> expr = dims.sum();
    if (failed(expr))
      return failure();
    exprs.push_back(*expr);
    return success();
  };
  if (parser.parseLess() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, one) ||
      parser.parseGreater())
    return {};
  return canonicalDims(parser.getContext(), dims.names, exprs);
}

void DimsAttr::print(AsmPrinter &printer) const {
  printer << "<[";
  llvm::interleaveComma(getDims().getResults(), printer, [&](AffineExpr e) {
    printer << toString(e, getNames());
  });
  printer << "]>";
}

LogicalResult
DimsAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                         function_ref<InFlightDiagnostic()> emitError) const {
  if (shape.size() != getDims().getNumResults())
    return emitError() << "#tx.dims names " << getDims().getNumResults()
                       << " dimensions of a tensor of rank " << shape.size();
  for (auto [i, size, expr] : llvm::enumerate(shape, getDims().getResults())) {
    auto constant = dyn_cast<AffineConstantExpr>(expr);
    if (ShapedType::isDynamic(size) ? !!constant
                                    : !constant || constant.getValue() != size)
      return emitError() << "dimension " << i << " is "
                         << (ShapedType::isDynamic(size) ? std::string("?")
                                                         : std::to_string(size))
                         << " in the shape but " << toString(expr, getNames())
                         << " in #tx.dims";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// DimSpace
//===----------------------------------------------------------------------===//

AffineExpr DimSpace::constant(int64_t value) const {
  return getAffineConstantExpr(value, context);
}

AffineExpr DimSpace::symbol(StringRef name) {
  auto attr = StringAttr::get(context, name);
  auto *it = llvm::find(symbols, attr);
  unsigned position = it - symbols.begin();
  if (it == symbols.end())
    symbols.push_back(attr);
  return getAffineSymbolExpr(position, context);
}

SmallVector<AffineExpr> DimSpace::dims(RankedTensorType type) {
  SmallVector<AffineExpr> result;
  auto encoding = dyn_cast_or_null<DimsAttr>(type.getEncoding());
  if (encoding) {
    SmallVector<AffineExpr> replacement;
    for (StringAttr name : encoding.getNames())
      replacement.push_back(symbol(name.getValue()));
    for (AffineExpr e : encoding.getDims().getResults())
      result.push_back(simplify(e.replaceSymbols(replacement)));
    return result;
  }
  for (int64_t size : type.getShape())
    result.push_back(ShapedType::isDynamic(size)
                         ? symbol("?" + std::to_string(symbols.size()))
                         : constant(size));
  return result;
}

AffineExpr DimSpace::simplify(AffineExpr expr) const {
  return simplifyAffineExpr(expr, /*numDims=*/0, symbols.size());
}

AffineExpr DimSpace::bytesOf(RankedTensorType type) {
  AffineExpr count = product(dims(type));
  Type element = type.getElementType();
  if (element.isInteger(4)) // two to a byte
    return simplify((count + 1).floorDiv(2));
  int64_t width = llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
  return simplify(count * width);
}

std::optional<int64_t> staticBytes(RankedTensorType type) {
  if (!type.hasStaticShape())
    return std::nullopt;
  DType dtype = *dtypeOf(type.getElementType());
  int64_t count = 1, bytes;
  for (int64_t size : type.getShape())
    if (llvm::MulOverflow(count, size, count))
      return std::nullopt;
  if (llvm::MulOverflow(count, byteWidth(dtype), bytes))
    return std::nullopt;
  return bytesOf(dtype, count);
}

AffineExpr DimSpace::product(ArrayRef<AffineExpr> factors) const {
  AffineExpr result = constant(1);
  for (AffineExpr f : factors)
    result = result * f;
  return simplify(result);
}

DimsAttr getDims(MLIRContext *context, ArrayRef<StringAttr> names,
                 ArrayRef<AffineExpr> exprs) {
  return canonicalDims(context, names, exprs);
}

RankedTensorType DimSpace::type(ArrayRef<AffineExpr> dims, Type element) const {
  SmallVector<int64_t> shape;
  bool isStatic = true;
  for (AffineExpr dim : dims) {
    auto c = dyn_cast<AffineConstantExpr>(simplify(dim));
    shape.push_back(c ? c.getValue() : ShapedType::kDynamic);
    isStatic &= !!c;
  }
  if (isStatic)
    return RankedTensorType::get(shape, element);
  return RankedTensorType::get(shape, element,
                               canonicalDims(context, symbols, dims));
}

bool sameShape(Type a, Type b) {
  auto x = cast<RankedTensorType>(a), y = cast<RankedTensorType>(b);
  return x.getShape() == y.getShape() &&
         (x.hasStaticShape() || x.getEncoding() == y.getEncoding());
}

std::string shapeString(Type type) {
  DimSpace space(type.getContext());
  SmallVector<AffineExpr> dims = space.dims(cast<RankedTensorType>(type));
  std::string text = "[";
  for (auto [i, dim] : llvm::enumerate(dims)) {
    if (i)
      text += ", ";
    text += toString(dim, space.names());
  }
  return text + "]";
}

RankedTensorType withElementType(Type tensor, Type element) {
  auto t = cast<RankedTensorType>(tensor);
  return RankedTensorType::get(t.getShape(), element, t.getEncoding());
}

} // namespace tensorc::tx
