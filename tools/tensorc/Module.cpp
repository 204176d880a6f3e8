//===- Module.cpp - Reads programs from files -----------------------------===//

#include "tools/tensorc/Module.h"

#include "compiler/frontends/files/InputFile.h"
#include "compiler/output/pipelines/Register.h"
#include "compiler/transforms/sharding/ResultShardings.h"
#include "ir/tx/Names.h"

#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;

namespace tensorc::tool {

static DialectRegistry allDialects() {
  DialectRegistry registry;
  compiler::registerAllTensorcDialects(registry);
  return registry;
}

static StringRef wordOf(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Note:
    return "note";
  case DiagnosticSeverity::Warning:
    return "warning";
  case DiagnosticSeverity::Remark:
    return "remark";
  case DiagnosticSeverity::Error:
    return "error";
  }
  llvm_unreachable("a severity without a word");
}

/// Prints an error such as `net.onnx: error: /conv: ...` at an op of a file
/// without lines.
static void printNamed(Diagnostic &diagnostic, StringRef path,
                       llvm::raw_ostream &os) {
  os << path << ": " << wordOf(diagnostic.getSeverity()) << ": ";
  if (auto name = diagnostic.getLocation()->findInstanceOf<NameLoc>())
    os << name.getName().getValue() << ": ";
  os << diagnostic << "\n";
}

static StringRef wordOf(llvm::SourceMgr::DiagKind kind) {
  switch (kind) {
  case llvm::SourceMgr::DK_Error:
    return "error";
  case llvm::SourceMgr::DK_Warning:
    return "warning";
  case llvm::SourceMgr::DK_Remark:
    return "remark";
  case llvm::SourceMgr::DK_Note:
    return "note";
  }
  llvm_unreachable("a kind without a word");
}

/// Prints a diagnostic in one line, for programs that parse messages.
static void printInOneLine(const llvm::SMDiagnostic &diagnostic, void *stream) {
  *static_cast<llvm::raw_ostream *>(stream)
      << diagnostic.getFilename() << ":" << diagnostic.getLineNo() << ":"
      << diagnostic.getColumnNo() + 1 << ": " << wordOf(diagnostic.getKind())
      << ": " << diagnostic.getMessage() << "\n";
}

LoadedModule::LoadedModule()
    : context(allDialects(), MLIRContext::Threading::DISABLED),
      terminal(llvm::errs()),
      diagnostics(std::make_unique<SourceMgrDiagnosticHandler>(
          sources, &context, terminal)) {
  // On a terminal the source line is shown with a caret below the position.
  if (!terminal.is_displayed())
    sources.setDiagHandler(printInOneLine, &terminal);
  // If the op were printed after each message, it would hide the message.
  context.printOpOnDiagnostic(false);
  // The handler that was registered last is called first. If it fails, the next
  // one is called.
  context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
    if (diagnostic.getLocation()->findInstanceOf<FileLineColRange>())
      return failure();
    printNamed(diagnostic, path, terminal);
    for (Diagnostic &note : diagnostic.getNotes())
      printNamed(note, path, terminal);
    return success();
  });
}

LoadedModule::~LoadedModule() = default;

/// Returns a list such as `MLIR text (.mlir), ...`.
static std::string listOfReaders() {
  std::string list;
  for (const frontends::Reader &reader : frontends::readers())
    list += reader.kind.str() + ", ";
  return list;
}

LogicalResult LoadedModule::load(const Arguments &arguments) {
  StringRef path = arguments.input();
  if (path.ends_with(".tcpkg"))
    return refuse(path + ": a package is compiled already"), failure();
  if (llvm::Error error = files::checkInputFile(path))
    return refuse(llvm::toString(std::move(error))), failure();
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (!buffer)
    return refuse(path + ": " + buffer.getError().message()), failure();
  StringRef bytes = (*buffer)->getBuffer();
  // A reader that recognizes the contents has priority over the file name,
  // because PyTorch's weights and some ONNX models are both called .bin.
  bool isKnown =
      &frontends::readerFor("", bytes) != &frontends::readers().back();
  if (StringRef kind = isKnown ? "" : files::foreignKind(path, bytes);
      !kind.empty())
    return refuse(path + ": is " + kind + "; a program is " + listOfReaders() +
                  "or a package (.tcpkg)"),
           failure();
  std::optional<std::vector<frontends::NamedShape>> shapes =
      parseShapes(arguments);
  if (!shapes || failed(read(std::move(*buffer), *shapes)))
    return failure();
  std::optional<MeshSpec> mesh = parseMesh(arguments);
  if (!mesh || (!mesh->names.empty() && failed(applyMesh(*module, *mesh))))
    return failure();
  return checkOps(*module, arguments.limits());
}

LogicalResult LoadedModule::parse(StringRef text, StringRef name) {
  return read(llvm::MemoryBuffer::getMemBufferCopy(text, name), {});
}

LogicalResult LoadedModule::read(std::unique_ptr<llvm::MemoryBuffer> buffer,
                                 ArrayRef<frontends::NamedShape> shapes) {
  path = buffer->getBufferIdentifier().str();
  const frontends::Reader &reader =
      frontends::readerFor(path, buffer->getBuffer());
  module = reader.read({path, std::move(buffer), &sources, shapes}, &context);
  if (!module || failed(tx::verifyNames(*module)))
    return failure();
  for (auto function : module->getOps<func::FuncOp>())
    if (failed(compiler::chooseResultShardings(function)))
      return failure();
  return success();
}

static std::string listOf(ArrayRef<func::FuncOp> functions) {
  return llvm::join(
      llvm::map_range(functions, [](func::FuncOp f) { return f.getName(); }),
      ", ");
}

FailureOr<func::FuncOp> LoadedModule::entry(StringRef name) {
  auto functions = llvm::to_vector(module->getOps<func::FuncOp>());
  if (functions.empty())
    return refuse(path + ": contains no func.func to run"), failure();
  StringRef wanted = name.empty() ? "main" : name;
  func::FuncOp function;
  for (func::FuncOp each : functions)
    if (each.getName() == wanted)
      function = each;
  if (!function && name.empty() && functions.size() == 1)
    function = functions[0];
  if (!function && name.empty())
    return refuse(path +
                  ": has several functions and none is called main; "
                  "choose one by --entry=NAME: " +
                  listOf(functions)),
           failure();
  if (!function)
    return refuse(path + ": has no function '" + name +
                  "'; there are: " + listOf(functions)),
           failure();
  if (function.isExternal())
    return function.emitError("has no body to run");
  return function;
}

SmallVector<func::FuncOp> LoadedModule::entries() {
  return llvm::filter_to_vector(
      module->getOps<func::FuncOp>(),
      [](func::FuncOp function) { return !function.isExternal(); });
}

void keepOnly(func::FuncOp function) {
  auto module = function->getParentOfType<ModuleOp>();
  for (func::FuncOp other :
       llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
    if (other != function)
      other.erase();
}

} // namespace tensorc::tool
