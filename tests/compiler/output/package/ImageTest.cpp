//===- ImageTest.cpp - damaged images of kernels --------------------------===//
//
// The hashes of a package fit whatever was changed, so the image itself has to
// be checked before the loader, which trusts it, places it.
//
//===----------------------------------------------------------------------===//
#include "tests/compiler/output/package/Packages.h"

#include "runtime/abi/Format.h"

#include <cstring>
#include <elf.h>
#include <functional>
#include <gtest/gtest.h>
#include <random>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tensorc;
using namespace tensorc::test;

static constexpr const char *imageProgram = R"(
module attributes {tx.target = "cpu"} {
  llvm.func @through_table(!llvm.ptr, i64, i64, !llvm.ptr)
  txp.func @main(%x: !txp.buffer) -> !txp.buffer
      attributes {inputs = [tensor<4xi32>], outputs = [tensor<4xi32>]} {
    %c4 = arith.constant 4 : i64
    %c16 = arith.constant 16 : i64
    %y = txp.alloc %c16
    txp.launch @through_table extent(%c4) grain(%c4) ins(%x) outs(%y)
    txp.return %y
  }
})";

namespace {
enum class Fate { Refused, Ran, WrongNumbers, Crashed };

class Image : public testing::Test {
protected:
  void SetUp() override {
    package = packageOf(imageProgram);
    begin = package.find("\x7f"
                         "ELF");
    ASSERT_NE(begin, std::string::npos);
    std::memcpy(&header, package.data() + begin, sizeof(header));
    rt::PackageHeader file;
    std::memcpy(&file, package.data(), sizeof(file));
    table = file.tableOffset;
    uint64_t hash = rt::hashBytes(image(), kernelImage().size());
    hashAt = package.find(
        std::string_view(reinterpret_cast<const char *>(&hash), sizeof(hash)),
        table);
    ASSERT_NE(hashAt, std::string::npos);
  }
  char *image() { return package.data() + begin; }
  template <typename T> T *at(uint64_t offset) {
    return reinterpret_cast<T *>(image() + offset);
  }
  Elf64_Phdr &segment(uint32_t type, int skip = 0) {
    auto *list = at<Elf64_Phdr>(header.e_phoff);
    for (int i = 0; i < header.e_phnum; ++i)
      if (list[i].p_type == type && skip-- == 0)
        return list[i];
    std::abort();
  }
  Elf64_Dyn &tag(int64_t which) {
    auto *list = at<Elf64_Dyn>(segment(PT_DYNAMIC).p_offset);
    while (list->d_tag != which)
      ++list;
    return *list;
  }
  /// Where the machine code begins: all before it is for the loader.
  uint64_t codeBegin() const {
    auto *sections = reinterpret_cast<const Elf64_Shdr *>(
        package.data() + begin + header.e_shoff);
    for (int i = 0; i < header.e_shnum; ++i)
      if (sections[i].sh_flags & SHF_EXECINSTR)
        return sections[i].sh_offset;
    std::abort();
  }

  /// Makes the hashes fit, loads and runs in a process of its own.
  Fate tryIt(bool runs = true);
  /// The message of loading here; only for what is surely refused.
  std::string refusal();
  void seal();

  std::string package;
  Elf64_Ehdr header;
  size_t begin = 0, table = 0, hashAt = 0;
};
} // namespace

void Image::seal() {
  uint64_t hash = rt::hashBytes(image(), kernelImage().size());
  std::memcpy(package.data() + hashAt, &hash, sizeof(hash));
  rt::sealPackage(package.data(), package.size(), table);
}

std::string Image::refusal() {
  seal();
  tensorc_rt_module *module = nullptr;
  std::string message =
      take(tensorc_rt_load_bytes(nullptr, package.data(), package.size(),
                                 TENSORC_RT_COPY, nullptr, nullptr, &module));
  tensorc_rt_module_release(module);
  return message;
}

static Fate loadAndRun(const std::string &package, bool runs) {
  tensorc_rt_module *module = nullptr;
  if (!take(tensorc_rt_load_bytes(nullptr, package.data(), package.size(),
                                  TENSORC_RT_COPY, nullptr, nullptr, &module))
           .empty())
    return Fate::Refused;
  if (!runs)
    return Fate::Ran;
  Argument x(tensorc_rt_module_device(module), TENSORC_RT_I32, {4},
             std::vector<int32_t>{1, 2, 3, 4});
  Outputs out(1);
  std::string message = run(tensorc_rt_module_entry(module, 0), {x.arg}, out);
  bool right = message.empty() && valuesOf<int32_t>(out.list[0]) ==
                                      std::vector<int32_t>{2, 4, 4, 6};
  tensorc_rt_module_release(module);
  return right ? Fate::Ran : Fate::WrongNumbers;
}

Fate Image::tryIt(bool runs) {
  seal();
  pid_t child = fork();
  if (child == 0) {
    rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    alarm(600); // only a hang takes as long
    tensorc_rt_set_num_threads(1);
    _exit(static_cast<int>(loadAndRun(package, runs)));
  }
  int state = 0;
  waitpid(child, &state, 0);
  return WIFEXITED(state) && WEXITSTATUS(state) < 3
             ? static_cast<Fate>(WEXITSTATUS(state))
             : Fate::Crashed;
}

TEST_F(Image, ItselfRuns) { EXPECT_EQ(tryIt(), Fate::Ran); }

TEST_F(Image, NoMutantOfWhatTheLoaderReadsCrashesIt) {
  struct Part {
    uint64_t begin, size;
  } parts[] = {{0, codeBegin()},
               {segment(PT_DYNAMIC).p_offset, segment(PT_DYNAMIC).p_filesz}};
  std::string whole = package;
  uint64_t symbols = tag(DT_SYMTAB).d_un.d_val;
  uint64_t symbolsEnd = tag(DT_GNU_HASH).d_un.d_val;
  uint64_t pointers = tag(DT_RELA).d_un.d_val;
  uint64_t pointersEnd = pointers + tag(DT_RELASZ).d_un.d_val;
  ASSERT_LT(symbols, symbolsEnd);
  std::mt19937 random(1);
  int refused = 0, ran = 0;
  for (int i = 0; i < 600; ++i) {
    package = whole;
    const Part &part = parts[i % 3 == 2];
    bool isWord = i % 2;
    uint64_t place = part.begin + random() % (part.size - 8);
    place = isWord ? place / 8 * 8 : place;
    uint64_t word = random() % 3 ? random() % 0x3000 : random();
    if (isWord)
      std::memcpy(image() + place, &word, 1u << random() % 4);
    else
      image()[place] ^= static_cast<char>(1u << random() % 8);
    // Where a function begins and where a pointer points to are code.
    bool isCode = (place >= symbols && place < symbolsEnd) ||
                  (place >= pointers && place < pointersEnd);
    Fate fate = tryIt(/*runs=*/!isCode);
    EXPECT_TRUE(fate == Fate::Refused || fate == Fate::Ran)
        << "mutant " << i << ": byte " << place << ", fate "
        << static_cast<int>(fate);
    refused += fate == Fate::Refused;
    ran += fate == Fate::Ran;
  }
  EXPECT_GT(refused, 200);
  EXPECT_GT(ran, 5); // what nobody reads
}

TEST_F(Image, TagsThatRunCodeOrLoadLibrariesAreRefused) {
  std::string whole = package;
  for (int64_t other :
       {DT_NEEDED,     DT_PLTRELSZ, DT_PLTGOT,   DT_HASH,       DT_INIT,
        DT_FINI,       DT_SONAME,   DT_RPATH,    DT_REL,        DT_DEBUG,
        DT_TEXTREL,    DT_JMPREL,   DT_BIND_NOW, DT_INIT_ARRAY, DT_FINI_ARRAY,
        DT_RUNPATH,    DT_FLAGS_1,  DT_VERNEED,  DT_AUXILIARY,  DT_FILTER,
        DT_GNU_LIBLIST}) {
    package = whole;
    tag(DT_FLAGS).d_tag = other;
    EXPECT_NE(refusal(), "") << other;
  }
  package = whole;
  tag(DT_FLAGS).d_un.d_val |= DF_STATIC_TLS;
  EXPECT_EQ(refusal(), "cannot map a kernel image: its dynamic section has the "
                       "flags 0x12");
}

TEST_F(Image, SegmentsThatTheLinkerNeverWritesAreRefused) {
  std::string whole = package;
  for (uint32_t type : {PT_INTERP, PT_TLS, PT_NOTE, PT_GNU_RELRO,
                        PT_GNU_EH_FRAME, PT_GNU_PROPERTY}) {
    package = whole;
    segment(PT_PHDR).p_type = type;
    EXPECT_NE(refusal().find("it has a segment of type"), std::string::npos);
  }
  package = whole;
  segment(PT_LOAD).p_flags |= PF_W;
  EXPECT_EQ(refusal(),
            "cannot map a kernel image: a segment has impossible permissions");
  package = whole;
  segment(PT_GNU_STACK).p_flags |= PF_X;
  EXPECT_EQ(refusal(), "cannot map a kernel image: it asks for another stack");
  package = whole;
  segment(PT_LOAD, 1).p_memsz = uint64_t(1) << 40;
  EXPECT_EQ(refusal(),
            "cannot map a kernel image: a segment has an impossible place");
}

TEST_F(Image, SymbolsThatRunWhenTheyAreLookedUpAreRefused) {
  std::string whole = package;
  for (unsigned char info : {ELF64_ST_INFO(STB_GLOBAL, STT_GNU_IFUNC),
                             ELF64_ST_INFO(STB_GNU_UNIQUE, STT_OBJECT),
                             ELF64_ST_INFO(STB_GLOBAL, STT_TLS),
                             ELF64_ST_INFO(STB_LOCAL, STT_FUNC)}) {
    package = whole;
    at<Elf64_Sym>(tag(DT_SYMTAB).d_un.d_val)[1].st_info = info;
    EXPECT_EQ(refusal(), "cannot map a kernel image: symbol 1 is none that the "
                         "compiler writes");
  }
  package = whole;
  at<Elf64_Sym>(tag(DT_SYMTAB).d_un.d_val)[1].st_shndx = SHN_UNDEF;
  EXPECT_NE(refusal(), "");
}

TEST_F(Image, RelocationsStayInTheData) {
  std::string whole = package;
  auto first = [&]() -> Elf64_Rela & {
    return *at<Elf64_Rela>(tag(DT_RELA).d_un.d_val);
  };
#ifdef __x86_64__
  for (uint64_t type : {R_X86_64_IRELATIVE, R_X86_64_64, R_X86_64_COPY,
                        R_X86_64_TPOFF64, R_X86_64_JUMP_SLOT}) {
    package = whole;
    first().r_info = type;
    EXPECT_EQ(refusal(),
              "cannot map a kernel image: relocation 0 is of another type");
  }
#endif
  for (uint64_t offset : {uint64_t(0), segment(PT_DYNAMIC).p_vaddr,
                          uint64_t(1) << 33, ~uint64_t(7)}) {
    package = whole;
    first().r_offset = offset;
    EXPECT_EQ(refusal(),
              "cannot map a kernel image: relocation 0 is outside the data");
  }
}

TEST_F(Image, IsRefusedForAnotherMachine) {
  at<Elf64_Ehdr>(0)->e_machine =
      header.e_machine == EM_X86_64 ? EM_AARCH64 : EM_X86_64;
  EXPECT_EQ(refusal(), "cannot map a kernel image: it is for another machine");
}
