//===- TargetOf.cpp - The target of a program -----------------------------===//

#include "compiler/transforms/passes/TargetOf.h"
#include "codegen/targets/Target.h"
#include "ir/tx/Kernel.h"

#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace tensorc::compiler {

std::optional<codegen::TargetInfo> targetOf(Operation *op) {
  auto module = op->getParentOfType<ModuleOp>();
  auto name =
      module ? module->getAttrOfType<StringAttr>(tx::targetAttr) : StringAttr();
  if (!name)
    return std::nullopt;
  auto target = codegen::getTargetInfo(name.getValue());
  if (target)
    return *target;
  llvm::consumeError(target.takeError());
  return std::nullopt;
}

} // namespace tensorc::compiler
