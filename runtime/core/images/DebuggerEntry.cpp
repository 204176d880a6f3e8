//===- DebuggerEntry.cpp - registers kernels with debuggers ---------------===//
//
// A debugger sets a breakpoint on __jit_debug_register_code. At the breakpoint
// it reads the ELF file with symbols to which the descriptor points. Without a
// debugger both are unused.
//
//===----------------------------------------------------------------------===//
#include "runtime/core/images/DebuggerEntry.h"

#include <cstring>

using namespace tensorc::rt;

//===----------------------------------------------------------------------===//
// The interface that gdb expects, with its names and layout
//===----------------------------------------------------------------------===//

namespace {
enum Action : uint32_t { None, Register, Unregister };
struct Entry {
  Entry *next, *previous;
  const char *file;
  uint64_t size;
};
struct Descriptor {
  uint32_t version;
  uint32_t action;
  Entry *relevant, *first;
};
} // namespace

// Hidden, because the program may contain another JIT compiler with its own
// list and lock.
extern "C" {
[[gnu::visibility("hidden"),
  gnu::used]] constinit Descriptor __jit_debug_descriptor = {1, None, nullptr,
                                                             nullptr};
[[gnu::visibility("hidden"), gnu::used, gnu::noinline]] void
__jit_debug_register_code() {
  asm volatile("" ::: "memory");
}
}

struct tensorc::rt::DebuggerEntry {
  Entry entry = {};
  std::vector<char> file;
};

static void notify(Action action, Entry &entry) {
  __jit_debug_descriptor.action = action;
  __jit_debug_descriptor.relevant = &entry;
  __jit_debug_register_code();
}

void DebuggerEntryDeleter::operator()(DebuggerEntry *owner) const {
  Entry &entry = owner->entry;
  (entry.previous ? entry.previous->next : __jit_debug_descriptor.first) =
      entry.next;
  if (entry.next)
    entry.next->previous = entry.previous;
  notify(Unregister, entry);
  delete owner;
}

//===----------------------------------------------------------------------===//
// The ELF file with symbols
//===----------------------------------------------------------------------===//

static constexpr char sectionNames[] = "\0.text\0.symtab\0.strtab";
enum Section : uint16_t { Text = 1, Symbols, Names, NumSections };

/// Makes an ELF file without contents: it only describes the addresses and
/// names of the code.
static std::vector<char> makeFile(const char *image, size_t size,
                                  const ElfTables &tables) {
  auto base = reinterpret_cast<uint64_t>(image);
  std::vector<Elf64_Sym> symbols(tables.numSymbols);
  std::string names(sectionNames, sizeof(sectionNames));
  for (uint32_t i = 1; i < tables.numSymbols; ++i) {
    Elf64_Sym &symbol = symbols[i];
    std::memcpy(&symbol, image + tables.symbols + i * sizeof(symbol),
                sizeof(symbol));
    const char *name = image + tables.names + symbol.st_name;
    symbol.st_name = static_cast<uint32_t>(names.size());
    symbol.st_value += base;
    symbol.st_shndx = Text;
    names.append(name, std::strlen(name) + 1);
  }
  struct {
    Elf64_Ehdr header = {};
    Elf64_Shdr sections[NumSections] = {};
  } head;
  std::memcpy(head.header.e_ident, image, EI_NIDENT);
  head.header.e_type = ET_EXEC;
  std::memcpy(&head.header.e_machine, image + offsetof(Elf64_Ehdr, e_machine),
              sizeof(head.header.e_machine));
  head.header.e_version = EV_CURRENT;
  head.header.e_ehsize = sizeof(Elf64_Ehdr);
  head.header.e_shoff = sizeof(Elf64_Ehdr);
  head.header.e_shentsize = sizeof(Elf64_Shdr);
  head.header.e_shnum = NumSections;
  head.header.e_shstrndx = Names;
  size_t symbolBytes = symbols.size() * sizeof(Elf64_Sym);
  uint64_t end = sizeof(head) + symbolBytes;
  head.sections[Text] = {
      1,  SHT_NOBITS, SHF_ALLOC | SHF_EXECINSTR, base, sizeof(head), size, 0, 0,
      16, 0};
  head.sections[Symbols] = {7,           SHT_SYMTAB, 0, 0, sizeof(head),
                            symbolBytes, Names,      1, 8, sizeof(Elf64_Sym)};
  head.sections[Names] = {15, SHT_STRTAB, 0, 0, end, names.size(), 0, 0, 1, 0};
  std::vector<char> file(end + names.size());
  std::memcpy(file.data(), &head, sizeof(head));
  std::memcpy(file.data() + sizeof(head), symbols.data(), symbolBytes);
  std::memcpy(file.data() + end, names.data(), names.size());
  return file;
}

DebuggerEntryOwner tensorc::rt::tellDebugger(const char *image, size_t size,
                                             const ElfTables &tables) {
  auto owner = std::make_unique<DebuggerEntry>();
  owner->file = makeFile(image, size, tables);
  Entry &entry = owner->entry;
  entry = {__jit_debug_descriptor.first, nullptr, owner->file.data(),
           owner->file.size()};
  if (entry.next)
    entry.next->previous = &entry;
  __jit_debug_descriptor.first = &entry;
  notify(Register, entry);
  return DebuggerEntryOwner(owner.release());
}
