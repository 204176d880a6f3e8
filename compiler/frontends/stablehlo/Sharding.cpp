//===- Sharding.cpp - Shardings of JAX's programs -------------------------===//
//
// For one device, meshes, sharding constraints and attributes of the dialect
// sdy have no effect: they are read and ignored. Ops that compute on each
// device separately are refused.
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

/// Skips a text in brackets of any kind, such as `<@mesh, [{"x"}, {}]>`.
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

/// Parses `%x <@mesh, [{}, {"x"}]> : type`.
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
        refuse);
    add({"named_computation", "?in_shardings name ?out_shardings"}, refuse);
    add({"sharding_group", "group_id"}, refuse);
    add({"propagation_barrier", "allowed_direction"}, refuse);
    add({"return", ""}, refuse);
  }
  static constexpr StringLiteral getDialectNamespace() { return "sdy"; }

  Attribute parseAttribute(DialectAsmParser &parser, Type) const override {
    Builder &b = parser.getBuilder();
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
