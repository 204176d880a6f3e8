//===- CpuModel.cpp - Triple, CPU and features of cpu targets -------------===//

#include "codegen/kernel/CpuModel.h"
#include "runtime/abi/MatrixTiles.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/X86TargetParser.h"

#include <cstdlib>
#include <unistd.h>

using namespace llvm;

namespace tensorc::codegen {

namespace {
/// A processor that tests can substitute for that of the host.
struct TestCpu {
  StringLiteral name;
  /// LLVM's name of the processor, which implies its features.
  StringLiteral cpu;
  int64_t l1Bytes, l2Bytes, cacheLineBytes;
};
} // namespace

/// Data caches per core, from the vendors' manuals. "generic" has the defaults
/// of TargetFacts. "core2" is refused, like every processor older than
/// x86-64-v2.
static constexpr TestCpu testCpus[] = {
    {"zen5", "znver5", 48 << 10, 1 << 20, 64},
    {"sapphirerapids", "sapphirerapids", 48 << 10, 2 << 20, 64},
    {"skylake-avx512", "skylake-avx512", 32 << 10, 1 << 20, 64},
    {"haswell", "haswell", 32 << 10, 256 << 10, 64},
    {"generic", "x86-64-v2", 32 << 10, 512 << 10, 64},
    {"core2", "core2", 32 << 10, 2 << 20, 64},
};

/// Returns the first feature of x86-64-v2, on which vector code relies, that
/// the processor lacks; empty if it lacks none.
static StringRef findMissingFeature(const StringMap<bool> &features) {
  for (StringRef name : {"sse3", "ssse3", "sse4.1", "sse4.2", "popcnt"})
    if (!features.lookup(name))
      return name;
  return "";
}

static StringMap<bool> x86FeaturesOf(StringRef cpu) {
  StringMap<bool> features;
  SmallVector<StringRef> names;
  X86::getFeaturesForCPU(cpu, names);
  for (StringRef name : names) {
    features[name] = true;
    X86::updateImpliedFeatures(name, /*Enabled=*/true, features);
  }
  return features;
}

/// Replaces the host's model by that of another processor, except for
/// instructions that the host lacks.
static void imitate(const TestCpu &other, CpuModel &model) {
  StringMap<bool> features = x86FeaturesOf(other.cpu);
  features["64bit"] = true; // missing in LLVM's list of features
  for (auto &feature : model.features)
    feature.second &= features.lookup(feature.first());
  model.cpu = other.cpu.str();
  model.l1Bytes = other.l1Bytes;
  model.l2Bytes = other.l2Bytes;
  model.cacheLineBytes = other.cacheLineBytes;
}

/// Returns the processor that TENSORC_TEST_CPU names, or null if that is not
/// set.
static Expected<const TestCpu *> findTestCpu() {
  const char *name = secure_getenv("TENSORC_TEST_CPU");
  if (!name || !*name)
    return nullptr;
  if (!StringRef(sys::getProcessTriple()).starts_with("x86_64"))
    return createStringError("TENSORC_TEST_CPU=%s: only x86-64 machines can "
                             "stand for other processors",
                             name);
  const TestCpu *found =
      find_if(testCpus, [&](const TestCpu &cpu) { return cpu.name == name; });
  if (found != std::end(testCpus))
    return found;
  SmallVector<StringRef> names;
  for (const TestCpu &cpu : testCpus)
    if (findMissingFeature(x86FeaturesOf(cpu.cpu)).empty())
      names.push_back(cpu.name);
  return createStringError("TENSORC_TEST_CPU=" + Twine(name) +
                           " is no processor of tests: known are " +
                           join(names, ", "));
}

/// Returns a size from sysconf, or 0 if it is unknown.
static int64_t sizeOf(int name) { return std::max<int64_t>(sysconf(name), 0); }

StringRef findProcessor(StringRef cpu, const StringMap<bool> &features) {
  if (!features.lookup("amx-tile") && !features.lookup("avx512fp16"))
    return cpu;
  // LLVM calls a processor that it does not know "generic".
  if (X86::parseArchX86(cpu) == X86::CK_None)
    return "sapphirerapids";
  SmallVector<StringRef> known;
  X86::getFeaturesForCPU(cpu, known);
  return is_contained(known, "avx512fp16") ? cpu : "sapphirerapids";
}

/// Removes AMX from the features if the system does not permit its registers.
static void removeRefusedTiles(StringMap<bool> &features) {
  if (features.lookup("amx-tile") &&
      rt::requestTiles() == rt::TileAccess::Granted)
    return;
  for (auto &feature : features)
    if (feature.first().starts_with("amx-"))
      feature.second = false;
}

static CpuModel hostModel(const TestCpu *other) {
  CpuModel model;
  model.isHost = !other;
  model.triple = sys::getProcessTriple();
  model.features = sys::getHostCPUFeatures();
  model.cpu = sys::getHostCPUName().str();
  if (model.isX86()) {
    removeRefusedTiles(model.features);
    model.cpu = findProcessor(model.cpu, model.features).str();
  }
  model.l1Bytes = sizeOf(_SC_LEVEL1_DCACHE_SIZE);
  model.l2Bytes = sizeOf(_SC_LEVEL2_CACHE_SIZE);
  model.cacheLineBytes = sizeOf(_SC_LEVEL1_DCACHE_LINESIZE);
  if (other)
    imitate(*other, model);
  for (const auto &feature : model.features) {
    if (!model.featureString.empty())
      model.featureString += ',';
    model.featureString += (feature.second ? '+' : '-') + feature.first().str();
  }
  return model;
}

static CpuModel x86Baseline(StringRef level) {
  CpuModel model;
  model.triple = "x86_64-unknown-linux-gnu";
  model.cpu = level.str();
  model.features = x86FeaturesOf(level);
  return model;
}

/// x86-64-v4 with the instructions that the runtime checks for
/// (runtime/drivers/cpu). All processors with AMX have them.
static CpuModel amxBaseline() {
  CpuModel model = x86Baseline("x86-64-v4");
  for (StringRef name : {"avx512vnni", "avx512vbmi", "avx512bf16", "amx-tile",
                         "amx-int8", "amx-bf16"}) {
    model.features[name] = true;
    model.featureString +=
        (model.featureString.empty() ? "+" : ",+") + name.str();
  }
  return model;
}

static CpuModel aarch64Baseline() {
  CpuModel model;
  model.triple = "aarch64-unknown-linux-gnu";
  model.cpu = "generic";
  model.features["neon"] = true;
  return model;
}

/// Returns WebAssembly with vectors of 128 bits and the other instructions that
/// all current browsers support.
static CpuModel wasmBaseline() {
  CpuModel model;
  model.triple = "wasm32-unknown-unknown";
  model.cpu = "generic";
  model.featureString =
      "+simd128,+bulk-memory,+bulk-memory-opt,+sign-ext,+nontrapping-fptoint";
  model.features["simd128"] = true;
  return model;
}

/// If `sveBits` is set, LLVM uses SVE for fixed-size vectors that are longer
/// than those of NEON.
static CpuModel sveModel(unsigned bits) {
  CpuModel model = aarch64Baseline();
  model.featureString = "+sve";
  model.features["sve"] = true;
  model.sveBits = bits;
  return model;
}

ArrayRef<StringLiteral> getCpuNames() {
  static constexpr StringLiteral names[] = {"cpu",
                                            "cpu:x86-64-v2",
                                            "cpu:x86-64-v3",
                                            "cpu:x86-64-v4",
                                            "cpu:x86-64-amx",
                                            "cpu:aarch64",
                                            "cpu:aarch64-sve256",
                                            "cpu:wasm32"};
  return names;
}

Expected<const CpuModel &> getCpuModel(StringRef target) {
  if (target == "cpu") {
    // The processor is queried only once, because a query is slow in a virtual
    // machine.
    Expected<const TestCpu *> other = findTestCpu();
    if (!other)
      return other.takeError();
    static const CpuModel host = hostModel(*other);
    static const StringRef missing =
        host.isX86() ? findMissingFeature(host.features) : "";
    if (!missing.empty())
      return createStringError("this processor (" + StringRef(host.cpu) +
                               ") lacks " + missing +
                               ", which the target 'cpu' needs: tensorc runs "
                               "on x86-64-v2 and newer");
    return host;
  }
  StringRef name = target;
  if (name.consume_front("cpu:x86-64-v")) {
    static const CpuModel levels[] = {x86Baseline("x86-64-v2"),
                                      x86Baseline("x86-64-v3"),
                                      x86Baseline("x86-64-v4")};
    for (const CpuModel &model : levels)
      if (name == StringRef(model.cpu).take_back())
        return model;
  } else if (name == "cpu:x86-64-amx") {
    static const CpuModel amx = amxBaseline();
    return amx;
  } else if (name == "cpu:aarch64") {
    static const CpuModel arm = aarch64Baseline();
    return arm;
  } else if (name == "cpu:aarch64-sve256") {
    static const CpuModel sve = sveModel(256);
    return sve;
  } else if (name == "cpu:wasm32") {
    static const CpuModel wasm = wasmBaseline();
    return wasm;
  }
  return createStringError("unknown target '" + target + "': known are " +
                           join(getCpuNames(), ", "));
}

std::string CpuModel::getIdentity() const {
  return formatv("{0} {1} {2} l1={3} l2={4} line={5}", triple, cpu,
                 featureString, l1Bytes, l2Bytes, cacheLineBytes)
      .str();
}

} // namespace tensorc::codegen
