//===- TestProgram.cpp - a C program that tests an object -----------------===//
#include "compiler/output/object/TestProgram.h"

#include "llvm/Support/Endian.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace tensorc;
using namespace tensorc::compiler;

static constexpr llvm::StringLiteral support = R"(
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How an element is stored: 'i', 'u', 'f' (float, double), or 's', a small
   float with bits for its exponent, and no infinity if it is finite. */
typedef struct element {
  char kind;
  int bits, exponent, finite;
} element;

static double small_float(unsigned bits, element e) {
  int mantissa = e.bits - 1 - e.exponent, most = (1 << e.exponent) - 1;
  int exponent = (int)(bits >> mantissa) & most, bias = most >> 1;
  unsigned fraction = bits & ((1u << mantissa) - 1);
  double sign = bits >> (e.bits - 1) ? -1.0 : 1.0;
  if (exponent == most && e.finite && fraction == (1u << mantissa) - 1)
    return NAN;
  if (exponent == most && !e.finite)
    return fraction ? NAN : sign * INFINITY;
  if (exponent == 0)
    return sign * ldexp(fraction, 1 - bias - mantissa);
  return sign * ldexp(fraction + (1u << mantissa), exponent - bias - mantissa);
}

/* Returns the bits of an element. A byte holds two 4-bit elements, the low one
   first. */
static uint64_t bits_of(const void *data, size_t i, element e) {
  const unsigned char *bytes = (const unsigned char *)data;
  uint64_t bits = 0;
  if (e.bits == 4)
    return (bytes[i / 2] >> (i % 2 * 4)) & 15;
  memcpy(&bits, bytes + i * (size_t)e.bits / 8, (size_t)e.bits / 8);
  return bits;
}

static double value_of(uint64_t bits, element e) {
  if (e.kind == 's')
    return small_float((unsigned)bits, e);
  if (e.kind == 'f' && e.bits == 32) {
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
  }
  if (e.kind == 'f') {
    double value;
    memcpy(&value, &bits, sizeof(value));
    return value;
  }
  if (e.kind == 'i' && (bits >> (e.bits - 1)) & 1)
    return -(double)((~bits + 1) & (UINT64_MAX >> (64 - e.bits)));
  return (double)bits;
}

static void *allocate(size_t bytes) {
  void *data = calloc(bytes + 1, 1);
  if (!data) {
    fprintf(stderr, "not enough memory\n");
    exit(2);
  }
  return data;
}

static void *load(const char *folder, const char *name, size_t bytes) {
  char path[4096];
  void *data = allocate(bytes);
  FILE *file;
  snprintf(path, sizeof(path), "%s/%s", folder, name);
  file = fopen(path, "rb");
  if (!file || fread(data, 1, bytes, file) != bytes || fgetc(file) != EOF) {
    fprintf(stderr, "cannot read %s\n", path);
    exit(2);
  }
  fclose(file);
  return data;
}

/* Returns 1 and prints a message if an element differs from the expected one
   by more than absolute + relative * |expected|. */
static int differs(const char *folder, const char *file, const char *name,
                   const void *result, size_t bytes, size_t count, element e,
                   double relative, double absolute) {
  void *expected = load(folder, file, bytes);
  size_t wrong = 0, first = 0, i;
  for (i = 0; i < count; ++i) {
    uint64_t a = bits_of(result, i, e), b = bits_of(expected, i, e);
    double x = value_of(a, e), y = value_of(b, e);
    int isFloat = e.kind == 'f' || e.kind == 's';
    if (a == b || (isFloat && (x == y || (isnan(x) && isnan(y)))))
      continue;
    if (absolute > 0 && isfinite(y) &&
        fabs(x - y) <= absolute + relative * fabs(y))
      continue;
    first = wrong++ ? first : i;
  }
  if (wrong) {
    double x = value_of(bits_of(result, first, e), e);
    double y = value_of(bits_of(expected, first, e), e);
    printf("%s: %lu of %lu elements differ; the first is %lu: %.9g, expected "
           "%.9g\n",
           name, (unsigned long)wrong, (unsigned long)count,
           (unsigned long)first, x, y);
  } else {
    printf("%s: %lu elements agree\n", name, (unsigned long)count);
  }
  free(expected);
  return wrong != 0;
}
)";

/// Returns the C initializer of an element type, e.g. `{'f', 32, 0, 0}`.
static std::string elementOf(Type element) {
  unsigned bits = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
  auto text = [](char kind, unsigned bits, unsigned exponent, bool isFinite) {
    return ("{'" + Twine(kind) + "', " + Twine(bits) + ", " + Twine(exponent) +
            ", " + Twine(isFinite) + "}")
        .str();
  };
  auto type = dyn_cast<FloatType>(element);
  if (!type)
    return element.isInteger(1)
               ? text('u', 8, 0, false)
               : text(element.isUnsignedInteger() ? 'u' : 'i', bits, 0, false);
  if (bits >= 32)
    return text('f', bits, 0, false);
  return text('s', bits, bits - type.getFPMantissaWidth(),
              isa<Float8E4M3FNType>(element));
}

std::string compiler::testFileOf(bool isInput, size_t i) {
  return (isInput ? "input" : "output") + std::to_string(i) + ".bin";
}

namespace {
class TestWriter {
public:
  TestWriter(const ObjectSignature &signature, const TestCase &test,
             llvm::raw_ostream &os)
      : signature(signature), test(test), p(signature.prefix), os(os) {}
  void write();

private:
  void writeInputs();
  void writeOutputs();
  void writeRun();
  void writeComparisons();
  const ObjectField &output(size_t i) const {
    return signature.outputs[signature.resultFields[i]];
  }

  const ObjectSignature &signature;
  const TestCase &test;
  const std::string &p;
  llvm::raw_ostream &os;
};
} // namespace

void TestWriter::writeInputs() {
  std::vector<int64_t> sizes(signature.dimFields.size(), 0);
  for (auto [i, tensor] : llvm::enumerate(test.inputs)) {
    const ObjectField &field = signature.inputs[signature.argumentFields[i]];
    if (field.kind == ObjectField::Dim) {
      size_t index =
          llvm::find(signature.dimFields, signature.argumentFields[i]) -
          signature.dimFields.begin();
      sizes[index] = llvm::support::endian::read64le(tensor.bytes.data());
      continue;
    }
    for (auto [dim, size] : llvm::zip(signature.argumentDims[i], tensor.shape))
      if (std::optional<unsigned> index = signature.dimOf(dim))
        sizes[*index] = size;
    std::string call = "load(folder, \"" + testFileOf(true, i) + "\", " +
                       std::to_string(tensor.bytes.size()) + ")";
    if (field.kind == ObjectField::Buffer)
      os << "  in." << field.name << " = ("
         << cTypeOf(getElementTypeOrSelf(field.type)) << " *)" << call << ";\n";
    else
      os << "  memcpy(&in." << field.name << ", " << call << ", "
         << tensor.bytes.size() << ");\n";
  }
  for (auto [field, size] : llvm::zip(signature.dimFields, sizes))
    os << "  in." << signature.inputs[field].name << " = " << size << ";\n";
}

void TestWriter::writeOutputs() {
  for (auto [i, tensor] : llvm::enumerate(test.outputs))
    os << "  out." << output(i).name << " = ("
       << cTypeOf(getElementTypeOrSelf(output(i).type)) << " *)allocate("
       << tensor.bytes.size() << ");\n";
  for (const ObjectField &field : signature.outputs) {
    if (field.kind != ObjectField::Capacity)
      continue;
    for (auto [i, tensor] : llvm::enumerate(test.outputs))
      if (output(i).label == field.label)
        os << "  out." << field.name << " = " << tensor.bytes.size() << ";\n";
  }
}

void TestWriter::writeRun() {
  os << "  bytes = " << p << "_workspace_size(";
  for (auto [i, field] : llvm::enumerate(signature.dimFields))
    os << (i ? ", in." : "in.") << signature.inputs[field].name;
  os << ");\n"
        "  if (bytes < 0) {\n"
        "    fprintf(stderr, \"the sizes are refused\\n\");\n"
        "    return 2;\n"
        "  }\n"
        "  workspace = allocate((size_t)bytes);\n"
     << "  status = " << p
     << "_run(&in, &out, workspace);\n"
        "  if (status) {\n"
     << "    fprintf(stderr, \"%s\\n\", " << p
     << "_error(status));\n"
        "    return 2;\n"
        "  }\n";
}

void TestWriter::writeComparisons() {
  for (auto [i, tensor] : llvm::enumerate(test.outputs)) {
    const ObjectField &field = output(i);
    int64_t count = 1;
    for (int64_t size : tensor.shape)
      count *= size;
    Type element = getElementTypeOrSelf(field.type);
    if (auto type = dyn_cast<ComplexType>(element)) {
      element = type.getElementType(); // parts are compared separately
      count *= 2;
    }
    os << "  {\n    element e = " << elementOf(element)
       << ";\n    failures += differs(folder, \"" << testFileOf(false, i)
       << "\", \"" << field.name << "\", out." << field.name << ", "
       << tensor.bytes.size() << ", " << count << ", e, "
       << llvm::format("%.9g, %.9g", tensor.relative, tensor.absolute)
       << ");\n  }\n";
  }
}

void TestWriter::write() {
  os << "\nint main(int argc, char **argv) {\n"
        "  const char *folder = argc > 1 ? argv[1] : \"data\";\n"
     << "  " << p << "_inputs in;\n  " << p
     << "_outputs out;\n"
        "  void *workspace;\n"
        "  int64_t bytes;\n"
        "  int status, failures = 0;\n"
        "  memset(&in, 0, sizeof(in));\n"
        "  memset(&out, 0, sizeof(out));\n";
  writeInputs();
  writeOutputs();
  writeRun();
  writeComparisons();
  os << "  return failures != 0;\n}\n";
}

llvm::Expected<std::string>
compiler::writeTestProgram(ArrayRef<ObjectSignature> signatures,
                           const TestCase &test, StringRef header) {
  if (signatures.size() != 1)
    return llvm::createStringError(
        "a test is of one function, and the module has %zu: choose by --entry",
        signatures.size());
  const ObjectSignature &signature = signatures.front();
  if (!signature.callbacks.empty())
    return llvm::createStringError(
        "the program calls '%s', which a test does not have",
        signature.callbacks.begin()->first().str().c_str());
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "/* Runs " << signature.prefix
     << " on stored inputs and compares its results with stored ones:\n"
        "   test FOLDER. Exit status: 0, or 1 if they differ. Made by "
        "tensorc " TENSORC_VERSION ". */\n"
     << "#include \"" << header << "\"\n"
     << support;
  TestWriter(signature, test, os).write();
  return text;
}
