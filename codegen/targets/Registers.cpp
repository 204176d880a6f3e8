//===- Registers.cpp - Registers of the kernels of an image ---------------===//
//
// Both images are ELF files. In a cubin, the section .nv.info is a list of
// attributes: a byte for the format, a byte for the attribute, two bytes for the
// size of the payload, and the payload. The register count (0x2f) of a function
// has the index of its symbol and the number. A code object has a note with a
// document in MessagePack.
//
//===----------------------------------------------------------------------===//

#include "codegen/targets/Registers.h"

#include "llvm/BinaryFormat/MsgPackDocument.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/Endian.h"

using namespace llvm;
using object::ELF64LE;
using object::ELF64LEFile;

namespace tensorc::codegen {

using Registers = StringMap<int64_t>;

StringRef artefactWithRegisters(StringRef target) {
  StringRef kind = target.split(':').first;
  return kind == "cuda" ? "cubin" : kind == "rocm" ? "hsaco" : "";
}

//===----------------------------------------------------------------------===//
// Cubins
//===----------------------------------------------------------------------===//

static constexpr uint8_t sizedFormat = 0x04, registerCount = 0x2f;

static Expected<std::vector<StringRef>> listSymbols(const ELF64LEFile &file) {
  std::vector<StringRef> names;
  for (const auto &section : cantFail(file.sections())) {
    if (section.sh_type != ELF::SHT_SYMTAB)
      continue;
    auto symbols = file.symbols(&section);
    auto strings = file.getStringTableForSymtab(section);
    if (!symbols)
      return symbols.takeError();
    if (!strings)
      return strings.takeError();
    for (const auto &symbol : *symbols) {
      Expected<StringRef> name = symbol.getName(*strings);
      if (!name)
        return name.takeError();
      names.push_back(*name);
    }
  }
  return names;
}

static void readAttributes(ArrayRef<uint8_t> bytes, ArrayRef<StringRef> symbols,
                           Registers &registers) {
  while (bytes.size() >= 4) {
    uint8_t format = bytes[0], attribute = bytes[1];
    size_t size =
        format == sizedFormat ? support::endian::read16le(&bytes[2]) : 0;
    bytes = bytes.drop_front(4);
    if (size > bytes.size())
      return;
    if (attribute == registerCount && size == 8) {
      uint32_t symbol = support::endian::read32le(&bytes[0]);
      if (symbol < symbols.size())
        registers[symbols[symbol]] = support::endian::read32le(&bytes[4]);
    }
    bytes = bytes.drop_front(size);
  }
}

static Error readCubin(const ELF64LEFile &file, Registers &registers) {
  Expected<std::vector<StringRef>> symbols = listSymbols(file);
  if (!symbols)
    return symbols.takeError();
  for (const auto &section : cantFail(file.sections())) {
    Expected<StringRef> name = file.getSectionName(section);
    if (!name)
      return name.takeError();
    if (*name != ".nv.info")
      continue;
    auto bytes = file.getSectionContents(section);
    if (!bytes)
      return bytes.takeError();
    readAttributes(*bytes, *symbols, registers);
  }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Code objects
//===----------------------------------------------------------------------===//

static void readMetadata(StringRef bytes, Registers &registers) {
  msgpack::Document document;
  if (!document.readFromBlob(bytes, /*Multi=*/false) ||
      !document.getRoot().isMap())
    return;
  msgpack::DocNode kernels = document.getRoot().getMap()["amdhsa.kernels"];
  if (!kernels.isArray())
    return;
  for (msgpack::DocNode &kernel : kernels.getArray()) {
    if (!kernel.isMap())
      continue;
    msgpack::DocNode name = kernel.getMap()[".name"],
                     count = kernel.getMap()[".vgpr_count"];
    if (name.isString() && count.getKind() == msgpack::Type::UInt)
      registers[name.getString()] = int64_t(count.getUInt());
  }
}

static Error readCodeObject(const ELF64LEFile &file, Registers &registers) {
  for (const auto &section : cantFail(file.sections())) {
    if (section.sh_type != ELF::SHT_NOTE)
      continue;
    Error error = Error::success();
    for (const auto &note : file.notes(section, error))
      if (note.getName() == "AMDGPU" &&
          note.getType() == ELF::NT_AMDGPU_METADATA)
        readMetadata(note.getDescAsStringRef(section.sh_addralign), registers);
    if (error)
      return error;
  }
  return Error::success();
}

Expected<Registers> readRegisters(StringRef image) {
  Expected<ELF64LEFile> file = ELF64LEFile::create(image);
  if (!file)
    return file.takeError();
  if (auto sections = file->sections(); !sections)
    return sections.takeError();
  Registers registers;
  bool isCubin = file->getHeader().e_machine == ELF::EM_CUDA;
  if (Error error = isCubin ? readCubin(*file, registers)
                            : readCodeObject(*file, registers))
    return std::move(error);
  return registers;
}

} // namespace tensorc::codegen
