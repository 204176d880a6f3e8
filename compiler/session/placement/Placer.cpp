//===- Placer.cpp - The candidate devices for "auto" ----------------------===//

#include "compiler/session/placement/Placer.h"

#include "compiler/log/LogTopics.h"
#include "compiler/session/placement/Measure.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cstdlib>

namespace tensorc::placement {

static tensorc_rt_device_properties propertiesOf(tensorc_rt_device *device) {
  tensorc_rt_device_properties properties;
  tensorc_rt_device_get_properties(device, &properties);
  return properties;
}

llvm::Error Placer::readFile() {
  const char *path = secure_getenv("TENSORC_FIGURES");
  if (isRead || !path || !*path)
    return llvm::Error::success();
  auto refuse = [&](const llvm::Twine &why) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   llvm::Twine("TENSORC_FIGURES=") + path +
                                       ": " + why);
  };
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return refuse(file.getError().message());
  auto figures = parseFigures((*file)->getBuffer());
  if (!figures)
    return refuse(llvm::toString(figures.takeError()));
  given = std::move(*figures);
  isRead = true;
  return llvm::Error::success();
}

llvm::Expected<Figures> Placer::figuresOf(tensorc_rt_device *device,
                                          const FactFolders &folders,
                                          llvm::StringRef compiler) {
  if (llvm::Error error = readFile())
    return std::move(error);
  if (auto it = given.find(propertiesOf(device).name); it != given.end())
    return it->second;
  std::string key = figuresKey(device, compiler);
  if (auto figures = loadFigures(folders, key))
    return *figures;
  llvm::Expected<Figures> figures = measureFigures(device);
  if (figures)
    storeFigures(folders, key, *figures);
  return figures;
}

/// True for a CPU that a GPU API presents as a device. Such a device has at
/// most one thread per multiprocessor.
static bool isCpuAsGpu(const tensorc_rt_device_properties &device) {
  return device.multiprocessors > 0 && device.threads <= device.multiprocessors;
}

/// Returns the devices that can be candidates. Simulators, and CPUs that GPU
/// APIs present as devices, are candidates only if a file gives their figures:
/// the speed of a simulator is meaningless, and such a CPU uses the same
/// processors as `cpu`.
static std::vector<tensorc_rt_device *>
listDevices(const llvm::StringMap<Figures> &given) {
  std::vector<tensorc_rt_device *> devices;
  auto add = [&](tensorc_rt_device *device) {
    if (propertiesOf(device).computes && !llvm::is_contained(devices, device))
      devices.push_back(device);
  };
  tensorc_rt_device *device = nullptr;
  tensorc_rt_status_free(tensorc_rt_device_find("cpu", &device));
  if (device)
    add(device);
  for (int32_t i = 0; i < tensorc_rt_device_count(); ++i) {
    device = tensorc_rt_device_get(i);
    const tensorc_rt_device_properties &properties = propertiesOf(device);
    llvm::StringRef name = properties.name;
    if (given.contains(name) ||
        (!name.starts_with("sim:") && !isCpuAsGpu(properties)))
      add(device);
  }
  // Adds simulated chips that have figures but are not listed as devices.
  std::vector<std::string> names;
  for (llvm::StringRef name : given.keys())
    names.push_back(name.str());
  llvm::sort(names);
  for (const std::string &name : names) {
    tensorc_rt_status *status = tensorc_rt_device_find(name.c_str(), &device);
    if (!status)
      add(device);
    tensorc_rt_status_free(status);
  }
  return devices;
}

llvm::Expected<const Placer::Candidates *>
Placer::candidates(const FactFolders &folders, llvm::StringRef compiler) {
  if (const Candidates *known = found)
    return known;
  if (llvm::Error error = readFile())
    return std::move(error);
  auto list = std::make_unique<Candidates>();
  std::vector<tensorc_rt_device *> devices = listDevices(given);
  for (tensorc_rt_device *device : devices) {
    tensorc_rt_device_properties properties = propertiesOf(device);
    Candidate candidate;
    candidate.name = properties.name;
    candidate.device = device;
    candidate.isHost = properties.host_visible;
    // If there is only one device, no measurement is needed.
    bool isAlone = devices.size() == 1 && !given.contains(candidate.name);
    if (!isAlone) {
      auto figures = figuresOf(device, folders, compiler);
      if (!figures) {
        if (isLogged(LogTopic::Placement))
          llvm::errs() << "tensorc: auto does not use " << candidate.name
                       << ": " << llvm::toString(figures.takeError()) << "\n";
        else
          llvm::consumeError(figures.takeError());
        continue;
      }
      candidate.figures = *figures;
    }
    list->push_back(std::move(candidate));
  }
  owned = std::move(list);
  found.store(owned.get(), std::memory_order_release);
  return owned.get();
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static std::string seconds(double value) {
  return llvm::formatv("{0:f2} us", value * 1e6).str();
}

static std::string quantity(double value) {
  return llvm::formatv("{0:f0}", value).str();
}

void printSums(llvm::raw_ostream &os, llvm::ArrayRef<Candidate> candidates,
               llvm::ArrayRef<Sum> sums) {
  auto line = [&](const char *term, double value, const std::string &of) {
    os << llvm::formatv("  {0,-9} {1,16}", term, seconds(value));
    if (!of.empty())
      os << "  " << of;
    os << "\n";
  };
  if (candidates.size() == 1 && !candidates[0].figures.memory) {
    os << candidates[0].name << ": chosen, as there is no other device\n";
    return;
  }
  for (auto [position, i] : llvm::enumerate(rank(sums))) {
    const Sum &sum = sums[i];
    if (!sum.isPossible())
      continue;
    const Figures &figures = candidates[i].figures;
    os << candidates[i].name << (position ? "\n" : ": chosen\n");
    line("operands", sum.operands.seconds,
         llvm::formatv("{0} bytes in {1} copies", quantity(sum.operands.bytes),
                       sum.operands.count));
    line("launches", sum.launches,
         llvm::formatv("{0} x {1}", sum.numKernels, seconds(figures.launch)));
    line("kernels", sum.kernels,
         llvm::formatv("memory {0}: {1} bytes; arithmetic {2}: {3} operations",
                       seconds(sum.memory), quantity(sum.kernelBytes),
                       seconds(sum.arithmetic), quantity(sum.operations)));
    line("results", sum.results.seconds,
         llvm::formatv("{0} bytes in {1} copies", quantity(sum.results.bytes),
                       sum.results.count));
    line("sum", sum.total(), "");
  }
}

llvm::json::Value sumsToJson(llvm::ArrayRef<Candidate> candidates,
                             llvm::ArrayRef<Sum> sums) {
  llvm::json::Array array;
  for (unsigned i : rank(sums)) {
    const Sum &sum = sums[i];
    if (!sum.isPossible())
      continue;
    array.push_back(
        llvm::json::Object{{"device", candidates[i].name},
                           {"operands_us", sum.operands.seconds * 1e6},
                           {"operand_bytes", sum.operands.bytes},
                           {"operand_copies", sum.operands.count},
                           {"launches", sum.numKernels},
                           {"launches_us", sum.launches * 1e6},
                           {"memory_us", sum.memory * 1e6},
                           {"arithmetic_us", sum.arithmetic * 1e6},
                           {"kernels_us", sum.kernels * 1e6},
                           {"bytes", sum.kernelBytes},
                           {"operations", sum.operations},
                           {"results_us", sum.results.seconds * 1e6},
                           {"result_bytes", sum.results.bytes},
                           {"result_copies", sum.results.count},
                           {"sum_us", sum.total() * 1e6},
                           {"figures", toJson(candidates[i].figures)}});
  }
  return llvm::json::Object{
      {"device", array.empty() ? llvm::json::Value(nullptr)
                               : *array[0].getAsObject()->get("device")},
      {"candidates", std::move(array)}};
}

} // namespace tensorc::placement
