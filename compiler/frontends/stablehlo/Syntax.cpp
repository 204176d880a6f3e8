//===- Syntax.cpp - The short forms of StableHLO's ops --------------------===//
//
// Most ops are a list of operands and `name = value`, then types:
//   stablehlo.pad %x, %v, low = [1], high = [0], interior = [0] : (...) -> ...
// A table maps each name to an attribute. The other ops have a parser each.
//
//===----------------------------------------------------------------------===//

#include "compiler/frontends/stablehlo/Syntax.h"
#include "compiler/frontends/stablehlo/Attributes.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace tensorc::stablehlo {

using Operands = SmallVector<OpAsmParser::UnresolvedOperand>;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static ParseResult resolve(OpAsmParser &parser, OperationState &state,
                           const Operands &operands, TypeRange types) {
  if (operands.size() != types.size())
    return parser.emitError(parser.getNameLoc())
           << "has " << operands.size() << " operands and " << types.size()
           << " types";
  for (auto [operand, type] : llvm::zip(operands, types))
    if (parser.resolveOperand(operand, type, state.operands))
      return failure();
  return success();
}

/// Parses types: `: (a, b) -> c`, `: a -> c`, `: pred, a`, or one for all.
static ParseResult parseTypes(OpAsmParser &parser, OperationState &state,
                              const Operands &operands) {
  SmallVector<Type> types;
  if (parser.parseColon())
    return failure();
  do {
    if (parser.parseType(types.emplace_back()))
      return failure();
  } while (succeeded(parser.parseOptionalComma()));
  StringRef name = state.name.getStringRef();
  if (auto function = dyn_cast<FunctionType>(types[0])) {
    state.addTypes(function.getResults());
    return resolve(parser, state, operands, function.getInputs());
  }
  if (succeeded(parser.parseOptionalArrow())) {
    SmallVector<Type> results;
    if (succeeded(parser.parseOptionalLParen())) {
      if (parser.parseTypeList(results) || parser.parseRParen())
        return failure();
    } else if (parser.parseType(results.emplace_back())) {
      return failure();
    }
    state.addTypes(results);
    return resolve(parser, state, operands, types);
  }
  if (name == "stablehlo.return")
    return resolve(parser, state, operands, types);
  if (name == "stablehlo.optimization_barrier") {
    state.addTypes(types);
    return resolve(parser, state, operands, types);
  }
  if (name == "stablehlo.select" && types.size() == 2)
    types.insert(types.begin() + 1, types[1]);
  else if (types.size() == 1 && name == "stablehlo.complex") {
    // The text contains only the result's type. The operands have its element
    // type.
    auto shaped = dyn_cast<ShapedType>(types[0]);
    auto number =
        shaped ? dyn_cast<ComplexType>(shaped.getElementType()) : ComplexType();
    if (!number)
      return parser.emitError(parser.getNameLoc())
             << "needs the type of a tensor of complex numbers";
    Type plane = shaped.clone(number.getElementType());
    types.insert(types.begin(), operands.size(), plane);
  } else if (types.size() == 1)
    types.resize(std::max<size_t>(operands.size(), 1), types[0]);
  state.addTypes(types.back());
  return resolve(parser, state, operands,
                 ArrayRef(types).take_front(operands.size()));
}

//===----------------------------------------------------------------------===//
// Values of attributes
//===----------------------------------------------------------------------===//

static ParseResult parseNumbers(OpAsmParser &parser,
                                SmallVectorImpl<int64_t> &numbers) {
  return parser.parseCommaSeparatedList(
      OpAsmParser::Delimiter::Square, [&]() -> ParseResult {
        if (succeeded(parser.parseOptionalKeyword("true")))
          return numbers.push_back(1), success();
        if (succeeded(parser.parseOptionalKeyword("false")))
          return numbers.push_back(0), success();
        return parser.parseInteger(numbers.emplace_back());
      });
}

static std::string textOf(ArrayRef<int64_t> numbers) {
  std::string text = "[";
  llvm::raw_string_ostream out(text);
  llvm::interleaveComma(numbers, out);
  return text + "]";
}

static Attribute opaque(OpAsmParser &parser, const Twine &text) {
  Builder &b = parser.getBuilder();
  return OpaqueAttr::get(b.getStringAttr("stablehlo"), text.str(),
                         b.getNoneType());
}

/// Returns the full name of an attribute that an op's short form calls `name`.
static StringRef attributeName(StringRef op, StringRef name) {
  op.consume_front("stablehlo.");
  return llvm::StringSwitch<StringRef>((op + " " + name).str())
      .Case("broadcast_in_dim dims", "broadcast_dimensions")
      .Case("dynamic_broadcast_in_dim dims", "broadcast_dimensions")
      .Case("transpose dims", "permutation")
      .Case("reverse dims", "dimensions")
      .Case("iota dim", "iota_dimension")
      .Case("dynamic_iota dim", "iota_dimension")
      .Case("concatenate dim", "dimension")
      .Case("get_dimension_size dim", "dimension")
      .Case("dynamic_slice sizes", "slice_sizes")
      .Case("pad low", "edge_padding_low")
      .Case("pad high", "edge_padding_high")
      .Case("pad interior", "interior_padding")
      .Case("rng_bit_generator algorithm", "rng_algorithm")
      .Case("fft length", "fft_length")
      .Default(name);
}

/// Skips lists such as `[DEFAULT, DEFAULT]`, which have no meaning here.
static ParseResult skipWords(OpAsmParser &parser) {
  return parser.parseCommaSeparatedList(
      OpAsmParser::Delimiter::Square, [&]() -> ParseResult {
        std::string word;
        return parser.parseKeywordOrString(&word);
      });
}

/// `e8m7`
static ParseResult addFormat(OpAsmParser &parser, OperationState &state,
                             StringRef word) {
  int64_t exponent, mantissa;
  auto [left, right] = word.drop_front().split('m');
  if (!word.starts_with("e") || left.getAsInteger(10, exponent) ||
      right.getAsInteger(10, mantissa))
    return parser.emitError(parser.getNameLoc())
           << "'" << word << "' is not a format";
  Builder &b = parser.getBuilder();
  state.addAttribute("exponent_bits", b.getI64IntegerAttr(exponent));
  state.addAttribute("mantissa_bits", b.getI64IntegerAttr(mantissa));
  return success();
}

namespace {
/// The parts of dot_general's text that together form one attribute.
struct DotText {
  std::string fields;
  void add(StringRef name, ArrayRef<int64_t> x, ArrayRef<int64_t> y) {
    for (auto [side, numbers] :
         {std::pair(StringRef("lhs_"), x), std::pair(StringRef("rhs_"), y)})
      fields += (fields.empty() ? "" : ", ") + (side + name).str() + " = " +
                textOf(numbers);
  }
};
} // namespace

/// Parses `name = value`.
static ParseResult parseNamed(OpAsmParser &parser, OperationState &state,
                              StringRef name, DotText &dot) {
  Builder &b = parser.getBuilder();
  if (name == "precision" || name == "algorithm") {
    if (succeeded(parser.parseOptionalKeyword("DEFAULT"))) {
      state.addAttribute("rng_algorithm",
                         opaque(parser, "rng_algorithm DEFAULT"));
      return success();
    }
    std::string word;
    if (succeeded(parser.parseOptionalKeywordOrString(&word))) {
      state.addAttribute("rng_algorithm",
                         opaque(parser, "rng_algorithm " + word));
      return success();
    }
    return name == "precision" ? skipWords(parser)
                               : parseDotAlgorithm(parser, state.attributes);
  }
  if (name == "format") {
    StringRef word;
    return failure(failed(parser.parseKeyword(&word)) ||
                   failed(addFormat(parser, state, word)));
  }
  if (name == "type") {
    StringRef word;
    if (parser.parseKeyword(&word))
      return failure();
    state.addAttribute("fft_type", opaque(parser, "fft_type " + word));
    return success();
  }
  StringRef attribute = attributeName(state.name.getStringRef(), name);
  for (StringRef word : {"false", "true"})
    if (succeeded(parser.parseOptionalKeyword(word))) {
      state.addAttribute(attribute, b.getBoolAttr(word == "true"));
      return success();
    }
  int64_t number;
  OptionalParseResult single = parser.parseOptionalInteger(number);
  if (single.has_value()) {
    state.addAttribute(attribute, b.getI64IntegerAttr(number));
    return *single;
  }
  SmallVector<int64_t> x, y;
  if (parser.parseOptionalLSquare())
    return parser.emitError(parser.getCurrentLocation())
           << "expected a number or a list behind '" << name << " ='";
  if (parser.parseOptionalRSquare()) {
    if (parser.parseCommaSeparatedList([&]() -> ParseResult {
          return parser.parseInteger(x.emplace_back());
        }) ||
        parser.parseRSquare())
      return failure();
  }
  if (failed(parser.parseOptionalKeyword("x"))) {
    state.addAttribute(attribute, b.getDenseI64ArrayAttr(x));
    return success();
  }
  if (parseNumbers(parser, y))
    return failure();
  dot.add(name == "batching_dims" ? "batching_dimensions"
                                  : "contracting_dimensions",
          x, y);
  return success();
}

/// `[0:4:2, 1:3]`
static ParseResult parseRanges(OpAsmParser &parser, OperationState &state) {
  SmallVector<int64_t> starts, limits, strides;
  if (failed(parser.parseOptionalRSquare())) {
    if (parser.parseCommaSeparatedList([&]() -> ParseResult {
          strides.push_back(1);
          if (parser.parseInteger(starts.emplace_back()) ||
              parser.parseColon() || parser.parseInteger(limits.emplace_back()))
            return failure();
          return succeeded(parser.parseOptionalColon())
                     ? parser.parseInteger(strides.back())
                     : success();
        }) ||
        parser.parseRSquare())
      return failure();
  }
  Builder &b = parser.getBuilder();
  state.addAttribute("start_indices", b.getDenseI64ArrayAttr(starts));
  state.addAttribute("limit_indices", b.getDenseI64ArrayAttr(limits));
  state.addAttribute("strides", b.getDenseI64ArrayAttr(strides));
  return success();
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

static ParseResult parseConstant(OpAsmParser &parser, OperationState &state) {
  Attribute value;
  if (parser.parseOptionalAttrDict(state.attributes) ||
      parser.parseAttribute(value))
    return failure();
  auto typed = dyn_cast<TypedAttr>(value);
  if (!typed)
    return parser.emitError(parser.getNameLoc()) << "needs a dense value";
  state.addAttribute("value", value);
  state.addTypes(typed.getType());
  return success();
}

/// Adds a keyword, such as a comparison's direction or type, as an attribute.
static void addWord(OpAsmParser &parser, OperationState &state,
                    StringRef word) {
  bool isType = word == "FLOAT" || word == "TOTALORDER" || word == "SIGNED" ||
                word == "UNSIGNED" || word == "NOTYPE";
  StringRef name = isType ? "comparison_type" : "comparison_direction";
  state.addAttribute(isType ? "compare_type" : name,
                     opaque(parser, name + " " + word));
}

/// Parses operands and named values, in any order, up to the types.
static ParseResult parseList(OpAsmParser &parser, OperationState &state) {
  Operands operands;
  DotText dot;
  bool inParens = succeeded(parser.parseOptionalLParen());
  do {
    OpAsmParser::UnresolvedOperand operand;
    OptionalParseResult given = parser.parseOptionalOperand(operand);
    if (given.has_value()) {
      if (*given)
        return failure();
      operands.push_back(operand);
      if (succeeded(parser.parseOptionalLSquare()) &&
          parseRanges(parser, state))
        return failure();
      continue;
    }
    StringRef word;
    if (failed(parser.parseOptionalKeyword(&word)))
      break;
    if (failed(parser.parseOptionalEqual()))
      addWord(parser, state, word);
    else if (parseNamed(parser, state, word, dot))
      return failure();
  } while (succeeded(parser.parseOptionalComma()));
  if (!dot.fields.empty() ||
      state.name.getStringRef() == "stablehlo.dot_general")
    state.addAttribute("dot_dimension_numbers",
                       opaque(parser, "dot<" + dot.fields + ">"));
  if ((inParens && parser.parseRParen()) ||
      parser.parseOptionalAttrDict(state.attributes))
    return failure();
  if (state.name.getStringRef() == "stablehlo.return" && operands.empty())
    return success();
  return parseTypes(parser, state, operands);
}

/// `@name(%x) {...} : (...) -> ...`
static ParseResult parseCustomCall(OpAsmParser &parser, OperationState &state) {
  StringAttr name;
  Operands operands;
  if (parser.parseSymbolName(name) ||
      parser.parseOperandList(operands, OpAsmParser::Delimiter::Paren) ||
      parser.parseOptionalAttrDict(state.attributes))
    return failure();
  state.addAttribute("call_target_name", name);
  return parseTypes(parser, state, operands);
}

/// Parses `"name" %x {decomposition = @f, ...} : ...`.
static ParseResult parseComposite(OpAsmParser &parser, OperationState &state) {
  std::string name;
  Operands operands;
  if (parser.parseString(&name) || parser.parseOperandList(operands) ||
      parser.parseOptionalAttrDict(state.attributes))
    return failure();
  return parseTypes(parser, state, operands);
}

/// Parses `[b, f, 0, 1]` as text.
static ParseResult parseImage(OpAsmParser &parser, std::string &text) {
  text += "[";
  bool first = true;
  if (parser.parseCommaSeparatedList(
          OpAsmParser::Delimiter::Square, [&]() -> ParseResult {
            text += first ? "" : ", ";
            first = false;
            int64_t number;
            OptionalParseResult digit = parser.parseOptionalInteger(number);
            if (digit.has_value()) {
              text += std::to_string(number);
              return *digit;
            }
            StringRef word;
            if (parser.parseKeyword(&word))
              return failure();
            text += word;
            return success();
          }))
    return failure();
  text += "]";
  return success();
}

/// Parses `window = {stride = [1, 1], pad = [[0, 1], [1, 1]], ...}`.
static ParseResult parseWindow(OpAsmParser &parser, OperationState &state) {
  Builder &b = parser.getBuilder();
  if (parser.parseLBrace())
    return failure();
  if (succeeded(parser.parseOptionalRBrace()))
    return success();
  do {
    StringRef name;
    SmallVector<int64_t> numbers;
    if (parser.parseKeyword(&name) || parser.parseEqual())
      return failure();
    if (name == "pad") {
      if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, [&] {
            return parseNumbers(parser, numbers);
          }))
        return failure();
      state.addAttribute("padding", b.getDenseI64ArrayAttr(numbers));
      continue;
    }
    if (parseNumbers(parser, numbers))
      return failure();
    StringRef attribute = llvm::StringSwitch<StringRef>(name)
                              .Case("stride", "window_strides")
                              .Case("lhs_dilate", "lhs_dilation")
                              .Case("rhs_dilate", "rhs_dilation")
                              .Case("reverse", "window_reversal")
                              .Default(name);
    state.addAttribute(attribute, b.getDenseI64ArrayAttr(numbers));
  } while (succeeded(parser.parseOptionalComma()));
  return parser.parseRBrace();
}

static ParseResult parseConvolution(OpAsmParser &parser,
                                    OperationState &state) {
  Operands operands;
  std::string dims = "conv<";
  if (parser.parseOperandList(operands, OpAsmParser::Delimiter::Paren) ||
      parser.parseKeyword("dim_numbers") || parser.parseEqual() ||
      parseImage(parser, dims) || parser.parseKeyword("x"))
    return failure();
  dims += "x";
  if (parseImage(parser, dims) || parser.parseArrow())
    return failure();
  dims += "->";
  if (parseImage(parser, dims) || parser.parseComma() ||
      parser.parseKeyword("window") || parser.parseEqual() ||
      parseWindow(parser, state) ||
      parser.parseOptionalAttrDict(state.attributes))
    return failure();
  state.addAttribute("dimension_numbers", opaque(parser, dims + ">"));
  return parseTypes(parser, state, operands);
}

/// Builds the region for the short form `applies stablehlo.add`, for elements
/// of this type.
static void addApplied(OpAsmParser &parser, OperationState &state,
                       OperationName name, Type element) {
  OpBuilder b(parser.getContext());
  Region *region = state.addRegion();
  Block *block = b.createBlock(region);
  Location loc = state.location;
  auto type = RankedTensorType::get({}, element);
  block->addArguments({type, type}, {loc, loc});
  OperationState combined(loc, name);
  combined.addOperands(block->getArguments());
  combined.addTypes(type);
  OperationState end(loc, "stablehlo.return");
  end.addOperands(b.create(combined)->getResults());
  b.create(end);
}

/// Parses `reducer(%a: t, %b: t) (%c: u, %d: u) {...}`. The block's arguments
/// are the first one of each pair, then the second one of each pair.
static ParseResult parseReducer(OpAsmParser &parser, OperationState &state,
                                size_t count) {
  SmallVector<OpAsmParser::Argument> first, second;
  for (size_t i = 0; i < count; ++i)
    if (parser.parseLParen() ||
        parser.parseArgument(first.emplace_back(), /*allowType=*/true) ||
        parser.parseComma() ||
        parser.parseArgument(second.emplace_back(), /*allowType=*/true) ||
        parser.parseRParen())
      return failure();
  llvm::append_range(first, second);
  return parser.parseRegion(*state.addRegion(), first);
}

/// Parses `(%x init: %v), (%y init: %w) applies ... across dimensions = [1] :
/// ...`.
static ParseResult parseReduce(OpAsmParser &parser, OperationState &state) {
  Operands operands, initial;
  do {
    if (parser.parseLParen() || parser.parseOperand(operands.emplace_back()) ||
        parser.parseKeyword("init") || parser.parseColon() ||
        parser.parseOperand(initial.emplace_back()) || parser.parseRParen())
      return failure();
  } while (succeeded(parser.parseOptionalComma()));
  size_t count = operands.size();
  llvm::append_range(operands, initial);
  std::optional<OperationName> applied;
  if (succeeded(parser.parseOptionalKeyword("applies"))) {
    FailureOr<OperationName> name = parser.parseCustomOperationName();
    if (failed(name))
      return failure();
    applied = *name;
  }
  SmallVector<int64_t> dims;
  if (parser.parseKeyword("across") || parser.parseKeyword("dimensions") ||
      parser.parseEqual() || parseNumbers(parser, dims) ||
      parser.parseOptionalAttrDict(state.attributes) ||
      parseTypes(parser, state, operands))
    return failure();
  state.addAttribute("dimensions",
                     parser.getBuilder().getDenseI64ArrayAttr(dims));
  if (!applied)
    return failure(failed(parser.parseKeyword("reducer")) ||
                   failed(parseReducer(parser, state, count)));
  auto type = dyn_cast<RankedTensorType>(state.operands[0].getType());
  if (!type || count != 1 || applied->isRegistered())
    return parser.emitError(parser.getNameLoc())
           << "applies an op to what it does not fit";
  addApplied(parser, state, *applied, type.getElementType());
  return success();
}

/// Parses `(%a = %x, %b = %y) : t, u cond {...} do {...}`.
static ParseResult parseWhile(OpAsmParser &parser, OperationState &state) {
  SmallVector<OpAsmParser::Argument> arguments;
  Operands operands;
  if (parser.parseCommaSeparatedList(
          OpAsmParser::Delimiter::Paren, [&]() -> ParseResult {
            return failure(
                failed(parser.parseArgument(arguments.emplace_back())) ||
                failed(parser.parseEqual()) ||
                failed(parser.parseOperand(operands.emplace_back())));
          }))
    return failure();
  SmallVector<Type> types;
  if (!operands.empty() && parser.parseColonTypeList(types))
    return failure();
  if (resolve(parser, state, operands, types) ||
      parser.parseOptionalAttrDictWithKeyword(state.attributes) ||
      parser.parseKeyword("cond"))
    return failure();
  state.addTypes(types);
  for (auto [argument, type] : llvm::zip(arguments, types))
    argument.type = type;
  if (parser.parseRegion(*state.addRegion(), arguments) ||
      parser.parseKeyword("do"))
    return failure();
  return parser.parseRegion(*state.addRegion(), arguments);
}

//===----------------------------------------------------------------------===//
// The dialects
//===----------------------------------------------------------------------===//

namespace {
/// A dialect that accepts any op, attribute and type.
class SyntaxDialect : public Dialect {
public:
  Attribute parseAttribute(DialectAsmParser &parser, Type) const override {
    Builder &b = parser.getBuilder();
    return OpaqueAttr::get(b.getStringAttr(getNamespace()),
                           parser.getFullSymbolSpec(), b.getNoneType());
  }
  Type parseType(DialectAsmParser &parser) const override {
    return OpaqueType::get(parser.getBuilder().getStringAttr(getNamespace()),
                           parser.getFullSymbolSpec());
  }
  void printAttribute(Attribute, DialectAsmPrinter &) const override {}
  void printType(Type, DialectAsmPrinter &) const override {}

  std::optional<ParseOpHook>
  getParseOperationHook(StringRef name) const override {
    using Parser = ParseResult(OpAsmParser &, OperationState &);
    Parser *parser = llvm::StringSwitch<Parser *>(name)
                         .Case("stablehlo.constant", parseConstant)
                         .Case("stablehlo.custom_call", parseCustomCall)
                         .Case("stablehlo.composite", parseComposite)
                         .Case("stablehlo.convolution", parseConvolution)
                         .Case("stablehlo.reduce", parseReduce)
                         .Case("stablehlo.while", parseWhile)
                         .Default(parseList);
    return ParseOpHook(*parser);
  }

protected:
  SyntaxDialect(StringRef name, MLIRContext *context, TypeID id)
      : Dialect(name, context, id) {
    allowUnknownOperations();
    allowUnknownTypes();
  }
};

class StableHloSyntax : public SyntaxDialect {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(StableHloSyntax)
  explicit StableHloSyntax(MLIRContext *context)
      : SyntaxDialect(getDialectNamespace(), context,
                      TypeID::get<StableHloSyntax>()) {}
  static StringRef getDialectNamespace() { return "stablehlo"; }
};

class ChloSyntax : public SyntaxDialect {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ChloSyntax)
  explicit ChloSyntax(MLIRContext *context)
      : SyntaxDialect(getDialectNamespace(), context,
                      TypeID::get<ChloSyntax>()) {}
  static StringRef getDialectNamespace() { return "chlo"; }
};
} // namespace

void loadSyntax(MLIRContext *context) {
  context->getOrLoadDialect<StableHloSyntax>();
  context->getOrLoadDialect<ChloSyntax>();
}

} // namespace tensorc::stablehlo
