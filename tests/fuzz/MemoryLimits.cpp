//===- MemoryLimits.cpp - Random programs under memory limits -------------===//

#include "tests/fuzz/MemoryLimits.h"

#include "ir/program/HostCopies.h"
#include "ir/program/LaunchAttributes.h"
#include "tools/tensorc/device/AutoDevice.h"
#include "tools/tensorc/device/Device.h"
#include "tools/tensorc/device/RuntimeHandles.h"

#include "mlir/IR/Diagnostics.h"

#include <cmath>
#include <random>

using namespace mlir;
using tensorc::reference::Array;

namespace tensorc::fuzz {

namespace {
class LimitChecker {
public:
  LimitChecker(tool::Program &program, StringRef device, ArrayRef<Array> inputs,
               uint64_t seed)
      : program(program), deviceName(device), inputs(inputs) {
    tool::ok(tensorc_rt_device_find(deviceName.c_str(), &found));
    // On a slow device, or one with a fast bus, buffers are rather moved than
    // computed again.
    std::mt19937_64 random(seed);
    auto rate = [&](int most) { return std::pow(10.0, random() % most); };
    rates.launchMicroseconds = rate(4) / 100;
    rates.memoryGBPerSecond = rate(6) / 1000;
    rates.gflopPerSecond = rate(6) / 1000;
    ModuleOp module = program.function->getParentOfType<ModuleOp>();
    module->setAttr(
        txp::hostRateAttr,
        Builder(module.getContext()).getF64FloatAttr(rate(5) / 100));
  }

  /// Compiles and runs under the limit, 0 for none. After a refusal, returns
  /// failure and sets `smallest`.
  FailureOr<std::vector<Array>> run(uint64_t limit);
  bool isRefused(uint64_t limit) {
    smallest = 0;
    return failed(run(limit)) && smallest != 0;
  }

  /// The limit that the last refusal named; 0 if the last run was not refused.
  uint64_t smallest = 0;
  /// Number of copies of the last run.
  uint64_t copies = 0;

private:
  uint64_t countCopies() const {
    tensorc_rt_run_stats stats;
    tensorc_rt_device_run_stats(found, &stats);
    return stats.copies;
  }

  tool::Program &program;
  std::string deviceName;
  tensorc_rt_device *found = nullptr;
  ArrayRef<Array> inputs;
  compiler::MemoryLimit rates;
};
} // namespace

FailureOr<std::vector<Array>> LimitChecker::run(uint64_t limit) {
  compiler::CompileOptions options;
  options.target = tool::targetOf(deviceName);
  options.memoryLimit = rates;
  options.memoryLimit.bytes = limit;
  options.memoryLimit.threads = tensorc_rt_num_threads();
  smallest = 0;
  std::unique_ptr<tool::Executable> executable;
  {
    ScopedDiagnosticHandler handler(
        &program.module.getContext(), [&](Diagnostic &diagnostic) {
          std::string text = diagnostic.str();
          StringRef rest = StringRef(text).split(": at least ").second;
          return success(!rest.consumeInteger(10, smallest));
        });
    executable = tool::prepare(program, deviceName, options);
  }
  if (!executable)
    return failure();
  tensorc_rt_device_trim(found);
  tensorc_rt_device_set_memory_limit(found, limit);
  uint64_t before = countCopies();
  FailureOr<std::vector<Array>> results = executable->run(inputs);
  copies = countCopies() - before;
  tensorc_rt_device_set_memory_limit(found, 0);
  return results;
}

static bool haveSameBits(ArrayRef<Array> x, ArrayRef<Array> y) {
  return x.size() == y.size() && llvm::all_of(llvm::zip(x, y), [](auto pair) {
           return std::get<0>(pair).bytes == std::get<1>(pair).bytes;
         });
}

static bool fail(const Twine &what) {
  llvm::errs() << what << "\n";
  return false;
}

bool checkPlans(tool::Program &program, StringRef device,
                ArrayRef<std::map<std::string, int64_t>> sizes,
                ArrayRef<std::vector<Array>> inputs, uint64_t seed,
                LimitCounts &counts) {
  ModuleOp module = program.function->getParentOfType<ModuleOp>();
  Builder b(module.getContext());
  NamedAttrList planned;
  for (const auto &[name, size] : sizes.front())
    planned.append(name, b.getI64IntegerAttr(size));
  if (planned.empty())
    return true;
  module->setAttr(txp::plannedSizesAttr,
                  planned.getDictionary(module.getContext()));
  compiler::CompileOptions options;
  options.target = tool::targetOf(device);
  auto executable = tool::prepare(program, device.str(), options);
  module->removeAttr(txp::plannedSizesAttr);
  tensorc_rt_device *found = nullptr;
  if (!executable ||
      !tool::ok(tensorc_rt_device_find(device.str().c_str(), &found)))
    return fail("does not compile with plans");
  std::mt19937_64 random(seed);
  auto allocated = [&](uint64_t tensorc_rt_memory_stats::*bytes) {
    tensorc_rt_memory_stats stats;
    tensorc_rt_device_memory(found, &stats);
    return stats.*bytes;
  };
  for (const std::vector<Array> &own : inputs) {
    tensorc_rt_device_reset_peak(found);
    uint64_t before = allocated(&tensorc_rt_memory_stats::allocated);
    FailureOr<std::vector<Array>> expected = executable->run(own);
    if (failed(expected))
      return fail("fails without a limit");
    uint64_t natural = allocated(&tensorc_rt_memory_stats::peak) - before;
    tensorc_rt_device_trim(found);
    uint64_t limit = before + natural * (50 + random() % 50) / 100;
    tensorc_rt_device_set_memory_limit(found, std::max<uint64_t>(limit, 1));
    FailureOr<std::vector<Array>> results = executable->run(own);
    tensorc_rt_device_set_memory_limit(found, 0);
    if (failed(results)) {
      if (!executable->ranOutOfMemory())
        return fail("fails under a limit of " + Twine(limit) +
                    " bytes, but not for lack of memory");
      ++counts.planRefusals;
      continue;
    }
    ++counts.planRuns;
    if (!haveSameBits(*results, *expected))
      return fail("other bits by a plan under a limit of " + Twine(limit) +
                  " bytes");
  }
  return true;
}

bool checkLimits(tool::Program &program, StringRef device,
                 ArrayRef<Array> inputs, uint64_t seed, LimitCounts &counts) {
  if (failed(tool::specializeFor(program.function, inputs)))
    return fail("cannot be specialized");
  LimitChecker checker(program, device, inputs, seed);
  FailureOr<std::vector<Array>> expected = checker.run(0);
  if (failed(expected))
    return fail("fails without a limit");
  uint64_t ownCopies = checker.copies;
  if (!checker.isRefused(1)) {
    ++counts.unplanned;
    return true;
  }
  uint64_t smallest = checker.smallest;
  // A search takes as long as a run.
  bool isChecked = seed % 4 == 0;
  if (isChecked &&
      (!checker.isRefused(smallest - 1) || checker.smallest != smallest))
    return fail("one byte less than the smallest limit is not refused, or "
                "names another");
  std::mt19937_64 random(seed);
  for (uint64_t limit : {smallest, smallest + random() % smallest}) {
    FailureOr<std::vector<Array>> results = checker.run(limit);
    if (failed(results))
      return fail("fails under a limit of " + Twine(limit) +
                  " bytes; the smallest is " + Twine(smallest));
    if (!haveSameBits(*results, *expected))
      return fail("other bits under a limit of " + Twine(limit) + " bytes");
    ++counts.runs;
    counts.spilled += checker.copies > ownCopies;
  }
  return true;
}

} // namespace tensorc::fuzz
