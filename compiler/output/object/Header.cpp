//===- Header.cpp - the C header of an object -----------------------------===//
#include "compiler/output/object/Header.h"

using namespace mlir;
using namespace tensorc;
using namespace tensorc::compiler;

bool compiler::hasShapeFunction(const ObjectSignature &signature,
                                unsigned result) {
  const ObjectDims &dims = signature.resultDims[result];
  return signature.isGiven(dims) &&
         llvm::any_of(dims, [](shape::Dim dim) { return !dim.isNumber(); });
}

/// Escapes text for a C comment, so that it neither ends the comment nor
/// contains another beginning or a trigraph.
static std::string comment(StringRef text) {
  std::string result;
  for (char c : text) {
    char last = result.empty() ? ' ' : result.back();
    bool joins = (last == '*' && c == '/') || (last == '/' && c == '*') ||
                 (last == '?' && c == '?');
    if (joins)
      result += ' ';
    result += llvm::isPrint(c) && c != '\\' ? c : '_';
  }
  return result;
}

namespace {
class HeaderWriter {
public:
  HeaderWriter(const ObjectSignature &signature, llvm::raw_ostream &os)
      : signature(signature), p(signature.prefix), os(os) {}
  void write();

private:
  /// Returns the parameters for the dims, e.g. "int64_t n, int64_t m", or
  /// "void".
  std::string dimParameters(StringRef more = "") const;
  void writeFields(ArrayRef<ObjectField> fields, StringRef name, bool isInput);

  void writeFunctions();
  void writeOutputs();

  const ObjectSignature &signature;
  const std::string &p;
  llvm::raw_ostream &os;
};
} // namespace

std::string compiler::shapeText(const ObjectSignature &signature, Type type,
                                const ObjectDims &dims) {
  std::string text = dtypeText(getElementTypeOrSelf(type)) + "[";
  for (auto [i, dim] : llvm::enumerate(dims)) {
    text += i ? ", " : "";
    std::string name = toString(dim);
    // A dim without a name gets the name of its field.
    if (name[0] == '?') {
      auto field = signature.dimOf(dim);
      name = field ? signature.inputs[signature.dimFields[*field]].name : "?";
    }
    text += name;
  }
  return comment(text + "]");
}

std::string HeaderWriter::dimParameters(StringRef more) const {
  std::string text;
  for (unsigned index : signature.dimFields)
    text += (text.empty() ? "int64_t " : ", int64_t ") +
            signature.inputs[index].name;
  if (!more.empty())
    text += (text.empty() ? "" : ", ") + more.str();
  return text.empty() ? "void" : text;
}

static StringRef noteOf(Type element) {
  if (element.isInteger(1))
    return ", a byte each: 0 or 1";
  if (element.isIntOrFloat() && element.getIntOrFloatBitWidth() == 4)
    return ", two to a byte, the low bits first";
  if (isa<ComplexType>(element))
    return ", a real and an imaginary part each";
  if (isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 32)
    return ", as their bits";
  return "";
}

void HeaderWriter::writeFields(ArrayRef<ObjectField> fields, StringRef name,
                               bool isInput) {
  os << "typedef struct " << p << "_" << name << " {\n";
  if (fields.empty())
    os << "  char none; /* C has no empty structs */\n";
  for (auto [i, field] : llvm::enumerate(fields)) {
    Type element = field.type ? getElementTypeOrSelf(field.type) : Type();
    switch (field.kind) {
    case ObjectField::Buffer: {
      const auto &indices =
          isInput ? signature.argumentFields : signature.resultFields;
      const auto &dims =
          isInput ? signature.argumentDims : signature.resultDims;
      size_t value = llvm::find(indices, i) - indices.begin();
      os << "  " << (isInput ? "const " : "") << cTypeOf(element) << " *"
         << field.name << "; /* "
         << shapeText(signature, field.type, dims[value]) << noteOf(element)
         << " */\n";
      break;
    }
    case ObjectField::Scalar:
      os << "  " << cTypeOf(element) << " " << field.name << "; /* "
         << dtypeText(element) << noteOf(element) << " */\n";
      break;
    case ObjectField::Dim:
      os << "  int64_t " << field.name << "; /* the size "
         << comment(field.label) << " */\n";
      break;
    case ObjectField::Capacity:
      os << "  int64_t " << field.name << "; /* bytes behind "
         << comment(field.label) << ", set by the caller */\n";
      break;
    case ObjectField::RunDim:
      os << "  int64_t " << field.name << "; /* set by the run */\n";
      break;
    case ObjectField::Callback:
      os << "  tensorc_object_custom_call_fn " << field.name
         << "; /* the custom call " << comment(field.label) << " */\n";
      break;
    case ObjectField::Context:
      os << "  void *" << field.name << "; /* handed to it */\n";
      break;
    }
  }
  os << "} " << p << "_" << name << ";\n\n";
}

void HeaderWriter::writeOutputs() {
  for (auto [i, index] : llvm::enumerate(signature.resultFields)) {
    if (!signature.isGiven(signature.resultDims[i]))
      continue;
    const ObjectField &output = signature.outputs[index];
    os << "/* The bytes of " << output.name
       << "; -1 when a size is negative or too large. */\n"
       << "int64_t " << p << "_output_size_" << output.name << "("
       << dimParameters() << ");\n";
    if (!hasShapeFunction(signature, i))
      continue;
    size_t rank = signature.resultDims[i].size();
    os << "/* Its shape, "
       << shapeText(signature, output.type, signature.resultDims[i])
       << "; 0, or -1 as above. */\n"
       << "int " << p << "_output_shape_" << output.name << "("
       << dimParameters("int64_t shape[" + std::to_string(rank) + "]")
       << ");\n";
  }
}

void HeaderWriter::writeFunctions() {
  os << "/* The bytes of workspace that a run with these sizes needs; -1 when "
        "a size is\n   negative or too large. */\n"
     << "int64_t " << p << "_workspace_size(" << dimParameters() << ");\n";
  writeOutputs();
  os << "/* Runs on the calling thread. 0, or a status for " << p
     << "_error, after which\n   what the outputs hold means nothing. Several "
        "threads may run at once, each with a\n   workspace of its own. */\n"
     << "int " << p << "_run(const " << p << "_inputs *inputs, " << p
     << "_outputs *outputs,\n         void *workspace);\n"
     << "/* Text for a status, in English; static. */\n"
     << "const char *" << p << "_error(int status);\n\n"
     << "/* The same on up to `threads` threads, which parallel_for gives; the "
        "results\n   have the same bits. The workspace must be for so many "
        "threads. */\n"
     << "int64_t " << p << "_workspace_size_threads("
     << dimParameters("int32_t threads") << ");\n"
     << "int " << p << "_run_threads(const " << p << "_inputs *inputs, " << p
     << "_outputs *outputs,\n         void *workspace, int32_t threads,\n"
        "         tensorc_object_parallel_for_fn parallel_for);\n\n";
}

void HeaderWriter::write() {
  os << "/*===-- " << comment(signature.func.getName()) << " --===*/\n\n";
  writeFields(signature.inputs, "inputs", /*isInput=*/true);
  writeFields(signature.outputs, "outputs", /*isInput=*/false);
  writeFunctions();
}

static constexpr llvm::StringLiteral prologue = R"(
   Elements are dense and row-major. Pointers are aligned to their element, as C
   asks of them; 64 bytes is faster for large outputs. Outputs overlap neither
   each other nor an input. The workspace may begin anywhere; what is in it
   before and after a run means nothing. Nothing here allocates, locks, keeps
   state or calls a library. */
)";

/// Types that all headers share, guarded so that several can be included in one
/// file.
static constexpr llvm::StringLiteral sharedTypes = R"(
#ifndef TENSORC_OBJECT_TYPES
#define TENSORC_OBJECT_TYPES
/* Calls the body for parts of [0, extent), each item once, on any threads and
   in any order, and returns when all are done. Parts begin at multiples of the
   grain; calls that run at the same time have different slots in [0, slots).
   tensorc_rt_parallel_for of libtensorc_rt is such a function. */
typedef void (*tensorc_object_parallel_for_fn)(
    int64_t extent, int64_t grain, int32_t slots,
    void (*body)(void *context, int64_t begin, int64_t end, int32_t slot),
    void *context);

/* What a custom call gets; it returns 0, or anything else to end the run. */
typedef struct tensorc_object_custom_call {
  void *user;
  int64_t input_count, output_count, scalar_count;
  const void *const *inputs;
  const int64_t *input_bytes;
  void *const *outputs;
  const int64_t *output_bytes;
  const uint64_t *scalars;
  const char *config; /* "" when the program gives none */
} tensorc_object_custom_call;
typedef int (*tensorc_object_custom_call_fn)(
    const tensorc_object_custom_call *call);
#endif

)";

std::string compiler::writeHeader(ArrayRef<ObjectSignature> signatures,
                                  StringRef stem) {
  std::string text;
  llvm::raw_string_ostream os(text);
  std::string guard =
      "TENSORC_OBJECT_" + StringRef(cIdentifier(stem)).upper() + "_H";
  os << "/* " << comment(stem) << ": made by tensorc " TENSORC_VERSION "."
     << prologue << "#ifndef " << guard << "\n#define " << guard
     << "\n\n#include <stdint.h>\n\n#ifdef __cplusplus\nextern \"C\" "
        "{\n#endif\n"
     << sharedTypes;
  for (const ObjectSignature &signature : signatures)
    HeaderWriter(signature, os).write();
  os << "#ifdef __cplusplus\n}\n#endif\n#endif\n";
  return text;
}
