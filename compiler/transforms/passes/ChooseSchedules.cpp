//===- ChooseSchedules.cpp - Chooses a schedule for each fusion -----------===//
//
//   %0 = tx.fusion "loop" "exp" (%x) ...
// becomes
//   %0 = tx.fusion "loop" "exp" (%x) {schedule = #tx.schedule<"lanes", ...>}
//   ...
//
// The order of operations is chosen first and cannot be overridden, so a
// schedule changes only the running time.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/Skeleton.h"
#include "compiler/transforms/passes/Passes.h"
#include "compiler/transforms/passes/ScheduleOverride.h"
#include "compiler/transforms/passes/TargetOf.h"
#include "compiler/transforms/passes/TensorProgram.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

#include <unordered_map>

using namespace mlir;

namespace tensorc::compiler {

#define GEN_PASS_DEF_CHOOSESCHEDULESPASS
#include "compiler/transforms/passes/Passes.h.inc"

namespace {
struct ChooseSchedules : impl::ChooseSchedulesPassBase<ChooseSchedules> {
  using ChooseSchedulesPassBase::ChooseSchedulesPassBase;

  void runOnOperation() override {
    if (getOperation().getBody()->empty())
      return;
    chosen.clear();
    std::optional<codegen::TargetInfo> target =
        targetOf(&getOperation().getBody()->front());
    SmallVector<ScheduleOverride> wanted;
    tuned.clear();
    auto name = getOperation()->getAttrOfType<StringAttr>(tx::targetAttr);
    for (const std::string &text : overrides) {
      auto parsed = ScheduleOverride::parse(text);
      if (!parsed) {
        getOperation().emitError(llvm::toString(parsed.takeError()));
        return signalPassFailure();
      }
      if (!parsed->isTuned())
        wanted.push_back(std::move(*parsed));
      else if (name && parsed->target == name)
        tuned.try_emplace(parsed->key, std::move(*parsed));
    }
    WalkResult done = getOperation().walk([&](tx::FusionOp fusion) {
      return !target || succeeded(choose(fusion, *target, wanted))
                 ? WalkResult::advance()
                 : WalkResult::interrupt();
    });
    if (done.wasInterrupted() || failed(verifyUsed(wanted)))
      signalPassFailure();
  }

  /// Returns a fusion with the same body that already has a schedule, or null.
  tx::FusionOp twinOf(tx::FusionOp fusion, size_t hash) const {
    auto [first, last] = chosen.equal_range(hash);
    for (auto it = first; it != last; ++it) {
      tx::FusionOp other = it->second;
      if (inputsByValue(other) == inputsByValue(fusion) &&
          haveSameBody(other, fusion))
        return other;
    }
    return nullptr;
  }

  /// Checks that a part of a batch has the order that the whole batch had.
  static LogicalResult verifyKeptOrder(tx::FusionOp fusion,
                                       tx::OrderAttr order) {
    tx::OrderAttr kept = fusion.getOrderAttr();
    if (!kept || kept == order)
      return success();
    return fusion.emitError("has the order ")
           << kept.toString() << ", which is not that of its size: "
           << (order ? order.toString() : "none");
  }

  LogicalResult choose(tx::FusionOp fusion, const codegen::TargetInfo &target,
                       MutableArrayRef<ScheduleOverride> wanted) {
    size_t hash = hashOfBody(fusion);
    // Overrides select kernels by name, and fusions with equal bodies have
    // different names.
    if (tx::FusionOp twin = wanted.empty() ? twinOf(fusion, hash) : nullptr) {
      if (failed(verifyKeptOrder(fusion, twin.getOrderAttr())))
        return failure();
      if (twin.getOrderAttr())
        fusion.setOrderAttr(twin.getOrderAttr());
      fusion.setScheduleAttr(twin.getScheduleAttr());
      return success();
    }
    tx::DimSpace names(fusion.getContext());
    codegen::KernelBuilder view(fusion, names, inputsByValue(fusion), target);
    FailureOr<tx::OrderAttr> order = codegen::chooseOrder(view);
    if (failed(order))
      return failure();
    if (failed(verifyKeptOrder(fusion, *order)))
      return failure();
    FailureOr<codegen::Schedules> offered =
        codegen::offerSchedules(view, *order);
    if (failed(offered))
      return failure();
    tx::ScheduleAttr schedule = offered->front();
    if (*order)
      fusion.setOrderAttr(*order);
    if (auto found =
            tuned.empty() ? tuned.end() : tuned.find(keyOfBody(fusion));
        found != tuned.end()) {
      // The tuned schedule may come from another version of the compiler that
      // offered other schedules.
      if (auto picked = found->second.pick(*offered))
        schedule = *picked;
      else
        llvm::consumeError(picked.takeError());
    }
    for (ScheduleOverride &override : wanted) {
      if (override.kernel != fusion.getName())
        continue;
      override.isUsed = true;
      auto found = override.pick(*offered);
      if (!found)
        return fusion.emitError(llvm::toString(found.takeError()));
      schedule = *found;
    }
    fusion.setScheduleAttr(schedule);
    chosen.emplace(hash, fusion);
    return success();
  }

  /// Reports an error for an override that names no kernel of the program.
  LogicalResult verifyUsed(ArrayRef<ScheduleOverride> wanted) {
    for (const ScheduleOverride &override : wanted) {
      if (override.isUsed)
        continue;
      llvm::SetVector<StringRef> kernels;
      getOperation().walk(
          [&](tx::FusionOp fusion) { kernels.insert(fusion.getName()); });
      auto error = emitError(UnknownLoc::get(&getContext()));
      error << "--schedule: no kernel is called '" << override.kernel << "'";
      if (!kernels.empty())
        error << ": there " << (kernels.size() == 1 ? "is " : "are ")
              << llvm::join(kernels, ", ");
      return error;
    }
    return success();
  }

  std::unordered_multimap<size_t, tx::FusionOp> chosen;
  /// Tuned schedules for this target, by the key of a kernel's body.
  llvm::StringMap<ScheduleOverride> tuned;
};
} // namespace

} // namespace tensorc::compiler
