//===- ExplainPackage.cpp - Prints the contents of a package --------------===//

#include "tools/explain/ExplainPackage.h"
#include "ir/text/Characters.h"
#include "ir/tx/Dims.h"
#include "runtime/abi/Bytecode.h"
#include "runtime/abi/Format.h"
#include "runtime/abi/package_generated.h"
#include "tensorc/runtime.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/Object/ELFObjectFile.h"

using namespace mlir;
using tensorc::shape::Dim;
using namespace tensorc;
using namespace tensorc::tool;
using tensorc::report::MemoryFacts;
namespace fbs = tensorc::rt::fbs;

template <typename T> static unsigned sizeOf(const flatbuffers::Vector<T> *v) {
  return v ? v->size() : 0;
}

/// Makes text printable for terminals and JSON, because a package may contain
/// any bytes.
static std::string textOf(const flatbuffers::String *text) {
  return text ? printable(text->str(), /*isText=*/false) : "";
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

static std::string valueText(const fbs::Value &value) {
  auto dtype = static_cast<tensorc_rt_dtype>(value.dtype());
  std::string text = textOf(value.name()) + ": " + tensorc_rt_dtype_name(dtype);
  if (value.scalar())
    return text;
  text += "[";
  for (unsigned i = 0; i < sizeOf(value.dims()); ++i)
    text += (i ? ", " : "") + textOf(value.dims()->Get(i)->name());
  return text + "]";
}

static std::string
listText(const flatbuffers::Vector<flatbuffers::Offset<fbs::Value>> *values) {
  std::string text = "(";
  for (unsigned i = 0; i < sizeOf(values); ++i)
    text += (i ? ", " : "") + valueText(*values->Get(i));
  return text + ")";
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// Returns the sizes of the functions in an ELF image, by name.
static std::map<std::string, uint64_t> codeSizes(StringRef image) {
  std::map<std::string, uint64_t> sizes;
  auto object = llvm::object::ObjectFile::createELFObjectFile(
      llvm::MemoryBufferRef(image, "image"));
  if (!object) {
    llvm::consumeError(object.takeError());
    return sizes;
  }
  auto *elf = dyn_cast<llvm::object::ELFObjectFileBase>(object->get());
  for (llvm::object::ELFSymbolRef symbol : elf->getDynamicSymbolIterators()) {
    llvm::Expected<StringRef> name = symbol.getName();
    if (name)
      sizes[name->str()] = symbol.getSize();
    else
      llvm::consumeError(name.takeError());
  }
  return sizes;
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

namespace {
/// Evaluates a function's size arithmetic symbolically, in one pass. A register
/// that is set twice, as in a loop, has no formula.
class FunctionReader {
public:
  FunctionReader(const fbs::Function &function, const fbs::Section &section,
                 const fbs::Package &package, const fbs::Entry *entry)
      : function(function), section(section), package(package), entry(entry) {}
  PackageFacts::Function read();

private:
  void instruction(rt::Op op, ArrayRef<uint32_t> operands);
  Dim value(uint32_t index) const {
    auto found = registers.find(index);
    return found == registers.end() ? Dim::none() : found->second;
  }
  Dim compute(rt::Op op, Dim a, Dim b);
  Dim dim(uint32_t input, uint32_t dim);
  Dim size(const fbs::Dim &dim);
  Dim bytesOf(const fbs::Value &value);
  MemoryFacts memory();
  void set(uint32_t index, Dim expr) {
    auto [it, isNew] = registers.try_emplace(index, expr);
    if (!isNew)
      it->second = Dim::none();
  }

  const fbs::Function &function;
  const fbs::Section &section;
  const fbs::Package &package;
  const fbs::Entry *entry;
  shape::DimContext names;
  std::map<uint32_t, Dim> registers;
  // Allocated dims by buffer register.
  std::vector<std::pair<uint32_t, Dim>> allocated;
  std::set<uint32_t> returned;
  std::set<uint32_t> constants;
  std::vector<MemoryFacts::Slot> slots;
  PackageFacts::Function facts;
};
} // namespace

Dim FunctionReader::compute(rt::Op op, Dim a, Dim b) {
  switch (op) {
  case rt::Op::Add:
    return a + b;
  case rt::Op::Sub:
    return a - b;
  case rt::Op::Mul:
    return a * b;
  case rt::Op::FloorDiv:
    return floorDiv(a, b);
  case rt::Op::CeilDiv:
    return ceilDiv(a, b);
  case rt::Op::Mod:
    return mod(a, b);
  case rt::Op::MinSigned:
    return min(a, b);
  case rt::Op::MaxSigned:
    return max(a, b);
  case rt::Op::And:
    return report::alignDown(a, b);
  default:
    return Dim::none();
  }
}

/// Returns the named size of buffer argument `input` from the entry's
/// signature.
Dim FunctionReader::dim(uint32_t input, uint32_t dim) {
  if (!entry || input >= sizeOf(entry->inputs()))
    return Dim::none();
  const fbs::Value &value = *entry->inputs()->Get(input);
  if (dim >= sizeOf(value.dims()))
    return Dim::none();
  return size(*value.dims()->Get(dim));
}

Dim FunctionReader::size(const fbs::Dim &dim) {
  if (dim.size() >= 0)
    return dim.size();
  std::string name = textOf(dim.name());
  bool isFormula = name.find(' ') != std::string::npos;
  return names.symbol(isFormula ? "(" + name + ")" : name);
}

Dim FunctionReader::bytesOf(const fbs::Value &value) {
  SmallVector<Dim> dims;
  for (unsigned i = 0; i < sizeOf(value.dims()); ++i)
    dims.push_back(size(*value.dims()->Get(i)));
  Dim count = shape::product(dims);
  int64_t bits =
      tensorc_rt_dtype_bits(static_cast<tensorc_rt_dtype>(value.dtype()));
  if (bits == 4) // two to a byte
    return floorDiv(count + 1, 2);
  return count * std::max<int64_t>(1, bits / 8);
}

/// Adds up the allocations: those returned as outputs, and all others as the
/// arena.
MemoryFacts FunctionReader::memory() {
  Dim inputs = 0, outputs = 0, arena = 0;
  for (unsigned i = 0; i < sizeOf(entry->inputs()); ++i)
    if (entry->inputs()->Get(i)->dtype() != TENSORC_RT_INDEX)
      inputs = inputs + bytesOf(*entry->inputs()->Get(i));
  for (auto [buffer, bytes] : allocated) {
    Dim &kind = returned.contains(buffer) ? outputs : arena;
    kind = kind + bytes;
  }
  uint64_t constantBytes = 0;
  for (uint32_t index : constants) {
    fbs::Segment segment;
    std::memcpy(&segment, package.constants()->Get(index), sizeof(segment));
    constantBytes += segment.size();
  }
  MemoryFacts result;
  result.inputs = toString(inputs);
  result.outputs = toString(outputs);
  result.constants = std::to_string(constantBytes);
  result.arena = toString(arena);
  result.peak = toString(arena + outputs);
  result.slots = std::move(slots);
  return result;
}

void FunctionReader::instruction(rt::Op op, ArrayRef<uint32_t> o) {
  ++facts.instructions;
  StringRef kinds = rt::opOperands[static_cast<unsigned>(op)];
  if (o.size() < kinds.size() - kinds.ends_with("*"))
    return;
  if (op == rt::Op::Launch) {
    ++facts.launches;
  } else if (op == rt::Op::CustomCall) {
    if (o[0] < sizeOf(section.strings()))
      facts.customCalls.push_back(textOf(section.strings()->Get(o[0])));
  } else if (op == rt::Op::Alloc) {
    Dim bytes = value(o[1]);
    facts.allocations.push_back(toString(bytes));
    allocated.push_back({o[0], bytes});
  } else if (op == rt::Op::View) {
    slots.push_back({toString(value(o[2])), toString(value(o[3])), ""});
  } else if (op == rt::Op::Constant) {
    if (o[1] < sizeOf(package.constants()))
      constants.insert(o[1]);
  } else if (op == rt::Op::Return) {
    if (o.size() >= 2)
      for (uint32_t buffer :
           o.drop_front(2).take_front(std::min<size_t>(o[0], o.size() - 2)))
        returned.insert(buffer);
  } else if (op == rt::Op::Const) {
    set(o[0], static_cast<int64_t>(o[1] | static_cast<uint64_t>(o[2]) << 32));
  } else if (op == rt::Op::Move) {
    set(o[0], value(o[1]));
  } else if (op == rt::Op::Dim) {
    set(o[0], dim(o[1], o[2]));
  } else if (kinds == "daa") {
    set(o[0], compute(op, value(o[1]), value(o[2])));
  } else if (kinds.starts_with("d")) {
    set(o[0], Dim::none());
  }
}

PackageFacts::Function FunctionReader::read() {
  facts.name = textOf(function.name());
  std::vector<uint32_t> code;
  if (function.code())
    code.assign(function.code()->begin(), function.code()->end());
  // The scalars of an entry are passed in the first registers.
  for (uint32_t i = 0, word = 0; entry && i < sizeOf(entry->inputs()); ++i)
    if (const fbs::Value &input = *entry->inputs()->Get(i); input.scalar())
      set(word++, input.dtype() == TENSORC_RT_INDEX
                      ? names.symbol(textOf(input.name()))
                      : Dim::none());
  for (size_t at = 0; at < code.size();) {
    uint32_t head = code[at], count = rt::headOperands(head);
    if (rt::headOp(head) >= rt::numOps || count > code.size() - at - 1)
      break;
    instruction(static_cast<rt::Op>(rt::headOp(head)),
                ArrayRef(code).slice(at + 1, count));
    at += 1 + count;
  }
  if (entry)
    facts.memory = memory();
  return std::move(facts);
}

//===----------------------------------------------------------------------===//
// Packages
//===----------------------------------------------------------------------===//

static PackageFacts::Section explainSection(StringRef bytes,
                                            const fbs::Package &package,
                                            const fbs::Section &section) {
  PackageFacts::Section facts;
  facts.target = textOf(section.target());
  std::map<std::string, uint64_t> sizes;
  if (const void *image = section.image()) {
    fbs::Segment segment; // FlatBuffers does not check its alignment
    std::memcpy(&segment, image, sizeof(segment));
    facts.imageBytes = segment.size();
    sizes = codeSizes(bytes.substr(segment.offset(), segment.size()));
  }
  for (unsigned i = 0; i < sizeOf(section.images()); ++i) {
    fbs::Segment segment;
    std::memcpy(&segment, section.images()->Get(i), sizeof(segment));
    facts.imageBytes += segment.size();
  }
  for (unsigned i = 0; i < sizeOf(section.kernels()); ++i) {
    const fbs::Kernel &kernel = *section.kernels()->Get(i);
    std::string name = textOf(kernel.name());
    auto size = sizes.find(name);
    facts.kernels.push_back(
        {name, kernel.arity(),
         size == sizes.end() ? std::nullopt
                             : std::optional<uint64_t>(size->second),
         textOf(kernel.order()), textOf(kernel.schedule())});
  }
  for (unsigned i = 0; i < sizeOf(section.functions()); ++i) {
    const fbs::Entry *entry = nullptr;
    for (unsigned k = 0; k < sizeOf(section.entry_functions()); ++k)
      if (section.entry_functions()->Get(k) == i &&
          k < sizeOf(package.entries()))
        entry = package.entries()->Get(k);
    facts.functions.push_back(
        FunctionReader(*section.functions()->Get(i), section, package, entry)
            .read());
  }
  return facts;
}

PackageFacts tool::explainPackage(StringRef bytes) {
  rt::PackageHeader header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  // Copies the table to memory with the alignment that FlatBuffers needs.
  std::vector<uint64_t> table(header.tableSize / 8 + 1);
  std::memcpy(table.data(), bytes.data() + header.tableOffset,
              header.tableSize);
  const fbs::Package &package = *fbs::GetPackage(table.data());
  PackageFacts facts;
  facts.compiler = textOf(package.compiler());
  facts.irHash = package.ir_hash();
  facts.bytes = bytes.size();
  facts.constants = sizeOf(package.constants());
  if (const fbs::ConstantsFile *file = package.constants_file())
    facts.constantsFile = textOf(file->name());
  for (unsigned i = 0; i < facts.constants; ++i) {
    fbs::Segment segment;
    std::memcpy(&segment, package.constants()->Get(i), sizeof(segment));
    facts.constantBytes += segment.size();
  }
  for (unsigned i = 0; i < sizeOf(package.entries()); ++i) {
    const fbs::Entry &entry = *package.entries()->Get(i);
    facts.entries.push_back(textOf(entry.name()) + listText(entry.inputs()) +
                            " -> " + listText(entry.outputs()));
  }
  for (unsigned i = 0; i < sizeOf(package.sections()); ++i)
    facts.sections.push_back(
        explainSection(bytes, package, *package.sections()->Get(i)));
  return facts;
}
