//===- Serialize.cpp - writes a package -----------------------------------===//
#include "compiler/output/package/Serialize.h"

#include "compiler/output/package/FunctionEncoder.h"
#include "compiler/output/package/OutputDims.h"
#include "ir/program/LaunchAttributes.h"
#include "ir/tx/TxDialect.h"
#include "runtime/abi/Format.h"
#include "runtime/abi/package_generated.h"

using namespace mlir;
using namespace tensorc;
using namespace tensorc::compiler;
namespace fbs = tensorc::rt::fbs;
using flatbuffers::Offset;

namespace {
/// Writes the file: first segments, in the order in which they are added, then
/// the table.
class PackageWriter {
public:
  PackageWriter(ArrayRef<NamedConstant> named, ConstantsFile *file, bool lines)
      : file(file), lines(lines), constants(named) {
    bytes.resize(sizeof(rt::PackageHeader));
  }
  LogicalResult section(const PackageSection &section);
  std::string finish(uint64_t irHash);

private:
  fbs::Segment segment(StringRef content) { return segment(bytes, content); }
  static fbs::Segment segment(std::string &bytes, StringRef content);
  Offset<fbs::ConstantsFile> writeConstants(std::vector<fbs::Segment> &out);
  LogicalResult entries(SectionTables &tables);
  FailureOr<Offset<fbs::Entry>> entry(txp::FuncOp func);
  uint32_t planOf(txp::FuncOp func);
  FailureOr<Offset<fbs::Value>> value(txp::FuncOp func, EntryDims &dims,
                                      Type type, StringRef name, bool scalar,
                                      bool donated = false);
  Offset<fbs::Function> function(const EncodedFunction &function);
  FailureOr<Offset<fbs::Kernel>> kernel(const SectionTables::Kernel &kernel,
                                        Location loc);
  LogicalResult checkSameEntry(txp::FuncOp first, txp::FuncOp other);

  std::string bytes;
  ConstantsFile *file;
  bool lines;
  flatbuffers::FlatBufferBuilder builder;
  ConstantTable constants;
  std::vector<Offset<fbs::Section>> sections;
  std::vector<Offset<fbs::Entry>> entryOffsets;
  SmallVector<txp::FuncOp> firstEntries;
};
} // namespace

/// Appends bytes at a page boundary.
fbs::Segment PackageWriter::segment(std::string &bytes, StringRef content) {
  bytes.resize(llvm::alignTo(bytes.size(), rt::segmentAlignment));
  uint64_t offset = bytes.size();
  bytes.append(content.begin(), content.end());
  return {offset, content.size(),
          rt::hashBytes(content.data(), content.size())};
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

FailureOr<Offset<fbs::Value>> PackageWriter::value(txp::FuncOp func,
                                                   EntryDims &dims, Type type,
                                                   StringRef name, bool scalar,
                                                   bool donated) {
  uint8_t dtype = dtypeOf(getElementTypeOrSelf(type));
  if (!dtype)
    return func.emitOpError() << "has a value '" << name << "' of " << type
                              << ", which packages cannot describe";
  std::vector<Offset<fbs::Dim>> dimOffsets;
  if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    if (tensor.getRank() > rt::maxRank)
      return func.emitOpError() << "has a value '" << name << "' of more than "
                                << rt::maxRank << " dimensions";
    for (shape::Dim dim : dims.dims(tensor))
      dimOffsets.push_back(fbs::CreateDimDirect(
          builder, dim.number().value_or(-1), toString(dim).c_str()));
  }
  return fbs::CreateValueDirect(builder, name.str().c_str(), dtype, scalar,
                                &dimOffsets, donated);
}

/// Returns the name of input or output i: "x", or by default "arg0" or "out0".
static std::string nameOf(ArrayAttr names, StringRef prefix, size_t i) {
  StringRef name = names ? cast<StringAttr>(names[i]).getValue() : "";
  return name.empty() ? (prefix + Twine(i)).str() : name.str();
}

/// Returns the number, plus one, of the entry whose results the function
/// computes with less memory, or 0.
uint32_t PackageWriter::planOf(txp::FuncOp func) {
  auto of = func->getAttrOfType<FlatSymbolRefAttr>(txp::planOfAttr);
  auto isNamed = [&](txp::FuncOp other) {
    return of && other.getName() == of.getValue();
  };
  auto found = llvm::find_if(firstEntries, isNamed);
  return found == firstEntries.end() ? 0 : found - firstEntries.begin() + 1;
}

FailureOr<Offset<fbs::Entry>> PackageWriter::entry(txp::FuncOp func) {
  EntryDims dims(func);
  std::vector<Offset<fbs::Value>> inputs, outputs;
  for (auto [i, type] :
       llvm::enumerate(func.getInputs()->getAsValueRange<TypeAttr>())) {
    bool scalar = !isa<txp::BufferType>(func.getArgumentTypes()[i]);
    bool donated = !!func.getArgAttr(i, tx::donatedAttr);
    auto offset =
        value(func, dims, type, nameOf(func.getInputNamesAttr(), "arg", i),
              scalar, donated);
    if (failed(offset))
      return failure();
    inputs.push_back(*offset);
  }
  for (auto [i, type] :
       llvm::enumerate(func.getOutputs()->getAsValueRange<TypeAttr>())) {
    auto offset =
        value(func, dims, type, nameOf(func.getOutputNamesAttr(), "out", i),
              /*scalar=*/false);
    if (failed(offset))
      return failure();
    outputs.push_back(*offset);
  }
  return fbs::CreateEntryDirect(builder, func.getName().str().c_str(), &inputs,
                                &outputs, planOf(func));
}

LogicalResult PackageWriter::checkSameEntry(txp::FuncOp first,
                                            txp::FuncOp other) {
  if (first.getName() != other.getName() ||
      first.getInputs() != other.getInputs() ||
      first.getOutputs() != other.getOutputs())
    return other.emitOpError() << "differs from the entry '" << first.getName()
                               << "' of the package's first section";
  return success();
}

/// Adds the entries. The first section defines them; the other sections must
/// have the same entries.
LogicalResult PackageWriter::entries(SectionTables &tables) {
  SmallVector<txp::FuncOp> own = llvm::filter_to_vector(
      tables.functions, [](txp::FuncOp func) { return func.isEntry(); });
  if (sections.empty()) {
    firstEntries = own;
    for (txp::FuncOp func : own) {
      auto offset = entry(func);
      if (failed(offset))
        return failure();
      entryOffsets.push_back(*offset);
    }
    return success();
  }
  if (own.size() != firstEntries.size())
    return emitError(own.empty() ? firstEntries.front().getLoc()
                                 : own.front().getLoc(),
                     "the sections of a package have different entries");
  for (auto [first, other] : llvm::zip(firstEntries, own))
    if (failed(checkSameEntry(first, other)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Sections
//===----------------------------------------------------------------------===//

Offset<fbs::Function> PackageWriter::function(const EncodedFunction &f) {
  return fbs::CreateFunctionDirect(
      builder, f.name.c_str(), f.words, f.buffers, f.events, f.wordArgs,
      f.bufferArgs, f.wordResults, f.bufferResults, &f.code, f.hostBuffers);
}

/// Returns null for empty strings, which are not stored.
static const char *textOrNull(const std::string &text) {
  return text.empty() ? nullptr : text.c_str();
}

FailureOr<Offset<fbs::Kernel>>
PackageWriter::kernel(const SectionTables::Kernel &kernel, Location loc) {
  std::vector<fbs::KernelArg> args;
  for (auto [dtype, role] : kernel.args)
    args.push_back({dtype, static_cast<uint8_t>(role)});
  Offset<fbs::Function> sizes;
  if (kernel.sizes) {
    FailureOr<EncodedFunction> encoded = encodeSizes(kernel.sizes, loc);
    if (failed(encoded))
      return failure();
    sizes = function(*encoded);
  }
  return fbs::CreateKernelDirect(
      builder, kernel.name.c_str(), kernel.arity, kernel.image, &args, sizes,
      textOrNull(kernel.order), textOrNull(kernel.schedule));
}

LogicalResult PackageWriter::section(const PackageSection &section) {
  ModuleOp module = section.module;
  SectionTables tables(module, constants, lines);
  if (failed(entries(tables)))
    return failure();
  std::vector<Offset<fbs::Function>> functions;
  std::vector<uint32_t> entryFunctions;
  for (txp::FuncOp func : tables.functions) {
    FailureOr<EncodedFunction> encoded = FunctionEncoder(func, tables).encode();
    if (failed(encoded))
      return failure();
    if (func.isEntry())
      entryFunctions.push_back(static_cast<uint32_t>(functions.size()));
    functions.push_back(function(*encoded));
  }
  if (section.image.empty() &&
      llvm::any_of(tables.kernels, [](auto &kernel) { return !kernel.image; }))
    return module.emitError("launches kernels but has no image");
  std::vector<Offset<fbs::Kernel>> kernels;
  for (const SectionTables::Kernel &own : tables.kernels) {
    auto offset = kernel(own, module.getLoc());
    if (failed(offset))
      return failure();
    kernels.push_back(*offset);
  }
  std::vector<Offset<flatbuffers::String>> strings;
  for (const std::string &text : tables.strings)
    strings.push_back(builder.CreateString(text));
  std::vector<fbs::Line> places;
  for (auto [file, line] : tables.lines)
    places.push_back({file, line});
  std::string target = section.target;
  if (auto attr = module->getAttrOfType<StringAttr>("tx.target");
      attr && target.empty())
    target = attr.str();
  if (target.empty())
    return module.emitError("has no 'tx.target'");
  fbs::Segment image = segment(section.image);
  std::vector<fbs::Segment> images;
  for (txp::ImageOp own : tables.images)
    images.push_back(segment(own.getBytes()));
  fbs::Segment test;
  if (!section.tileTest.empty())
    test = segment(section.tileTest);
  sections.push_back(fbs::CreateSectionDirect(
      builder, target.c_str(), &image, &kernels, &functions, &entryFunctions,
      &strings, &images, &places, section.tileTest.empty() ? nullptr : &test));
  return success();
}

/// Writes the constants into the package, or into the separate file.
Offset<fbs::ConstantsFile>
PackageWriter::writeConstants(std::vector<fbs::Segment> &out) {
  if (file)
    file->bytes.assign(sizeof(rt::ConstantsHeader), 0);
  std::string &target = file ? file->bytes : bytes;
  size_t size = target.size();
  for (StringRef content : constants.bytes())
    size = llvm::alignTo(size, rt::segmentAlignment) + content.size();
  // Reserves space for the constants and the table, so that growing the buffer
  // does not copy the weights.
  target.reserve(size + builder.GetSize() + (1 << 16));
  std::vector<uint64_t> hashes;
  for (StringRef content : constants.bytes()) {
    out.push_back(segment(target, content));
    hashes.push_back(out.back().hash());
  }
  if (!file)
    return {};
  rt::ConstantsHeader header = {};
  std::memcpy(header.magic, rt::constantsMagic, sizeof(header.magic));
  header.version = rt::packageVersion;
  header.count = static_cast<uint32_t>(hashes.size());
  header.fileSize = file->bytes.size();
  header.hash = rt::hashBytes(hashes.data(), hashes.size() * sizeof(uint64_t));
  std::memcpy(file->bytes.data(), &header, sizeof(header));
  return fbs::CreateConstantsFileDirect(builder, file->name.c_str(),
                                        header.fileSize, header.hash);
}

std::string PackageWriter::finish(uint64_t irHash) {
  std::vector<fbs::Segment> segments;
  Offset<fbs::ConstantsFile> beside = writeConstants(segments);
  builder.Finish(fbs::CreatePackageDirect(builder, "tensorc " TENSORC_VERSION,
                                          irHash, &entryOffsets, &segments,
                                          &sections, beside));
  bytes.resize(llvm::alignTo(bytes.size(), 16));
  size_t tableOffset = bytes.size();
  bytes.append(reinterpret_cast<const char *>(builder.GetBufferPointer()),
               builder.GetSize());
  rt::sealPackage(bytes.data(), bytes.size(), tableOffset);
  return std::move(bytes);
}

FailureOr<std::string> compiler::serialize(ArrayRef<PackageSection> sections,
                                           ArrayRef<NamedConstant> constants,
                                           uint64_t irHash, ConstantsFile *file,
                                           bool lines) {
  PackageWriter writer(constants, file, lines);
  for (const PackageSection &section : sections)
    if (failed(writer.section(section)))
      return failure();
  return writer.finish(irHash);
}
