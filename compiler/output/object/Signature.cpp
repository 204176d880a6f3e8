//===- Signature.cpp - the C signature of an entry ------------------------===//
#include "compiler/output/object/Signature.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Regex.h"

using namespace mlir;
using namespace tensorc;
using namespace tensorc::compiler;

//===----------------------------------------------------------------------===//
// Names and types
//===----------------------------------------------------------------------===//

static bool isKeyword(StringRef text) {
  static const llvm::StringSet<> keywords = {
      "alignas",     "alignof",      "and",       "and_eq",
      "asm",         "auto",         "bitand",    "bitor",
      "bool",        "break",        "case",      "catch",
      "char",        "char8_t",      "char16_t",  "char32_t",
      "class",       "compl",        "concept",   "const",
      "consteval",   "constexpr",    "constinit", "const_cast",
      "continue",    "co_await",     "co_return", "co_yield",
      "decltype",    "default",      "delete",    "do",
      "double",      "dynamic_cast", "else",      "enum",
      "explicit",    "export",       "extern",    "false",
      "float",       "for",          "friend",    "goto",
      "if",          "inline",       "int",       "linux",
      "long",        "mutable",      "namespace", "new",
      "noexcept",    "not",          "not_eq",    "nullptr",
      "operator",    "or",           "or_eq",     "private",
      "protected",   "public",       "register",  "reinterpret_cast",
      "requires",    "restrict",     "return",    "short",
      "signed",      "sizeof",       "static",    "static_assert",
      "static_cast", "struct",       "switch",    "template",
      "this",        "thread_local", "throw",     "true",
      "try",         "typedef",      "typeid",    "typename",
      "typeof",      "union",        "unix",      "unsigned",
      "using",       "virtual",      "void",      "volatile",
      "wchar_t",     "while",        "xor",       "xor_eq"};
  return keywords.contains(text);
}

/// True for names that are defined by <stdint.h>, which the header includes, or
/// by other standard headers that it may include.
static bool isLibraryName(StringRef text) {
  static const llvm::StringSet<> names = {
      "NULL",   "EOF",     "assert",    "errno",      "offsetof",  "stderr",
      "stdin",  "stdout",  "intmax_t",  "intptr_t",   "uintmax_t", "uintptr_t",
      "size_t", "ssize_t", "ptrdiff_t", "max_align_t"};
  static const llvm::Regex types("^u?int(_least|_fast)?(8|16|32|64)_t$"),
      macros("^(U?INT((_LEAST|_FAST)?(8|16|32|64)|MAX|PTR)|PTRDIFF|SIZE|"
             "SIG_ATOMIC|WCHAR|WINT)_(MIN|MAX|C|WIDTH)$");
  return names.contains(text) || types.match(text) || macros.match(text);
}

std::string compiler::cIdentifier(StringRef text) {
  std::string name;
  for (char c : text)
    name += llvm::isAlnum(c) ? c : '_';
  if (name.empty() || llvm::isDigit(name[0]))
    name = "_" + name;
  // Names that begin with an underscore and a capital letter or another
  // underscore are reserved.
  if (name.size() > 1 && name[0] == '_' &&
      (name[1] == '_' || llvm::isUpper(name[1])))
    name = "x" + name;
  return isKeyword(name) || isLibraryName(name) ? name + "_" : name;
}

std::string compiler::objectPrefix(StringRef stem, StringRef entry) {
  if (entry == "main" || entry == stem)
    return cIdentifier(stem);
  return cIdentifier((stem + "_" + entry).str());
}

unsigned compiler::cBytesOf(Type element) {
  if (auto complex = dyn_cast<ComplexType>(element))
    return 2 * cBytesOf(complex.getElementType());
  return element.isIndex() ? 8
                           : std::max(1u, element.getIntOrFloatBitWidth() / 8);
}

StringRef compiler::cTypeOf(Type element) {
  if (element.isF32())
    return "float";
  if (element.isF64())
    return "double";
  // Complex numbers become their two parts, because C99 and C++ have different
  // names for complex types.
  if (auto complex = dyn_cast<ComplexType>(element))
    return cTypeOf(complex.getElementType());
  // i1 is stored as a byte; two i4 share a byte; small floats are stored as
  // bits.
  bool isSigned = element.isIndex() ||
                  (isa<IntegerType>(element) && !element.isUnsignedInteger() &&
                   element.getIntOrFloatBitWidth() >= 8);
  switch (cBytesOf(element)) {
  case 1:
    return isSigned ? "int8_t" : "uint8_t";
  case 2:
    return isSigned ? "int16_t" : "uint16_t";
  case 4:
    return isSigned ? "int32_t" : "uint32_t";
  default:
    return isSigned ? "int64_t" : "uint64_t";
  }
}

std::string compiler::dtypeText(Type element) {
  std::string text;
  llvm::raw_string_ostream(text) << element;
  return text;
}

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

/// Appends a field under a name that no other field of the struct has.
static unsigned add(std::vector<ObjectField> &fields, ObjectField::Kind kind,
                    StringRef label, Type type, StringRef suffix = "") {
  std::string base = cIdentifier((label + suffix).str()), name = base;
  auto taken = [&](StringRef name) {
    return llvm::any_of(fields,
                        [&](auto &field) { return field.name == name; });
  };
  for (unsigned i = 2; taken(name); ++i)
    name = base + "_" + std::to_string(i);
  fields.push_back({kind, name, label.str(), type});
  return fields.size() - 1;
}

static StringRef nameOf(ArrayAttr names, size_t i) {
  return names ? cast<StringAttr>(names[i]).getValue() : StringRef();
}

/// Returns the name of an argument or result: "x", or by default "arg0" or
/// "out0".
static std::string labelOf(ArrayAttr names, StringRef kind, size_t i) {
  StringRef name = nameOf(names, i);
  return name.empty() ? (kind + Twine(i)).str() : name.str();
}

static LogicalResult checkElement(txp::FuncOp func, StringRef label,
                                  Type type) {
  Type element = getElementTypeOrSelf(type);
  if (auto complex = dyn_cast<ComplexType>(element))
    element = complex.getElementType();
  unsigned bits = element.isIndex()        ? 64
                  : element.isIntOrFloat() ? element.getIntOrFloatBitWidth()
                                           : 0;
  if (llvm::is_contained({1u, 4u, 8u, 16u, 32u, 64u}, bits))
    return success();
  return func.emitOpError() << "has a value '" << label << "' of " << type
                            << ", for which C has no type";
}

LogicalResult ObjectSignature::addInputs() {
  ArrayAttr names = func.getInputNamesAttr();
  for (auto [i, type] :
       llvm::enumerate(func.getInputs()->getAsValueRange<TypeAttr>())) {
    std::string label = labelOf(names, "arg", i);
    if (failed(checkElement(func, label, type)))
      return failure();
    ObjectDims dims;
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      dims = tx::namedDims(tensor, unnamed);
    argumentDims.push_back(dims);
    bool isBuffer = isa<txp::BufferType>(func.getArgumentTypes()[i]);
    // A symbolic dim gets its field below, after the fields of tensors.
    argumentFields.push_back(
        type.isIndex()
            ? ~0u
            : add(inputs, isBuffer ? ObjectField::Buffer : ObjectField::Scalar,
                  label, type));
  }
  return success();
}

void ObjectSignature::addDims() {
  ArrayAttr names = func.getInputNamesAttr();
  auto field = [&](shape::Dim symbol, StringRef label) {
    auto [it, isNew] = dimOfSymbol.try_emplace(symbol, dimFields.size());
    if (isNew)
      dimFields.push_back(add(inputs, ObjectField::Dim, label, Type()));
    return dimFields[it->second];
  };
  for (auto [i, type] :
       llvm::enumerate(func.getInputs()->getAsValueRange<TypeAttr>())) {
    if (type.isIndex()) {
      auto symbol = func.getArgAttrOfType<StringAttr>(i, tx::symbolAttr);
      std::string label = symbol ? symbol.str() : labelOf(names, "arg", i);
      argumentFields[i] =
          field(tx::dimContext(func.getContext()).symbol(label), label);
      continue;
    }
    for (auto [d, dim] : llvm::enumerate(argumentDims[i])) {
      if (!dim.isSymbol())
        continue;
      std::string label = dim.name().str();
      if (label[0] == '?') // a dim without a name gets a name from its position
        label = labelOf(names, "arg", i) + "_dim" + std::to_string(d);
      field(dim, label);
    }
  }
}

LogicalResult ObjectSignature::addCallbacks() {
  llvm::SmallPtrSet<Operation *, 4> seen;
  SmallVector<txp::FuncOp> work = {func};
  while (!work.empty()) {
    txp::FuncOp next = work.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    next.walk([&](Operation *op) {
      if (auto call = dyn_cast<txp::CallOp>(op))
        if (auto callee = SymbolTable::lookupNearestSymbolFrom<txp::FuncOp>(
                call, call.getCalleeAttr()))
          work.push_back(callee);
      auto custom = dyn_cast<txp::CustomCallOp>(op);
      if (!custom || callbacks.contains(custom.getCallee()))
        return;
      callbacks[custom.getCallee()] =
          add(inputs, ObjectField::Callback, custom.getCallee(), Type());
      add(inputs, ObjectField::Context, custom.getCallee(), Type(), "_user");
    });
  }
  return success();
}

LogicalResult ObjectSignature::addOutputs() {
  ArrayAttr names = func.getOutputNamesAttr();
  for (auto [i, type] :
       llvm::enumerate(func.getOutputs()->getAsValueRange<TypeAttr>())) {
    std::string label = labelOf(names, "out", i);
    if (failed(checkElement(func, label, type)))
      return failure();
    resultDims.push_back(tx::namedDims(cast<RankedTensorType>(type), unnamed));
    resultFields.push_back(add(outputs, ObjectField::Buffer, label, type));
  }
  auto ret = cast<txp::ReturnOp>(func.getBody().front().getTerminator());
  for (auto [i, dims] : llvm::enumerate(resultDims)) {
    if (isGiven(dims))
      continue;
    std::string label = outputs[resultFields[i]].label;
    if (ret.getDims().empty())
      return func.emitOpError() << "no input gives the sizes of output '"
                                << label << "'; txp.return needs 'dims'";
    add(outputs, ObjectField::Capacity, label, Type(), "_capacity");
    for (auto [d, dim] : llvm::enumerate(dims))
      if (!dim.isNumber())
        add(outputs, ObjectField::RunDim, label, Type(),
            "_dim" + std::to_string(d));
  }
  return success();
}

std::optional<unsigned> ObjectSignature::dimOf(shape::Dim symbol) const {
  auto found = dimOfSymbol.find(symbol);
  if (found == dimOfSymbol.end())
    return std::nullopt;
  return found->second;
}

bool ObjectSignature::isGiven(ArrayRef<shape::Dim> dims) const {
  return llvm::all_of(shape::symbolsOf(dims), [&](shape::Dim symbol) {
    return dimOfSymbol.contains(symbol);
  });
}

FailureOr<ObjectSignature> ObjectSignature::of(txp::FuncOp func,
                                               StringRef prefix) {
  ObjectSignature signature;
  signature.func = func;
  signature.prefix = prefix.str();
  if (failed(signature.addInputs()))
    return failure();
  signature.addDims();
  if (failed(signature.addCallbacks()) || failed(signature.addOutputs()))
    return failure();
  for (const ObjectDims &dims : signature.argumentDims)
    for (shape::Dim dim : dims)
      if (!signature.isGiven(dim))
        return func.emitOpError() << "nothing gives the size " << toString(dim);
  return signature;
}
