//===- FuzzOnnx.cpp - Any bytes for the reader of ONNX models -------------===//
//
// What is no model is refused with a message; what is one becomes a module that
// verifies. Nothing else may happen, whatever the bytes are. Files beside a
// model are looked for in a folder that does not exist.
//
//===----------------------------------------------------------------------===//
#include "compiler/import/onnx/Onnx.h"
#include "compiler/pipelines/Register.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const DialectRegistry registry = [] {
    DialectRegistry registry;
    tensorc::compiler::registerAllTensorcDialects(registry);
    return registry;
  }();
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  unsigned errors = 0;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &) {
    ++errors;
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
  return 0;
}
