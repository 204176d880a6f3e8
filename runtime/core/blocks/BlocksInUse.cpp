//===- BlocksInUse.cpp - the blocks in use --------------------------------===//
#include "runtime/core/blocks/BlocksInUse.h"

#include "runtime/core/Buffer.h"

#include <algorithm>

using namespace tensorc::rt;

BlockFacts BlocksInUse::factsOf(const Buffer &block) {
  BlockFacts facts;
  facts.bytes = block.capacity;
  facts.requested = block.size;
  facts.file = block.origin.file.load(std::memory_order_acquire);
  facts.line = block.origin.line.load(std::memory_order_relaxed);
  facts.begin = block.origin.time;
  return facts;
}

void BlocksInUse::add(Buffer &block) {
  block.previous = nullptr;
  block.next = first;
  if (first)
    first->previous = &block;
  first = &block;
  block.origin.time = removed.isOn() ? BlockRecord::now() : 0;
}

void BlocksInUse::remove(Buffer &block) {
  (block.previous ? block.previous->next : first) = block.next;
  if (block.next)
    block.next->previous = block.previous;
  // The record has no blocks from before its begin.
  if (removed.isOn() && block.origin.time) {
    BlockFacts facts = factsOf(block);
    facts.state = BlockFacts::State::Released;
    facts.end = BlockRecord::now();
    removed.add(facts);
  }
  block.origin.file.store(nullptr, std::memory_order_relaxed);
}

std::vector<BlockFacts> BlocksInUse::blocks() const {
  std::vector<BlockFacts> list;
  for (const Buffer *block = first; block; block = block->next)
    list.push_back(factsOf(*block));
  return list;
}

std::string BlocksInUse::largest() const {
  constexpr size_t shown = 5;
  std::vector<BlockFacts> largest;
  for (const Buffer *block = first; block; block = block->next) {
    BlockFacts facts = factsOf(*block);
    if (!facts.file)
      continue;
    auto smaller =
        std::find_if(largest.begin(), largest.end(), [&](const auto &other) {
          return other.bytes < facts.bytes;
        });
    largest.insert(smaller, facts);
    if (largest.size() > shown)
      largest.pop_back();
  }
  std::string text;
  for (const BlockFacts &block : largest)
    text += (text.empty() ? "; the largest live tensors: " : ", ") +
            std::to_string(block.bytes) + " bytes (" + block.file + ":" +
            std::to_string(block.line) + ")";
  return text;
}
