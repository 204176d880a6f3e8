//===- FuzzStableHlo.cpp - Any text for the reader of StableHLO -----------===//
//
// As the tools read a file: the text's verifier, MLIR's parser, the converter,
// and the verifier of what was made. A program or a diagnostic comes out.
//
//===----------------------------------------------------------------------===//
#include "compiler/frontends/stablehlo/StableHlo.h"
#include "compiler/output/pipelines/Register.h"
#include "ir/text/TextVerifier.h"
#include "tests/fuzz/pipeline/Mutations.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace tensorc;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  DialectRegistry registry;
  compiler::registerAllTensorcDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  bool isExplained = false;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    isExplained |= diagnostic.getSeverity() == DiagnosticSeverity::Error;
    fuzz::noteMessage(diagnostic.str());
    return success();
  });
  StringRef text(reinterpret_cast<const char *>(data), size);
  if (failed(verifyText(text, "fuzz.mlir", &context)))
    return 0;
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(text, "fuzz.mlir"), llvm::SMLoc());
  OwningOpRef<ModuleOp> module = stablehlo::readStableHlo(sources, &context);
  if (!module && !isExplained)
    __builtin_trap();
  if (module && failed(verify(*module)))
    __builtin_trap();
  return 0;
}
