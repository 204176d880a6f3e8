//===- Cancellation.cpp - Cancelling a compilation ------------------------===//

#include "compiler/output/pipelines/Cancellation.h"

#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace tensorc::compiler {

Cancellation::Cancellation(MLIRContext *context, std::function<bool()> callback)
    : context(context), poll(std::move(callback)) {
  if (!poll)
    return;
  context->registerActionHandler(
      [this](llvm::function_ref<void()> run, const tracing::Action &action) {
        bool isPass = llvm::isa<PassExecutionAction>(action);
        if (!isCancelled() || !isPass)
          run();
      });
}

Cancellation::~Cancellation() {
  if (poll)
    context->registerActionHandler(nullptr);
}

} // namespace tensorc::compiler
