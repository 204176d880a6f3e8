//===- Sharding.cpp - How JAX says on which devices tensors lie -----------===//
//
// A program for one device is the same without it: meshes, constraints and
// attributes of the dialect sdy are read and mean nothing. What computes on
// each device by itself is refused.
//
//===----------------------------------------------------------------------===//

#include "compiler/frontends/stablehlo/Syntax.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace tensorc::stablehlo {

/// `<@mesh, [{"x"}, {}]>`: all in brackets.
static ParseResult skipBrackets(OpAsmParser &parser) {
  using Token = ParseResult (AsmParser::*)();
  static constexpr Token opening[] = {
      &AsmParser::parseOptionalLess, &AsmParser::parseOptionalLBrace,
      &AsmParser::parseOptionalLSquare, &AsmParser::parseOptionalLParen};
  static constexpr Token closing[] = {
      &AsmParser::parseOptionalGreater, &AsmParser::parseOptionalRBrace,
      &AsmParser::parseOptionalRSquare, &AsmParser::parseOptionalRParen};
  static constexpr Token others[] = {
      &AsmParser::parseOptionalComma, &AsmParser::parseOptionalEqual,
      &AsmParser::parseOptionalColon, &AsmParser::parseOptionalQuestion};
  auto takes = [&](Token token) { return succeeded((parser.*token)()); };
  auto takesWord = [&] {
    StringAttr symbol;
    std::string text;
    StringRef word;
    int64_t number;
    if (succeeded(parser.parseOptionalSymbolName(symbol)) ||
        succeeded(parser.parseOptionalString(&text)) ||
        succeeded(parser.parseOptionalKeyword(&word)))
      return true;
    OptionalParseResult digits = parser.parseOptionalInteger(number);
    return digits.has_value() && succeeded(*digits);
  };
  unsigned depth = 0;
  do {
    if (llvm::any_of(opening, takes))
      ++depth;
    else if (depth && llvm::any_of(closing, takes))
      --depth;
    else if (!depth || (!llvm::any_of(others, takes) && !takesWord()))
      return parser.emitError(parser.getCurrentLocation()) << "is no sharding";
  } while (depth);
  return success();
}

/// `@mesh = <["x"=2]>`
static ParseResult parseMesh(OpAsmParser &parser, OperationState &state) {
  StringAttr name;
  return failure(parser.parseSymbolName(name, "sym_name", state.attributes) ||
                 parser.parseEqual() || skipBrackets(parser) ||
                 parser.parseOptionalAttrDict(state.attributes));
}

/// `%x <@mesh, [{}, {"x"}]> : type`
static ParseResult parseConstraint(OpAsmParser &parser, OperationState &state) {
  OpAsmParser::UnresolvedOperand x;
  Type type;
  if (parser.parseOperand(x) || skipBrackets(parser) ||
      parser.parseOptionalAttrDict(state.attributes) ||
      parser.parseColonType(type))
    return failure();
  state.addTypes(type);
  return parser.resolveOperand(x, type, state.operands);
}

static ParseResult refuse(OpAsmParser &parser, OperationState &) {
  return parser.emitError(parser.getNameLoc())
         << "computes on several devices, and tensorc compiles for one: lower "
            "the function without a mesh";
}

namespace {
class ShardingDialect : public Dialect {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ShardingDialect)
  explicit ShardingDialect(MLIRContext *context)
      : Dialect(getDialectNamespace(), context,
                TypeID::get<ShardingDialect>()) {
    allowUnknownOperations();
  }
  static StringRef getDialectNamespace() { return "sdy"; }

  Attribute parseAttribute(DialectAsmParser &parser, Type) const override {
    Builder &b = parser.getBuilder();
    return OpaqueAttr::get(b.getStringAttr(getNamespace()),
                           parser.getFullSymbolSpec(), b.getNoneType());
  }
  void printAttribute(Attribute, DialectAsmPrinter &) const override {}

  std::optional<ParseOpHook>
  getParseOperationHook(StringRef name) const override {
    using Parser = ParseResult(OpAsmParser &, OperationState &);
    Parser *parser = llvm::StringSwitch<Parser *>(name)
                         .Case("sdy.mesh", parseMesh)
                         .Case("sdy.sharding_constraint", parseConstraint)
                         .Case("sdy.reshard", parseConstraint)
                         .Default(refuse);
    return ParseOpHook(*parser);
  }
};
} // namespace

void loadSharding(MLIRContext *context) {
  context->getOrLoadDialect<ShardingDialect>();
}

} // namespace tensorc::stablehlo
