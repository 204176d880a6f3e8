//===- Opt.cpp - The main function of tensorc-opt -------------------------===//

#include "tools/opt/Opt.h"
#include "compiler/frontends/files/InputFile.h"
#include "compiler/output/pipelines/Register.h"
#include "ir/text/TextVerifier.h"
#include "tools/io/Terminal.h"
#include "tools/process/Limits.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

namespace tensorc::tool {

static constexpr char overview[] =
    "tensorc-opt runs passes over MLIR text\n\n"
    "IN is a file, or - for stdin; the result goes to stdout. Passes run in "
    "the "
    "order in which\nthey are given; --pass-pipeline says which ops each is "
    "for.\n\n"
    "examples:\n"
    "  tensorc-opt y.mlir --tx-expand-composites --canonicalize\n"
    "  tensorc-opt y.mlir --tx-fuse-ops --mlir-print-ir-before-all -o "
    "fused.mlir\n"
    "  tensorc-opt y.mlir "
    "--pass-pipeline='builtin.module(func.func(tx-simplify-tensors))'\n";

static int refuse(const Twine &message) {
  Terminal(llvm::errs()) << "tensorc-opt: error: " << message << "\n";
  return 1;
}

static LogicalResult verifyBuffer(const llvm::MemoryBuffer &buffer) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  ScopedDiagnosticHandler handler(&context, [](Diagnostic &diagnostic) {
    auto at = cast<FileLineColLoc>(diagnostic.getLocation());
    Terminal(llvm::errs()) << at.getFilename().getValue() << ":" << at.getLine()
                           << ":" << at.getColumn() << ": error: " << diagnostic
                           << "\n";
    return success();
  });
  return verifyText(buffer.getBuffer(), buffer.getBufferIdentifier(), &context);
}

/// Like MlirOptMain(argc, ...), but checks the text before it is parsed.
static int process(StringRef in, StringRef out, DialectRegistry &registry,
                   const MlirOptMainConfig &config) {
  if (llvm::Error error = files::checkInputFile(in))
    return refuse(llvm::toString(std::move(error)));
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> buffer = openInputFile(in, &message);
  if (!buffer)
    return refuse(message);
  StringRef kind = files::foreignKind(in, buffer->getBuffer());
  if (!kind.empty())
    return refuse(in + ": is " + kind + ", not MLIR text");
  if (failed(verifyBuffer(*buffer)))
    return 1;
  std::unique_ptr<llvm::ToolOutputFile> output = openOutputFile(out, &message);
  if (!output)
    return refuse(message);
  if (failed(MlirOptMain(output->os(), std::move(buffer), registry, config)))
    return 1;
  output->keep();
  return 0;
}

int optMain(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  prepareOptions("tensorc-opt");
  using Text = llvm::cl::opt<std::string>;
  Text maxMemory("max-memory", llvm::cl::value_desc("bytes"),
                 llvm::cl::desc("Refuse what takes more memory: 2G, 500M"));
  Text maxTime("max-time", llvm::cl::value_desc("seconds"),
               llvm::cl::desc("End after this time, with status 1"));
  DialectRegistry registry;
  compiler::registerAllTensorcDialects(registry);
  compiler::registerAllTensorcPasses();
  auto [in, out] = registerAndParseCLIOptions(argc, argv, overview, registry);
  Limits limits{maxMemory, maxTime, ""};
  std::string why = whyNoLimits(limits);
  if (why.empty())
    why = applyLimits("tensorc-opt", limits);
  if (!why.empty())
    return refuse(why);
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  // These options require no input.
  if (config.shouldShowDialects() || config.shouldListPasses())
    return asMainReturnCode(MlirOptMain(argc, argv, in, out, registry));
  return process(in, out, registry, config);
}

} // namespace tensorc::tool
