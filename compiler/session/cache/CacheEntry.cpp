//===- CacheEntry.cpp - The file format of a cached compilation -----------===//

#include "compiler/session/cache/CacheEntry.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"

#include <cstring>

namespace tensorc::cache {

static constexpr char magic[8] = {'T', 'C', 'J', 'I', 'T', '\r', '\n', 0x1a};
/// Version of the layout below. The bytes themselves depend on the build, which
/// the build ID identifies.
static constexpr uint32_t layoutVersion = 3;
static constexpr llvm::StringLiteral suffix = ".tcjit";

namespace {
struct Header {
  char magic[8];
  uint32_t version;
  uint32_t refusal;
  uint64_t checksum;
  uint64_t fileSize;
  uint64_t keySize;
  uint64_t factsSize; // bound sizes and kernels
};
} // namespace

static llvm::ArrayRef<uint8_t> bytesOf(llvm::StringRef text) {
  return {reinterpret_cast<const uint8_t *>(text.data()), text.size()};
}

/// Returns the checksum of the header, without its checksum field, and of the
/// bytes that follow it.
static uint64_t checksum(const Header &header, llvm::StringRef rest) {
  Header copy = header;
  copy.checksum = llvm::xxh3_64bits(bytesOf(rest));
  return llvm::xxh3_64bits(
      bytesOf({reinterpret_cast<const char *>(&copy), sizeof copy}));
}

std::string fileNameOf(llvm::StringRef key) {
  llvm::XXH128_hash_t hash = llvm::xxh3_128bits(bytesOf(key));
  return llvm::utohexstr(hash.high64, /*LowerCase=*/true, 16) +
         llvm::utohexstr(hash.low64, /*LowerCase=*/true, 16) + suffix.str();
}

bool isFileName(llvm::StringRef name) {
  return name.consume_back(suffix) && name.size() == 32 &&
         llvm::all_of(name, llvm::isHexDigit);
}

static void append(std::string &out, uint32_t value) {
  out.append(reinterpret_cast<const char *>(&value), sizeof value);
}

std::string encode(llvm::StringRef key, const CacheEntry &entry) {
  std::string facts;
  append(facts, entry.kernels.size());
  append(facts, entry.boundSizes.size());
  for (uint32_t id : entry.boundSizes)
    append(facts, id);
  for (const std::string &kernel : entry.kernels)
    append(facts, kernel.size());
  for (const std::string &kernel : entry.kernels)
    facts += kernel;
  Header header{};
  std::memcpy(header.magic, magic, sizeof magic);
  header.version = layoutVersion;
  header.refusal = entry.refusal;
  header.keySize = key.size();
  header.factsSize = facts.size();
  std::string file(sizeof header, '\0');
  file += key;
  file += facts;
  file.resize(llvm::alignTo(file.size(), entryAlignment), '\0');
  file += entry.package;
  header.fileSize = file.size();
  header.checksum =
      checksum(header, llvm::StringRef(file).drop_front(sizeof header));
  std::memcpy(file.data(), &header, sizeof header);
  return file;
}

/// Returns false if the counts do not match the length of the facts. Because
/// the checksum is valid, the file was then not written by this program.
static bool decodeFacts(llvm::StringRef facts, CacheEntry &entry) {
  auto take = [&]() -> uint32_t {
    uint32_t value = 0;
    if (facts.size() < sizeof value)
      return facts = {}, 0;
    std::memcpy(&value, facts.data(), sizeof value);
    facts = facts.drop_front(sizeof value);
    return value;
  };
  uint64_t kernels = take(), sizes = take();
  if (facts.size() < (kernels + sizes) * sizeof(uint32_t))
    return false;
  for (uint64_t i = 0; i < sizes; ++i)
    entry.boundSizes.push_back(take());
  std::vector<uint32_t> lengths(kernels);
  for (uint32_t &length : lengths)
    length = take();
  for (uint32_t length : lengths) {
    if (facts.size() < length)
      return false;
    entry.kernels.push_back(facts.take_front(length).str());
    facts = facts.drop_front(length);
  }
  return facts.empty();
}

Decoded decode(FileBytes &bytes, size_t size, llvm::StringRef key,
               CacheEntry &entry) {
  Header header;
  if (size < sizeof header)
    return Decoded::Damaged;
  std::memcpy(&header, bytes.get(), sizeof header);
  llvm::StringRef rest(bytes.get() + sizeof header, size - sizeof header);
  if (std::memcmp(header.magic, magic, sizeof magic) ||
      header.version != layoutVersion || header.fileSize != size ||
      header.keySize > rest.size() ||
      header.factsSize > rest.size() - header.keySize ||
      header.checksum != checksum(header, rest))
    return Decoded::Damaged;
  if (rest.take_front(header.keySize) != key)
    return Decoded::OtherKey;
  llvm::StringRef facts = rest.substr(header.keySize, header.factsSize);
  uint64_t package = llvm::alignTo(
      sizeof header + header.keySize + header.factsSize, entryAlignment);
  if (package > size || !decodeFacts(facts, entry))
    return Decoded::Damaged;
  entry.refusal = header.refusal;
  entry.package = {bytes.get() + package, size - package};
  entry.owner = std::move(bytes);
  return Decoded::Entry;
}

} // namespace tensorc::cache
