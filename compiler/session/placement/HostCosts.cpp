//===- HostCosts.cpp - Measures costs that no row knows -------------------===//

#include "compiler/session/placement/HostCosts.h"

#include "codegen/kernel/CpuModel.h"
#include "compiler/log/Environment.h"
#include "compiler/session/placement/Figures.h"
#include "compiler/session/placement/TileTest.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <atomic>
#include <ctime>
#include <memory>
#include <unistd.h>

namespace tensorc::placement {

using codegen::Cost;
using codegen::CostSource;
using codegen::CpuCosts;

//===----------------------------------------------------------------------===//
// Experiments
//===----------------------------------------------------------------------===//

namespace {
/// 16 bytes, which the oldest supported processors load and store at once.
using Vector = double __attribute__((vector_size(16)));

/// Runs the experiments on one thread. Times are processor time, because the
/// results are stored and should not depend on other processes.
class HostProbe : public CostProbe {
public:
  double store(int64_t bytes, bool streaming) override {
    Vector *to = buffer();
    return time([&] {
      int64_t count = bytes / sizeof(Vector);
      for (int64_t i = 0; i < count; ++i) {
        // Distinct values, so that this loop does not become a memset.
        Vector value = {static_cast<double>(i), 0};
        if (streaming)
          __builtin_nontemporal_store(value, to + i);
        else
          to[i] = value;
      }
      std::atomic_thread_fence(std::memory_order_seq_cst);
      sum<0>(to, count, 0);
    });
  }

  double read(int64_t distance, bool intoL1) override {
    // Half of the buffer replaces the other half in the caches.
    readsSecondHalf = !readsSecondHalf;
    constexpr int64_t count = numVectors / 2;
    const Vector *from = buffer() + (readsSecondHalf ? count : 0);
    return time([&] {
      if (!distance)
        sum<0>(from, count, 0);
      else if (intoL1)
        sum<3>(from, count, distance);
      else
        sum<2>(from, count, distance);
    });
  }

  int64_t l1WayBytes() override {
    int64_t ways = sysconf(_SC_LEVEL1_DCACHE_ASSOC);
    return ways > 0 ? model().l1Bytes / ways : 0;
  }
  int64_t l2Bytes() override { return model().l2Bytes; }

private:
  /// Number of bytes of the buffer. The last-level cache that a core can use
  /// usually holds at most half of it.
  static constexpr int64_t bufferBytes = int64_t(1) << 26;
  static constexpr int64_t numVectors = bufferBytes / sizeof(Vector);

  static const codegen::CpuModel &model() {
    return llvm::cantFail(codegen::getCpuModel("cpu"));
  }

  Vector *buffer() {
    // make_unique writes all of it, so experiments cause no page faults.
    if (!vectors)
      vectors = std::make_unique<Vector[]>(numVectors);
    return vectors.get();
  }

  /// Adds the vectors from `from` on. `locality` is that of
  /// __builtin_prefetch, or 0 for no prefetch.
  template <int locality>
  void sum(const Vector *from, int64_t count, int64_t distance) {
    constexpr int64_t perLine = 64 / sizeof(Vector);
    Vector total = {0, 0};
    for (int64_t i = 0; i + perLine <= count; i += perLine) {
      if constexpr (locality > 0)
        __builtin_prefetch(from + i + distance / sizeof(Vector), 0, locality);
      for (int64_t j = 0; j < perLine; ++j)
        total += from[i + j];
    }
    sink = total[0] + total[1];
  }

  template <typename Run> static double time(Run run) {
    auto now = [] {
      timespec time;
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
      return static_cast<double>(time.tv_sec) + time.tv_nsec * 1e-9;
    };
    double begin = now();
    run();
    return now() - begin;
  }

  std::unique_ptr<Vector[]> vectors;
  bool readsSecondHalf = false;
  volatile double sink = 0; // keeps the sums from being removed
};

/// Adds up the time of experiments.
class Budget {
public:
  /// Runs an experiment twice, and returns the shorter time. Returns nullopt if
  /// the time for experiments is over.
  template <typename Run> std::optional<double> shortest(Run run) {
    double times[2];
    for (double &seconds : times) {
      if (spent >= maxProbeSeconds)
        return std::nullopt;
      spent += seconds = run();
    }
    return std::min(times[0], times[1]);
  }

private:
  double spent = 0;
};
} // namespace

/// Maximum part of the usual choice's time that another choice may take to
/// replace it. Smaller gains may be noise.
static constexpr double maxTimePart = 0.95;

static void setMeasured(Cost &cost, int64_t value) {
  cost = {value, CostSource::Measured, hostOrigin};
}

/// Finds the smallest output for which streaming stores take less time although
/// the output is read next.
static void measureStreaming(CostProbe &probe, Budget &budget, Cost &cost) {
  constexpr int64_t smallest = 4 << 20, largest = 32 << 20;
  int64_t found = 0;
  for (int64_t bytes = smallest; bytes <= largest; bytes *= 2) {
    auto normal = budget.shortest([&] { return probe.store(bytes, false); });
    auto streaming = budget.shortest([&] { return probe.store(bytes, true); });
    if (!normal || !streaming)
      return;
    if (*streaming > *normal * maxTimePart)
      found = 0;
    else if (!found)
      found = bytes;
  }
  // Outputs of nearly this size count, too, such as 4,000,000 elements.
  setMeasured(cost, (found ? found : 2 * largest) / 16 * 15);
}

/// Finds the best prefetch distance. Returns its time, or nullopt if the time
/// for experiments is over.
static std::optional<double> measureDistance(CostProbe &probe, Budget &budget,
                                             llvm::ArrayRef<int64_t> distances,
                                             bool intoL1, Cost &cost) {
  int64_t usual = cost;
  auto best = budget.shortest([&] { return probe.read(usual, intoL1); });
  int64_t chosen = usual;
  double limit = best ? *best * maxTimePart : 0;
  for (int64_t distance : distances) {
    if (distance == usual)
      continue;
    auto seconds =
        budget.shortest([&] { return probe.read(distance, intoL1); });
    if (!best || !seconds)
      return std::nullopt;
    if (*seconds < std::min(limit, *best)) {
      best = seconds;
      chosen = distance;
    }
  }
  setMeasured(cost, chosen);
  return best;
}

CpuCosts measureCosts(CostProbe &probe) {
  CpuCosts costs = codegen::listCpuCosts().front();
  if (int64_t bytes = probe.l1WayBytes(); llvm::isPowerOf2_64(bytes))
    setMeasured(costs.l1WayBytes, bytes);
  if (int64_t bytes = probe.l2Bytes(); bytes > 0)
    setMeasured(costs.residentBytes, bytes);
  Budget budget;
  measureStreaming(probe, budget, costs.streamingStoreBytes);
  auto prefetched =
      measureDistance(probe, budget, {2048, 4096, 8192},
                      /*intoL1=*/false, costs.streamPrefetchBytes);
  auto alone = budget.shortest([&] { return probe.read(0, false); });
  if (prefetched && alone)
    setMeasured(costs.prefetchesAcrossPages, *alone <= *prefetched);
  measureDistance(probe, budget, {4096, 8192, 16384}, /*intoL1=*/true,
                  costs.rowPrefetchBytes);
  return costs;
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static constexpr const char *costsFile = "costs";

/// A measured cost, and the values that a file may contain.
static constexpr struct {
  const char *name;
  Cost CpuCosts::*cost;
  int64_t min, max;
} hostCosts[] = {
    {"l1WayBytes", &CpuCosts::l1WayBytes, 1 << 10, 1 << 18},
    {"residentBytes", &CpuCosts::residentBytes, 1 << 16, 1 << 28},
    {"streamingStoreBytes", &CpuCosts::streamingStoreBytes, 1 << 20, 1 << 28},
    {"streamPrefetchBytes", &CpuCosts::streamPrefetchBytes, 64, 1 << 16},
    {"prefetchesAcrossPages", &CpuCosts::prefetchesAcrossPages, 0, 1},
    {"rowPrefetchBytes", &CpuCosts::rowPrefetchBytes, 64, 1 << 16},
};

/// Returns the stored costs, or nullopt if there are none or one is invalid.
static std::optional<CpuCosts> loadCosts(const FactFolders &folders,
                                         llvm::StringRef key) {
  std::optional<llvm::json::Value> value = loadKeyed(folders, costsFile, key);
  const llvm::json::Object *object = value ? value->getAsObject() : nullptr;
  if (!object)
    return std::nullopt;
  CpuCosts costs = codegen::listCpuCosts().front();
  for (const auto &[name, cost, min, max] : hostCosts)
    if (const llvm::json::Value *member = object->get(name)) {
      std::optional<int64_t> number = member->getAsInteger();
      if (!number || *number < min || *number > max)
        return std::nullopt;
      setMeasured(costs.*cost, *number);
    }
  return costs;
}

std::optional<CpuCosts> findCosts(CostProbe &probe, const FactFolders &folders,
                                  llvm::StringRef key) {
  std::optional<CpuCosts> stored = loadCosts(folders, key);
  if (stored || folders.writable.empty())
    return stored;
  CpuCosts costs = measureCosts(probe);
  // Another process may have measured at the same time. Both must use one
  // result, because the keys of compiled code contain it.
  if ((stored = loadCosts(folders, key)))
    return stored;
  llvm::json::Object object;
  for (const auto &[name, cost, min, max] : hostCosts)
    if ((costs.*cost).origin == hostOrigin)
      object[name] = (costs.*cost).value;
  storeKeyed(folders, costsFile, key, std::move(object));
  stored = loadCosts(folders, key);
  return stored ? stored : costs;
}

//===----------------------------------------------------------------------===//
// Costs of this process
//===----------------------------------------------------------------------===//

/// Returns true if TENSORC_HOST_COSTS is off.
static bool isOff() {
  llvm::StringRef text = readVariable("TENSORC_HOST_COSTS");
  if (!text.empty() && text != "off")
    tellIgnored("TENSORC_HOST_COSTS", text, "off");
  return text == "off";
}

void useHostCosts(tensorc_rt_device *device, const FactFolders &folders,
                  llvm::StringRef compiler) {
  static bool isDone = false;
  if (isDone || targetOf(device) != "cpu")
    return;
  isDone = true;
  if (!codegen::lacksHostRow() || isOff())
    return;
  HostProbe probe;
  if (auto costs = findCosts(probe, folders, figuresKey(device, compiler)))
    codegen::setHostCosts(new CpuCosts(*costs)); // lives as long as the process
}

} // namespace tensorc::placement
