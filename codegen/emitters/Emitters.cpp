//===- Emitters.cpp - From a fusion to its kernel -------------------------===//

#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/range/Skeletons.h"
#include "codegen/emitters/simt/Skeletons.h"
#include "ir/tx/TxFusion.h"

using namespace mlir;

namespace tensorc::codegen {

FailureOr<EmittedKernels> single(FailureOr<KernelSpec> kernel) {
  if (failed(kernel))
    return failure();
  return EmittedKernels{{*kernel}, {}};
}

template <auto emit>
static FailureOr<EmittedKernels> one(KernelBuilder &kernel) {
  return single(emit(kernel));
}

template <bool lanesAlongReduced>
static FailureOr<EmittedKernels> reduceRange(KernelBuilder &kernel) {
  return range::emitReduction(kernel, lanesAlongReduced);
}

namespace {
using Skeleton = FailureOr<EmittedKernels> (*)(KernelBuilder &kernel);

/// Null: such targets have no kernel of this kind.
struct Skeletons {
  StringLiteral kind;
  Skeleton range, simt;
};
} // namespace

static constexpr Skeletons skeletons[] = {
    {"loop", one<range::emitLoop>, one<simt::emitLoop>},
    {"row", reduceRange<true>, simt::emitReduction},
    {"column", reduceRange<false>, simt::emitReduction},
    {"contraction", one<range::emitContraction>, simt::emitContraction},
    {"attention", nullptr, one<simt::emitAttention>},
    {"scan", range::emitScan, one<simt::emitScan>},
    {"sort", one<range::emitSort>, simt::emitSort},
    {"scatter", range::emitScatter, simt::emitScatter}};

FailureOr<EmittedKernels> emitKernels(OpBuilder &b, tx::FusionOp fusion,
                                      tx::DimSpace &names,
                                      ArrayRef<bool> byValue,
                                      const TargetInfo &target) {
  const auto *row = llvm::find_if(
      skeletons, [&](auto &row) { return row.kind == fusion.getKind(); });
  if (row == std::end(skeletons))
    return fusion.emitOpError("unknown kind \"") << fusion.getKind() << "\"";
  // Where nobody verifies the IR between stages, too: a wrong output would be
  // stored past its end.
  if (failed(tx::verifyFusionOutputs(fusion)))
    return failure();
  Skeleton emit = target.isSimt() ? row->simt : row->range;
  if (!emit)
    return fusion.emitOpError("this target has no kernel for ") << row->kind;
  OpBuilder::InsertionGuard guard(b);
  KernelBuilder kernel(b, fusion, names, byValue, target);
  return emit(kernel);
}

} // namespace tensorc::codegen
