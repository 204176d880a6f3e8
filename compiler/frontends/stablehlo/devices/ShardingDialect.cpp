//===- ShardingDialect.cpp - Reads JAX's dialect sdy ----------------------===//
//
// The dialect describes how the tensors of a program are split over a mesh of
// devices. Its attributes become dictionaries of their fields.
//
//===----------------------------------------------------------------------===//

#include "compiler/frontends/stablehlo/Syntax.h"
#include "compiler/frontends/stablehlo/portable/Dialect.h"

#include "mlir/Bytecode/BytecodeImplementation.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;

namespace tensorc::stablehlo {

//===----------------------------------------------------------------------===//
// In texts
//===----------------------------------------------------------------------===//

// Attributes are parsed to the same dictionaries that portable artifacts
// contain.

static NamedAttribute field(Builder &b, StringRef name, Attribute value) {
  return b.getNamedAttr(name, value);
}

/// Parses an axis of a mesh, or a part of one: `"x"`, `"x":(2)4`.
static ParseResult parseAxis(AsmParser &parser,
                             SmallVectorImpl<Attribute> &axes) {
  Builder &b = parser.getBuilder();
  std::string name;
  if (parser.parseString(&name))
    return failure();
  SmallVector<NamedAttribute> fields{field(b, "name", b.getStringAttr(name))};
  if (succeeded(parser.parseOptionalColon())) {
    int64_t before, size;
    if (parser.parseLParen() || parser.parseInteger(before) ||
        parser.parseRParen() || parser.parseInteger(size))
      return failure();
    fields.push_back(field(
        b, "sub_axis",
        b.getDictionaryAttr({field(b, "pre_size", b.getI64IntegerAttr(before)),
                             field(b, "size", b.getI64IntegerAttr(size))})));
  }
  axes.push_back(b.getDictionaryAttr(fields));
  return success();
}

static ParseResult parseAxes(AsmParser &parser, Attribute &list) {
  SmallVector<Attribute> axes;
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Braces,
                                     [&] { return parseAxis(parser, axes); }))
    return failure();
  list = parser.getBuilder().getArrayAttr(axes);
  return success();
}

/// Parses the axes that split a dim: `{"x", "y"}`, `{"x", ?}p0`.
static ParseResult parseDim(AsmParser &parser,
                            SmallVectorImpl<Attribute> &dims) {
  Builder &b = parser.getBuilder();
  SmallVector<Attribute> axes;
  bool isClosed = true;
  auto parseElement = [&]() -> ParseResult {
    if (failed(parser.parseOptionalQuestion()))
      return parseAxis(parser, axes);
    isClosed = false;
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Braces,
                                     parseElement))
    return failure();
  StringRef priority;
  (void)parser.parseOptionalKeyword(&priority);
  dims.push_back(
      b.getDictionaryAttr({field(b, "axes", b.getArrayAttr(axes)),
                           field(b, "closed", b.getBoolAttr(isClosed))}));
  return success();
}

/// Parses `<@mesh, [{"x"}, {}], replicated={"y"}>`.
static ParseResult parseSharding(AsmParser &parser, Attribute &sharding) {
  Builder &b = parser.getBuilder();
  StringAttr mesh;
  SmallVector<Attribute> dims;
  if (parser.parseLess() || parser.parseSymbolName(mesh) ||
      parser.parseComma() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                     [&] { return parseDim(parser, dims); }))
    return failure();
  SmallVector<NamedAttribute> fields{
      field(b, "mesh", FlatSymbolRefAttr::get(mesh)),
      field(b, "dims", b.getArrayAttr(dims))};
  while (succeeded(parser.parseOptionalComma())) {
    StringRef name;
    Attribute axes;
    if (parser.parseKeyword(&name) || parser.parseEqual() ||
        parseAxes(parser, axes))
      return failure();
    fields.push_back(field(b, name, axes));
  }
  sharding = b.getDictionaryAttr(fields);
  return parser.parseGreater();
}

/// Parses `@mesh = <["x"=2], device_ids=[1, 0]>`.
static ParseResult parseMesh(OpAsmParser &parser, OperationState &state) {
  Builder &b = parser.getBuilder();
  StringAttr name;
  SmallVector<Attribute> axes;
  auto parseElement = [&]() -> ParseResult {
    std::string axis;
    int64_t size;
    if (parser.parseString(&axis) || parser.parseEqual() ||
        parser.parseInteger(size))
      return failure();
    axes.push_back(
        b.getDictionaryAttr({field(b, "name", b.getStringAttr(axis)),
                             field(b, "size", b.getI64IntegerAttr(size))}));
    return success();
  };
  SmallVector<int64_t> devices;
  auto parseDevice = [&]() -> ParseResult {
    return parser.parseInteger(devices.emplace_back());
  };
  if (parser.parseSymbolName(name, "sym_name", state.attributes) ||
      parser.parseEqual() || parser.parseLess() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                     parseElement))
    return failure();
  if (succeeded(parser.parseOptionalComma()) &&
      (parser.parseKeyword("device_ids") || parser.parseEqual() ||
       parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                      parseDevice)))
    return failure();
  state.addAttribute(
      "mesh", b.getDictionaryAttr(
                  {field(b, "axes", b.getArrayAttr(axes)),
                   field(b, "device_ids", b.getDenseI64ArrayAttr(devices))}));
  return failure(parser.parseGreater() ||
                 parser.parseOptionalAttrDict(state.attributes));
}

/// Parses `%x <@mesh, [{}, {"x"}]> : type`.
static ParseResult parseConstraint(OpAsmParser &parser, OperationState &state) {
  OpAsmParser::UnresolvedOperand x;
  Attribute sharding;
  Type type;
  if (parser.parseOperand(x) || parseSharding(parser, sharding) ||
      parser.parseOptionalAttrDict(state.attributes) ||
      parser.parseColonType(type))
    return failure();
  state.addAttribute("sharding", sharding);
  state.addTypes(type);
  return parser.resolveOperand(x, type, state.operands);
}

/// Parses `in_shardings=[<@mesh, [{"x"}]>, ...]`.
static ParseResult parseShardings(OpAsmParser &parser, OperationState &state,
                                  StringRef name) {
  Builder &b = parser.getBuilder();
  SmallVector<Attribute> shardings;
  auto parseElement = [&] {
    return parseSharding(parser, shardings.emplace_back());
  };
  if (parser.parseKeyword(name) || parser.parseEqual() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                     parseElement))
    return failure();
  state.addAttribute(name, b.getDictionaryAttr(field(
                               b, "shardings", b.getArrayAttr(shardings))));
  return success();
}

/// Parses `(%x) in_shardings=[...] out_shardings=[...] manual_axes={"x"}
/// (%part: type) { ... } : (type) -> type`.
static ParseResult parseManual(OpAsmParser &parser, OperationState &state) {
  Builder &b = parser.getBuilder();
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<Attribute> axes;
  SmallVector<OpAsmParser::Argument> arguments;
  FunctionType type;
  auto parseElement = [&]() -> ParseResult {
    std::string name;
    if (parser.parseString(&name))
      return failure();
    axes.push_back(b.getStringAttr(name));
    return success();
  };
  if (parser.parseOperandList(operands, AsmParser::Delimiter::Paren) ||
      parseShardings(parser, state, "in_shardings") ||
      parseShardings(parser, state, "out_shardings") ||
      parser.parseKeyword("manual_axes") || parser.parseEqual() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Braces,
                                     parseElement) ||
      parser.parseArgumentList(arguments, AsmParser::Delimiter::Paren,
                               /*allowType=*/true) ||
      parser.parseRegion(*state.addRegion(), arguments) ||
      parser.parseOptionalAttrDict(state.attributes) ||
      parser.parseColonType(type))
    return failure();
  state.addAttribute(
      "manual_axes",
      b.getDictionaryAttr(field(b, "manual_axes", b.getArrayAttr(axes))));
  state.addTypes(type.getResults());
  return parser.resolveOperands(operands, type.getInputs(), parser.getNameLoc(),
                                state.operands);
}

/// Parses `%x, %y : type, type`.
static ParseResult parseReturn(OpAsmParser &parser, OperationState &state) {
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<Type> types;
  if (parser.parseOperandList(operands) ||
      parser.parseOptionalAttrDict(state.attributes) ||
      (!operands.empty() && parser.parseColonTypeList(types)))
    return failure();
  return parser.resolveOperands(operands, types, parser.getNameLoc(),
                                state.operands);
}

static ParseResult refuse(OpAsmParser &parser, OperationState &) {
  return parser.emitError(parser.getNameLoc())
         << "is not read in this form; give the portable artifact";
}

//===----------------------------------------------------------------------===//
// In portable artifacts
//===----------------------------------------------------------------------===//

/// Returns the fields of the attribute with this code, as `name:kind`. Kinds
/// are: a attribute, o optional attribute, l list of attributes, n number, N
/// list of numbers, s string, b boolean, f number with a flag.
static StringRef fieldsOf(uint64_t code) {
  static constexpr StringRef mesh = "mesh:a dims:l replicated:l";
  switch (code) {
  case 0:
    return "manual_axes:l";
  case 1:
    return "name:s size:n";
  case 2:
    return "axes:l device_ids:N";
  case 3:
    return "pre_size:n size:n";
  case 4:
    return "name:s sub_axis:o";
  case 5:
    return "axes:l closed:b priority:f";
  case 6:
    return mesh;
  case 7:
  case 16:
    return "shardings:l";
  case 8:
    return "factors:N";
  case 9:
    return "dims:l";
  case 10:
    return "sizes:N operands:l results:l reduction:N replication:N "
           "permutation:N blocked:N custom:b";
  case 11:
  case 12:
  case 14:
    return "value:l";
  case 13:
    return "axes:l source:n target:n";
  case 15:
    return "mesh:a dims:l replicated:l unreduced:l";
  case 17:
    return "mesh:a dims:l replicated:l unreduced:l reduction:n";
  default:
    return {};
  }
}

/// Reads a field of this kind; returns null for an absent one.
static FailureOr<Attribute> readField(DialectBytecodeReader &reader,
                                      char kind) {
  Builder b(reader.getContext());
  Attribute attribute;
  SmallVector<Attribute> list;
  SmallVector<int64_t> numbers;
  int64_t number;
  uint64_t flagged;
  StringRef text;
  bool flag;
  auto give = [](LogicalResult read, auto make) -> FailureOr<Attribute> {
    return failed(read) ? FailureOr<Attribute>() : Attribute(make());
  };
  switch (kind) {
  case 'a':
    return give(reader.readAttribute(attribute), [&] { return attribute; });
  case 'o':
    return give(reader.readOptionalAttribute(attribute),
                [&] { return attribute; });
  case 'l':
    return give(reader.readAttributes(list),
                [&] { return b.getArrayAttr(list); });
  case 'n':
    return give(reader.readSignedVarInt(number),
                [&] { return b.getI64IntegerAttr(number); });
  case 'N':
    return give(reader.readSignedVarInts(numbers),
                [&] { return b.getDenseI64ArrayAttr(numbers); });
  case 's':
    return give(reader.readString(text), [&] { return b.getStringAttr(text); });
  case 'b':
    return give(reader.readBool(flag), [&] { return b.getBoolAttr(flag); });
  default:
    return give(reader.readVarIntWithFlag(flagged, flag), [&] {
      return flag ? b.getI64IntegerAttr(flagged) : Attribute();
    });
  }
}

namespace {
/// Reads sharding attributes from bytecode as dictionaries of their fields.
class ShardingBytecode : public BytecodeDialectInterface {
public:
  explicit ShardingBytecode(Dialect *dialect)
      : BytecodeDialectInterface(dialect) {}

  std::unique_ptr<DialectVersion>
  readVersion(DialectBytecodeReader &reader) const override {
    struct Version : DialectVersion {
      uint64_t parts[3];
    };
    auto version = std::make_unique<Version>();
    for (uint64_t &part : version->parts)
      if (failed(reader.readVarInt(part)))
        return nullptr;
    return version;
  }

  Attribute readAttribute(DialectBytecodeReader &reader) const override {
    uint64_t code;
    if (failed(reader.readVarInt(code)))
      return {};
    StringRef fields = fieldsOf(code);
    if (fields.empty()) {
      reader.emitError("an sdy attribute of the unknown code ") << code;
      return {};
    }
    NamedAttrList dictionary;
    for (StringRef field : llvm::split(fields, ' ')) {
      auto [name, kind] = field.split(':');
      FailureOr<Attribute> value = readField(reader, kind.front());
      if (failed(value))
        return {};
      if (*value)
        dictionary.append(name, *value);
    }
    return dictionary.getDictionary(getContext());
  }
};

class ShardingDialect : public ExtensibleDialect {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ShardingDialect)
  explicit ShardingDialect(MLIRContext *context)
      : ExtensibleDialect(getDialectNamespace(), context,
                          TypeID::get<ShardingDialect>()) {
    addInterfaces<ShardingBytecode>();
    using Parser = ParseResult(OpAsmParser &, OperationState &);
    auto add = [&](PortableOp op, Parser *parser) {
      auto accept = [](Operation *) { return success(); };
      auto print = [](Operation *op, OpAsmPrinter &printer, StringRef) {
        printer.printGenericOp(op);
      };
      registerDynamicOp(DynamicOpDefinition::get(
          op.name, this, accept, accept, OperationName::ParseAssemblyFn(parser),
          print));
      addBytecode(getDialectNamespace(), op, context);
    };
    add({"mesh", "mesh sym_name"}, parseMesh);
    add({"sharding_constraint", "sharding"}, parseConstraint);
    add({"reshard", "sharding"}, parseConstraint);
    add({"manual_computation", "in_shardings manual_axes out_shardings"},
        parseManual);
    add({"named_computation", "?in_shardings name ?out_shardings"}, refuse);
    add({"sharding_group", "group_id"}, refuse);
    add({"propagation_barrier", "allowed_direction"}, refuse);
    // The terminator `return` stays unregistered: a registered dynamic op is no
    // terminator.
    allowUnknownOperations();
  }
  std::optional<ParseOpHook>
  getParseOperationHook(StringRef name) const override {
    return name == "sdy.return" ? std::optional(ParseOpHook(parseReturn))
                                : std::nullopt;
  }
  static constexpr StringLiteral getDialectNamespace() { return "sdy"; }

  Attribute parseAttribute(DialectAsmParser &parser, Type) const override {
    Builder &b = parser.getBuilder();
    Attribute sharding;
    if (succeeded(parser.parseOptionalKeyword("sharding")))
      return succeeded(parseSharding(parser, sharding)) ? sharding
                                                        : Attribute();
    return OpaqueAttr::get(b.getStringAttr(getNamespace()),
                           parser.getFullSymbolSpec(), b.getNoneType());
  }
  void printAttribute(Attribute, DialectAsmPrinter &) const override {}
};
} // namespace

void loadSharding(MLIRContext *context) {
  context->getOrLoadDialect<ShardingDialect>();
}

} // namespace tensorc::stablehlo
