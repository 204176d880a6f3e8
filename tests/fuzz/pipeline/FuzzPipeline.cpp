//===- FuzzPipeline.cpp - Any text through the whole compiler -------------===//
//
// The text of an .mlir file is parsed, verified and compiled for the CPU. A
// first line `// --start-from=STAGE` says that it is what this stage printed.
// Most mutations exchange words of the language; the others are bytes. Instead
// of instrumented code, what leads the search are the ops that occur after each
// stage and the messages of those that refuse.
//
//===----------------------------------------------------------------------===//
#include "tests/fuzz/pipeline/Mutations.h"

#include "compiler/output/pipelines/Pipelines.h"
#include "compiler/output/pipelines/Register.h"
#include "ir/text/TextVerifier.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/DebugStringHelper.h"

using namespace mlir;
using namespace tensorc;

/// The stage that a first line names.
static std::optional<compiler::Stage> stageOf(StringRef text) {
  if (!text.consume_front("// --start-from="))
    return std::nullopt;
  return compiler::parseStage(
      text.take_until([](char c) { return c == '\n'; }));
}

static void noteOps(ModuleOp module, unsigned stage) {
  module->walk([&](Operation *op) {
    StringRef name = op->getName().getStringRef();
    fuzz::note(llvm::hash_combine(name, stage));
    if (stage == 0)
      for (Type type : op->getResultTypes())
        fuzz::note(
            llvm::hash_combine(name, debugString(getElementTypeOrSelf(type))));
  });
}

/// What an embedding program does: refusals are diagnostics, and always given.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  DialectRegistry registry;
  compiler::registerAllTensorcDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  bool isExplained = false, isParsed = false;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error) {
      if (isParsed)
        fuzz::noteMessage(diagnostic.str());
      isExplained = true;
    }
    return success();
  });
  std::string text(reinterpret_cast<const char *>(data), size);
  ParserConfig config(&context, /*verifyAfterParse=*/false);
  OwningOpRef<ModuleOp> module;
  if (succeeded(verifyText(text, "-", &context)))
    module = parseSourceString<ModuleOp>(text, config);
  // The parser's messages would fill the corpus with texts that are not
  // programs.
  isParsed = !!module;
  bool passed = module && succeeded(verify(*module));
  if (passed) {
    noteOps(*module, 0);
    compiler::CompileOptions options;
    options.target = "cpu:x86-64-v3"; // the same code on every machine
    options.optLevel = 1;
    options.onStage = [&](compiler::Stage stage, double) {
      noteOps(*module, 1 + static_cast<unsigned>(stage));
    };
    passed = succeeded(compiler::compile(*module, options, stageOf(text)));
  }
  if (!passed && !isExplained)
    __builtin_trap(); // Refused without a reason.
  return 0;
}
