//===- ElfImage.cpp - checks a kernel image before it is mapped -----------===//
//
// An image has code and read-only data in the first segment, with the tables of
// the dynamic section, and writable data in an optional second segment. It
// imports nothing, so its only relocations add the address where it is mapped.
//
//===----------------------------------------------------------------------===//
#include "runtime/core/images/ElfImage.h"

#include <algorithm>
#include <cstring>
#include <optional>

using namespace tensorc::rt;

#define REFUSE(...)                                                            \
  error(TENSORC_RT_INVALID_PACKAGE, "cannot map a kernel image: " __VA_ARGS__)

/// Maximum address within an image, so that relative addresses fit the code
/// model.
static constexpr uint64_t maxAddress = uint64_t(1) << 31;
static constexpr uint16_t maxSegments = 8;
static constexpr uint64_t maxDynamicEntries = 32;

namespace {
/// The entries of a dynamic section.
class DynamicTags {
public:
  /// Notes an entry. Refuses a second one with the same tag.
  Status add(const Elf64_Dyn &entry);
  /// Checks that only known tags occur. Tags that run code, load libraries or
  /// need other tables are unknown.
  Status check() const;
  /// True if the section has a tag below 64.
  bool has(uint64_t tag) const { return present >> tag & 1; }
  /// Returns the value of a tag below 64; 0 if the section lacks it.
  uint64_t operator[](uint64_t tag) const { return values[tag]; }
  /// The value of DT_GNU_HASH, which a checked section has.
  uint64_t hash() const { return *hashTable; }
  /// The value of DT_RELACOUNT.
  uint64_t relativeCount() const { return relative.value_or(0); }

private:
  /// Values of the tags below 64, and a bit per tag that is present. Two tags
  /// with larger numbers have members of their own.
  uint64_t present = 0, values[64] = {};
  std::optional<uint64_t> hashTable, relative;
};

class ElfChecker {
public:
  ElfChecker(std::span<const char> bytes, uint16_t machine)
      : bytes(bytes), machine(machine) {}
  Status run(ElfTables &out);

private:
  struct Range {
    uint64_t address = 0, size = 0;
    bool contains(uint64_t at, uint64_t count) const {
      return at >= address && at - address <= size &&
             count <= size - (at - address);
    }
    bool overlaps(uint64_t at, uint64_t count) const {
      return at < address + size && address < at + count;
    }
  };

  template <typename T> T read(uint64_t offset) const {
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof(T));
    return value;
  }
  /// Like `read`, for a table in the first segment, in which addresses are
  /// equal to file offsets.
  template <typename T> bool readTable(uint64_t address, T &out) const {
    if (address % std::min<size_t>(alignof(T), 8) ||
        !isTable(address, sizeof(T)))
      return false;
    out = read<T>(address);
    return true;
  }
  bool isTable(uint64_t address, uint64_t size) const {
    return Range{0, loads.front().p_filesz}.contains(address, size);
  }
  Status checkHeader();
  Status checkSegment(const Elf64_Phdr &segment);
  Status checkLoad(const Elf64_Phdr &segment);
  Status checkPlace(const Elf64_Phdr &dynamic);
  Status checkDynamic();
  Status checkNames();
  Status checkHash();
  Status checkBuckets(uint64_t buckets, uint32_t count, uint32_t first);
  Status checkSymbols();
  Status checkRelocations();

  std::span<const char> bytes;
  uint16_t machine;
  Elf64_Ehdr header = {};
  std::vector<Elf64_Phdr> loads;
  Range dynamic;
  bool hasDynamic = false, hasStack = false, hasTable = false;
  DynamicTags tags;
  uint32_t symbols = 0;
};
} // namespace

Status DynamicTags::add(const Elf64_Dyn &entry) {
  auto tag = static_cast<uint64_t>(entry.d_tag);
  uint64_t value = entry.d_un.d_val;
  bool isHash = tag == DT_GNU_HASH;
  if (isHash || tag == DT_RELACOUNT) {
    std::optional<uint64_t> &member = isHash ? hashTable : relative;
    if (member)
      return REFUSE("its dynamic section has a tag twice");
    member = value;
    return Status();
  }
  if (tag >= 64)
    return REFUSE("its dynamic section has the tag 0x%llx",
                  (unsigned long long)tag);
  if (has(tag))
    return REFUSE("its dynamic section has a tag twice");
  present |= uint64_t(1) << tag, values[tag] = value;
  return Status();
}

Status DynamicTags::check() const {
  auto bit = [](uint64_t tag) { return uint64_t(1) << tag; };
  uint64_t needed =
      bit(DT_SYMTAB) | bit(DT_SYMENT) | bit(DT_STRTAB) | bit(DT_STRSZ);
  uint64_t relocated = bit(DT_RELA) | bit(DT_RELASZ) | bit(DT_RELAENT);
  uint64_t known = needed | relocated | bit(DT_FLAGS) | bit(DT_SYMBOLIC);
  if (present & ~known)
    return REFUSE("its dynamic section has the tag 0x%x",
                  (unsigned)__builtin_ctzll(present & ~known));
  bool isRelocated = (present & relocated) == relocated;
  if ((present & needed) != needed || !hashTable ||
      (!isRelocated && ((present & relocated) || relative)))
    return REFUSE("its dynamic section lacks a tag");
  if (has(DT_FLAGS) && values[DT_FLAGS] != DF_SYMBOLIC)
    return REFUSE("its dynamic section has the flags 0x%llx",
                  (unsigned long long)values[DT_FLAGS]);
  if (values[DT_SYMENT] != sizeof(Elf64_Sym) ||
      (isRelocated && values[DT_RELAENT] != sizeof(Elf64_Rela)))
    return REFUSE("its tables have elements of another size");
  return Status();
}

Status ElfChecker::checkHeader() {
  static constexpr unsigned char ident[EI_NIDENT] = {
      ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT};
  if (bytes.size() < sizeof(header))
    return REFUSE("it is too short");
  header = read<Elf64_Ehdr>(0);
  if (std::memcmp(header.e_ident, ident, sizeof(ident)) ||
      header.e_type != ET_DYN || header.e_version != EV_CURRENT ||
      header.e_ehsize != sizeof(Elf64_Ehdr) || header.e_flags)
    return REFUSE("it is not an ELF file of kernels");
  if (header.e_machine != machine)
    return REFUSE("it is for another machine");
  if (header.e_phoff != sizeof(Elf64_Ehdr) ||
      header.e_phentsize != sizeof(Elf64_Phdr) ||
      header.e_phnum > maxSegments ||
      bytes.size() - header.e_phoff < header.e_phnum * sizeof(Elf64_Phdr))
    return REFUSE("its segments are not described where they should be");
  return Status();
}

Status ElfChecker::checkLoad(const Elf64_Phdr &segment) {
  uint64_t align = segment.p_align;
  bool isAligned = align >= 4096 && align <= 65536 && !(align & (align - 1)) &&
                   segment.p_vaddr % align == segment.p_offset % align;
  bool isInFile = segment.p_offset <= bytes.size() &&
                  segment.p_filesz <= bytes.size() - segment.p_offset;
  bool isSized = segment.p_memsz > 0 && segment.p_memsz >= segment.p_filesz &&
                 segment.p_memsz <= maxAddress &&
                 segment.p_vaddr <= maxAddress - segment.p_memsz;
  if (!isAligned || !isInFile || !isSized)
    return REFUSE("a segment has an impossible place");
  bool writable = segment.p_flags == (PF_R | PF_W);
  if (!writable && segment.p_flags != PF_R && segment.p_flags != (PF_R | PF_X))
    return REFUSE("a segment has impossible permissions");
  if (!writable && segment.p_memsz != segment.p_filesz)
    return REFUSE("a segment that cannot be written has room");
  if (loads.empty()) {
    if (writable || segment.p_offset || segment.p_vaddr)
      return REFUSE("its first segment is not that of its tables");
  } else {
    // Two segments must not share a page.
    const Elf64_Phdr &last = loads.back();
    uint64_t end = (last.p_vaddr + last.p_memsz + align - 1) / align * align;
    if (align != last.p_align || segment.p_vaddr / align * align < end)
      return REFUSE("two segments share a page");
  }
  loads.push_back(segment);
  return Status();
}

/// Checks that the dynamic section is in a data segment, as the linker writes
/// it.
Status ElfChecker::checkPlace(const Elf64_Phdr &segment) {
  for (const Elf64_Phdr &load : loads)
    if (load.p_flags == (PF_R | PF_W) &&
        Range{load.p_vaddr, load.p_filesz}.contains(segment.p_vaddr,
                                                    segment.p_filesz) &&
        segment.p_vaddr - load.p_vaddr == segment.p_offset - load.p_offset &&
        segment.p_vaddr % 8 == 0)
      return Status();
  return REFUSE("its dynamic section is outside its data");
}

Status ElfChecker::checkSegment(const Elf64_Phdr &segment) {
  auto once = [](bool &seen) {
    return std::exchange(seen, true) ? REFUSE("it has a segment twice")
                                     : Status();
  };
  switch (segment.p_type) {
  case PT_LOAD:
    return checkLoad(segment);
  case PT_PHDR:
    TENSORC_RT_TRY(once(hasTable));
    if (segment.p_offset != header.e_phoff ||
        segment.p_vaddr != header.e_phoff ||
        segment.p_filesz != header.e_phnum * sizeof(Elf64_Phdr) ||
        segment.p_memsz != segment.p_filesz)
      return REFUSE("its segments are not where it says");
    return Status();
  case PT_DYNAMIC:
    TENSORC_RT_TRY(once(hasDynamic));
    if (segment.p_filesz != segment.p_memsz ||
        segment.p_filesz % sizeof(Elf64_Dyn) || !segment.p_filesz ||
        segment.p_filesz > maxDynamicEntries * sizeof(Elf64_Dyn))
      return REFUSE("its dynamic section has an impossible size");
    dynamic = {segment.p_vaddr, segment.p_filesz};
    return checkPlace(segment);
  case PT_GNU_STACK:
    TENSORC_RT_TRY(once(hasStack));
    if (segment.p_flags != (PF_R | PF_W) || segment.p_filesz || segment.p_memsz)
      return REFUSE("it asks for another stack");
    return Status();
  default:
    return REFUSE("it has a segment of type 0x%x", segment.p_type);
  }
}

Status ElfChecker::checkDynamic() {
  for (const Elf64_Phdr &load : loads) {
    if (!Range{load.p_vaddr, load.p_filesz}.contains(dynamic.address,
                                                     dynamic.size))
      continue;
    uint64_t at = dynamic.address - load.p_vaddr + load.p_offset;
    for (uint64_t end = at + dynamic.size; at < end; at += sizeof(Elf64_Dyn)) {
      auto entry = read<Elf64_Dyn>(at);
      if (entry.d_tag == DT_NULL)
        return tags.check();
      TENSORC_RT_TRY(tags.add(entry));
    }
  }
  return REFUSE("its dynamic section has no end");
}

/// Checks that all names end within their table.
Status ElfChecker::checkNames() {
  uint64_t names = tags[DT_STRTAB], size = tags[DT_STRSZ];
  if (!size || !isTable(names, size) || read<char>(names) ||
      read<char>(names + size - 1))
    return REFUSE("its names are outside the file");
  return Status();
}

/// Checks that the hash table's chains cover each symbol once, in order.
Status ElfChecker::checkBuckets(uint64_t buckets, uint32_t count,
                                uint32_t first) {
  uint64_t chains = buckets + uint64_t(4) * count;
  uint32_t next = first;
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t bucket = 0, chain = 0;
    if (!readTable(buckets + uint64_t(4) * i, bucket))
      return REFUSE("its table of hashes is outside the file");
    if (!bucket)
      continue;
    if (bucket != next)
      return REFUSE("its table of hashes skips symbols");
    do {
      if (!readTable(chains + uint64_t(4) * (next - first), chain))
        return REFUSE("its table of hashes is outside the file");
      ++next;
    } while (!(chain & 1));
  }
  symbols = next;
  return Status();
}

Status ElfChecker::checkHash() {
  uint64_t hash = tags.hash();
  struct {
    uint32_t buckets, first, words, shift;
  } table;
  if (hash % 8 || !readTable(hash, table))
    return REFUSE("its table of hashes is outside the file");
  uint64_t filter = hash + sizeof(table), size = uint64_t(8) * table.words;
  // Only symbol 0, the undefined one, is missing in the hash table.
  if (!table.buckets || table.first != 1 || !table.words ||
      (table.words & (table.words - 1)) || table.shift > 31 ||
      !isTable(filter, size) ||
      !isTable(filter + size, uint64_t(4) * table.buckets))
    return REFUSE("its table of hashes is damaged");
  return checkBuckets(filter + size, table.buckets, table.first);
}

Status ElfChecker::checkSymbols() {
  uint64_t table = tags[DT_SYMTAB];
  Elf64_Sym symbol;
  static constexpr Elf64_Sym none = {};
  if (!readTable(table, symbol) || std::memcmp(&symbol, &none, sizeof(none)))
    return REFUSE("its symbols are outside the file");
  for (uint32_t i = 1; i < symbols; ++i) {
    if (!readTable(table + uint64_t(i) * sizeof(symbol), symbol))
      return REFUSE("its symbols are outside the file");
    uint8_t type = ELF64_ST_TYPE(symbol.st_info);
    uint8_t scope = ELF64_ST_BIND(symbol.st_info);
    uint8_t seen = ELF64_ST_VISIBILITY(symbol.st_other);
    // Refuses all other symbols: imports, indirect functions (which run code
    // when they are looked up), and local symbols.
    if (symbol.st_name >= tags[DT_STRSZ] || scope != STB_GLOBAL ||
        (type != STT_FUNC && type != STT_OBJECT) || seen != symbol.st_other ||
        (seen != STV_DEFAULT && seen != STV_PROTECTED) ||
        symbol.st_shndx == SHN_UNDEF || symbol.st_shndx >= SHN_LORESERVE)
      return REFUSE("symbol %u is none that the compiler writes", i);
    auto fits = [&](const Elf64_Phdr &load) {
      return Range{load.p_vaddr, load.p_memsz}.contains(symbol.st_value,
                                                        symbol.st_size) &&
             (type != STT_FUNC || load.p_flags & PF_X);
    };
    if (!symbol.st_size || std::none_of(loads.begin(), loads.end(), fits))
      return REFUSE("symbol %u is outside the image", i);
  }
  return Status();
}

Status ElfChecker::checkRelocations() {
  uint64_t table = tags[DT_RELA], size = tags[DT_RELASZ];
  if (!tags.has(DT_RELA))
    return Status();
  uint64_t count = size / sizeof(Elf64_Rela);
  if (size % sizeof(Elf64_Rela) || table % 8 || !isTable(table, size) ||
      tags.relativeCount() > count)
    return REFUSE("its relocations are outside the file");
  uint64_t relative =
      machine == EM_AARCH64 ? R_AARCH64_RELATIVE : R_X86_64_RELATIVE;
  uint64_t end = loads.back().p_vaddr + loads.back().p_memsz;
  for (uint64_t i = 0; i < count; ++i) {
    auto entry = read<Elf64_Rela>(table + i * sizeof(Elf64_Rela));
    if (entry.r_info != relative)
      return REFUSE("relocation %llu is of another type",
                    (unsigned long long)i);
    auto fits = [&](const Elf64_Phdr &load) {
      return load.p_flags == (PF_R | PF_W) &&
             Range{load.p_vaddr, load.p_filesz}.contains(entry.r_offset, 8);
    };
    if (entry.r_offset % 8 || dynamic.overlaps(entry.r_offset, 8) ||
        std::none_of(loads.begin(), loads.end(), fits) ||
        static_cast<uint64_t>(entry.r_addend) > end)
      return REFUSE("relocation %llu is outside the data",
                    (unsigned long long)i);
  }
  return Status();
}

Status ElfChecker::run(ElfTables &out) {
  TENSORC_RT_TRY(checkHeader());
  for (uint16_t i = 0; i < header.e_phnum; ++i)
    TENSORC_RT_TRY(checkSegment(
        read<Elf64_Phdr>(header.e_phoff + i * sizeof(Elf64_Phdr))));
  if (loads.empty() || !hasDynamic || !hasStack)
    return REFUSE("it lacks a segment");
  TENSORC_RT_TRY(checkDynamic());
  TENSORC_RT_TRY(checkNames());
  TENSORC_RT_TRY(checkHash());
  TENSORC_RT_TRY(checkSymbols());
  TENSORC_RT_TRY(checkRelocations());
  out.loads = std::move(loads);
  out.dynamic = dynamic.address, out.dynamicSize = dynamic.size;
  out.names = tags[DT_STRTAB], out.symbols = tags[DT_SYMTAB];
  out.hash = tags.hash(), out.numSymbols = symbols;
  if (tags.has(DT_RELA)) {
    out.relocations = tags[DT_RELA];
    out.numRelocations = tags[DT_RELASZ] / sizeof(Elf64_Rela);
  }
  return Status();
}

Status tensorc::rt::checkElfImage(std::span<const char> bytes, uint16_t machine,
                                  ElfTables &out) {
  return ElfChecker(bytes, machine).run(out);
}

uint16_t tensorc::rt::hostMachine() {
#if defined(__aarch64__)
  return EM_AARCH64;
#else
  return EM_X86_64;
#endif
}
