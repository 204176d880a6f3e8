//===- Emitters.cpp - From a fusion to its kernel -------------------------===//

#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/range/Skeletons.h"
#include "codegen/emitters/simt/Skeletons.h"
#include "ir/tx/TxFusion.h"

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
  case FusionKind::Attention:
    return "attention";
  case FusionKind::Scan:
    return "scan";
  case FusionKind::Sort:
    return "sort";
  case FusionKind::Scatter:
    return "scatter";
  }
  llvm_unreachable("all kinds are listed");
}

std::optional<FusionKind> parseFusionKind(StringRef name) {
  for (FusionKind kind :
       {FusionKind::Loop, FusionKind::Row, FusionKind::Column,
        FusionKind::Contraction, FusionKind::Attention, FusionKind::Scan,
        FusionKind::Sort, FusionKind::Scatter})
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
  // Where nobody verifies the IR between stages, too: a wrong output would be
  // stored past its end.
  if (failed(tx::verifyFusionOutputs(fusion)))
    return failure();
  OpBuilder::InsertionGuard guard(b);
  KernelBuilder kernel(b, fusion, names, byValue, target);
  bool isSimt = target.isSimt();
  switch (*kind) {
  case FusionKind::Loop:
    return single(isSimt ? simt::emitLoop(kernel) : range::emitLoop(kernel));
  case FusionKind::Row:
    return isSimt ? simt::emitReduction(kernel)
                  : range::emitReduction(kernel, /*lanesAlongReduced=*/true);
  case FusionKind::Column:
    return isSimt ? simt::emitReduction(kernel)
                  : range::emitReduction(kernel, /*lanesAlongReduced=*/false);
  case FusionKind::Contraction:
    return isSimt ? simt::emitContraction(kernel)
                  : single(range::emitContraction(kernel));
  case FusionKind::Attention:
    if (isSimt)
      return single(simt::emitAttention(kernel));
    return fusion.emitOpError("this target has no kernel for attention");
  case FusionKind::Scan:
    return isSimt ? single(simt::emitScan(kernel)) : range::emitScan(kernel);
  case FusionKind::Sort:
    return isSimt ? simt::emitSort(kernel) : single(range::emitSort(kernel));
  case FusionKind::Scatter:
    return isSimt ? simt::emitScatter(kernel) : range::emitScatter(kernel);
  }
  llvm_unreachable("all kinds are listed");
}

} // namespace tensorc::codegen
