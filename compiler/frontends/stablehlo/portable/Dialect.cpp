//===- Dialect.cpp - The dialect of portable artifacts --------------------===//

#include "compiler/frontends/stablehlo/portable/Dialect.h"

#include "mlir/Bytecode/BytecodeImplementation.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace tensorc::stablehlo {

//===----------------------------------------------------------------------===//
// Attributes of ops
//===----------------------------------------------------------------------===//

namespace {
/// The names of attributes by the full name of the op, for both dialects. They
/// are equal in all contexts, so each entry is written only once.
class Signatures {
public:
  void add(const std::string &op, StringRef attributes) {
    std::lock_guard lock(mutex);
    byOp.try_emplace(op, attributes);
  }
  std::optional<StringRef> find(StringRef op) {
    std::lock_guard lock(mutex);
    auto it = byOp.find(op);
    return it == byOp.end() ? std::nullopt : std::optional(it->second);
  }

private:
  std::mutex mutex;
  llvm::StringMap<StringRef> byOp;
};

Signatures &signatures() {
  static Signatures all;
  return all;
}

/// Reads attributes, which are stored in order and without names, and adds the
/// names.
struct NamedProperties : BytecodeOpInterface::FallbackModel<NamedProperties> {
  static LogicalResult readProperties(DialectBytecodeReader &reader,
                                      OperationState &state) {
    std::optional<StringRef> names =
        signatures().find(state.name.getStringRef());
    if (!names)
      return reader.emitError() << state.name << " is of a later version";
    for (StringRef name : llvm::split(*names, ' ')) {
      if (name.empty())
        continue;
      Attribute attribute;
      bool isOptional = name.consume_front("?");
      if (failed(isOptional ? reader.readOptionalAttribute(attribute)
                            : reader.readAttribute(attribute)))
        return failure();
      if (attribute)
        state.addAttribute(name, attribute);
    }
    return success();
  }
  void writeProperties(Operation *, DialectBytecodeWriter &) const {}
};
} // namespace

void addBytecode(StringRef dialect, const PortableOp &op,
                 MLIRContext *context) {
  std::string name = (dialect + "." + op.name).str();
  signatures().add(name, op.attributes);
  OperationName(name, context).attachInterface<NamedProperties>();
}

//===----------------------------------------------------------------------===//
// Codes of attributes and types
//===----------------------------------------------------------------------===//

namespace {
/// The codes with which the encodings of attributes begin.
enum AttributeCode : uint64_t {
  Array = 1,
  Boolean = 2,
  ComparisonDirection = 3,
  ComparisonType = 4,
  ApiVersion = 5,
  Dictionary = 6,
  FftType = 7,
  Float = 8,
  Integer = 9,
  OperandAlias = 10,
  Precision = 11,
  RngAlgorithm = 12,
  RngDistribution = 13,
  String = 14,
  Elements = 15,
  Transpose = 16,
  TypeOf = 17,
  Numbers = 18,
  AccuracyMode = 19,
  Accuracy = 20
};

/// The codes with which the encodings of types begin.
enum TypeCode : uint64_t {
  Complex = 1,
  Function = 8,
  Ranked = 20,
  RankedWithEncoding = 21,
  Token = 22,
  Tuple = 23,
  Unranked = 25,
  None = 33
};

/// Returns the element type with this code, or null for another code.
Type elementOf(uint64_t code, MLIRContext *c) {
  auto integer = [&](unsigned width, bool isUnsigned = false) {
    return IntegerType::get(
        c, width, isUnsigned ? IntegerType::Unsigned : IntegerType::Signless);
  };
  switch (code) {
  case 0:
    return integer(1);
  case 2:
    return BFloat16Type::get(c);
  case 3:
    return Float16Type::get(c);
  case 4:
    return Float32Type::get(c);
  case 5:
    return Float64Type::get(c);
  case 6:
    return Float8E4M3FNType::get(c);
  case 7:
    return Float8E5M2Type::get(c);
  case 9:
    return IndexType::get(c);
  case 10: // i4 to i64
  case 11:
  case 12:
  case 13:
  case 14:
    return integer(4u << (code - 10));
  case 15: // ui4 to ui64
  case 16:
  case 17:
  case 18:
  case 19:
    return integer(4u << (code - 15), true);
  case 31:
    return integer(2);
  case 32:
    return integer(2, true);
  // tensorc has no dtypes for the types below; the importer refuses them by
  // name.
  case 27:
    return Float8E4M3FNUZType::get(c);
  case 28:
    return Float8E5M2FNUZType::get(c);
  case 29:
    return Float8E4M3B11FNUZType::get(c);
  case 34:
    return FloatTF32Type::get(c);
  case 37:
    return Float4E2M1FNType::get(c);
  case 38:
    return Float6E2M3FNType::get(c);
  case 39:
    return Float6E3M2FNType::get(c);
  case 40:
    return Float8E8M0FNUType::get(c);
  case 35:
    return Float8E4M3Type::get(c);
  case 36:
    return Float8E3M4Type::get(c);
  default:
    return {};
  }
}

class PortableBytecode : public BytecodeDialectInterface {
public:
  explicit PortableBytecode(Dialect *dialect)
      : BytecodeDialectInterface(dialect) {}

  Attribute readAttribute(DialectBytecodeReader &reader) const override;
  Type readType(DialectBytecodeReader &reader) const override;

  /// Number of attributes and types that may still be read.
  mutable uint64_t budget = 0;

private:
  bool spend(DialectBytecodeReader &reader) const;
  Attribute opaque(const Twine &text) const {
    MLIRContext *c = getContext();
    return OpaqueAttr::get(StringAttr::get(c, "stablehlo"), text.str(),
                           NoneType::get(c));
  }
  /// Reads a number that selects one of the words; returns `#stablehlo<kind
  /// WORD>`.
  Attribute word(StringRef kind, ArrayRef<StringRef> words,
                 DialectBytecodeReader &reader) const;
  Attribute dictionary(DialectBytecodeReader &reader) const;
  Attribute number(DialectBytecodeReader &reader, bool isFloat) const;
  Attribute elements(DialectBytecodeReader &reader) const;
  Attribute alias(DialectBytecodeReader &reader) const;
  Attribute accuracy(DialectBytecodeReader &reader) const;
  Type tensor(DialectBytecodeReader &reader, bool hasEncoding) const;
};

Attribute PortableBytecode::word(StringRef kind, ArrayRef<StringRef> words,
                                 DialectBytecodeReader &reader) const {
  uint64_t index;
  if (failed(reader.readVarInt(index)) || index >= words.size())
    return {};
  return opaque(kind + " " + words[index]);
}

Attribute PortableBytecode::dictionary(DialectBytecodeReader &reader) const {
  NamedAttrList entries;
  uint64_t count;
  if (failed(reader.readVarInt(count)))
    return {};
  for (uint64_t i = 0; i < count; ++i) {
    StringAttr key;
    Attribute value;
    if (failed(reader.readAttribute(key)) ||
        failed(reader.readAttribute(value)))
      return {};
    if (key.empty() || entries.getNamed(key)) {
      reader.emitError("a dictionary has a key twice, or an empty one");
      return {};
    }
    entries.append(key, value);
  }
  return entries.getDictionary(getContext());
}

Attribute PortableBytecode::number(DialectBytecodeReader &reader,
                                   bool isFloat) const {
  Type type;
  if (failed(reader.readType(type)))
    return {};
  if (auto floating = dyn_cast<FloatType>(type); floating && isFloat) {
    auto value =
        reader.readAPFloatWithKnownSemantics(floating.getFloatSemantics());
    return failed(value) ? Attribute() : FloatAttr::get(type, *value);
  }
  if (!type.isIntOrIndex() || isFloat)
    return {};
  auto value = reader.readAPIntWithKnownWidth(
      type.isIndex() ? 64 : type.getIntOrFloatBitWidth());
  return failed(value) ? Attribute() : IntegerAttr::get(type, *value);
}

Attribute PortableBytecode::elements(DialectBytecodeReader &reader) const {
  Type read;
  ArrayRef<char> bytes;
  if (failed(reader.readType(read)) || failed(reader.readBlob(bytes)))
    return {};
  auto type = dyn_cast<RankedTensorType>(read);
  bool isSplat;
  if (!type || !type.hasStaticShape() ||
      !DenseElementsAttr::isValidRawBuffer(type, bytes, isSplat)) {
    reader.emitError("a constant's bytes do not fit its type ") << read;
    return {};
  }
  return DenseElementsAttr::getFromRawBuffer(type, bytes);
}

Attribute PortableBytecode::alias(DialectBytecodeReader &reader) const {
  SmallVector<int64_t> output, input;
  int64_t operand;
  if (failed(reader.readSignedVarInts(output)) ||
      failed(reader.readSignedVarInt(operand)) ||
      failed(reader.readSignedVarInts(input)))
    return {};
  return opaque("output_operand_alias<operand_index = " + Twine(operand) + ">");
}

Attribute PortableBytecode::accuracy(DialectBytecodeReader &reader) const {
  Attribute mode;
  int64_t ulps;
  for (int i = 0; i < 2; ++i)
    if (failed(reader.readAPFloatWithKnownSemantics(APFloat::IEEEdouble())))
      return {};
  if (failed(reader.readSignedVarInt(ulps)) ||
      failed(reader.readAttribute(mode)))
    return {};
  return mode;
}

bool PortableBytecode::spend(DialectBytecodeReader &reader) const {
  if (budget == 0) {
    reader.emitError("attributes and types refer to each other");
    return false;
  }
  --budget;
  return true;
}

Attribute PortableBytecode::readAttribute(DialectBytecodeReader &reader) const {
  if (!spend(reader))
    return {};
  MLIRContext *c = getContext();
  uint64_t code, value;
  if (failed(reader.readVarInt(code)))
    return {};
  switch (code) {
  case Array: {
    SmallVector<Attribute> list;
    return failed(reader.readAttributes(list)) ? Attribute()
                                               : ArrayAttr::get(c, list);
  }
  case Boolean:
    return failed(reader.readVarInt(value)) ? Attribute()
                                            : BoolAttr::get(c, value != 0);
  case ComparisonDirection:
    return word("comparison_direction", {"EQ", "NE", "GE", "GT", "LE", "LT"},
                reader);
  case ComparisonType:
    return word("comparison_type",
                {"NOTYPE", "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"},
                reader);
  case ApiVersion:
    return failed(reader.readVarInt(value))
               ? Attribute()
               : IntegerAttr::get(IntegerType::get(c, 32),
                                  static_cast<int32_t>(value));
  case Dictionary:
    return dictionary(reader);
  case FftType:
    return word("fft_type", {"FFT", "IFFT", "RFFT", "IRFFT"}, reader);
  case Float:
  case Integer:
    return number(reader, code == Float);
  case OperandAlias:
    return alias(reader);
  case Precision:
    return word("precision", {"DEFAULT", "HIGH", "HIGHEST"}, reader);
  case RngAlgorithm:
    return word("rng_algorithm", {"DEFAULT", "THREE_FRY", "PHILOX"}, reader);
  case RngDistribution:
    return word("rng_distribution", {"NONE", "UNIFORM", "NORMAL"}, reader);
  case String: {
    StringRef text;
    return failed(reader.readString(text)) ? Attribute()
                                           : StringAttr::get(c, text);
  }
  case Elements:
    return elements(reader);
  case Transpose:
    return word("transpose",
                {"TRANSPOSE_INVALID", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"},
                reader);
  case TypeOf: {
    Type type;
    return failed(reader.readType(type)) ? Attribute() : TypeAttr::get(type);
  }
  case Numbers: {
    SmallVector<int64_t> list;
    return failed(reader.readSignedVarInts(list))
               ? Attribute()
               : DenseI64ArrayAttr::get(c, list);
  }
  case AccuracyMode:
    return word("result_accuracy_mode", {"DEFAULT", "HIGHEST", "TOLERANCE"},
                reader);
  case Accuracy:
    return accuracy(reader);
  default:
    reader.emitError("an attribute of the unknown code ") << code;
    return {};
  }
}

Type PortableBytecode::tensor(DialectBytecodeReader &reader,
                              bool hasEncoding) const {
  Attribute encoding;
  SmallVector<int64_t> shape;
  Type element;
  if ((hasEncoding && failed(reader.readAttribute(encoding))) ||
      failed(reader.readSignedVarInts(shape)) ||
      failed(reader.readType(element)))
    return {};
  auto report = [&] { return reader.emitError(); };
  return RankedTensorType::getChecked(report, shape, element, encoding);
}

Type PortableBytecode::readType(DialectBytecodeReader &reader) const {
  if (!spend(reader))
    return {};
  MLIRContext *c = getContext();
  uint64_t code;
  if (failed(reader.readVarInt(code)))
    return {};
  if (Type element = elementOf(code, c))
    return element;
  auto report = [&] { return reader.emitError(); };
  Type element;
  SmallVector<Type> types, results;
  switch (code) {
  case Complex:
    return failed(reader.readType(element))
               ? Type()
               : ComplexType::getChecked(report, element);
  case Function:
    if (failed(reader.readTypes(types)) || failed(reader.readTypes(results)))
      return {};
    return FunctionType::get(c, types, results);
  case Ranked:
  case RankedWithEncoding:
    return tensor(reader, code == RankedWithEncoding);
  case Token:
    return OpaqueType::get(StringAttr::get(c, "stablehlo"), "token");
  case Tuple:
    return failed(reader.readTypes(types)) ? Type() : TupleType::get(c, types);
  case Unranked:
    return failed(reader.readType(element))
               ? Type()
               : UnrankedTensorType::getChecked(report, element);
  case None:
    return NoneType::get(c);
  default:
    reader.emitError("a type of the unknown code ") << code;
    return {};
  }
}

class PortableDialect : public ExtensibleDialect {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PortableDialect)
  explicit PortableDialect(MLIRContext *context)
      : ExtensibleDialect(getDialectNamespace(), context,
                          TypeID::get<PortableDialect>()) {
    addInterfaces<PortableBytecode>();
    auto accept = [](Operation *) { return success(); };
    for (const PortableOp &op : portableOps()) {
      registerDynamicOp(
          DynamicOpDefinition::get(op.name, this, accept, accept));
      addBytecode(getDialectNamespace(), op, context);
    }
  }
  static constexpr StringLiteral getDialectNamespace() { return "vhlo"; }
};
} // namespace

void loadPortableDialect(MLIRContext *context, size_t bytes) {
  // The limit is needed because MLIR's reader repeatedly tries to read
  // attributes that wait for each other.
  constexpr uint64_t readsPerByte = 64;
  auto *dialect = context->getOrLoadDialect<PortableDialect>();
  dialect->getRegisteredInterface<PortableBytecode>()->budget =
      readsPerByte * bytes;
}

} // namespace tensorc::stablehlo
