//===- PlanSizes.cpp - Programs of named sizes that need less memory ------===//
//
//   txp.func @main(...)
// becomes
//   txp.func @main(...)
//   txp.func @main_less_1(...) {txp.plan_of = @main}
//   txp.func @main_less_2(...) {txp.plan_of = @main}
// which launch the same kernels. A run that would exceed the device's memory
// limit uses the first one that does not.
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/passes/Passes.h"
#include "compiler/transforms/passes/memory/fit/FitEstimate.h"
#include "ir/program/LaunchAttributes.h"

using namespace mlir;

namespace tensorc::compiler {

/// Limits for which programs are planned, as parts of what the program needs.
/// The last program is the smallest one.
static constexpr double plannedParts[] = {0.75, 0.5};

namespace {
class SizePlanner {
public:
  SizePlanner(txp::FuncOp program, DictionaryAttr sizes,
              const FitMemoryPassOptions &options)
      : program(program), sizes(sizes), options(options) {}

  void run() {
    // No plan needs a single byte: this only searches the smallest one.
    std::optional<PlannedBytes> smallest = plan(1, 0);
    if (!smallest) {
      program.emitWarning("--memory-plans adds no program: each named size "
                          "needs a number, and no size may be known only "
                          "during a run");
      return;
    }
    SmallVector<int64_t> limits;
    for (double part : plannedParts)
      limits.push_back(static_cast<int64_t>(part * smallest->natural));
    limits.push_back(smallest->needed);
    int64_t last = smallest->natural;
    for (int64_t limit : limits)
      if (limit >= smallest->needed)
        last = std::min(last, plan(limit, last)->needed);
  }

private:
  /// Plans a copy of the program. Keeps it if it fits into the limit and needs
  /// less than `last` bytes.
  std::optional<PlannedBytes> plan(int64_t limit, int64_t last) {
    OpBuilder b(program->getContext());
    b.setInsertionPointToEnd(program->getBlock());
    auto copy = cast<txp::FuncOp>(b.clone(*program));
    std::optional<PlannedBytes> bytes =
        fitForSizes(copy, sizes, limit, options);
    if (!bytes || bytes->needed > limit || bytes->needed >= last) {
      copy.erase();
      return bytes;
    }
    copy.setName((program.getName() + "_less_" + Twine(++numPlans)).str());
    copy->setAttr(txp::planOfAttr, FlatSymbolRefAttr::get(program));
    return bytes;
  }

  txp::FuncOp program;
  DictionaryAttr sizes;
  const FitMemoryPassOptions &options;
  unsigned numPlans = 0;
};
} // namespace

void planForSizes(ModuleOp module, const FitMemoryPassOptions &options) {
  auto sizes = module->getAttrOfType<DictionaryAttr>(txp::plannedSizesAttr);
  if (!sizes)
    return;
  for (auto program : llvm::to_vector(module.getOps<txp::FuncOp>()))
    if (program.isEntry())
      SizePlanner(program, sizes, options).run();
}

} // namespace tensorc::compiler
