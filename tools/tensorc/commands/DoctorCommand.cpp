//===- DoctorCommand.cpp - tensorc doctor ---------------------------------===//

#include "codegen/kernel/CpuCosts.h"
#include "codegen/targets/Target.h"
#include "compiler/log/Environment.h"
#include "compiler/session/cache/BuildId.h"
#include "compiler/session/cache/DiskCache.h"
#include "compiler/session/jit/Session.h"
#include "compiler/session/placement/HostCosts.h"
#include "compiler/session/placement/TileTest.h"
#include "compiler/session/tuning/Tuning.h"
#include "ir/text/Characters.h"
#include "runtime/abi/DeviceKinds.h"
#include "tools/tensorc/Commands.h"
#include "tools/tensorc/device/RuntimeHandles.h"
#include "tools/tensorc/help/Help.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <thread>

using namespace llvm;

namespace tensorc::tool {

namespace {

/// A kind of device, and the reason why this machine has no device of this
/// kind.
struct DriverFacts {
  std::string kind, problem;
  int64_t devices = 0;
};

struct CacheFolderFacts {
  std::string folder, problem;
  int64_t files = 0;
  uint64_t bytes = 0;
};

struct TuningFacts {
  std::string file, problem;
  int64_t schedules = 0;
};

struct Findings {
  std::vector<tensorc_rt_device_properties> devices;
  std::vector<DriverFacts> drivers;
  cache::DiskCacheOptions cache;
  CacheFolderFacts writable, readOnly;
  TuningFacts tuning;
  const codegen::CpuCosts *costs = nullptr;
  int64_t threads = 0;
  /// Recommendations that would make programs faster on this machine.
  std::vector<std::string> advice;
};

} // namespace

static constexpr Flag doctorFlags[] = {
    {"json", Flag::Switch, "", "print JSON"},
};

/// Returns the runtime's message if it does not find a device. A null name
/// stands for the default device.
static std::string whyNotFound(const char *name) {
  tensorc_rt_device *device = nullptr;
  tensorc_rt_status *status = tensorc_rt_device_find(name, &device);
  if (!status)
    return "";
  std::string text = tensorc_rt_status_message(status);
  tensorc_rt_status_free(status);
  return text;
}

/// Returns the runtime's explanation for a kind without a device.
static std::string whyNoDevice(const std::string &kind) {
  std::string text = whyNotFound(kind.c_str());
  // The text is `no device 'cuda'; REASON; there are: cpu:0`.
  StringRef reason = StringRef(text).rsplit("; there are: ").first;
  reason.consume_front("no device '" + kind + "'");
  reason.consume_front("; ");
  return reason.empty() ? "no driver, or no hardware" : reason.str();
}

static void findDevices(Findings &findings) {
  for (const rt::DeviceKind &kind : rt::deviceKinds)
    findings.drivers.push_back({std::string(kind.name), ""});
  for (int32_t i = 0; i < tensorc_rt_device_count(); ++i) {
    tensorc_rt_device_properties properties;
    tensorc_rt_device_get_properties(tensorc_rt_device_get(i), &properties);
    findings.devices.push_back(properties);
    for (DriverFacts &driver : findings.drivers)
      driver.devices += rt::prefixOf(properties.name) == driver.kind;
  }
  // Devices for tests, and devices that cannot run programs, are shown only on
  // request.
  erase_if(findings.drivers, [](const DriverFacts &driver) {
    return driver.kind == "null" || driver.kind == "sim";
  });
  for (DriverFacts &driver : findings.drivers)
    if (!driver.devices)
      driver.problem = whyNoDevice(driver.kind);
}

/// True if the closest existing parent is a folder in which this process can
/// create others.
static bool canCreate(StringRef folder) {
  StringRef parent = sys::path::parent_path(folder);
  while (!parent.empty() && !sys::fs::exists(parent))
    parent = sys::path::parent_path(parent);
  std::string found = parent.empty() ? "." : parent.str();
  return sys::fs::is_directory(found) && sys::fs::can_write(found);
}

static CacheFolderFacts inspectFolder(const std::string &folder,
                                      bool isReadOnly) {
  CacheFolderFacts facts{folder, ""};
  if (folder.empty())
    return facts;
  if (!sys::fs::exists(folder)) {
    if (!isReadOnly && !canCreate(folder))
      facts.problem = "it cannot be created";
    return facts;
  }
  facts.problem = cache::whyNoCache(folder, isReadOnly);
  if (facts.problem.empty() && !isReadOnly && !sys::fs::can_write(folder))
    facts.problem = "it is not writable";
  std::error_code error;
  for (sys::fs::directory_iterator it(folder, error), end; it != end && !error;
       it.increment(error))
    if (auto status = it->status();
        status && status->type() == sys::fs::file_type::regular_file) {
      ++facts.files;
      facts.bytes += status->getSize();
    }
  return facts;
}

static TuningFacts inspectTuning() {
  TuningFacts facts{readVariable("TENSORC_TUNING").str(), ""};
  if (facts.file.empty())
    return facts;
  auto tuning = tuning::Tuning::read(facts.file);
  if (!tuning) {
    facts.problem = toString(tuning.takeError());
    return facts;
  }
  facts.schedules = tuning->schedules().size();
  facts.problem = tuning->whyNone();
  return facts;
}

/// Variables that make programs slower.
static constexpr struct {
  StringLiteral name, effect;
} slowVariables[] = {
    {"TENSORC_CHECK", "checks results or accesses while kernels run"},
    {"TENSORC_OP_BY_OP", "evaluates every operation alone, without fusion"},
    {"TENSORC_STORE_INTERMEDIATES", "stores every intermediate tensor"},
    {"TENSORC_TRACE", "records every launch"},
    {"TENSORC_DUMP", "writes the IR of every compilation"},
};

static void adviseOnVariables(Findings &findings) {
  for (const auto &variable : slowVariables)
    if (StringRef value = readVariable(variable.name.data());
        !value.empty() && value != "0" && value != "off")
      findings.advice.push_back(
          (variable.name + "=" + value + " " + variable.effect + "; unset it")
              .str());
  // The runtime reads its variables when it looks for the default device.
  if (std::string problem = whyNotFound(nullptr); !problem.empty())
    findings.advice.push_back("programs do not run: " + problem);
  else if (StringRef level = readVariable("TENSORC_CPU"); !level.empty())
    findings.advice.push_back(
        ("TENSORC_CPU=" + level +
         " keeps kernels from using everything that the processor supports; "
         "unset it")
            .str());
}

/// Returns the first line of a small file of the system, or an empty string.
static std::string firstLineOf(StringRef path) {
  auto buffer = MemoryBuffer::getFileAsStream(path);
  return buffer ? (*buffer)->getBuffer().split('\n').first.str() : "";
}

static void adviseOnProcessor(Findings &findings) {
  int64_t processors = std::thread::hardware_concurrency();
  if (findings.threads < processors)
    findings.advice.push_back(
        formatv("kernels use {0} of {1} processors; TENSORC_NUM_THREADS or "
                "tensorc_rt_set_num_threads raises it",
                findings.threads, processors));
  std::string governor =
      firstLineOf("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  if (governor == "powersave")
    findings.advice.push_back("the processor's frequency governor is "
                              "powersave; performance is faster");
}

static void adviseOnFiles(Findings &findings) {
  const CacheFolderFacts &folder = findings.writable;
  if (folder.folder.empty() && findings.readOnly.folder.empty())
    findings.advice.push_back(
        "the disk cache is off: TENSORC_CACHE_DIR=auto keeps compiled kernels "
        "for the next process");
  if (!folder.problem.empty())
    findings.advice.push_back("the disk cache " + folder.folder +
                              " is not used: " + folder.problem);
  if (findings.cache.limit && folder.bytes > findings.cache.limit / 10 * 9)
    findings.advice.push_back("the disk cache is nearly full, and removes "
                              "kernels: TENSORC_CACHE_SIZE raises its limit");
  if (findings.tuning.file.empty())
    findings.advice.push_back(
        "no schedules were measured here: tensorc tune finds faster ones, and "
        "TENSORC_TUNING names its file");
  else if (!findings.tuning.problem.empty())
    findings.advice.push_back("the tuning file " + findings.tuning.file + " " +
                              findings.tuning.problem);
}

/// Tests the matrix instructions of all GPUs.
static void adviseOnMatrixInstructions(Findings &findings) {
  placement::FactFolders folders{findings.cache.folder,
                                 findings.cache.readOnlyFolder};
  jit::Session::get().compileAlone([&] {
    for (int32_t i = 0; i < tensorc_rt_device_count(); ++i) {
      tensorc_rt_device *device = tensorc_rt_device_get(i);
      placement::testTiles(device, folders, cache::buildId());
      const tensorc_rt_device_properties &properties = findings.devices[i];
      std::string target = placement::targetOf(device);
      if (target == codegen::getLocalTarget(properties.target))
        continue;
      StringRef kind = StringRef(properties.name).split(':').first;
      findings.advice.push_back(formatv(
          "{0}: matrix instructions compute wrong numbers; packages need code "
          "for {1}, too, and TENSORC_{2}_TARGET={1} makes all programs use it",
          properties.name, codegen::withoutTransforms(target), kind.upper()));
    }
  });
}

/// Finds the row of costs that kernels for this machine's processor use. The
/// costs are measured if there is no row.
static void findCosts(Findings &findings) {
  tensorc_rt_device *cpu = nullptr;
  tensorc_rt_status_free(tensorc_rt_device_find("cpu", &cpu));
  if (cpu)
    jit::Session::get().compileAlone([&] {
      auto usable = [](const CacheFolderFacts &facts) {
        return facts.problem.empty() ? facts.folder : std::string();
      };
      placement::useHostCosts(
          cpu, {usable(findings.writable), usable(findings.readOnly)},
          cache::buildId());
    });
  if (auto target = codegen::getTargetInfo("cpu"))
    findings.costs = &codegen::getCpuCosts(*target);
  else
    consumeError(target.takeError());
}

static Findings examine() {
  Findings findings;
  findDevices(findings);
  findings.threads = tensorc_rt_num_threads();
  findings.cache = cache::DiskCacheOptions::fromEnvironment();
  findings.writable = inspectFolder(findings.cache.folder, false);
  findings.readOnly = inspectFolder(findings.cache.readOnlyFolder, true);
  findings.tuning = inspectTuning();
  findCosts(findings);
  adviseOnVariables(findings);
  adviseOnProcessor(findings);
  adviseOnFiles(findings);
  adviseOnMatrixInstructions(findings);
  return findings;
}

//===----------------------------------------------------------------------===//
// Output
//===----------------------------------------------------------------------===//

/// Facts about the system may contain any bytes, but both output formats need
/// UTF-8.
static std::string printableFact(StringRef text) {
  return printable(text, /*isText=*/false);
}

static json::Object folderToJson(const CacheFolderFacts &facts) {
  return json::Object{{"folder", printableFact(facts.folder)},
                      {"files", facts.files},
                      {"bytes", facts.bytes},
                      {"problem", printableFact(facts.problem)}};
}

/// Calls `use` with each cost that was measured on this machine.
static void forEachMeasured(
    const codegen::CpuCosts &row,
    function_ref<void(StringRef name, const codegen::Cost &cost)> use) {
  for (const codegen::CostColumn &column : codegen::listCostColumns())
    if ((row.*column.cost).origin == placement::hostOrigin)
      use(column.name, row.*column.cost);
}

static json::Object costsToJson(const codegen::CpuCosts &row) {
  json::Object measured;
  forEachMeasured(row, [&](StringRef name, const codegen::Cost &cost) {
    measured[name] = cost.value;
  });
  return json::Object{{"row", row.name}, {"measured", std::move(measured)}};
}

static void printJson(const Findings &findings) {
  json::Array devices, drivers, advice;
  for (const tensorc_rt_device_properties &p : findings.devices)
    devices.push_back(
        json::Object{{"name", p.name},
                     {"target", p.target},
                     {"description", printableFact(p.description)},
                     {"driver", printableFact(p.driver)},
                     {"threads", p.threads},
                     {"bytes", p.memory}});
  for (const DriverFacts &driver : findings.drivers)
    drivers.push_back(json::Object{{"kind", driver.kind},
                                   {"devices", driver.devices},
                                   {"problem", printableFact(driver.problem)}});
  for (const std::string &sentence : findings.advice)
    advice.push_back(printableFact(sentence));
  json::Object cache = folderToJson(findings.writable);
  cache["limit"] = findings.cache.limit;
  json::Object all{
      {"version", TENSORC_VERSION},
      {"commit", commitOfSources()},
      {"llvm", LLVM_VERSION_STRING},
      {"threads", findings.threads},
      {"devices", std::move(devices)},
      {"drivers", std::move(drivers)},
      {"cache", std::move(cache)},
      {"read_only_cache", folderToJson(findings.readOnly)},
      {"tuning",
       json::Object{{"file", printableFact(findings.tuning.file)},
                    {"schedules", findings.tuning.schedules},
                    {"problem", printableFact(findings.tuning.problem)}}},
      {"advice", std::move(advice)}};
  if (findings.costs)
    all["costs"] = costsToJson(*findings.costs);
  outs() << formatv("{0:2}\n", json::Value(std::move(all)));
}

static void printFolder(StringRef title, const CacheFolderFacts &facts) {
  if (facts.folder.empty())
    return;
  outs() << "  " << title << " " << printableFact(facts.folder) << ": "
         << facts.files << " files, " << (facts.bytes >> 20) << " MiB";
  if (!facts.problem.empty())
    outs() << "; not used: " << printableFact(facts.problem);
  outs() << "\n";
}

static void printCosts(const codegen::CpuCosts &row) {
  outs() << "\ncosts of kernels\n  those of " << row.name;
  StringRef separator = ", measured here: ";
  forEachMeasured(row, [&](StringRef name, const codegen::Cost &cost) {
    outs() << separator << name << " " << cost.value;
    separator = ", ";
  });
  outs() << "\n";
}

static void printText(const Findings &findings) {
  raw_ostream &os = outs();
  printVersion(os);
  os << "\ndevices\n";
  for (const tensorc_rt_device_properties &p : findings.devices) {
    os << format("  %-10s %-14s ", p.name, p.target)
       << printableFact(p.description) << ", " << (p.memory >> 20) << " MiB";
    if (*p.driver)
      os << ", driver " << printableFact(p.driver);
    os << "\n";
  }
  os << "\nkinds without a device\n";
  for (const DriverFacts &driver : findings.drivers)
    if (!driver.devices)
      os << format("  %-10s ", driver.kind.c_str())
         << printableFact(driver.problem) << "\n";
  os << "\ndisk cache\n";
  if (findings.writable.folder.empty() && findings.readOnly.folder.empty())
    os << "  off\n";
  printFolder("folder", findings.writable);
  printFolder("read-only", findings.readOnly);
  os << "\ntuning\n  ";
  if (findings.tuning.file.empty())
    os << "none\n";
  else
    os << printableFact(findings.tuning.file) << ": "
       << findings.tuning.schedules << " schedules for this machine\n";
  if (findings.costs)
    printCosts(*findings.costs);
  os << "\nwhat would make it faster\n";
  for (const std::string &sentence : findings.advice)
    os << "  - " << printableFact(sentence) << "\n";
  if (findings.advice.empty())
    os << "  nothing that can be seen from here\n";
}

static int runDoctor(const Arguments &arguments) {
  Findings findings = examine();
  if (arguments.has("json"))
    printJson(findings);
  else
    printText(findings);
  return Success;
}

const Command doctorCommand = {
    "doctor",
    "examine devices, drivers, cache and settings, and say what is slow",
    "[options]",
    doctorFlags,
    "  tensorc doctor\n"
    "  tensorc doctor --json\n",
    /*takesInput=*/false,
    runDoctor};

} // namespace tensorc::tool
