//===- Emitters.cpp - Emits the kernels of a fusion -----------------------===//

#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/plans/Orders.h"
#include "ir/tx/structure/TxFusion.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tensorc::codegen {

//===----------------------------------------------------------------------===//
// Choice of order and schedule
//===----------------------------------------------------------------------===//

bool matchAll(KernelBuilder &, tx::OrderAttr) { return true; }

FailureOr<Offers> offerNothing(KernelBuilder &, tx::OrderAttr) {
  return Offers{{}};
}

FailureOr<tx::OrderAttr> chooseOrder(KernelBuilder &fusion) {
  for (const Skeleton *skeleton : fusion.target.getSkeletons())
    if (skeleton->kind == fusion.fusion.getKind() && skeleton->order)
      return skeleton->order(fusion);
  return tx::OrderAttr();
}

bool isFewAndLong(const ReductionSizes &sizes, tx::DimSpace &names,
                  const TargetInfo &target) {
  return target.isSimt() ? simt::isFewAndLong(sizes, names)
                         : simd::isFewAndLong(sizes, names, target);
}

static tx::ScheduleAttr makeSchedule(MLIRContext *context, StringRef skeleton,
                                     const Numbers &numbers) {
  SmallVector<tx::ScheduleValue> values;
  for (auto [name, value] : numbers)
    values.push_back({StringAttr::get(context, name), value});
  return tx::ScheduleAttr::get(context, skeleton, values);
}

FailureOr<Schedules> offerSchedules(KernelBuilder &fusion,
                                    tx::OrderAttr order) {
  tx::FusionOp op = fusion.fusion;
  llvm::SetVector<tx::ScheduleAttr> schedules;
  for (const Skeleton *skeleton : fusion.target.getSkeletons()) {
    if (skeleton->kind != op.getKind() || !skeleton->match(fusion, order))
      continue;
    FailureOr<Offers> offers = skeleton->schedules(fusion, order);
    if (failed(offers))
      return failure();
    for (const Numbers &numbers : *offers)
      schedules.insert(makeSchedule(op.getContext(), skeleton->name, numbers));
  }
  if (schedules.empty())
    return op.emitOpError("this target has no kernel for a fusion of kind \"")
               << op.getKind() << "\"",
           failure();
  return Schedules(schedules.takeVector());
}

//===----------------------------------------------------------------------===//
// Emission
//===----------------------------------------------------------------------===//

FailureOr<EmittedKernels> single(FailureOr<KernelSpec> kernel) {
  if (failed(kernel))
    return failure();
  return EmittedKernels{{*kernel}, {}};
}

/// Checks that the fusion's order and schedule are among the offered ones,
/// because textual IR may contain any others.
static LogicalResult verifySchedule(tx::FusionOp fusion, tx::DimSpace &names,
                                    ArrayRef<bool> byValue,
                                    const TargetInfo &target) {
  KernelBuilder view(fusion, names, byValue, target);
  FailureOr<tx::OrderAttr> order = chooseOrder(view);
  if (failed(order))
    return failure();
  FailureOr<Schedules> offered = offerSchedules(view, *order);
  if (failed(offered))
    return failure();
  tx::ScheduleAttr schedule = fusion.getScheduleAttr();
  if (!schedule)
    return fusion.emitOpError("has no schedule: run tx-choose-schedules");
  if (*order != fusion.getOrderAttr())
    return fusion.emitOpError("has another order than this target computes "
                              "it in: run tx-choose-schedules");
  if (llvm::is_contained(*offered, schedule))
    return success();
  return fusion.emitOpError("has the schedule \"")
         << schedule.toString() << "\", which this target does not offer, but "
         << "for example \"" << offered->front().toString() << "\"";
}

FailureOr<EmittedKernels> emitKernels(OpBuilder &b, tx::FusionOp fusion,
                                      tx::DimSpace &names,
                                      ArrayRef<bool> byValue,
                                      const TargetInfo &target) {
  // The outputs are verified here, because the IR verifier may be disabled
  // between stages and a wrong output would be stored out of bounds.
  if (failed(tx::verifyFusionOutputs(fusion)) ||
      failed(verifySchedule(fusion, names, byValue, target)))
    return failure();
  const auto *skeleton =
      *llvm::find_if(target.getSkeletons(), [&](const Skeleton *each) {
        return each->kind == fusion.getKind() &&
               each->name == fusion.getScheduleAttr().getSkeleton();
      });
  OpBuilder::InsertionGuard guard(b);
  KernelBuilder kernel(b, fusion, names, byValue, target);
  FailureOr<EmittedKernels> made = skeleton->emit(kernel);
  if (succeeded(made))
    made->mayOverwrite = skeleton->mayOverwrite;
  return made;
}

} // namespace tensorc::codegen
