//===- Readers.cpp - Reading of program files -----------------------------===//

#include "compiler/frontends/readers/Readers.h"
#include "compiler/frontends/onnx/Onnx.h"
#include "compiler/frontends/stablehlo/StableHlo.h"
#include "compiler/frontends/stablehlo/portable/Artifact.h"
#include "ir/text/TextVerifier.h"

#include "mlir/Parser/Parser.h"

using namespace mlir;

namespace tensorc::frontends {

/// Adds the text to the source manager; fails if the file is not text.
static LogicalResult addText(Source &source, MLIRContext *context) {
  StringRef text = source.buffer->getBuffer();
  source.sources->AddNewSourceBuffer(std::move(source.buffer), llvm::SMLoc());
  return verifyText(text, source.path, context);
}

static OwningOpRef<ModuleOp> readText(Source source, MLIRContext *context) {
  if (failed(addText(source, context)))
    return nullptr;
  return parseSourceFile<ModuleOp>(*source.sources, context);
}

static OwningOpRef<ModuleOp> readStableHlo(Source source,
                                           MLIRContext *context) {
  if (failed(addText(source, context)))
    return nullptr;
  return stablehlo::readStableHlo(*source.sources, context, source.shapes);
}

ArrayRef<Reader> readers() {
  static constexpr Reader table[] = {
      {"an ONNX model (.onnx)", onnx::isModel, onnx::read},
      {"StableHLO text (.mlir)",
       [](StringRef, StringRef bytes) { return stablehlo::isStableHlo(bytes); },
       readStableHlo},
      {"MLIR text (.mlir)", [](StringRef, StringRef) { return true; },
       readText},
  };
  return table;
}

const Reader &readerFor(StringRef path, StringRef bytes) {
  for (const Reader &reader : readers())
    if (reader.accepts(path, bytes))
      return reader;
  llvm_unreachable("the last reader takes all");
}

const Reader &artifactReader() {
  static constexpr Reader reader = {
      "a portable artifact of StableHLO",
      [](StringRef, StringRef bytes) { return stablehlo::isBytecode(bytes); },
      [](Source source, MLIRContext *context) {
        return stablehlo::readArtifact(source.buffer->getMemBufferRef(),
                                       context);
      }};
  return reader;
}

} // namespace tensorc::frontends
