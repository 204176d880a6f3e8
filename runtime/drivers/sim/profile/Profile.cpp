//===- Profile.cpp - counts the work of a launch on hardware --------------===//
//
// A kernel computes a block's position in a grid of several dims by dividing
// the block's number, so the divisors are the sizes of that grid. Blocks at the
// beginning, in the interior and at the end of each dim form one kind, of which
// up to three blocks are counted. If their counts differ (for example because
// the kernel's work depends on its data), all blocks are counted.
//
//===----------------------------------------------------------------------===//
#include "runtime/drivers/sim/profile/Profile.h"

#include <algorithm>
#include <cstdio>

using namespace tensorc::rt;
using namespace tensorc::rt::sim;

/// Maximum number of callbacks of a launch for which all blocks are run only
/// for their counts or their values; about as many as take some seconds. Larger
/// launches are sampled.
static constexpr uint64_t maxCallbacks = uint64_t(1) << 26;
/// Interior indices of a dim that are sampled.
static constexpr uint64_t numSamples = 3;
/// A dim of the grid with fewer blocks has a kind for each index.
static constexpr uint64_t minInterior = 5;

namespace {
/// A dim of the grid: the index of block b is b / unit % size.
struct GridDim {
  uint64_t unit, size;

  bool hasInterior() const { return size >= minInterior; }
  uint64_t kindCount() const { return hasInterior() ? 3 : size; }
  uint64_t blocksOf(uint64_t kind) const {
    return hasInterior() && kind == 1 ? size - 2 : 1;
  }
  uint64_t sample(uint64_t kind, uint64_t number) const {
    if (!hasInterior() || kind == 0)
      return kind;
    const uint64_t interior[numSamples] = {1, size / 2, size - 2};
    return kind == 1 ? interior[number] : size - 1;
  }
};
} // namespace

/// Returns the dims of the grid, the fastest first; empty if the kernel does
/// not divide the block's number as a grid of dims needs.
static std::vector<GridDim> dimsOf(const std::set<uint64_t> &units,
                                   uint64_t blocks) {
  std::vector<GridDim> dims;
  uint64_t last = 1;
  for (uint64_t unit : units) {
    if (unit <= 1 || unit >= blocks)
      continue;
    if (unit % last)
      return {};
    dims.push_back({last, unit / last});
    last = unit;
  }
  if (blocks % last)
    return {};
  dims.push_back({last, blocks / last});
  return dims;
}

/// Returns the kinds of blocks; empty if counting them saves nothing.
std::vector<Profile::Kind> Profile::kinds() const {
  std::vector<GridDim> dims = dimsOf(counters.radixes(), grid.blocks);
  uint64_t count = dims.empty() ? grid.blocks : 1;
  for (const GridDim &dim : dims)
    count = std::min(count * dim.kindCount(), grid.blocks);
  // Atomics may depend on earlier blocks, so these kernels run in order.
  if (count * numSamples >= grid.blocks || grid.kernel.has(simHasAtomics))
    return {};
  std::vector<Kind> result(count);
  for (uint64_t i = 0; i < count; ++i) {
    Kind &kind = result[i];
    kind.blocks = 1;
    kind.samples.assign(numSamples, 0);
    uint64_t rest = i;
    for (const GridDim &dim : dims) {
      uint64_t part = rest % dim.kindCount();
      rest /= dim.kindCount();
      kind.blocks *= dim.blocksOf(part);
      for (uint64_t k = 0; k < numSamples; ++k)
        kind.samples[k] += dim.unit * dim.sample(part, k);
    }
    auto end = std::unique(kind.samples.begin(), kind.samples.end());
    kind.samples.erase(end, kind.samples.end());
  }
  return result;
}

Status Profile::count(BlockRunner &runner, uint64_t block, Counts &out) {
  for (auto &[number, counts] : known)
    if (number == block) {
      out = counts;
      return Status();
    }
  counters.clear();
  grid.counters = &counters;
  Status status = runner.run(block);
  grid.counters = nullptr;
  TENSORC_RT_TRY(std::move(status));
  isCounted[block] = true;
  ++blocksCounted;
  callbacksPerBlock = std::max(callbacksPerBlock, counters.callbacks());
  out = counters.get();
  return Status();
}

static void addCounts(std::vector<SiteCounts> &to,
                      const std::vector<SiteCounts> &counts, uint64_t times) {
  for (size_t i = 0; i < to.size(); ++i)
    to[i].add(counts[i], times);
}

Status Profile::countAll(BlockRunner &runner) {
  std::fill(total.begin(), total.end(), SiteCounts());
  Counts counts;
  for (uint64_t block = 0; block < grid.blocks; ++block) {
    TENSORC_RT_TRY(count(runner, block, counts));
    addCounts(total, counts, 1);
  }
  return Status();
}

Status Profile::countKinds(BlockRunner &runner, bool &areEqual) {
  areEqual = true;
  for (const Kind &kind : kinds()) {
    std::vector<Counts> samples(kind.samples.size());
    for (size_t i = 0; i < samples.size(); ++i) {
      TENSORC_RT_TRY(count(runner, kind.samples[i], samples[i]));
      if (known.empty() || known.back().first != kind.samples[i])
        known.emplace_back(kind.samples[i], samples[i]);
      areEqual &= samples[i] == samples[0];
    }
    // Each of the differing samples represents an equal part of the kind.
    uint64_t left = kind.blocks;
    for (size_t i = 0; i < samples.size(); ++i) {
      uint64_t part = left / (samples.size() - i);
      addCounts(total, samples[i], part);
      left -= part;
    }
  }
  return Status();
}

/// Computes the values of the blocks that have not been counted.
Status Profile::runOthers(BlockRunner &runner) {
  uint64_t others = grid.blocks - blocksCounted;
  isComplete = others * callbacksPerBlock <= maxCallbacks;
  for (uint64_t block = 0; isComplete && block < grid.blocks; ++block)
    if (!isCounted[block])
      TENSORC_RT_TRY(runner.run(block));
  return Status();
}

Status Profile::run(BlockRunner &runner) {
  TENSORC_RT_TRY(runner.prepare(grid));
  total.assign(counters.get().size(), SiteCounts());
  if (!grid.blocks)
    return Status();
  if (grid.options.countsAll || grid.kernel.has(simHasAtomics))
    return countAll(runner);
  Counts first;
  TENSORC_RT_TRY(count(runner, 0, first));
  known.emplace_back(0, first);
  if (kinds().empty())
    return countAll(runner);
  bool areEqual = true;
  TENSORC_RT_TRY(countKinds(runner, areEqual));
  if (areEqual)
    return runOthers(runner);
  if (grid.blocks * callbacksPerBlock <= maxCallbacks)
    return countAll(runner);
  isExact = false;
  return runOthers(runner);
}

//===----------------------------------------------------------------------===//
// As JSON
//===----------------------------------------------------------------------===//

/// Returns the length of the UTF-8 sequence at the beginning of a text that is
/// not empty; 0 if it is malformed (Unicode 15, table 3-7).
static size_t utf8Length(const char *text) {
  auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  unsigned char first = byte(0);
  if (first < 0x80)
    return 1;
  size_t length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  unsigned char low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  unsigned char high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  if (first < 0xc2 || first > 0xf4 || byte(1) < low || byte(1) > high)
    return 0;
  for (size_t i = 2; i < length; ++i)
    if (byte(i) < 0x80 || byte(i) > 0xbf)
      return 0;
  return length;
}

static std::string quoted(const char *text) {
  std::string result = "\"";
  for (; *text; ++text) {
    auto byte = static_cast<unsigned char>(*text);
    if (byte >= 0x80) {
      size_t length = utf8Length(text);
      result += length ? std::string(text, length) : "\\ufffd";
      text += length ? length - 1 : 0;
      continue;
    }
    if (byte < 0x20) {
      char code[8];
      std::snprintf(code, sizeof(code), "\\u%04x", byte);
      result += code;
      continue;
    }
    if (*text == '"' || *text == '\\')
      result += '\\';
    result += *text;
  }
  return result + "\"";
}

/// Returns the name of the class of a site's instructions.
static const char *className(const SimSite &site, bool isShared) {
  static constexpr const char *counted[] = {"float", "double", "integer",
                                            "special", "convert"};
  switch (site.op) {
  case SimOp::Read:
    return isShared ? "workgroup load" : "global load";
  case SimOp::Write:
    return isShared ? "workgroup store" : "global store";
  case SimOp::Atomic:
    return isShared ? "workgroup atomic" : "global atomic";
  case SimOp::Barrier:
    return "barrier";
  case SimOp::Shuffle:
    return "shuffle";
  case SimOp::Matrix: // ldmatrix, or a multiplication
    return isShared ? "workgroup load" : "matrix";
  case SimOp::Copy:
    return isShared ? "workgroup store" : "global load";
  case SimOp::Count:
    return counted[static_cast<unsigned>(site.counted)];
  case SimOp::Branch:
    return "branch";
  case SimOp::Radix:
    return "radix";
  }
  __builtin_unreachable();
}

static std::string siteJson(const SimKernel &kernel, const SimSite &site,
                            bool isShared, const SiteCounts &counts) {
  std::string text = "{\"class\":" + quoted(className(site, isShared));
  if (site.user)
    text += ",\"line\":" + quoted(kernel.strings + site.user);
  if (site.kernel)
    text += ",\"op\":" + quoted(kernel.strings + site.kernel);
  auto number = [&](const char *name, uint64_t value) {
    if (value)
      text += ",\"" + std::string(name) + "\":" + std::to_string(value);
  };
  // A site that represents several instructions counts that many per execution.
  uint64_t times = site.op == SimOp::Count ? site.bytes : 1;
  number("issues", times * counts.issues);
  number("lanes", times * counts.lanes);
  number("bytes", counts.bytes);
  number("sectors", counts.sectors);
  number("min_sectors", counts.minSectors);
  number("wavefronts", counts.wavefronts);
  number("min_wavefronts", counts.minWavefronts);
  number("divergent", counts.divergent);
  number("flops", counts.flops);
  return text + "}";
}

std::string Profile::toJson() const {
  const SimKernel &kernel = grid.kernel;
  uint64_t workgroupBytes = 0;
  for (uint32_t i = 0; i < kernel.shared; ++i)
    workgroupBytes += kernel.memory[kernel.buffers + i].bytes;
  std::string text =
      "{\"blocks\":" + std::to_string(grid.blocks) +
      ",\"counted_blocks\":" + std::to_string(blocksCounted) +
      ",\"exact\":" + (isExact && !counters.isSampled() ? "true" : "false") +
      ",\"complete\":" + (isComplete ? "true" : "false") +
      ",\"threads\":" + std::to_string(kernel.blockThreads) +
      ",\"subgroup\":" + std::to_string(kernel.subgroupSize) +
      ",\"workgroup_bytes\":" +
      std::to_string(std::max<uint64_t>(workgroupBytes, kernel.dynamicShared)) +
      ",\"buffers\":[";
  for (uint32_t i = 0; i < kernel.buffers; ++i)
    text += (i ? "," : "") + std::to_string(grid.buffers[i].bytes);
  text += "],\"sites\":[";
  bool isFirst = true;
  for (uint32_t i = 0; i < total.size(); ++i) {
    const SimSite &site = kernel.sites[i / 2];
    if (!total[i].issues || site.op == SimOp::Radix)
      continue;
    text += isFirst ? "" : ",";
    text += siteJson(kernel, site, i % 2, total[i]);
    isFirst = false;
  }
  return text + "]}";
}
