//===- DimsAttr.cpp - The textual form of #tx.dims ------------------------===//

#include "ir/tx/Dims.h"

using namespace mlir;

namespace tensorc::tx {

namespace {
/// Parses sum := product (('+' | '-') product)*; product := factor (op
/// factor)*.
class DimParser {
public:
  explicit DimParser(AsmParser &parser)
      : parser(parser), context(dimContext(parser.getContext())) {}

  FailureOr<Dim> sum() {
    FailureOr<Dim> lhs = product();
    while (succeeded(lhs)) {
      bool plus = succeeded(parser.parseOptionalPlus());
      if (!plus && failed(parser.parseOptionalMinus()))
        break;
      SMLoc loc = parser.getCurrentLocation();
      FailureOr<Dim> rhs = product();
      if (failed(rhs))
        return failure();
      lhs = checked(loc, *lhs, *rhs, plus ? *lhs + *rhs : *lhs - *rhs);
    }
    return lhs;
  }

private:
  AsmParser &parser;
  shape::DimContext &context;
  /// Number of operands parsed so far. Its limit bounds the nesting of
  /// expressions and parentheses.
  unsigned operands = 0;
  static constexpr unsigned maxOperands = 1024;

  FailureOr<Dim> checked(SMLoc loc, Dim lhs, Dim rhs, Dim result) {
    if (!result.isNone())
      return result;
    return parser.emitError(loc, "the size overflows: ")
               << toString(lhs) << " and " << toString(rhs),
           failure();
  }

  FailureOr<Dim> product() {
    FailureOr<Dim> lhs = factor();
    while (succeeded(lhs)) {
      StringRef op;
      if (succeeded(parser.parseOptionalStar()))
        op = "*";
      else if (failed(parser.parseOptionalKeyword(
                   &op, {"floordiv", "ceildiv", "mod"})))
        break;
      SMLoc loc = parser.getCurrentLocation();
      FailureOr<Dim> rhs = factor();
      if (failed(rhs))
        return failure();
      if (op != "*" && rhs->isNumber() && rhs->constant() <= 0)
        return parser.emitError(loc, "divisor must be positive"), failure();
      lhs = checked(loc, *lhs, *rhs,
                    op == "*"          ? *lhs * *rhs
                    : op == "floordiv" ? floorDiv(*lhs, *rhs)
                    : op == "ceildiv"  ? ceilDiv(*lhs, *rhs)
                                       : mod(*lhs, *rhs));
    }
    return lhs;
  }

  /// Parses the operands of min or max after the opening parenthesis.
  FailureOr<Dim> extreme(bool isMin) {
    FailureOr<Dim> result = sum();
    while (succeeded(result) && succeeded(parser.parseOptionalComma())) {
      FailureOr<Dim> next = sum();
      if (failed(next))
        return failure();
      result = isMin ? min(*result, *next) : max(*result, *next);
    }
    if (failed(result) || failed(parser.parseRParen()))
      return failure();
    return result;
  }

  FailureOr<Dim> factor() {
    if (++operands > maxOperands)
      return parser.emitError(parser.getCurrentLocation(), "more than ")
                 << maxOperands << " operands in the sizes of one tensor",
             failure();
    if (succeeded(parser.parseOptionalLParen())) {
      FailureOr<Dim> inner = sum();
      if (failed(inner) || failed(parser.parseRParen()))
        return failure();
      return inner;
    }
    int64_t value;
    OptionalParseResult number = parser.parseOptionalInteger(value);
    if (number.has_value()) {
      if (failed(*number))
        return failure();
      return checked(parser.getCurrentLocation(), value, value, value);
    }
    StringRef keyword;
    if (failed(parser.parseOptionalKeyword(&keyword)))
      return parser.emitError(parser.getCurrentLocation(),
                              "expected a dimension's size or name"),
             failure();
    if ((keyword == "min" || keyword == "max") &&
        succeeded(parser.parseOptionalLParen()))
      return extreme(keyword == "min");
    return context.symbol(keyword);
  }
};
} // namespace

Attribute DimsAttr::parse(AsmParser &parser, Type) {
  DimParser dims(parser);
  SmallVector<Dim> sizes;
  auto one = [&]() -> ParseResult {
    FailureOr<Dim> size = dims.sum();
    if (failed(size))
      return failure();
    sizes.push_back(*size);
    return success();
  };
  if (parser.parseLess() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, one) ||
      parser.parseGreater())
    return {};
  return DimsAttr::get(parser.getContext(), sizes);
}

void DimsAttr::print(AsmPrinter &printer) const {
  printer << "<" << toString(getDims()) << ">";
}

LogicalResult
DimsAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                         function_ref<InFlightDiagnostic()> emitError) const {
  if (shape.size() != getDims().size())
    return emitError() << "#tx.dims names " << getDims().size()
                       << " dimensions of a tensor of rank " << shape.size();
  for (auto [i, size, dim] : llvm::enumerate(shape, getDims()))
    if (ShapedType::isDynamic(size) ? dim.isNumber() : dim != size)
      return emitError() << "dimension " << i << " is "
                         << (ShapedType::isDynamic(size) ? std::string("?")
                                                         : std::to_string(size))
                         << " in the shape but " << toString(dim)
                         << " in #tx.dims";
  return success();
}

} // namespace tensorc::tx
