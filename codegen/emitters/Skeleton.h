//===- Skeleton.h - One way to make the kernels of a kind of fusion -------===//
//
// A target lists its skeletons (Target::getSkeletons). At the end of the stage
// `fuse` each fusion gets its order, and then the first schedule of the first
// skeleton that takes it. The skeleton's emitter reads both, and decides
// nothing again. docs/design/0022-schedules.md says what belongs to which of
// the two.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_SKELETON_H
#define TENSORC_CODEGEN_EMITTERS_SKELETON_H

#include "codegen/emitters/KernelBuilder.h"
#include "ir/tx/structure/TxFusion.h"

namespace tensorc::codegen {

using Schedules = llvm::SmallVector<tx::ScheduleAttr>;
/// A schedule's numbers with their names.
using Numbers = llvm::SmallVector<std::pair<llvm::StringLiteral, int64_t>, 4>;
using Offers = llvm::SmallVector<Numbers>;

struct Skeleton {
  /// In schedules; of the skeletons for one kind no two share it.
  llvm::StringLiteral name;
  /// Of the fusions: one of tx::kinds.
  llvm::StringLiteral kind;
  /// Whether it computes the fusion in this order (null: any).
  bool (*match)(KernelBuilder &fusion, tx::OrderAttr order);
  /// All that it offers for a fusion that it takes, its choice first. Errors
  /// are diagnostics at the ops.
  mlir::FailureOr<Offers> (*schedules)(KernelBuilder &fusion,
                                       tx::OrderAttr order);
  /// By the fusion's order and schedule.
  mlir::FailureOr<EmittedKernels> (*emit)(KernelBuilder &kernel);
  /// What fixes the bits of the results: by op, dtypes, sizes and the target's
  /// facts. A target's skeletons of one kind share it. Null: the ops alone do.
  mlir::FailureOr<tx::OrderAttr> (*order)(KernelBuilder &fusion) = nullptr;
  /// See EmittedKernels.
  bool mayOverwrite = false;
};

/// For skeletons that take all fusions of their kind.
bool matchAll(KernelBuilder &fusion, tx::OrderAttr order);
/// For those that leave nothing to choose.
mlir::FailureOr<Offers> offerNothing(KernelBuilder &fusion,
                                     tx::OrderAttr order);

/// The order of the skeletons of the fusion's kind. Errors are diagnostics.
mlir::FailureOr<tx::OrderAttr> chooseOrder(KernelBuilder &fusion);

/// What the target's skeletons offer for the fusion in this order, the choice
/// first. None is an error, at the fusion.
mlir::FailureOr<Schedules> offerSchedules(KernelBuilder &fusion,
                                          tx::OrderAttr order);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_SKELETON_H
