//===- Attributes.cpp - Attributes of StableHLO's ops ---------------------===//

#include "compiler/frontends/stablehlo/Attributes.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tensorc::stablehlo {

Attribute attributeOf(Operation *op, StringRef name) {
  if (Attribute found = op->getDiscardableAttr(name))
    return found;
  auto properties =
      dyn_cast_if_present<DictionaryAttr>(op->getPropertiesAsAttribute());
  return properties ? properties.get(name) : Attribute();
}

std::optional<int64_t> numberIn(Attribute attribute) {
  auto number = dyn_cast_if_present<IntegerAttr>(attribute);
  if (!number || number.getValue().getSignificantBits() > 64)
    return std::nullopt;
  return number.getValue().getSExtValue();
}

std::optional<NumberList> numbersIn(Attribute attribute) {
  NumberList numbers;
  if (auto array = dyn_cast_if_present<DenseI64ArrayAttr>(attribute)) {
    numbers.assign(array.asArrayRef().begin(), array.asArrayRef().end());
    return numbers;
  }
  if (auto array = dyn_cast_if_present<DenseBoolArrayAttr>(attribute)) {
    numbers.assign(array.asArrayRef().begin(), array.asArrayRef().end());
    return numbers;
  }
  auto dense = dyn_cast_if_present<DenseIntElementsAttr>(attribute);
  // Maximum number of elements, more than in any list of dims. It excludes
  // splats whose type declares a huge size.
  constexpr int64_t most = 1024;
  if (!dense || dense.getNumElements() > most ||
      dense.getElementType().getIntOrFloatBitWidth() > 64)
    return std::nullopt;
  bool isBool = dense.getElementType().isInteger(1);
  for (const APInt &value : dense.getValues<APInt>())
    numbers.push_back(isBool ? static_cast<int64_t>(value.getZExtValue())
                             : value.getSExtValue());
  return numbers;
}

/// Returns the text after `#stablehlo`, without the enclosing brackets.
static StringRef textOf(Attribute attribute) {
  auto opaque = dyn_cast_if_present<OpaqueAttr>(attribute);
  return opaque ? opaque.getAttrData() : StringRef();
}

StringRef wordIn(Attribute attribute) {
  if (auto text = dyn_cast_if_present<StringAttr>(attribute))
    return text.getValue();
  StringRef text = textOf(attribute).rtrim(" >");
  return text.substr(text.find_last_of(" <") + 1);
}

/// Parses numbers separated by commas.
static std::optional<NumberList> parseNumbers(StringRef text) {
  NumberList numbers;
  SmallVector<StringRef> parts;
  text.split(parts, ',');
  for (StringRef part : parts) {
    int64_t number;
    if (part.trim().empty() && parts.size() == 1)
      break;
    if (part.trim().getAsInteger(10, number))
      return std::nullopt;
    numbers.push_back(number);
  }
  return numbers;
}

std::optional<NumberList> fieldIn(Attribute attribute, StringRef name) {
  StringRef text = textOf(attribute);
  if (text.empty())
    return std::nullopt;
  for (size_t at = 0; (at = text.find(name, at)) != StringRef::npos;
       at += name.size()) {
    // Skips matches within longer names: `offset_dims` ends with `dims`.
    if (at > 0 && (llvm::isAlnum(text[at - 1]) || text[at - 1] == '_'))
      continue;
    StringRef value = text.drop_front(at + name.size()).ltrim();
    if (!value.consume_front("="))
      continue;
    value = value.ltrim();
    if (value.consume_front("["))
      return parseNumbers(value.take_until([](char c) { return c == ']'; }));
    return parseNumbers(
        value.take_until([](char c) { return c == ',' || c == '>'; }));
  }
  return NumberList();
}

/// Parses `[b, f, 0, 1]` at the beginning of the text.
static std::optional<ImageDims> parseImage(StringRef &text, char first,
                                           char second) {
  if (!text.consume_front("["))
    return std::nullopt;
  size_t end = text.find(']');
  if (end == StringRef::npos)
    return std::nullopt;
  SmallVector<StringRef> parts;
  text.take_front(end).split(parts, ',');
  text = text.drop_front(end + 1);
  if (parts.size() < 2)
    return std::nullopt;
  ImageDims dims;
  dims.spatial.assign(parts.size() - 2, -1);
  for (auto [dim, part] : llvm::enumerate(parts)) {
    StringRef word = part.trim();
    size_t place;
    int64_t *slot = nullptr;
    if (word == StringRef(&first, 1))
      slot = &dims.first;
    else if (word == StringRef(&second, 1))
      slot = &dims.second;
    else if (!word.getAsInteger(10, place) && place < dims.spatial.size())
      slot = &dims.spatial[place];
    if (!slot || *slot != -1)
      return std::nullopt;
    *slot = static_cast<int64_t>(dim);
  }
  return dims;
}

std::optional<ConvolutionDims> convolutionIn(Attribute attribute) {
  StringRef text = textOf(attribute);
  if (!text.consume_front("conv<"))
    return std::nullopt;
  std::optional<ImageDims> input = parseImage(text, 'b', 'f');
  text = text.ltrim();
  if (!input || !text.consume_front("x"))
    return std::nullopt;
  text = text.ltrim();
  std::optional<ImageDims> kernel = parseImage(text, 'o', 'i');
  text = text.ltrim();
  if (!kernel || !text.consume_front("->"))
    return std::nullopt;
  text = text.ltrim();
  std::optional<ImageDims> output = parseImage(text, 'b', 'f');
  if (!output || input->spatial.size() != kernel->spatial.size() ||
      input->spatial.size() != output->spatial.size())
    return std::nullopt;
  return ConvolutionDims{*input, *kernel, *output};
}

ParseResult parseDotAlgorithm(AsmParser &parser, NamedAttrList &attributes) {
  if (failed(parser.parseOptionalLess())) {
    Attribute algorithm;
    if (parser.parseAttribute(algorithm))
      return failure();
    return attributes.set("algorithm", algorithm), success();
  }
  std::string text;
  llvm::raw_string_ostream out(text);
  do {
    StringRef field, word;
    int64_t number;
    Type type;
    if (parser.parseKeyword(&field) || parser.parseEqual())
      return failure();
    out << (text.empty() ? "" : ", ") << field << " = ";
    OptionalParseResult counted = parser.parseOptionalInteger(number);
    if (counted.has_value()        ? failed(*counted)
        : field.ends_with("_type") ? failed(parser.parseType(type))
                                   : failed(parser.parseKeyword(&word)))
      return failure();
    if (counted.has_value())
      out << number;
    else if (type)
      out << type;
    else
      out << word;
  } while (succeeded(parser.parseOptionalComma()));
  attributes.set("algorithm",
                 OpaqueAttr::get(parser.getBuilder().getStringAttr("stablehlo"),
                                 "dot_algorithm<" + text + ">",
                                 parser.getBuilder().getNoneType()));
  return parser.parseGreater();
}

bool multipliesTF32(Attribute algorithm) {
  auto opaque = dyn_cast_if_present<OpaqueAttr>(algorithm);
  if (!opaque)
    return false;
  StringRef text = opaque.getAttrData();
  return text.contains("lhs_precision_type = tf32") &&
         text.contains("rhs_precision_type = tf32") &&
         fieldIn(algorithm, "num_primitive_operations") == NumberList{1};
}

} // namespace tensorc::stablehlo
