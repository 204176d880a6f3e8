//===- KernelProfile.cpp - Performance estimates of a GPU kernel ----------===//

#include "compiler/session/report/KernelProfile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace tensorc::report {

/// Accesses whose ratio to the least possible work exceeds these limits are
/// reported.
static constexpr double maxSectorRatio = 1.25, maxWays = 1.1;
static constexpr int64_t sectorBytes = 32;

static double ratio(double value, double of) { return of ? value / of : 0; }

double LineCounts::sectorsPerRequest() const { return ratio(sectors, issues); }
double LineCounts::ways() const { return ratio(wavefronts, minWavefronts); }
bool LineCounts::isUncoalesced() const {
  return sectors > maxSectorRatio * minSectors;
}
bool LineCounts::hasConflicts() const {
  return wavefronts > maxWays * minWavefronts;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static LineCounts readLine(const json::Object &site) {
  LineCounts line;
  line.line = site.getString("line").value_or("").str();
  line.kind = site.getString("class").value_or("").str();
  auto number = [&](StringRef name) {
    return site.getInteger(name).value_or(0);
  };
  line.issues = number("issues");
  line.lanes = number("lanes");
  line.bytes = number("bytes");
  line.sectors = number("sectors");
  line.minSectors = number("min_sectors");
  line.wavefronts = number("wavefronts");
  line.minWavefronts = number("min_wavefronts");
  line.divergent = number("divergent");
  line.flops = number("flops");
  return line;
}

/// Adds counts to the entry with the same line and class.
static void addLine(std::vector<LineCounts> &lines, const LineCounts &line) {
  auto same = find_if(lines, [&](const LineCounts &other) {
    return other.line == line.line && other.kind == line.kind;
  });
  if (same == lines.end()) {
    lines.push_back(line);
    return;
  }
  for (auto member :
       {&LineCounts::issues, &LineCounts::lanes, &LineCounts::bytes,
        &LineCounts::sectors, &LineCounts::minSectors, &LineCounts::wavefronts,
        &LineCounts::minWavefronts, &LineCounts::divergent, &LineCounts::flops})
    (*same).*member += line.*member;
}

Expected<KernelProfile> readProfile(StringRef name, StringRef text) {
  Expected<json::Value> value = json::parse(text);
  if (!value)
    return value.takeError();
  const json::Object *object = value->getAsObject();
  const json::Array *sites = object ? object->getArray("sites") : nullptr;
  const json::Array *buffers = object ? object->getArray("buffers") : nullptr;
  if (!sites || !buffers)
    return createStringError("the profile of '" + name + "' has no sites");
  KernelProfile kernel;
  kernel.name = name.str();
  auto number = [&](StringRef field) {
    return object->getInteger(field).value_or(0);
  };
  kernel.blocks = number("blocks");
  kernel.countedBlocks = number("counted_blocks");
  kernel.threads = number("threads");
  kernel.subgroup = number("subgroup");
  kernel.workgroupBytes = number("workgroup_bytes");
  kernel.isExact = object->getBoolean("exact").value_or(false);
  kernel.isComplete = object->getBoolean("complete").value_or(false);
  for (const json::Value &buffer : *buffers)
    kernel.bufferBytes += buffer.getAsInteger().value_or(0);
  for (const json::Value &site : *sites)
    if (const json::Object *each = site.getAsObject())
      addLine(kernel.lines, readLine(*each));
  return kernel;
}

//===----------------------------------------------------------------------===//
// Estimates
//===----------------------------------------------------------------------===//

std::map<std::string, int64_t> KernelProfile::issuesByKind() const {
  std::map<std::string, int64_t> result;
  for (const LineCounts &line : lines)
    result[line.kind] += line.issues;
  return result;
}

int64_t KernelProfile::sum(int64_t LineCounts::*what) const {
  int64_t result = 0;
  for (const LineCounts &line : lines)
    result += line.*what;
  return result;
}

int64_t KernelProfile::laneBytes(bool isWorkgroup) const {
  int64_t result = 0;
  for (const LineCounts &line : lines)
    if ((line.wavefronts != 0) == isWorkgroup)
      result += line.bytes;
  return result;
}

int64_t KernelProfile::l2Bytes() const {
  return sectorBytes * sum(&LineCounts::sectors);
}
int64_t KernelProfile::memoryBytes() const {
  return std::min(bufferBytes, l2Bytes());
}

Occupancy KernelProfile::occupancy(const codegen::GpuRates &chip) const {
  int64_t subgroups = divideCeil(threads, subgroup);
  const codegen::ProcessorLimits &limits = chip.limits;
  Occupancy best{limits.blocks, "blocks"};
  auto limit = [&](int64_t blocks, const char *name) {
    if (blocks < best.blocks)
      best = {blocks, name};
  };
  limit(limits.threads / (subgroups * subgroup), "threads");
  if (workgroupBytes)
    limit(limits.workgroupBytes / (workgroupBytes + limits.reservedBytes),
          "workgroup memory");
  if (registers)
    limit(limits.registers /
              (subgroups *
               int64_t(alignTo(*registers * subgroup, limits.registerUnit))),
          "registers");
  return best;
}

double KernelProfile::waves(const codegen::GpuRates &chip) const {
  return ratio(blocks, chip.processors * occupancy(chip).blocks);
}

double KernelProfile::fill(const codegen::GpuRates &chip) const {
  // Blocks on the same processor share its rates, so only processors are
  // counted. The busiest one has ceil(blocks / processors) blocks.
  int64_t busiest = divideCeil(blocks, chip.processors);
  return ratio(blocks, chip.processors * busiest);
}

Roofline KernelProfile::roofline(const codegen::GpuRates &chip) const {
  double hertz = chip.megahertz * 1e6;
  // In the last wave, processors without a block contribute nothing.
  double clocks = hertz * chip.processors * fill(chip);
  auto kinds = issuesByKind();
  auto lanes = [&](StringRef kind) {
    int64_t result = 0;
    for (const LineCounts &line : lines)
      if (line.kind == kind)
        result += line.lanes;
    return double(result);
  };
  Roofline time;
  time.memory = memoryBytes() / (chip.memoryGBs * 1e9);
  time.l2 = l2Bytes() / (chip.l2BytesPerClock * hertz);
  time.workgroup = ratio(sum(&LineCounts::wavefronts), clocks);
  time.issue = ratio(sum(&LineCounts::issues), clocks * chip.issues);
  time.special = ratio(lanes("special"), clocks * chip.specialLanes);
  time.doubles = ratio(lanes("double"), clocks * chip.doubleLanes);
  time.matrix =
      ratio(sum(&LineCounts::flops), chip.matrixTeraflops * 1e12 * fill(chip));
  return time;
}

static std::array<std::pair<StringRef, double>, 7>
partsOf(const Roofline &time) {
  return {{{"memory", time.memory},
           {"l2", time.l2},
           {"workgroup", time.workgroup},
           {"issue", time.issue},
           {"special", time.special},
           {"double", time.doubles},
           {"matrix", time.matrix}}};
}

std::pair<StringRef, double> Roofline::bound() const {
  auto parts = partsOf(*this);
  return *std::max_element(
      parts.begin(), parts.end(),
      [](const auto &a, const auto &b) { return a.second < b.second; });
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

/// Returns warnings for a GPU programmer, with source lines.
static std::vector<std::string> warningsOf(const KernelProfile &kernel) {
  std::vector<std::string> warnings;
  auto at = [](const LineCounts &line) {
    return line.line.empty() ? std::string("a line that is not known")
                             : line.line;
  };
  for (const LineCounts &line : kernel.lines) {
    if (line.isUncoalesced())
      warnings.push_back(
          formatv("{0}: an uncoalesced {1}: {2:F2} sectors per request, where "
                  "{3:F2} would do",
                  at(line), line.kind, line.sectorsPerRequest(),
                  ratio(line.minSectors, line.issues)));
    if (line.hasConflicts())
      warnings.push_back(formatv("{0}: bank conflicts of a {1}: {2:F2} ways",
                                 at(line), line.kind, line.ways()));
  }
  return warnings;
}

static void printLines(raw_ostream &os, const KernelProfile &kernel) {
  constexpr const char *columns =
      "  {0,-16} {1,12} {2,8} {3,8} {4,6} {5,9}  {6}\n";
  os << formatv(columns, "class", "instructions", "lanes", "sectors", "ways",
                "divergent", "line");
  auto optional = [](bool isThere, double value) -> std::string {
    return isThere ? formatv("{0:F2}", value).str() : "-";
  };
  for (const LineCounts &line : kernel.lines)
    os << formatv(columns, line.kind, line.issues,
                  optional(true, ratio(line.lanes, line.issues)),
                  optional(line.sectors, line.sectorsPerRequest()),
                  optional(line.wavefronts, line.ways()),
                  line.kind == "branch" ? std::to_string(line.divergent) : "-",
                  line.line.empty() ? "-" : line.line);
}

void print(raw_ostream &os, const KernelProfile &kernel,
           const codegen::GpuRates &chip) {
  Occupancy occupancy = kernel.occupancy(chip);
  Roofline time = kernel.roofline(chip);
  os << kernel.name << ": " << kernel.blocks << " blocks of " << kernel.threads
     << " threads";
  if (kernel.launches > 1)
    os << ", the last of " << kernel.launches << " launches";
  os << formatv("\n  counted    {0} blocks{1}{2}\n", kernel.countedBlocks,
                kernel.isExact ? "" : ", which differ: an estimate",
                kernel.isComplete ? "" : "; values were not computed");
  os << formatv(
      "  occupancy  {0} of {1} threads per processor, limited by "
      "{2}; registers {3}, workgroup memory {4} bytes\n",
      occupancy.blocks * kernel.threads, chip.limits.threads, occupancy.limit,
      kernel.registers ? std::to_string(*kernel.registers) : "not known",
      kernel.workgroupBytes);
  os << formatv("  waves      {0:F2}; the last one leaves {1:F0} % of the "
                "processors' time unused\n",
                kernel.waves(chip), 100 * (1 - kernel.fill(chip)));
  os << formatv("  bytes      lanes {0} global and {1} workgroup, L2 {2}, DRAM "
                "{3}\n",
                kernel.laneBytes(/*isWorkgroup=*/false),
                kernel.laneBytes(/*isWorkgroup=*/true), kernel.l2Bytes(),
                kernel.memoryBytes());
  os << formatv("  estimate   {0:F3} us, bound by {1}:",
                time.bound().second * 1e6, time.bound().first);
  for (auto [name, seconds] : partsOf(time))
    os << formatv(" {0} {1:F3}", name, seconds * 1e6);
  os << "\n";
  printLines(os, kernel);
  for (const std::string &warning : warningsOf(kernel))
    os << "  warning: " << warning << "\n";
}

json::Object toJson(const KernelProfile &kernel,
                    const codegen::GpuRates &chip) {
  Occupancy occupancy = kernel.occupancy(chip);
  Roofline time = kernel.roofline(chip);
  json::Array lines;
  for (const LineCounts &line : kernel.lines)
    lines.push_back(json::Object{{"line", line.line},
                                 {"class", line.kind},
                                 {"instructions", line.issues},
                                 {"lanes", line.lanes},
                                 {"bytes", line.bytes},
                                 {"sectors", line.sectors},
                                 {"min_sectors", line.minSectors},
                                 {"wavefronts", line.wavefronts},
                                 {"min_wavefronts", line.minWavefronts},
                                 {"divergent", line.divergent},
                                 {"flops", line.flops}});
  json::Object seconds;
  for (auto [name, value] : partsOf(time))
    seconds[name] = value;
  json::Object result{{"name", kernel.name},
                      {"launches", kernel.launches},
                      {"blocks", kernel.blocks},
                      {"counted_blocks", kernel.countedBlocks},
                      {"exact", kernel.isExact},
                      {"complete", kernel.isComplete},
                      {"threads", kernel.threads},
                      {"workgroup_bytes", kernel.workgroupBytes},
                      {"blocks_per_processor", occupancy.blocks},
                      {"limited_by", occupancy.limit},
                      {"waves", kernel.waves(chip)},
                      {"fill", kernel.fill(chip)},
                      {"global_lane_bytes", kernel.laneBytes(false)},
                      {"workgroup_lane_bytes", kernel.laneBytes(true)},
                      {"l2_bytes", kernel.l2Bytes()},
                      {"memory_bytes", kernel.memoryBytes()},
                      {"seconds", std::move(seconds)},
                      {"bound", time.bound().first},
                      {"bound_seconds", time.bound().second},
                      {"lines", std::move(lines)},
                      {"warnings", json::Array(warningsOf(kernel))}};
  if (kernel.registers)
    result["registers"] = *kernel.registers;
  return result;
}

} // namespace tensorc::report
