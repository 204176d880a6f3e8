//===- Read.cpp - Texts of StableHLO --------------------------------------===//

#include "compiler/import/stablehlo/Converter.h"
#include "compiler/import/stablehlo/StableHlo.h"
#include "compiler/import/stablehlo/Syntax.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

namespace tensorc::stablehlo {

bool isStableHlo(StringRef text) {
  return text.contains("stablehlo.") || text.contains("mhlo.num_replicas") ||
         text.contains("\"chlo.") || text.contains(" chlo.");
}

OwningOpRef<ModuleOp> readStableHlo(llvm::SourceMgr &sources,
                                    MLIRContext *context) {
  // Ops are names with attributes, of dialects that are not registered.
  bool allowed = context->allowsUnregisteredDialects();
  context->allowUnregisteredDialects();
  llvm::scope_exit restore(
      [&] { context->allowUnregisteredDialects(allowed); });
  loadSyntax(context);
  OwningOpRef<ModuleOp> source = parseSourceFile<ModuleOp>(sources, context);
  if (!source)
    return {};
  return Converter(*source).convert();
}

} // namespace tensorc::stablehlo
