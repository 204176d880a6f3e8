//===- Package.cpp - decodes the bytes of a package -----------------------===//
//
// The bytes are not trusted. The header and the table are copied before they
// are read, FlatBuffers verifies the table's structure, and references within
// it are checked here and in Verify.cpp.
//
//===----------------------------------------------------------------------===//
#include "runtime/abi/Bytecode.h"
#include "runtime/abi/Format.h"
#include "runtime/abi/package_generated.h"
#include "runtime/core/Types.h"
#include "runtime/program/Program.h"

#include <algorithm>
#include <cstring>

using namespace tensorc::rt;

#define INVALID(...) error(TENSORC_RT_INVALID_PACKAGE, "package: " __VA_ARGS__)

/// Returns the size of a FlatBuffers vector, or 0 if it is absent (null).
template <typename T>
static uint32_t sizeOf(const flatbuffers::Vector<T> *list) {
  return list ? list->size() : 0;
}

namespace {
/// Copies texts and code out of the table, but not more bytes than a table
/// without sharing could contain: references in a table may share their
/// targets, so that a small file could cause endless copying.
struct Copier {
  size_t left;
  bool exhausted = false;

  bool take(size_t size) {
    exhausted |= size > left;
    left -= exhausted ? 0 : size;
    return !exhausted;
  }
  std::string text(const flatbuffers::String *text) {
    return text && take(text->size()) ? text->str() : std::string();
  }
};
} // namespace

static Status checkVersion(uint32_t version) {
  if (version == packageVersion)
    return Status();
  // A much larger version number indicates the other byte order.
  if (version > UINT16_MAX && __builtin_bswap32(version) <= UINT16_MAX)
    return INVALID("its numbers have the other byte order");
  return INVALID("its format is version %u, %s than version %u, which this "
                 "runtime (tensorc " TENSORC_RT_VERSION ") reads%s",
                 version, version > packageVersion ? "newer" : "older",
                 packageVersion,
                 version > packageVersion ? "" : "; compile it again");
}

/// Copies the table out of the file, aligned as FlatBuffers needs.
static Status copyTable(std::span<const char> bytes,
                        std::vector<uint64_t> &table) {
  PackageHeader header;
  if (bytes.size() < sizeof(header))
    return INVALID("truncated: it has %zu bytes, a package's header alone %zu",
                   bytes.size(), sizeof(header));
  std::memcpy(&header, bytes.data(), sizeof(header));
  if (std::memcmp(header.magic, packageMagic, sizeof(packageMagic)))
    return INVALID("not a tensorc package");
  TENSORC_RT_TRY(checkVersion(header.version));
  if (header.headerSize != sizeof(header))
    return INVALID("altered: its header says that it is %u bytes long, "
                   "expected %zu",
                   header.headerSize, sizeof(header));
  if (header.fileSize != bytes.size())
    return INVALID("truncated or altered: it has %zu bytes, its header says "
                   "%llu",
                   bytes.size(), (unsigned long long)header.fileSize);
  if (header.tableOffset % 16 || header.tableOffset > bytes.size() ||
      header.tableSize > bytes.size() - header.tableOffset ||
      header.tableSize > FLATBUFFERS_MAX_BUFFER_SIZE)
    return INVALID("its table is outside the file");
  table.resize(header.tableSize / 8 + 1);
  std::memcpy(table.data(), bytes.data() + header.tableOffset,
              header.tableSize);
  if (hashBytes(table.data(), header.tableSize) != header.tableHash)
    return INVALID("altered: its table does not have the hash that its header "
                   "says");
  flatbuffers::Verifier verifier(reinterpret_cast<uint8_t *>(table.data()),
                                 header.tableSize);
  if (!fbs::VerifyPackageBuffer(verifier))
    return INVALID("its table is damaged");
  return Status();
}

/// Decodes a segment. `in` may be unaligned, because FlatBuffers does not check
/// the alignment of structs.
static Status decodeSegment(std::span<const char> bytes, const void *in,
                            std::span<const char> &out, uint64_t &hash) {
  fbs::Segment segment;
  std::memcpy(&segment, in, sizeof(segment));
  if (segment.offset() % segmentAlignment || segment.offset() > bytes.size() ||
      segment.size() > bytes.size() - segment.offset())
    return INVALID("a segment is outside the file");
  out = bytes.subspan(segment.offset(), segment.size());
  hash = segment.hash();
  return Status();
}

static Status decodeValue(Copier &copier, const fbs::Value &in, Value &out) {
  out.name = copier.text(in.name());
  out.scalar = in.scalar();
  out.donated = in.donated();
  // Clamps the number first, because an enum must only hold values that it
  // defines.
  uint8_t dtype = in.dtype() <= TENSORC_RT_INDEX ? in.dtype() : 0;
  out.dtype = static_cast<tensorc_rt_dtype>(dtype);
  if (bitsOf(out.dtype) == 0 || (out.dtype == TENSORC_RT_INDEX && !out.scalar))
    return INVALID("value '%s' has no valid dtype", out.name.c_str());
  uint32_t rank = sizeOf(in.dims());
  if (rank > TENSORC_RT_MAX_RANK || (out.scalar && rank))
    return INVALID("value '%s' has %u dimensions", out.name.c_str(), rank);
  for (uint32_t i = 0; i < rank; ++i) {
    const fbs::Dim &dim = *in.dims()->Get(i);
    if (dim.size() < -1)
      return INVALID("value '%s' has a negative dimension", out.name.c_str());
    out.dims.push_back(dim.size());
    out.dimNames.push_back(copier.text(dim.name()));
  }
  for (const std::string &name : out.dimNames)
    out.dimNamePointers.push_back(name.c_str());
  if (!byteSize(out.dtype, static_cast<int32_t>(rank), out.dims.data(),
                out.bytes))
    out.bytes = -1;
  // A complex number of 16 bytes needs only the alignment of its parts.
  out.alignment =
      out.donated
          ? bufferAlignment
          : static_cast<uintptr_t>(std::clamp(bitsOf(out.dtype) / 8, 1, 8));
  out.elements = isExpanded(out.dtype) ? TENSORC_RT_NONE : out.dtype;
  return Status();
}

/// Finds the dims of outputs that have the same name as a dim of an input, and
/// therefore the same size.
static void findSources(Entry &entry) {
  auto find = [&](const std::string &name) -> Value::Source {
    for (size_t i = 0; i < entry.inputs.size(); ++i)
      for (size_t k = 0; k < entry.inputs[i].dims.size(); ++k)
        if (entry.inputs[i].dims[k] < 0 && entry.inputs[i].dimNames[k] == name)
          return {static_cast<int32_t>(i), static_cast<int32_t>(k)};
    return {};
  };
  for (Value &output : entry.outputs)
    for (size_t k = 0; k < output.dims.size(); ++k) {
      // The compiler numbers sizes without a name: "?0".
      const std::string &name = output.dimNames[k];
      bool isNamed = output.dims[k] < 0 && !name.empty() && name[0] != '?';
      output.sources.push_back(isNamed ? find(name) : Value::Source());
    }
}

static Status decodeEntries(Copier &copier, const fbs::Package &package,
                            Program &out) {
  out.entries.resize(sizeOf(package.entries()));
  for (uint32_t i = 0; i < out.entries.size(); ++i) {
    const fbs::Entry &in = *package.entries()->Get(i);
    Entry &entry = out.entries[i];
    entry.name = copier.text(in.name());
    // Decodes the values in place, because their dimNamePointers point to their
    // own strings.
    entry.inputs.resize(sizeOf(in.inputs()));
    for (uint32_t k = 0; k < entry.inputs.size(); ++k)
      TENSORC_RT_TRY(
          decodeValue(copier, *in.inputs()->Get(k), entry.inputs[k]));
    entry.outputs.resize(sizeOf(in.outputs()));
    for (uint32_t k = 0; k < entry.outputs.size(); ++k) {
      TENSORC_RT_TRY(
          decodeValue(copier, *in.outputs()->Get(k), entry.outputs[k]));
      if (entry.outputs[k].scalar)
        return INVALID("output %u of '%s' is a scalar", k, entry.name.c_str());
    }
    findSources(entry);
    if (uint32_t of = in.plan_of()) {
      Entry *last = of <= i ? &out.entries[of - 1] : nullptr;
      if (!last || last->inputs.size() != entry.inputs.size() ||
          last->outputs.size() != entry.outputs.size())
        return INVALID("entry %u is no plan of entry %u", i, of - 1);
      entry.isPlan = true;
      while (last->smaller)
        last = last->smaller;
      last->smaller = &entry;
    } else if (i && out.entries[i - 1].isPlan) {
      return INVALID("entry %u follows plans", i);
    }
  }
  return Status();
}

static Status decodeFunction(Copier &copier, const fbs::Function &in,
                             Function &out) {
  out.name = copier.text(in.name());
  out.words = in.words();
  out.buffers = in.buffers();
  out.events = in.events();
  out.hostBuffers = in.host_buffers();
  out.wordArgs = in.word_args();
  out.bufferArgs = in.buffer_args();
  out.wordResults = in.word_results();
  out.bufferResults = in.buffer_results();
  if (out.words > maxRegisters || out.buffers > maxRegisters ||
      out.events > maxRegisters || out.hostBuffers > maxRegisters ||
      out.wordArgs > out.words || out.bufferArgs > out.buffers)
    return INVALID("function '%s' has impossible registers", out.name.c_str());
  if (in.code() && copier.take(in.code()->size() * sizeof(uint32_t)))
    out.code.assign(in.code()->begin(), in.code()->end());
  return Status();
}

/// Checks that an entry's function takes and returns what the signature says.
static Status checkSignature(const Entry &entry) {
  const Function &function = *entry.function;
  uint64_t words = 0, buffers = 0, dims = 0;
  for (const Value &input : entry.inputs)
    ++(input.scalar ? words : buffers);
  for (const Value &output : entry.outputs)
    dims += output.dims.size();
  if (function.wordArgs != words || function.bufferArgs != buffers ||
      function.bufferResults != entry.outputs.size() ||
      function.wordResults != dims)
    return INVALID("the function of entry '%s' does not fit its signature",
                   entry.name.c_str());
  return Status();
}

static Status decodeFunctions(Copier &copier, const fbs::Section &section,
                              Program &out) {
  out.functions.resize(sizeOf(section.functions()));
  for (uint32_t i = 0; i < out.functions.size(); ++i)
    TENSORC_RT_TRY(
        decodeFunction(copier, *section.functions()->Get(i), out.functions[i]));
  if (sizeOf(section.entry_functions()) != out.entries.size())
    return INVALID("a section has not every entry");
  std::vector<const Entry *> entryOf(out.functions.size());
  for (uint32_t i = 0; i < out.entries.size(); ++i) {
    uint32_t index = section.entry_functions()->Get(i);
    if (index >= out.functions.size() || entryOf[index])
      return INVALID("entry %u has no function of its own", i);
    entryOf[index] = &out.entries[i];
    out.functions[index].isEntry = true;
    out.entries[i].function = &out.functions[index];
    TENSORC_RT_TRY(checkSignature(out.entries[i]));
  }
  for (uint32_t i = 0; i < out.functions.size(); ++i)
    TENSORC_RT_TRY(verifyFunction(out, out.functions[i], entryOf[i]));
  return Status();
}

static Status decodeImage(std::span<const char> bytes, const void *in,
                          const std::string &target,
                          std::span<const char> &out) {
  uint64_t hash = 0;
  TENSORC_RT_TRY(decodeSegment(bytes, in, out, hash));
  if (hashBytes(out.data(), out.size()) != hash)
    return INVALID("altered: the image for %s does not have its hash",
                   target.c_str());
  return Status();
}

static Status decodeKernel(Copier &copier, const fbs::Kernel &in,
                           Program &out) {
  Kernel &kernel = out.kernels.emplace_back();
  kernel.name = internText(copier.text(in.name()));
  kernel.arity = in.arity();
  kernel.image = in.image();
  if (kernel.arity > maxKernelArity)
    return INVALID("a kernel has %u arguments", kernel.arity);
  uint32_t args = sizeOf(in.args());
  if (args && args != kernel.arity)
    return INVALID("a kernel declares %u of its %u arguments", args,
                   kernel.arity);
  for (uint32_t i = 0; i < args; ++i) {
    const fbs::KernelArg &arg = *in.args()->Get(i);
    bool isScalar = arg.role() == static_cast<uint8_t>(ArgRole::Scalar);
    if (arg.role() > maxArgRole || arg.dtype() > TENSORC_RT_INDEX ||
        (!isScalar && kernel.buffers != kernel.roles.size()))
      return INVALID("a kernel declares an impossible argument");
    kernel.roles.push_back(static_cast<ArgRole>(arg.role()));
    kernel.dtypes.push_back(static_cast<tensorc_rt_dtype>(arg.dtype()));
    kernel.buffers += !isScalar;
    if (isScalar && arg.dtype() == TENSORC_RT_INDEX)
      kernel.sizeScalars.push_back(i);
  }
  if (!in.sizes())
    return Status();
  Function sizes;
  TENSORC_RT_TRY(decodeFunction(copier, *in.sizes(), sizes));
  TENSORC_RT_TRY(KernelSizes::decode(out, sizes, kernel.sizes));
  size_t needed = 2 + kernel.buffers + kernel.sizeScalars.size();
  return kernel.sizes.valueCount() == needed
             ? Status()
             : INVALID("a kernel declares %u sizes, expected %zu",
                       kernel.sizes.valueCount(), needed);
}

static Status decodeSection(Copier &copier, std::span<const char> bytes,
                            const fbs::Section &section, Program &out) {
  out.target = copier.text(section.target());
  for (uint32_t i = 0; i < sizeOf(section.kernels()); ++i)
    TENSORC_RT_TRY(decodeKernel(copier, *section.kernels()->Get(i), out));
  for (uint32_t i = 0; i < sizeOf(section.strings()); ++i)
    out.strings.push_back(copier.text(section.strings()->Get(i)));
  for (uint32_t i = 0; i < sizeOf(section.lines()); ++i) {
    const fbs::Line &line = *section.lines()->Get(i);
    if (line.file() >= out.strings.size())
      return INVALID("a line has no file");
    out.lines.push_back({internText(out.strings[line.file()]), line.line()});
  }
  out.images.resize(1 + sizeOf(section.images()));
  if (const void *image = section.image())
    TENSORC_RT_TRY(decodeImage(bytes, image, out.target, out.images[0]));
  for (uint32_t i = 1; i < out.images.size(); ++i)
    TENSORC_RT_TRY(decodeImage(bytes, section.images()->Get(i - 1), out.target,
                               out.images[i]));
  for (const Kernel &kernel : out.kernels)
    if (kernel.image >= out.images.size() || out.images[kernel.image].empty())
      return INVALID("the section for %s has no image", out.target.c_str());
  return decodeFunctions(copier, section, out);
}

/// Runs the section's test of matrix instructions, if it has one. Adds to
/// `broken` if they do not work.
static Status testTiles(std::span<const char> bytes,
                        const fbs::Section &section, const std::string &target,
                        const SectionChooser &choose, std::string &broken) {
  std::span<const char> test;
  if (!section.tile_test())
    return Status();
  TENSORC_RT_TRY(decodeImage(bytes, section.tile_test(), target, test));
  std::string why;
  TENSORC_RT_TRY(choose.test(test, why));
  if (!why.empty())
    broken += (broken.empty() ? "" : "; ") + target + ": " + why;
  return Status();
}

/// Finds the section whose target fits the device best, of those whose matrix
/// instructions work.
static Status chooseSection(Copier &copier, std::span<const char> bytes,
                            const fbs::Package &package,
                            const SectionChooser &choose,
                            const fbs::Section *&out, std::string &broken) {
  struct Candidate {
    const fbs::Section *section;
    std::string target;
    int32_t fit;
  };
  std::vector<Candidate> candidates;
  std::string targets;
  for (uint32_t i = 0; i < sizeOf(package.sections()); ++i) {
    const fbs::Section *section = package.sections()->Get(i);
    std::string target = copier.text(section->target());
    targets += (i ? ", " : "") + target;
    if (int32_t fit = choose.fit(target.c_str()); fit > 0)
      candidates.push_back({section, std::move(target), fit});
  }
  if (candidates.empty())
    return error(
        TENSORC_RT_UNSUPPORTED,
        "package: it holds code for %s, none of which this device runs",
        targets.empty() ? "no target" : targets.c_str());
  while (!candidates.empty()) {
    // The first one of those that fit best.
    auto best = std::max_element(
        candidates.begin(), candidates.end(),
        [](const Candidate &a, const Candidate &b) { return a.fit < b.fit; });
    size_t before = broken.size();
    TENSORC_RT_TRY(
        testTiles(bytes, *best->section, best->target, choose, broken));
    if (broken.size() == before) {
      out = best->section;
      return Status();
    }
    candidates.erase(best);
  }
  return error(TENSORC_RT_UNSUPPORTED,
               "package: matrix instructions do not work on this device (%s), "
               "and it has no code without them: compile it for such a target, "
               "too (docs/devices.md)",
               broken.c_str());
}

/// Opens the constants file next to the package. Its hash must be the one that
/// was written into the package.
static Status openConstants(Copier &copier, const fbs::ConstantsFile &file,
                            const FileOpener &open,
                            std::span<const char> &out) {
  std::string name = copier.text(file.name());
  bool isPlain = !name.empty() && name != "." && name != ".." &&
                 name.find('/') == std::string::npos &&
                 name.find('\0') == std::string::npos;
  if (!isPlain)
    return INVALID("its file of constants has an impossible name");
  TENSORC_RT_TRY(open(name, out));
  ConstantsHeader header = {};
  if (out.size() >= sizeof(header))
    std::memcpy(&header, out.data(), sizeof(header));
  if (std::memcmp(header.magic, constantsMagic, sizeof(constantsMagic)))
    return INVALID("'%s' is not a file of constants", name.c_str());
  TENSORC_RT_TRY(checkVersion(header.version));
  if (out.size() != file.size())
    return INVALID("'%s' is truncated or another package's: it has %zu bytes, "
                   "expected %llu",
                   name.c_str(), out.size(), (unsigned long long)file.size());
  if (header.fileSize != file.size())
    return INVALID("'%s' is altered: it has %zu bytes, its header says %llu",
                   name.c_str(), out.size(),
                   (unsigned long long)header.fileSize);
  if (header.hash != file.hash())
    return INVALID("'%s' holds the constants of another package", name.c_str());
  return Status();
}

Status tensorc::rt::decodePackage(std::span<const char> bytes,
                                  const SectionChooser &choose,
                                  const FileOpener &open, Program &out) {
  std::vector<uint64_t> table;
  TENSORC_RT_TRY(copyTable(bytes, table));
  const fbs::Package &package = *fbs::GetPackage(table.data());
  // Twice the number of bytes, because names of targets are copied twice.
  Copier copier{2 * bytes.size()};
  out.compiler = copier.text(package.compiler());
  out.irHash = package.ir_hash();
  std::span<const char> holder = bytes;
  if (const fbs::ConstantsFile *file = package.constants_file())
    TENSORC_RT_TRY(openConstants(copier, *file, open, holder));
  for (uint32_t i = 0; i < sizeOf(package.constants()); ++i)
    TENSORC_RT_TRY(decodeSegment(holder, package.constants()->Get(i),
                                 out.constants.emplace_back(),
                                 out.constantHashes.emplace_back()));
  TENSORC_RT_TRY(decodeEntries(copier, package, out));
  const fbs::Section *section = nullptr;
  TENSORC_RT_TRY(
      chooseSection(copier, bytes, package, choose, section, out.brokenTiles));
  TENSORC_RT_TRY(decodeSection(copier, bytes, *section, out));
  if (copier.exhausted)
    return INVALID("its table refers to the same bytes too often");
  return Status();
}
