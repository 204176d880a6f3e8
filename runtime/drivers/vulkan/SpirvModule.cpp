//===- SpirvModule.cpp - the kernels of a SPIR-V module -------------------===//
#include "runtime/drivers/vulkan/SpirvModule.h"

#include <cstring>

using namespace tensorc::rt::vulkan;

// Numbers from SPIR-V's specification (SPIR-V 1.6, sections 2.3 and 3).
static constexpr uint32_t magic = 0x07230203;
static constexpr size_t headWords = 5;
static constexpr uint32_t opEntryPoint = 15, opExecutionMode = 16,
                          localSizeMode = 17, opDecorate = 71, specId = 1;

std::optional<SpirvModule>
tensorc::rt::vulkan::readModule(std::span<const char> bytes) {
  SpirvModule module;
  size_t count = bytes.size() / sizeof(uint32_t);
  if (bytes.size() % sizeof(uint32_t) || count < headWords)
    return std::nullopt;
  module.words.resize(count);
  std::memcpy(module.words.data(), bytes.data(), bytes.size());
  if (module.words[0] != magic)
    return std::nullopt;
  std::map<uint32_t, std::string> names; // names of the entry points, by id
  for (size_t at = headWords; at < count;) {
    const uint32_t *word = &module.words[at];
    uint32_t length = word[0] >> 16, op = word[0] & 0xffff;
    if (!length || length > count - at)
      return std::nullopt;
    if (op == opEntryPoint && length > 3) {
      auto *name = reinterpret_cast<const char *>(word + 3);
      size_t most = (length - 3) * sizeof(uint32_t);
      names[word[2]].assign(name, strnlen(name, most));
      module.kernels[names[word[2]]] = {1, 1, 1};
    }
    // Execution modes follow all entry points.
    if (op == opExecutionMode && length == 6 && word[2] == localSizeMode)
      if (auto found = names.find(word[1]); found != names.end())
        module.kernels[found->second] = {word[3], word[4], word[5]};
    if (op == opDecorate && length > 2 && word[2] == specId)
      module.hasSpecConstants = true;
    at += length;
  }
  return module;
}
