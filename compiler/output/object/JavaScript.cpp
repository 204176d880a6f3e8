//===- JavaScript.cpp - JavaScript for a WebAssembly module ---------------===//
//
// const entries = [{
//   name: "run", prefix: "digits",
//   inputs: [{ name: "images", type: "f32", at: 0, shape: (s) => [s.n, 64] }],
//   sizes: [{ name: "n", at: 8 }],
//   outputs: [{ name: "digits", type: "i32", at: 0, shape: (s) => [s.n] }],
//   inputBytes: 16, outputBytes: 4,
// }];
//
// `at` is the offset of a member in PREFIX_inputs or PREFIX_outputs as C lays
// them out for wasm32. The rest of the script (Module.js.inc) reads this table.
//
//===----------------------------------------------------------------------===//
#include "compiler/output/object/JavaScript.h"
#include "compiler/output/object/Header.h"

#include "ir/shape/Evaluate.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tensorc;
using namespace tensorc::compiler;

static constexpr llvm::StringLiteral moduleTexts[] = {
#include "compiler/output/object/Module.js.inc"
};
/// The code that both forms share, and the function `load` of an ES module.
static constexpr llvm::StringLiteral runText = moduleTexts[0],
                                     loadText = moduleTexts[1];
static constexpr llvm::StringLiteral formPage =
#include "compiler/output/object/Form.html.inc"
    ;

/// Returns the text as a JavaScript string that may be in an HTML page: it does
/// not end a <script> element.
static std::string quoted(StringRef text) {
  std::string json, result;
  llvm::raw_string_ostream(json) << llvm::json::Value(text);
  for (char c : json)
    result += c == '<' ? "\\u003c" : std::string(1, c);
  return result;
}

/// Returns the name of an entry's method: "run" if the C function's name
/// consists of the stem only, unless another function has this name.
static std::string methodOf(const ObjectSignature &signature,
                            ArrayRef<ObjectSignature> all) {
  StringRef name = signature.func.getName();
  bool hasStem = name == "main" || signature.prefix == cIdentifier(name);
  bool isTaken = llvm::any_of(all, [](const ObjectSignature &each) {
    return each.func.getName() == "run";
  });
  return hasStem && !isTaken ? "run" : name.str();
}

/// Returns a relative URL of a file in the same folder.
static std::string urlOf(StringRef file) {
  std::string url = "./";
  for (char c : file)
    if (llvm::isAlnum(c) || StringRef("-._~").contains(c))
      url += c;
    else
      url += "%" + llvm::toHex(StringRef(&c, 1));
  return url;
}

//===----------------------------------------------------------------------===//
// The table of entries
//===----------------------------------------------------------------------===//

namespace {
/// Writes the members of a struct with their offsets.
class StructWriter {
public:
  StructWriter(const ObjectSignature &signature, bool isInput)
      : signature(signature),
        fields(isInput ? signature.inputs : signature.outputs),
        indices(isInput ? signature.argumentFields : signature.resultFields),
        dims(isInput ? signature.argumentDims : signature.resultDims) {
    for (const ObjectField &field : fields) {
      unsigned bytes = bytesOf(field);
      // C aligns a complex number as its parts.
      Type element = field.type ? getElementTypeOrSelf(field.type) : Type();
      bool isPair =
          field.kind == ObjectField::Scalar && isa<ComplexType>(element);
      end = llvm::alignTo(end, isPair ? bytes / 2 : bytes);
      offsets.push_back(end);
      end += bytes;
    }
  }

  /// Returns the size of the struct. It may be larger than the struct in C.
  uint64_t bytes() const {
    return llvm::alignTo(std::max<uint64_t>(end, 1), 8);
  }

  /// Returns the objects for the fields of a kind.
  std::string list(llvm::ArrayRef<ObjectField::Kind> kinds) const {
    std::string text;
    for (auto [i, field] : llvm::enumerate(fields))
      if (llvm::is_contained(kinds, field.kind))
        text += "      { " + object(i) + " },\n";
    return text;
  }

private:
  static unsigned bytesOf(const ObjectField &field) {
    switch (field.kind) {
    case ObjectField::Buffer:
    case ObjectField::Callback:
    case ObjectField::Context:
      return 4;
    case ObjectField::Scalar:
      return cBytesOf(getElementTypeOrSelf(field.type));
    default:
      return 8;
    }
  }

  std::string object(unsigned i) const {
    const ObjectField &field = fields[i];
    std::string text = "name: " + quoted(field.name);
    if (field.type)
      text += ", type: " + quoted(dtypeText(getElementTypeOrSelf(field.type)));
    text += ", at: " + std::to_string(offsets[i]);
    if (field.kind != ObjectField::Buffer)
      return text;
    ArrayRef<shape::Dim> sizes = dims[llvm::find(indices, i) - indices.begin()];
    if (!signature.isGiven(sizes))
      text += ", capacity: { " +
              object(next(i, ObjectField::Capacity, field.label)) + " }";
    return text + ", shape: " + shapeOf(i, sizes);
  }

  /// Returns the next field of a kind after the given field.
  unsigned next(unsigned after, ObjectField::Kind kind, StringRef label) const {
    do
      ++after;
    while (fields[after].kind != kind || fields[after].label != label);
    return after;
  }

  /// Returns the function that maps named sizes to a shape. Dims that are
  /// computed at run time are read from the struct.
  std::string shapeOf(unsigned field, ArrayRef<shape::Dim> sizes) const {
    bool isGiven = signature.isGiven(sizes);
    SmallVector<std::string> texts;
    unsigned last = field;
    for (shape::Dim dim : sizes) {
      if (isGiven || dim.isNumber()) {
        texts.push_back(expression(dim));
        continue;
      }
      last = next(last, ObjectField::RunDim, fields[field].label);
      texts.push_back("read(" + std::to_string(offsets[last]) + ")");
    }
    return (isGiven ? "(s) => [" : "(s, read) => [") + llvm::join(texts, ", ") +
           "]";
  }

  std::string expression(shape::Dim dim) const {
    using shape::DimOp;
    auto leaf = [&](shape::Dim dim) -> std::optional<std::string> {
      if (dim.isNumber())
        return std::to_string(dim.constant());
      unsigned size = signature.dimFields[*signature.dimOf(dim)];
      return "s." + signature.inputs[size].name;
    };
    auto combine = [](DimOp op, std::string x,
                      std::string y) -> std::optional<std::string> {
      auto call = [&](StringRef function) {
        return (function + "(" + x + ", " + y + ")").str();
      };
      switch (op) {
      case DimOp::Add:
        return "(" + x + " + " + y + ")";
      case DimOp::Mul:
        return x + " * " + y;
      case DimOp::FloorDiv:
        return call("floorDiv");
      case DimOp::CeilDiv:
        return call("ceilDiv");
      case DimOp::Mod:
        return call("mod");
      case DimOp::Min:
        return call("Math.min");
      case DimOp::Max:
        return call("Math.max");
      }
      return std::nullopt;
    };
    return *shape::Evaluator<std::string>(leaf, combine)(dim);
  }

  const ObjectSignature &signature;
  const std::vector<ObjectField> &fields;
  const std::vector<unsigned> &indices;
  const std::vector<ObjectDims> &dims;
  SmallVector<uint64_t> offsets;
  uint64_t end = 0;
};
} // namespace

static std::string writeEntries(ArrayRef<ObjectSignature> signatures) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "const entries = [\n";
  for (const ObjectSignature &signature : signatures) {
    StructWriter inputs(signature, /*isInput=*/true);
    StructWriter outputs(signature, /*isInput=*/false);
    os << "  {\n    name: " << quoted(methodOf(signature, signatures))
       << ", prefix: " << quoted(signature.prefix) << ",\n    inputs: [\n"
       << inputs.list({ObjectField::Buffer, ObjectField::Scalar})
       << "    ],\n    sizes: [\n"
       << inputs.list(ObjectField::Dim) << "    ],\n    outputs: [\n"
       << outputs.list(ObjectField::Buffer)
       << "    ],\n    inputBytes: " << inputs.bytes()
       << ", outputBytes: " << outputs.bytes() << ",\n  },\n";
  }
  os << "];\n";
  return text;
}

//===----------------------------------------------------------------------===//
// The files
//===----------------------------------------------------------------------===//

static std::string firstLine() {
  return "// Made by tensorc " TENSORC_VERSION ".\n";
}

std::string compiler::writeJavaScript(ArrayRef<ObjectSignature> signatures,
                                      StringRef module) {
  return firstLine() + "const defaultSource = new URL(" +
         quoted(urlOf(module)) + ", import.meta.url);\n" +
         writeEntries(signatures) + runText.str() + loadText.str();
}

/// Returns the type of a value: a typed array for a buffer.
static std::string typeOf(const ObjectField &field) {
  if (!field.type)
    return "number";
  StringRef c = cTypeOf(getElementTypeOrSelf(field.type));
  bool isWide = c.contains("64");
  if (field.kind == ObjectField::Scalar) {
    if (getElementTypeOrSelf(field.type).isInteger(1))
      return "number | boolean";
    return isWide ? "bigint" : "number";
  }
  if (c == "float" || c == "double")
    return c == "float" ? "Float32Array" : "Float64Array";
  bool isUnsigned = c.consume_front("u");
  c.consume_front("int");
  c.consume_back("_t");
  return (isWide ? (isUnsigned ? "BigUint" : "BigInt")
                 : (isUnsigned ? "Uint" : "Int")) +
         c.str() + "Array";
}

std::string compiler::writeTypeScript(ArrayRef<ObjectSignature> signatures) {
  std::string text = firstLine();
  llvm::raw_string_ostream os(text);
  os << "export interface Program {\n";
  for (const ObjectSignature &signature : signatures) {
    os << "  " << quoted(methodOf(signature, signatures)) << "(inputs: {\n";
    auto member = [&](const ObjectField &field, StringRef type,
                      StringRef note) {
      os << "    " << quoted(field.name) << ": " << type << ";"
         << (note.empty() ? "" : " // ") << note << "\n";
    };
    for (auto [i, index] : llvm::enumerate(signature.argumentFields)) {
      const ObjectField &field = signature.inputs[index];
      if (field.kind != ObjectField::Dim)
        member(field, typeOf(field),
               shapeText(signature, field.type, signature.argumentDims[i]));
    }
    for (unsigned index : signature.dimFields)
      member(signature.inputs[index], "number", "");
    for (const ObjectField &field : signature.outputs)
      if (field.kind == ObjectField::Capacity)
        member(field, "number", "bytes");
    os << "  }): {\n";
    for (auto [i, index] : llvm::enumerate(signature.resultFields)) {
      const ObjectField &field = signature.outputs[index];
      member(field, typeOf(field) + " & { shape: number[] }",
             shapeText(signature, field.type, signature.resultDims[i]));
    }
    os << "  };\n";
  }
  os << "}\n"
        "/** The names, types and shapes of each function's values. */\n"
        "export const entries: readonly object[];\n"
        "/** The typed array and the bytes of an element, by dtype. */\n"
        "export const elementTypes: Record<string, [Function, number]>;\n"
        "export function load(\n"
        "  source?: string | URL | Response | BufferSource | "
        "WebAssembly.Module,\n"
        "): Promise<Program>;\n";
  return text;
}

std::string compiler::writePage(ArrayRef<ObjectSignature> signatures,
                                StringRef stem, ArrayRef<char> module,
                                StringRef page) {
  std::string script =
      "<script>\n" + firstLine() + "globalThis[" + quoted(stem) +
      "] = (() => {\n\"use strict\";\n" + writeEntries(signatures) +
      runText.str() + "const module = \"" +
      llvm::encodeBase64(StringRef(module.data(), module.size())) +
      "\";\nreturn {\n  entries, elementTypes,\n  load: () => "
      "instantiate(Uint8Array.from("
      "atob(module), (c) => c.charCodeAt(0))),\n};\n})();\n</script>\n";
  std::string form;
  if (page.empty()) {
    auto [head, tail] = formPage.split("PROGRAM");
    form = (head + "globalThis[" + quoted(stem) + "]" + tail).str();
    page = form;
  }
  size_t at = std::min(page.find("<script"), page.size());
  return (page.take_front(at) + script + page.drop_front(at)).str();
}
