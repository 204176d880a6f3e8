//===- TileTest.cpp - Tests the matrix instructions of a device -----------===//
//
// The layouts of tiles in registers and in shared memory were taken from
// manuals and tested only on our own simulator. A device that uses other
// layouts would silently compute wrong numbers. Therefore the first product on
// a device is one of small integers, whose sums are exact in every order. It
// has rows beyond the last full tile, and more slices of K than a pipeline has
// stages.
//
//===----------------------------------------------------------------------===//

#include "compiler/session/placement/TileTest.h"

#include "codegen/targets/Target.h"
#include "compiler/session/placement/CompileText.h"
#include "compiler/session/placement/Figures.h"
#include "ir/library/Library.h"
#include "ir/tx/Tx.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"

#include <cstdio>
#include <cstdlib>
#include <mutex>

namespace tensorc::placement {

/// The number of rows is a symbol, because the skeletons for large products do
/// not check symbolic sizes.
static constexpr int64_t numRows = 136, numColumns = 256, numSteps = 320;
static constexpr const char *tileProgram = R"(
func.func @main(%x: tensor<?x320xf16, #tx.dims<[m, 320]>>,
                %y: tensor<320x256xf16>)
    -> tensor<?x256xf16, #tx.dims<[m, 256]>> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
      : (tensor<?x320xf16, #tx.dims<[m, 320]>>, tensor<320x256xf16>)
     -> tensor<?x256xf16, #tx.dims<[m, 256]>>
  return %0 : tensor<?x256xf16, #tx.dims<[m, 256]>>
})";

/// Returns the bits of an integer of at most 11 bits as f16.
static uint16_t toHalf(int value) {
  if (!value)
    return 0;
  unsigned magnitude = static_cast<unsigned>(std::abs(value));
  unsigned exponent = llvm::Log2_32(magnitude);
  unsigned mantissa = magnitude << (10 - exponent) & 0x3ff;
  return static_cast<uint16_t>((value < 0) << 15 | (exponent + 15) << 10 |
                               mantissa);
}

/// Returns `count` integers from -2 to 2.
static std::vector<int> makeNumbers(int64_t count, uint32_t state) {
  std::vector<int> numbers;
  for (int64_t i = 0; i < count; ++i) {
    state = state * 1664525 + 1013904223;
    numbers.push_back(static_cast<int>((state >> 16) % 5) - 2);
  }
  return numbers;
}

/// The exact product. Its elements are below 2048, so f16 represents them.
static std::vector<uint16_t> multiplyExactly(llvm::ArrayRef<int> x,
                                             llvm::ArrayRef<int> y) {
  std::vector<int> sums(numRows * numColumns);
  for (int64_t i = 0; i < numRows; ++i)
    for (int64_t k = 0; k < numSteps; ++k)
      for (int64_t j = 0; j < numColumns; ++j)
        sums[i * numColumns + j] += x[i * numSteps + k] * y[k * numColumns + j];
  std::vector<uint16_t> halves;
  for (int sum : sums)
    halves.push_back(toHalf(sum));
  return halves;
}

namespace {
/// Releases the objects that a run creates.
struct Run {
  ~Run() {
    for (tensorc_rt_buffer *buffer : buffers)
      tensorc_rt_buffer_release(buffer);
    tensorc_rt_module_release(module);
  }
  tensorc_rt_module *module = nullptr;
  llvm::SmallVector<tensorc_rt_buffer *, 3> buffers;
};
} // namespace

/// Runs the program, and returns the number of wrong elements.
static llvm::Expected<int64_t> countWrong(tensorc_rt_device *device,
                                          const std::string &target) {
  llvm::Expected<std::string> package = compileText(target, tileProgram);
  if (!package)
    return package.takeError();
  Run run;
  const tensorc_rt_entry *entry = nullptr;
  llvm::Expected<tensorc_rt_module *> module =
      loadText(device, *package, entry);
  if (!module)
    return module.takeError();
  run.module = *module;
  std::vector<int> x = makeNumbers(numRows * numSteps, 1),
                   y = makeNumbers(numSteps * numColumns, 2);
  const int64_t dims[2][2] = {{numRows, numSteps}, {numSteps, numColumns}};
  llvm::SmallVector<tensorc_rt_arg, 2> arguments;
  for (const std::vector<int> *numbers : {&x, &y}) {
    std::vector<uint16_t> halves;
    for (int number : *numbers)
      halves.push_back(toHalf(number));
    size_t bytes = halves.size() * sizeof(uint16_t);
    tensorc_rt_buffer *buffer = nullptr;
    if (llvm::Error error =
            takeStatus(tensorc_rt_buffer_allocate(device, bytes, &buffer)))
      return std::move(error);
    run.buffers.push_back(buffer);
    if (llvm::Error error = takeStatus(
            tensorc_rt_buffer_write(buffer, 0, halves.data(), bytes, nullptr)))
      return std::move(error);
    arguments.push_back({buffer, 0, dims[arguments.size()], 2, TENSORC_RT_F16});
  }
  tensorc_rt_output output{};
  if (llvm::Error error = takeStatus(tensorc_rt_run(
          entry, arguments.data(), arguments.size(), &output, 1, nullptr)))
    return std::move(error);
  run.buffers.push_back(output.buffer);
  std::vector<uint16_t> expected = multiplyExactly(x, y),
                        actual(expected.size());
  if (llvm::Error error = takeStatus(
          tensorc_rt_buffer_read(output.buffer, 0, actual.data(),
                                 actual.size() * sizeof(uint16_t), nullptr)))
    return std::move(error);
  int64_t wrong = 0;
  // An exact sum may be -0 if all products are -0.
  for (auto [a, e] : llvm::zip_equal(actual, expected))
    wrong += a != e && !(e == 0 && a == 0x8000);
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
};
} // namespace

/// Returns the device's target if it is correct, otherwise the first simpler
/// one that is.
static Outcome chooseTarget(tensorc_rt_device *device, const std::string &own) {
  Outcome outcome{own, ""};
  for (std::string next; !(next = simplerThan(outcome.target)).empty();) {
    llvm::Expected<int64_t> wrong = countWrong(device, outcome.target);
    if (wrong && !*wrong)
      break;
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
      "compiled for %s, which is slower. Packages may contain them: "
      "docs/devices.md tells how to choose code without\n",
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
    storeKeyed(
        folders, tilesFile, key,
        llvm::json::Object{{"target", outcome->target}, {"why", outcome->why}});
  }
  if (!outcome->why.empty())
    reportTiles(device, *outcome);
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
