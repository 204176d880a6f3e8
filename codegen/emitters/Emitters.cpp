//===- Emitters.cpp - From a fusion to its kernel -------------------------===//

#include "codegen/emitters/Emitters.h"

using namespace mlir;

namespace tensorc::codegen {

StringRef fusionKindName(FusionKind kind) {
  switch (kind) {
  case FusionKind::Loop:
    return "loop";
  case FusionKind::Row:
    return "row";
  case FusionKind::Column:
    return "column";
  case FusionKind::Contraction:
    return "contraction";
  }
  llvm_unreachable("all kinds are listed");
}

std::optional<FusionKind> parseFusionKind(StringRef name) {
  for (FusionKind kind : {FusionKind::Loop, FusionKind::Row, FusionKind::Column,
                          FusionKind::Contraction})
    if (fusionKindName(kind) == name)
      return kind;
  return std::nullopt;
}

FailureOr<EmittedKernels> single(FailureOr<KernelSpec> kernel) {
  if (failed(kernel))
    return failure();
  return EmittedKernels{{*kernel}, {}};
}

FailureOr<EmittedKernels> emitKernels(OpBuilder &b, tx::FusionOp fusion,
                                      tx::DimSpace &names,
                                      ArrayRef<bool> byValue,
                                      const TargetInfo &target) {
  std::optional<FusionKind> kind = parseFusionKind(fusion.getKind());
  if (!kind)
    return fusion.emitOpError("unknown kind \"") << fusion.getKind() << "\"";
  if (target.isSimt())
    return fusion.emitOpError("of kind \"")
           << fusion.getKind() << "\" has no skeleton for " << target.getName();
  OpBuilder::InsertionGuard guard(b);
  KernelBuilder kernel(b, fusion, names, byValue, target);
  switch (*kind) {
  case FusionKind::Loop:
    return single(emitLoop(kernel));
  case FusionKind::Row:
    return emitReduction(kernel, /*lanesAlongReduced=*/true);
  case FusionKind::Column:
    return emitReduction(kernel, /*lanesAlongReduced=*/false);
  case FusionKind::Contraction:
    return single(emitContraction(kernel));
  }
  llvm_unreachable("all kinds are listed");
}

} // namespace tensorc::codegen
