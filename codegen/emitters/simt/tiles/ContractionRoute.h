//===- ContractionRoute.h - How a contraction is multiplied -----*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMT_TILES_CONTRACTIONROUTE_H
#define TENSORC_CODEGEN_EMITTERS_SIMT_TILES_CONTRACTIONROUTE_H

#include "codegen/emitters/Emitters.h"

namespace tensorc::codegen::simt {

struct ContractionRoute {
  /// By instructions on tiles, or one multiply-add per element and step.
  bool onTiles;
  /// "tiles of f16", "one by one: f64 has no matrix instructions here".
  std::string why;
};

/// A skeleton that a target has for one chip of its own; the simulator of that
/// chip takes it, too.
struct OfferedContraction {
  llvm::StringLiteral chip;
  /// Why it is taken for a fusion; empty: it is not.
  std::string (*suits)(tx::FusionOp fusion);
  mlir::FailureOr<KernelSpec> (*emit)(KernelBuilder &kernel);
};

/// Before the first contraction is emitted, once.
void offerContraction(const OfferedContraction &offered);
/// The one that suits the fusion, or null.
const OfferedContraction *findOffered(tx::FusionOp fusion,
                                      const TargetInfo &target);

/// By dtype and static sizes alone; sizes that have a name count as large.
ContractionRoute chooseRoute(tx::FusionOp fusion, const TargetInfo &target);

/// One kernel, or one for parts of k and one that adds them.
mlir::FailureOr<EmittedKernels> emitMatrixContraction(KernelBuilder &kernel);

} // namespace tensorc::codegen::simt

#endif // TENSORC_CODEGEN_EMITTERS_SIMT_TILES_CONTRACTIONROUTE_H
