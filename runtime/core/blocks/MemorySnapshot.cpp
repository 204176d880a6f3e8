//===- MemorySnapshot.cpp - the blocks of an allocator --------------------===//
#include "runtime/core/blocks/MemorySnapshot.h"

#include <algorithm>
#include <cstdio>
#include <ctime>

using namespace tensorc::rt;

int64_t BlockRecord::now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * int64_t(1'000'000'000) + time.tv_nsec;
}

void BlockRecord::restart(uint32_t count) {
  std::vector<BlockFacts> fresh(count);
  ring.swap(fresh);
  added = 0;
}

std::vector<BlockFacts> BlockRecord::blocks() const {
  std::vector<BlockFacts> ordered;
  size_t count = std::min(added, ring.size());
  ordered.reserve(count);
  for (size_t i = added - count; i < added; ++i)
    ordered.push_back(ring[i % ring.size()]);
  return ordered;
}

/// Appends the text as a JSON string.
static void appendString(std::string &json, const char *text) {
  json += '"';
  for (; *text; ++text) {
    auto byte = static_cast<unsigned char>(*text);
    if (byte == '"' || byte == '\\') {
      json += '\\';
      json += *text;
    } else if (byte < 0x20) {
      char escaped[8];
      std::snprintf(escaped, sizeof escaped, "\\u%04x", byte);
      json += escaped;
    } else {
      json += *text;
    }
  }
  json += '"';
}

static void appendNumber(std::string &json, const char *name, uint64_t number) {
  json += std::string("\"") + name + "\": " + std::to_string(number) + ", ";
}

static void appendBlock(std::string &json, const BlockFacts &block) {
  static const char *const names[] = {"used", "cached", "pending", "released"};
  json += "{";
  appendNumber(json, "bytes", block.bytes);
  if (block.requested)
    appendNumber(json, "requested", block.requested);
  if (block.begin)
    appendNumber(json, "begin", static_cast<uint64_t>(block.begin));
  if (block.end)
    appendNumber(json, "end", static_cast<uint64_t>(block.end));
  if (block.file) {
    json += "\"line\": ";
    appendString(json,
                 (block.file + (":" + std::to_string(block.line))).c_str());
    json += ", ";
  }
  json += std::string("\"state\": \"") +
          names[static_cast<unsigned>(block.state)] + "\"}";
}

static void appendList(std::string &json, const char *name,
                       const std::vector<BlockFacts> &blocks) {
  json += std::string("\"") + name + "\": [";
  const char *separator = "\n  ";
  for (const BlockFacts &block : blocks) {
    json += separator;
    appendBlock(json, block);
    separator = ",\n  ";
  }
  json += "]";
}

std::string MemorySnapshot::toJson(const char *device) const {
  uint64_t rounding = 0, largest = 0, cached = 0;
  std::vector<BlockFacts> timeline = released;
  for (const BlockFacts &block : blocks) {
    if (block.state == BlockFacts::State::Used) {
      rounding += block.bytes - block.requested;
      if (block.begin)
        timeline.push_back(block);
      continue;
    }
    cached += block.bytes;
    largest = std::max<uint64_t>(largest, block.bytes);
  }
  std::string json = "{\"device\": ";
  appendString(json, device);
  json += ", ";
  appendNumber(json, "allocated", stats.allocated);
  appendNumber(json, "peak", stats.peak);
  appendNumber(json, "cached", cached);
  appendNumber(json, "limit", stats.limit);
  appendNumber(json, "rounding", rounding);
  // Integers are printed without the locale's decimal point.
  unsigned long long part = cached ? (cached - largest) * 10000 / cached : 0;
  char fragmentation[64];
  std::snprintf(fragmentation, sizeof fragmentation,
                "\"fragmentation\": 0.%04llu,\n ", part);
  json += fragmentation;
  appendList(json, "blocks", blocks);
  json += ",\n ";
  appendList(json, "timeline", timeline);
  return json + "}\n";
}
