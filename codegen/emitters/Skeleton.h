//===- Skeleton.h - Interface of skeletons --------------------------------===//
//
// A target lists its skeletons (Target::getSkeletons). At the end of the stage
// `fuse`, each fusion gets an order, and the first schedule of the first
// skeleton that matches. The skeleton's emitter follows both and makes no
// choices of its own. docs/design/0022-schedules.md defines the contents of
// orders and schedules.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_SKELETON_H
#define TENSORC_CODEGEN_EMITTERS_SKELETON_H

#include "codegen/emitters/KernelBuilder.h"
#include "ir/tx/structure/TxFusion.h"

namespace tensorc::codegen {

using Schedules = llvm::SmallVector<tx::ScheduleAttr>;
/// The parameters of a schedule, by name.
using Numbers = llvm::SmallVector<std::pair<llvm::StringLiteral, int64_t>, 4>;
using Offers = llvm::SmallVector<Numbers>;

struct Skeleton {
  /// Name in schedules, unique among the skeletons of one kind.
  llvm::StringLiteral name;
  /// The kind of fusion that the skeleton emits: one of tx::kinds.
  llvm::StringLiteral kind;
  /// True if the skeleton can emit the fusion with this order (null: any
  /// order).
  bool (*match)(KernelBuilder &fusion, tx::OrderAttr order);
  /// Returns the possible schedules for a fusion that matches, the default
  /// first. Reports errors as diagnostics.
  mlir::FailureOr<Offers> (*schedules)(KernelBuilder &fusion,
                                       tx::OrderAttr order);
  /// Emits the fusion according to its order and schedule.
  mlir::FailureOr<EmittedKernels> (*emit)(KernelBuilder &kernel);
  /// Returns the order, which determines the bits of the results. It depends on
  /// the op, dtypes, sizes and properties of the target. All skeletons of a
  /// target for the same kind share it. Null if the ops alone determine the
  /// bits.
  mlir::FailureOr<tx::OrderAttr> (*order)(KernelBuilder &fusion) = nullptr;
  /// See EmittedKernels::mayOverwrite.
  bool mayOverwrite = false;
};

/// Used as `match` by skeletons that support all fusions of their kind.
bool matchAll(KernelBuilder &fusion, tx::OrderAttr order);
/// Used as `schedules` by skeletons without parameters.
mlir::FailureOr<Offers> offerNothing(KernelBuilder &fusion,
                                     tx::OrderAttr order);

/// Returns the order for the fusion's kind. Reports errors as diagnostics.
mlir::FailureOr<tx::OrderAttr> chooseOrder(KernelBuilder &fusion);

/// Returns the schedules of the target's skeletons for the fusion in this
/// order, the preferred one first. If there is none, reports an error at the
/// fusion.
mlir::FailureOr<Schedules> offerSchedules(KernelBuilder &fusion,
                                          tx::OrderAttr order);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_SKELETON_H
