//===- Measure.cpp - Measures the performance figures of a device ---------===//

#include "compiler/session/placement/Measure.h"

#include "codegen/kernel/CpuModel.h"
#include "compiler/session/placement/CompileText.h"
#include "compiler/session/placement/TileTest.h"

#include "llvm/Support/FormatVariadic.h"

#include <ctime>

using namespace mlir;

namespace tensorc::placement {

/// Minimum time of a measured run in seconds. Sizes are increased until it is
/// reached, so slow devices are measured at small sizes.
static constexpr double minSeconds = 4e-3;

static double now(clockid_t clock = CLOCK_MONOTONIC) {
  timespec time;
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + time.tv_nsec * 1e-9;
}

namespace {
/// A function of `inputs` arguments of one type, whose dims are all n.
class Probe {
public:
  static llvm::Expected<std::unique_ptr<Probe>>
  compile(tensorc_rt_device *device, const std::string &text,
          tensorc_rt_dtype dtype, int32_t rank, unsigned inputs);
  ~Probe() { tensorc_rt_module_release(module); }

  /// Returns the seconds per run when `repeats` runs are submitted together.
  /// Short runs are measured several times and the fastest is used. On a CPU
  /// the result is the CPU time of all threads.
  llvm::Expected<double> seconds(int64_t n, unsigned repeats);
  /// Returns the first size at which a run takes at least minSeconds, and its
  /// time. At such sizes all threads have work.
  llvm::Expected<std::pair<double, int64_t>> grow(int64_t from, int64_t to,
                                                  int64_t factor);

private:
  llvm::Error run(llvm::ArrayRef<tensorc_rt_arg> arguments, unsigned repeats);

  tensorc_rt_device *device = nullptr;
  // CPU time is measured, because the figures are stored and should not depend
  // on other processes.
  clockid_t clock = CLOCK_MONOTONIC;
  int32_t threads = 1; // number of threads whose time is counted
  tensorc_rt_module *module = nullptr;
  const tensorc_rt_entry *entry = nullptr;
  tensorc_rt_dtype dtype = TENSORC_RT_F32;
  int32_t rank = 1;
  unsigned inputs = 1;
};
} // namespace

llvm::Expected<std::unique_ptr<Probe>>
Probe::compile(tensorc_rt_device *device, const std::string &text,
               tensorc_rt_dtype dtype, int32_t rank, unsigned inputs) {
  llvm::Expected<std::string> package = compileText(targetOf(device), text);
  if (!package)
    return package.takeError();
  auto probe = std::make_unique<Probe>();
  probe->device = device;
  tensorc_rt_device_properties properties;
  tensorc_rt_device_get_properties(device, &properties);
  if (llvm::StringRef(properties.target).starts_with("cpu:")) {
    probe->clock = CLOCK_PROCESS_CPUTIME_ID;
    probe->threads = properties.threads;
  }
  probe->dtype = dtype;
  probe->rank = rank;
  probe->inputs = inputs;
  llvm::Expected<tensorc_rt_module *> module =
      loadText(device, *package, probe->entry);
  if (!module)
    return module.takeError();
  probe->module = *module;
  return std::move(probe);
}

llvm::Error Probe::run(llvm::ArrayRef<tensorc_rt_arg> arguments,
                       unsigned repeats) {
  for (unsigned i = 0; i < repeats; ++i) {
    tensorc_rt_output output{};
    if (llvm::Error error = takeStatus(tensorc_rt_run(
            entry, arguments.data(), arguments.size(), &output, 1, nullptr)))
      return error;
    tensorc_rt_buffer_release(output.buffer);
  }
  return takeStatus(tensorc_rt_device_synchronize(device));
}

llvm::Expected<double> Probe::seconds(int64_t n, unsigned repeats) {
  const int64_t dims[] = {n, n};
  size_t bytes = 0;
  if (llvm::Error error =
          takeStatus(tensorc_rt_byte_size(dtype, rank, dims, &bytes)))
    return std::move(error);
  tensorc_rt_buffer *buffer = nullptr;
  if (llvm::Error error =
          takeStatus(tensorc_rt_buffer_allocate(device, bytes, &buffer)))
    return std::move(error);
  // The input is all zeros, because denormal or undefined numbers may be
  // slower.
  std::vector<char> zeros(bytes);
  llvm::Error error = takeStatus(
      tensorc_rt_buffer_write(buffer, 0, zeros.data(), bytes, nullptr));
  tensorc_rt_arg argument{buffer, 0, dims, rank, dtype};
  std::vector<tensorc_rt_arg> arguments(inputs, argument);
  // The first run registers memory with the device and wakes threads.
  double best = 0;
  for (unsigned i = 0; i < 4 && !error; ++i) {
    double begin = now(clock);
    error = run(arguments, repeats);
    double took = now(clock) - begin;
    best = i < 2 ? took : std::min(best, took);
    if (i > 0 && best > 4 * minSeconds)
      break;
  }
  tensorc_rt_buffer_release(buffer);
  if (error)
    return std::move(error);
  return best / repeats;
}

llvm::Expected<std::pair<double, int64_t>> Probe::grow(int64_t from, int64_t to,
                                                       int64_t factor) {
  std::pair<double, int64_t> result;
  for (int64_t n = from; n <= to; n *= factor) {
    llvm::Expected<double> took = seconds(n, 1);
    // If the device is out of memory, uses the previous size.
    if (!took && n > from) {
      llvm::consumeError(took.takeError());
      return result;
    }
    // Measures again, as another process may have used the CPU.
    if (took && *took >= minSeconds) {
      llvm::Expected<double> again = seconds(n, 1);
      if (!again)
        return again.takeError();
      *took = std::min(*took, *again);
    }
    if (!took)
      return took.takeError();
    result = {*took / threads, n};
    if (*took >= minSeconds)
      break;
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

static constexpr const char *negation = R"(
func.func @main(%x: tensor<?xf32, #tx.dims<[n]>>)
    -> tensor<?xf32, #tx.dims<[n]>> {
  %0 = tx.neg %x : tensor<?xf32, #tx.dims<[n]>>
  return %0 : tensor<?xf32, #tx.dims<[n]>>
}
)";

static llvm::Error measureMemory(tensorc_rt_device *device, Figures &figures) {
  auto probe = Probe::compile(device, negation, TENSORC_RT_F32, 1, 1);
  if (!probe)
    return probe.takeError();
  llvm::Expected<double> warm = (*probe)->seconds(1, 1);
  if (!warm)
    return warm.takeError();
  // A run on a slow device is not repeated.
  unsigned repeats = *warm < minSeconds / 4 ? 32 : 1;
  llvm::Expected<double> launch = (*probe)->seconds(1, repeats);
  if (!launch)
    return launch.takeError();
  auto large = (*probe)->grow(1 << 12, 1 << 26, 4);
  if (!large)
    return large.takeError();
  figures.launch = *launch;
  double bytes = 2.0 * sizeof(float) * large->second;
  figures.memory = bytes / std::max(large->first - *launch, large->first / 2);
  return llvm::Error::success();
}

/// Measures the rate of multiply-adds with square matrices.
static llvm::Error measureRate(tensorc_rt_device *device, RateClass what,
                               const char *name, tensorc_rt_dtype dtype,
                               Figures &figures) {
  std::string text = llvm::formatv(R"(
func.func @main(%x: tensor<?x?x{0}, #tx.dims<[n, n]>>,
                %y: tensor<?x?x{0}, #tx.dims<[n, n]>>)
    -> tensor<?x?x{0}, #tx.dims<[n, n]>> {{
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
       : (tensor<?x?x{0}, #tx.dims<[n, n]>>, tensor<?x?x{0}, #tx.dims<[n, n]>>)
         -> tensor<?x?x{0}, #tx.dims<[n, n]>>
  return %0 : tensor<?x?x{0}, #tx.dims<[n, n]>>
}
)",
                                   name)
                         .str();
  auto probe = Probe::compile(device, text, dtype, 2, 2);
  if (!probe)
    return probe.takeError();
  auto large = (*probe)->grow(16, 4096, 2);
  if (!large)
    return large.takeError();
  auto [seconds, n] = *large;
  double operations = 2.0 * n * n * n;
  figures.rates[static_cast<unsigned>(what)] =
      operations / std::max(seconds - figures.launch, seconds / 2);
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// Measures a copy between a host buffer and a device buffer in the way that an
/// evaluation performs it.
static llvm::Expected<double> copySeconds(tensorc_rt_buffer *target,
                                          tensorc_rt_buffer *source,
                                          size_t bytes) {
  double best = 0;
  for (unsigned i = 0; i < 4; ++i) {
    double begin = now();
    if (llvm::Error error = takeStatus(
            tensorc_rt_buffer_copy(target, 0, source, 0, bytes, nullptr)))
      return std::move(error);
    if (llvm::Error error = takeStatus(tensorc_rt_buffer_synchronize(target)))
      return std::move(error);
    double took = now() - begin;
    best = i < 2 ? took : std::min(best, took);
  }
  return best;
}

static llvm::Error measureCopies(tensorc_rt_device *host,
                                 tensorc_rt_device *device, Figures &figures) {
  constexpr size_t small = 64, large = size_t(1) << 25;
  tensorc_rt_buffer *here = nullptr, *there = nullptr;
  llvm::Error error =
      takeStatus(tensorc_rt_buffer_allocate(host, large, &here));
  if (!error)
    error = takeStatus(tensorc_rt_buffer_allocate(device, large, &there));
  auto measure = [&](tensorc_rt_buffer *target, tensorc_rt_buffer *source,
                     size_t bytes, double &out) {
    if (error)
      return;
    llvm::Expected<double> took = copySeconds(target, source, bytes);
    if (took)
      out = std::max(*took, 1e-9);
    else
      error = took.takeError();
  };
  double smallTo = 0, smallFrom = 0, to = 0, from = 0;
  measure(there, here, small, smallTo);
  measure(here, there, small, smallFrom);
  measure(there, here, large, to);
  measure(here, there, large, from);
  tensorc_rt_buffer_release(here);
  tensorc_rt_buffer_release(there);
  if (error)
    return error;
  figures.copy = (smallTo + smallFrom) / 2;
  figures.toDevice = large / std::max(to - smallTo, to / 2);
  figures.fromDevice = large / std::max(from - smallFrom, from / 2);
  return llvm::Error::success();
}

llvm::Expected<Figures> measureFigures(tensorc_rt_device *device) {
  Figures figures;
  if (llvm::Error error = measureMemory(device, figures))
    return std::move(error);
  struct {
    RateClass what;
    const char *name;
    tensorc_rt_dtype dtype;
  } const rates[] = {{RateClass::F64, "f64", TENSORC_RT_F64},
                     {RateClass::F32, "f32", TENSORC_RT_F32},
                     {RateClass::F16, "f16", TENSORC_RT_F16},
                     {RateClass::Integer, "i32", TENSORC_RT_I32}};
  for (auto [what, name, dtype] : rates)
    if (llvm::Error error = measureRate(device, what, name, dtype, figures))
      return std::move(error);
  tensorc_rt_device *host = nullptr;
  if (llvm::Error error = takeStatus(tensorc_rt_device_find("cpu", &host)))
    return std::move(error);
  tensorc_rt_device_properties properties;
  tensorc_rt_device_get_properties(device, &properties);
  if (!properties.host_visible)
    if (llvm::Error error = measureCopies(host, device, figures))
      return std::move(error);
  return figures;
}

} // namespace tensorc::placement
