//===- Module.cpp - Programs read from files ------------------------------===//

#include "tools/tensorc/Module.h"

#include "compiler/pipelines/Register.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;

namespace tensorc::tool {

static DialectRegistry allDialects() {
  DialectRegistry registry;
  compiler::registerAllTensorcDialects(registry);
  return registry;
}

LoadedModule::LoadedModule()
    : context(allDialects(), MLIRContext::Threading::DISABLED),
      diagnostics(
          std::make_unique<SourceMgrDiagnosticHandler>(sources, &context)) {
  // An operation's text after each message would drown the message.
  context.printOpOnDiagnostic(false);
}

LoadedModule::~LoadedModule() = default;

LogicalResult LoadedModule::load(StringRef path) {
  for (StringRef suffix : {".onnx", ".tcpkg"})
    if (path.ends_with(suffix))
      return refuse(path + ": input of kind " + suffix +
                    " is not available yet"),
             failure();
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (!buffer)
    return refuse(path + ": " + buffer.getError().message()), failure();
  return parse(std::move(*buffer));
}

LogicalResult LoadedModule::parse(StringRef text, StringRef name) {
  return parse(llvm::MemoryBuffer::getMemBufferCopy(text, name));
}

LogicalResult LoadedModule::parse(std::unique_ptr<llvm::MemoryBuffer> buffer) {
  sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  module = parseSourceFile<ModuleOp>(sources, &context);
  return success(!!module);
}

static FailureOr<func::FuncOp> findEntry(ModuleOp module, StringRef name) {
  auto functions = llvm::to_vector(module.getOps<func::FuncOp>());
  if (functions.empty())
    return module.emitError("contains no func.func to run");
  StringRef wanted = name.empty() ? "main" : name;
  for (func::FuncOp function : functions)
    if (function.getName() == wanted)
      return function;
  if (name.empty() && functions.size() == 1)
    return functions[0];
  if (name.empty())
    return module.emitError("has several functions and none is called main; "
                            "choose one by --entry=NAME");
  return module.emitError("has no function ") << name;
}

FailureOr<func::FuncOp> LoadedModule::entry(StringRef name) {
  FailureOr<func::FuncOp> function = findEntry(module.get(), name);
  if (succeeded(function) && function->isExternal())
    return function->emitError("has no body to run");
  return function;
}

void keepOnly(func::FuncOp function) {
  auto module = function->getParentOfType<ModuleOp>();
  for (func::FuncOp other :
       llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
    if (other != function)
      other.erase();
}

} // namespace tensorc::tool
