//===- Structure.cpp - Checks of bytecode that MLIR's reader omits --------===//
//
// Bytecode is a header and sections: strings, dialects with the names of their
// ops, offsets of attributes and types, properties, and ops. Each count
// precedes the items that it counts. Each item takes at least one byte, so no
// count can be larger than the number of remaining bytes.
//
//===----------------------------------------------------------------------===//

#include "compiler/frontends/stablehlo/portable/Structure.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

namespace tensorc::stablehlo {

namespace {
enum Section : uint8_t {
  Strings = 0,
  Dialects = 1,
  Encodings = 2, // encodings of attributes and types
  Offsets = 3,
  Ops = 4,
  Resources = 5, // StableHLO has none
  ResourceOffsets = 6,
  DialectVersions = 7,
  Properties = 8,
  sectionCount = 9
};

/// Parts of an op, as bits of the byte after its name.
enum OpMask : uint8_t {
  HasAttributes = 1,
  HasResults = 2,
  HasOperands = 4,
  HasSuccessors = 8,
  HasRegions = 16,
  HasUseLists = 32,
  HasProperties = 64
};

/// A sequence of bytes that is consumed from the front. After the first failure
/// it is empty.
class Bytes {
public:
  explicit Bytes(llvm::StringRef bytes = {}) : rest(bytes) {}

  bool failed() const { return isBad; }
  bool empty() const { return rest.empty(); }
  size_t size() const { return rest.size(); }

  void fail() {
    isBad = true;
    rest = {};
  }
  uint8_t byte() {
    if (rest.empty())
      return fail(), 0;
    auto value = static_cast<uint8_t>(rest.front());
    rest = rest.drop_front();
    return value;
  }
  llvm::StringRef take(uint64_t count) {
    if (count > rest.size())
      return fail(), llvm::StringRef();
    llvm::StringRef taken = rest.take_front(count);
    rest = rest.drop_front(count);
    return taken;
  }
  /// Reads a number. The number of trailing zeros of the first byte is the
  /// number of bytes that follow.
  uint64_t number() {
    uint8_t first = byte();
    if (first & 1)
      return first >> 1;
    unsigned more = first ? llvm::countr_zero(first) : 8;
    uint64_t value = 0;
    llvm::StringRef bytes = take(more);
    for (size_t i = bytes.size(); i-- > 0;)
      value = value << 8 | static_cast<uint8_t>(bytes[i]);
    return first ? (value << 8 | first) >> (more + 1) : value;
  }
  /// Reads the number of items that follow, which is at most the number of
  /// remaining bytes.
  uint64_t count() {
    uint64_t value = number();
    return value > rest.size() ? (fail(), 0) : value;
  }
  void index(uint64_t limit) {
    if (number() >= limit)
      fail();
  }
  void indices(uint64_t count, uint64_t limit) {
    for (; count && !isBad; --count)
      index(limit);
  }
  /// Reads a section; returns its id and its content.
  std::pair<uint8_t, llvm::StringRef> section() {
    uint8_t id = byte();
    uint64_t length = number();
    if (id & 128) {
      uint64_t alignment = number();
      if (!llvm::isPowerOf2_64(alignment))
        fail();
      while (!isBad && reinterpret_cast<uintptr_t>(rest.data()) % alignment)
        if (byte() != 0xCB)
          fail();
    }
    return {id & 127, take(length)};
  }

private:
  llvm::StringRef rest;
  bool isBad = false;
};

class Structure {
public:
  std::string check(llvm::StringRef bytes);

private:
  llvm::StringRef sections[sectionCount];
  uint64_t strings = 0, dialects = 0, names = 0, attributes = 0, types = 0,
           properties = 0;
  unsigned depth = 0;

  bool readSections(Bytes bytes);
  bool readStrings();
  bool readDialects();
  bool readOffsets();
  bool readProperties();
  bool readGroup(Bytes &bytes, uint64_t &left, uint64_t &encoded);
  void readRegion(Bytes &bytes, uint64_t outside);
  void readUseLists(Bytes &bytes, uint64_t values);
  void readOp(Bytes &bytes, uint64_t &values, uint64_t scope);
};
} // namespace

bool Structure::readSections(Bytes bytes) {
  bool seen[sectionCount] = {};
  bytes.take(4); // the magic number
  constexpr uint64_t version = 6;
  if (bytes.number() != version)
    return false;
  while (bytes.byte()) // the producer's name
    ;
  while (!bytes.empty()) {
    auto [id, contents] = bytes.section();
    if (id >= sectionCount || id == DialectVersions || seen[id])
      return false;
    seen[id] = true;
    sections[id] = contents;
  }
  bool hasResources = !sections[Resources].empty() ||
                      Bytes(sections[ResourceOffsets]).number() != 0;
  return !bytes.failed() && !hasResources;
}

bool Structure::readStrings() {
  Bytes bytes(sections[Strings]);
  strings = bytes.count();
  uint64_t total = 0;
  for (uint64_t i = 0; i < strings && !bytes.failed(); ++i) {
    uint64_t size = bytes.number();
    if (size > sections[Strings].size())
      return false;
    total += size;
  }
  return !bytes.failed() && total == bytes.size();
}

bool Structure::readDialects() {
  Bytes bytes(sections[Dialects]);
  dialects = bytes.count();
  for (uint64_t i = 0; i < dialects && !bytes.failed(); ++i) {
    uint64_t name = bytes.number();
    if (name >> 1 >= strings)
      return false;
    if ((name & 1) && bytes.section().first != DialectVersions)
      return false;
  }
  names = bytes.count();
  uint64_t found = 0;
  while (!bytes.empty()) {
    bytes.index(dialects);
    for (uint64_t count = bytes.count(); count && !bytes.failed(); --count) {
      if (bytes.number() >> 1 >= strings)
        return false;
      ++found;
    }
  }
  return !bytes.failed() && found == names;
}

/// Reads a group of attributes or types of one dialect: the sizes of their
/// encodings.
bool Structure::readGroup(Bytes &bytes, uint64_t &left, uint64_t &encoded) {
  bytes.index(dialects);
  uint64_t count = bytes.count();
  if (!count || count > left)
    return false;
  left -= count;
  for (; count && !bytes.failed(); --count) {
    uint64_t size = bytes.number() >> 1;
    if (size > encoded)
      return false;
    encoded -= size;
  }
  return !bytes.failed();
}

bool Structure::readOffsets() {
  Bytes bytes(sections[Offsets]);
  attributes = bytes.count();
  types = bytes.count();
  uint64_t encoded = sections[Encodings].size();
  for (uint64_t left : {attributes, types})
    while (left)
      if (!readGroup(bytes, left, encoded))
        return false;
  return !bytes.failed() && bytes.empty();
}

bool Structure::readProperties() {
  if (sections[Properties].empty())
    return true;
  Bytes bytes(sections[Properties]);
  properties = bytes.count();
  for (uint64_t i = 0; i < properties; ++i)
    bytes.take(bytes.number());
  return !bytes.failed() && bytes.empty();
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// Reads the order in which the uses of values are listed. If there is a single
/// value, no index is stored.
void Structure::readUseLists(Bytes &bytes, uint64_t values) {
  uint64_t lists = values == 1 ? 1 : bytes.count();
  for (; lists && !bytes.failed(); --lists) {
    if (values != 1)
      bytes.index(values);
    uint64_t numbers = bytes.number() >> 1;
    if (numbers > bytes.size())
      bytes.fail();
    for (; numbers && !bytes.failed(); --numbers)
      bytes.number();
  }
}

/// Reads an op. `values` is the number of values that are still to be defined
/// in the region, `scope` the number of values that may be used.
void Structure::readOp(Bytes &bytes, uint64_t &values, uint64_t scope) {
  bytes.index(names);
  uint8_t mask = bytes.byte();
  bytes.index(attributes); // the location
  if (mask & HasAttributes)
    bytes.index(attributes);
  if (mask & HasProperties)
    bytes.index(properties);
  uint64_t results = mask & HasResults ? bytes.count() : 0;
  bytes.indices(results, types);
  if (results > values)
    bytes.fail();
  values -= std::min(values, results);
  if (mask & HasOperands)
    bytes.indices(bytes.count(), scope);
  if (mask & HasSuccessors) // VHLO has no ops with successors
    bytes.fail();
  if (mask & HasUseLists)
    readUseLists(bytes, results);
  if (!(mask & HasRegions))
    return;
  uint64_t regions = bytes.number();
  bool isIsolated = regions & 1;
  regions >>= 1;
  Bytes own;
  if (isIsolated) {
    auto [id, contents] = bytes.section();
    if (id != Ops)
      bytes.fail();
    own = Bytes(contents);
  }
  Bytes &inner = isIsolated ? own : bytes;
  if (regions > inner.size())
    inner.fail();
  for (; regions && !inner.failed(); --regions)
    readRegion(inner, isIsolated ? 0 : scope);
  if (inner.failed() || (isIsolated && !inner.empty()))
    bytes.fail();
}

void Structure::readRegion(Bytes &bytes, uint64_t outside) {
  constexpr unsigned maxDepth = 128;
  if (++depth > maxDepth)
    bytes.fail();
  if (uint64_t blocks = bytes.count()) {
    uint64_t values = bytes.count();
    uint64_t scope = outside + values;
    for (; blocks && !bytes.failed(); --blocks) {
      uint64_t ops = bytes.number();
      bool hasArguments = ops & 1;
      ops >>= 1;
      if (ops > bytes.size())
        bytes.fail();
      uint64_t arguments = hasArguments ? bytes.count() : 0;
      for (uint64_t i = 0; i < arguments && !bytes.failed(); ++i) {
        uint64_t type = bytes.number();
        if (type >> 1 >= types)
          bytes.fail();
        if (type & 1)
          bytes.index(attributes); // its location
      }
      if (arguments > values)
        bytes.fail();
      values -= std::min(values, arguments);
      if (hasArguments && bytes.byte())
        readUseLists(bytes, arguments);
      for (; ops && !bytes.failed(); --ops)
        readOp(bytes, values, scope);
    }
    if (values)
      bytes.fail();
  }
  --depth;
}

std::string Structure::check(llvm::StringRef all) {
  if (!readSections(Bytes(all)))
    return "is no bytecode of version 6, or a part is missing";
  if (!readStrings() || !readDialects())
    return "has damaged names";
  if (!readOffsets() || !readProperties())
    return "has damaged attributes or types";
  Bytes bytes(sections[Ops]);
  // The top level is one block without arguments, which contains the module.
  uint64_t ops = bytes.number();
  uint64_t values = 0;
  if ((ops & 1) || ops >> 1 != 1)
    bytes.fail();
  readOp(bytes, values, 0);
  return bytes.failed() || !bytes.empty() ? "has damaged ops" : "";
}

std::string whyNoBytecode(llvm::StringRef bytes) {
  return Structure().check(bytes);
}

} // namespace tensorc::stablehlo
