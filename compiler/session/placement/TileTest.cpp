//===- TileTest.cpp - Tests the matrix instructions of a device -----------===//

#include "compiler/session/placement/TileTest.h"

#include "codegen/targets/Target.h"
#include "compiler/output/pipelines/TileTestProgram.h"
#include "compiler/session/placement/CompileText.h"
#include "compiler/session/placement/Figures.h"
#include "ir/library/Library.h"
#include "ir/tx/Tx.h"
#include "runtime/abi/TileTest.h"

#include "llvm/ADT/StringMap.h"

#include <cstdio>
#include <mutex>

namespace tensorc::placement {

/// Returns the instructions of a target that are tested, which are all.
static compiler::UsedTiles usedOn(llvm::StringRef target) {
  mlir::MLIRContext context;
  auto info = codegen::getTargetInfo(target);
  if (!info) {
    llvm::consumeError(info.takeError());
    return {};
  }
  return {true, info->multipliesTiles(mlir::IntegerType::get(&context, 8)),
          info->multipliesTiles(mlir::FloatTF32Type::get(&context))};
}

/// Runs the test program, and returns the number of wrong elements.
static llvm::Expected<int64_t> countWrong(tensorc_rt_device *device,
                                          const std::string &target) {
  llvm::Expected<std::string> package =
      compileText(target, compiler::tileTestProgram(usedOn(target)));
  if (!package)
    return package.takeError();
  const tensorc_rt_entry *entry = nullptr;
  llvm::Expected<tensorc_rt_module *> module =
      loadText(device, *package, entry);
  if (!module)
    return module.takeError();
  int64_t wrong = 0;
  llvm::Error error =
      takeStatus(rt::tiletest::countWrong(device, entry, wrong));
  tensorc_rt_module_release(*module);
  if (error)
    return std::move(error);
  return wrong;
}

static std::string deviceTarget(tensorc_rt_device *device) {
  tensorc_rt_device_properties properties;
  tensorc_rt_device_get_properties(device, &properties);
  return codegen::getLocalTarget(properties.target);
}

/// Returns the next simpler target to try if the tiles of this one are wrong.
/// Returns an empty string if there is none or if this target has no tiles.
static std::string simplerThan(const std::string &name) {
  llvm::Expected<const codegen::Target &> target = codegen::findTarget(name);
  if (target)
    return target->getTargetWithoutTiles(name).str();
  llvm::consumeError(target.takeError());
  return "";
}

namespace {
/// The outcome of a test. `why` is empty if the device's own target is correct.
struct Outcome {
  std::string target, why;
  /// False if a test of a target could not be run. The outcome then says nothing
  /// about later processes.
  bool isKnown = true;
};
} // namespace

/// Returns the device's target if it is correct, otherwise the first simpler
/// one that is. If the test of the device's target cannot be run, returns that
/// target: what prevented the test will also prevent programs, or has passed
/// by then.
static Outcome chooseTarget(tensorc_rt_device *device, const std::string &own) {
  Outcome outcome{own, ""};
  for (std::string next; !(next = simplerThan(outcome.target)).empty();) {
    llvm::Expected<int64_t> wrong = countWrong(device, outcome.target);
    if (wrong && !*wrong)
      break;
    if (!wrong) {
      outcome.isKnown = false;
      if (outcome.target == own) {
        llvm::consumeError(wrong.takeError());
        break;
      }
    }
    if (!outcome.why.empty())
      outcome.why += "; ";
    outcome.why += outcome.target + ": ";
    outcome.why += wrong ? std::to_string(*wrong) + " elements of a test's " +
                               "product are wrong"
                         : llvm::toString(wrong.takeError());
    outcome.target = next;
  }
  return outcome;
}

static void reportTiles(tensorc_rt_device *device, const Outcome &outcome) {
  tensorc_rt_device_properties properties;
  tensorc_rt_device_get_properties(device, &properties);
  std::fprintf(
      stderr,
      "tensorc: %s (%s): matrix instructions do not work (%s). Code is "
      "compiled for %s, which is slower. Packages run code without them if "
      "they have some: docs/devices.md tells how to add it\n",
      properties.name, properties.description, outcome.why.c_str(),
      outcome.target.c_str());
}

static constexpr llvm::StringLiteral tilesFile = "tiles";

/// Returns the outcome of an earlier process. Ignores a target that is not
/// among the targets of this device.
static std::optional<Outcome> loadOutcome(const FactFolders &folders,
                                          llvm::StringRef key,
                                          const std::string &own) {
  std::optional<llvm::json::Value> value = loadKeyed(folders, tilesFile, key);
  const llvm::json::Object *object = value ? value->getAsObject() : nullptr;
  if (!object)
    return std::nullopt;
  std::optional<llvm::StringRef> target = object->getString("target"),
                                 why = object->getString("why");
  for (std::string name = own; target && why && !name.empty();
       name = simplerThan(name))
    if (name == *target)
      return Outcome{name, why->str()};
  return std::nullopt;
}

namespace {
/// The targets chosen by the tests, keyed by the device's key.
struct Chosen {
  std::mutex mutex;
  llvm::StringMap<std::string> targets;
};
} // namespace

static Chosen &chosen() {
  // Never destroyed, as other threads may run until the process exits.
  static auto *all = new Chosen;
  return *all;
}

std::string targetOf(tensorc_rt_device *device) {
  std::string own = deviceTarget(device);
  if (simplerThan(own).empty())
    return own;
  Chosen &all = chosen();
  std::scoped_lock lock(all.mutex);
  auto found = all.targets.find(figuresKey(device, ""));
  return found == all.targets.end() ? own : found->second;
}

void testTiles(tensorc_rt_device *device, const FactFolders &folders,
               llvm::StringRef compiler) {
  std::string own = deviceTarget(device);
  if (simplerThan(own).empty())
    return;
  Chosen &all = chosen();
  std::scoped_lock lock(all.mutex);
  auto [entry, isNew] = all.targets.try_emplace(figuresKey(device, ""));
  if (!isNew)
    return;
  std::string key = figuresKey(device, compiler);
  std::optional<Outcome> outcome = loadOutcome(folders, key, own);
  if (!outcome) {
    outcome = chooseTarget(device, own);
    if (outcome->isKnown)
      storeKeyed(folders, tilesFile, key,
                 llvm::json::Object{{"target", outcome->target},
                                    {"why", outcome->why}});
  }
  if (!outcome->why.empty())
    reportTiles(device, *outcome);
  // A test that could not be run is repeated before the next program.
  if (!outcome->isKnown && outcome->why.empty())
    all.targets.erase(entry);
  else
    entry->second = outcome->target;
}

void lockTiles() { chosen().mutex.lock(); }

void unlockTiles() { chosen().mutex.unlock(); }

bool mayMultiply(mlir::Operation *module) {
  return module
      ->walk([](mlir::Operation *op) {
        return mlir::isa<tx::DotGeneralOp, tx::CompositeOpInterface>(op)
                   ? mlir::WalkResult::interrupt()
                   : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

} // namespace tensorc::placement
