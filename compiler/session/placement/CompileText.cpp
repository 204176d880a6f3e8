//===- CompileText.cpp - Programs that test properties of a device --------===//

#include "compiler/session/placement/CompileText.h"

#include "compiler/output/pipelines/Pipelines.h"
#include "compiler/output/pipelines/Register.h"
#include "ir/tx/TxDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;

namespace tensorc::placement {

llvm::Error takeStatus(tensorc_rt_status *status) {
  if (!status)
    return llvm::Error::success();
  llvm::Error error = llvm::createStringError(
      llvm::inconvertibleErrorCode(), tensorc_rt_status_message(status));
  tensorc_rt_status_free(status);
  return error;
}

llvm::Expected<std::string> compileText(const std::string &target,
                                        const std::string &text) {
  DialectRegistry registry;
  compiler::registerAllTensorcDialects(registry);
  registry.insert<tx::TxDialect, func::FuncDialect>();
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  std::string messages;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    messages += diagnostic.str();
    return success();
  });
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  assert(module && "the text is a program");
  compiler::CompileOptions options;
  options.target = target;
  options.verify = false;
  FailureOr<std::string> package = compiler::compile(*module, options);
  if (failed(package))
    return llvm::createStringError(llvm::inconvertibleErrorCode(), messages);
  return std::move(*package);
}

llvm::Expected<tensorc_rt_module *> loadText(tensorc_rt_device *device,
                                             const std::string &package,
                                             const tensorc_rt_entry *&entry) {
  tensorc_rt_load_options options{sizeof options, nullptr, /*is_trusted=*/1,
                                  /*verify_constants=*/0};
  tensorc_rt_module *module = nullptr;
  if (llvm::Error error = takeStatus(tensorc_rt_load_bytes_with(
          device, package.data(), package.size(), TENSORC_RT_COPY, nullptr,
          nullptr, &options, &module)))
    return std::move(error);
  if (llvm::Error error =
          takeStatus(tensorc_rt_module_find(module, nullptr, &entry))) {
    tensorc_rt_module_release(module);
    return std::move(error);
  }
  return module;
}

} // namespace tensorc::placement
