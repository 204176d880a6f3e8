//===- FuzzOnnx.cpp - Any bytes for the reader of ONNX models -------------===//
//
// What is not a model is refused with a message; what is one becomes a module
// that verifies. Nothing else may happen, whatever the bytes are. Files beside
// a model are looked for in a folder that does not exist. Most inputs are edits
// of a model's messages, whose lengths fit, so that they get behind the parser.
//
//===----------------------------------------------------------------------===//
#include "compiler/frontends/onnx/Onnx.h"
#include "compiler/output/pipelines/Register.h"
#include "tests/fuzz/onnx/Mutations.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t most, unsigned seed) {
  if (seed % 8 == 0)
    return LLVMFuzzerMutate(data, size, most);
  std::string bytes =
      tensorc::fuzz::mutateModel({reinterpret_cast<char *>(data), size}, seed);
  if (bytes.size() > most)
    return size;
  std::copy(bytes.begin(), bytes.end(), data);
  return bytes.size();
}

/// libFuzzer reads this section as it reads the counters of instrumented code.
__attribute__((section("__libfuzzer_extra_counters"),
               used)) static volatile uint8_t counters[1 << 15];

/// What is new leads the search: a message, numbers and names aside, and an op.
static void note(StringRef text) {
  std::string words;
  bool isQuoted = false;
  for (char c : text) {
    isQuoted ^= c == '\'';
    if (!isQuoted && !llvm::isDigit(c))
      words += c;
  }
  counters[llvm::hash_value(StringRef(words).take_front(60)) %
           std::size(counters)] = 1;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const DialectRegistry registry = [] {
    DialectRegistry registry;
    tensorc::compiler::registerAllTensorcDialects(registry);
    return registry;
  }();
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  unsigned errors = 0;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    ++errors;
    note(diagnostic.str());
    return success();
  });
  auto buffer = llvm::MemoryBuffer::getMemBufferCopy(
      {reinterpret_cast<const char *>(data), size}, "model.onnx");
  auto module = tensorc::onnx::read(
      {"no-such-folder/model.onnx", std::move(buffer), nullptr, {}}, &context);
  if (!module && !errors)
    __builtin_trap();
  if (module && failed(verify(*module)))
    __builtin_trap();
  if (module)
    module->walk([](Operation *op) { note(op->getName().getStringRef()); });
  return 0;
}
