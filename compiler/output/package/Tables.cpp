//===- Tables.cpp - constants, kernels and functions by index -------------===//
#include "compiler/output/package/Tables.h"

#include "compiler/output/package/FunctionEncoder.h"
#include "ir/program/LaunchAttributes.h"
#include "ir/tx/structure/OpOrdinals.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"

#include "llvm/Support/Path.h"

using namespace mlir;
using namespace tensorc;
using namespace tensorc::compiler;

SectionTables::SectionTables(ModuleOp module, ConstantTable &constants,
                             bool lines)
    : constants(constants), hasLines(lines) {
  for (auto func : module.getOps<txp::FuncOp>()) {
    functionIndex[func.getName()] = functions.size();
    functions.push_back(func);
  }
  for (auto image : module.getOps<txp::ImageOp>()) {
    images.push_back(image);
    imageIndex[image.getSymName()] = images.size();
  }
}

uint32_t SectionTables::string(StringRef text) {
  auto [it, isNew] = stringIndex.try_emplace(text, strings.size());
  if (isNew)
    strings.push_back(text.str());
  return it->second;
}

uint32_t SectionTables::opNumber(Location loc) {
  if (!hasLines)
    return tx::ordinalOf(loc).value_or(-1) + 1;
  auto at = loc->findInstanceOf<FileLineColLoc>();
  if (!at)
    return 0;
  // Omits the folder, so that a package does not depend on the folder in which
  // it is made.
  std::pair<uint32_t, uint32_t> line = {
      string(llvm::sys::path::filename(at.getFilename())), at.getLine()};
  auto [it, isNew] = lineIndex.try_emplace(line, lines.size());
  if (isNew)
    lines.push_back(line);
  return it->second + 1;
}

/// Returns the kernel's index. Emitted kernels are identified by their names,
/// user kernels by the symbol of their image. A user kernel may be launched
/// with arguments of different sizes, and has one index for each set of sizes.
FailureOr<uint32_t> SectionTables::kernel(Operation *launch, StringRef key,
                                          Kernel kernel) {
  auto &known = kernelIndex[key];
  for (uint32_t index : known)
    if (kernels[index].args == kernel.args &&
        kernels[index].sizes == kernel.sizes)
      return index;
  if (!known.empty() && kernels[known.front()].arity != kernel.arity)
    return launch->emitOpError()
           << "passes " << kernel.arity << " arguments to '" << kernel.name
           << "', another launch passes " << kernels[known.front()].arity;
  known.push_back(kernels.size());
  kernels.push_back(std::move(kernel));
  return known.back();
}

/// Lists the buffers first, then the scalars.
template <typename LaunchOp>
static void describe(LaunchOp op, SectionTables::Kernel &kernel) {
  kernel.args.append(op.getIns().size(), {0, rt::ArgRole::Input});
  kernel.args.append(op.getOuts().size(),
                     {0, op->hasAttr(txp::updatesAttr) ? rt::ArgRole::InOut
                                                       : rt::ArgRole::Output});
  kernel.args.append(op.getScalars().size(), {0, rt::ArgRole::Scalar});
  auto types = op->template getAttrOfType<ArrayAttr>(txp::dtypesAttr);
  if (types && types.size() == kernel.args.size())
    for (auto [arg, type] : llvm::zip(kernel.args, types))
      if (auto element = dyn_cast<TypeAttr>(type))
        arg.first = dtypeOf(element.getValue());
}

FailureOr<uint32_t> SectionTables::kernel(txp::LaunchOp op,
                                          tx::DimsAttr declared) {
  StringRef name = op.getKernel().getLeafReference();
  uint32_t arity =
      op.getIns().size() + op.getOuts().size() + op.getScalars().size();
  Kernel made = {name.str(), arity, 0, {}, declared};
  describe(op, made);
  if (auto order = op->getAttrOfType<tx::OrderAttr>(txp::orderAttr))
    made.order = order.toString();
  if (auto schedule = op->getAttrOfType<tx::ScheduleAttr>(txp::scheduleAttr))
    made.schedule = schedule.toString();
  return kernel(op, name, std::move(made));
}

FailureOr<uint32_t> SectionTables::kernel(txp::LaunchGridOp op,
                                          tx::DimsAttr declared) {
  uint32_t index = imageIndex.lookup(op.getKernel());
  if (!index)
    return op.emitOpError() << "launches the source " << op.getKernelAttr()
                            << ": was it lowered?";
  uint32_t arity =
      op.getIns().size() + op.getOuts().size() + op.getScalars().size();
  Kernel made = {
      images[index - 1].getKernel().str(), arity, index, {}, declared};
  describe(op, made);
  return kernel(op, ("@" + op.getKernel()).str(), std::move(made));
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// Packs two 4-bit elements into a byte, the low nibble first.
static std::string packNibbles(DenseElementsAttr value) {
  std::string bytes;
  bool low = true;
  for (const APInt &element : value.getValues<APInt>()) {
    auto nibble = static_cast<char>(element.getZExtValue() & 0xf);
    if (low)
      bytes.push_back(nibble);
    else
      bytes.back() |= static_cast<char>(nibble << 4);
    low = !low;
  }
  return bytes;
}

static std::string denseBytes(DenseElementsAttr value, unsigned bits) {
  if (bits == 4)
    return packNibbles(value);
  std::string bytes;
  if (bits == 1) {
    for (bool element : value.getValues<bool>())
      bytes.push_back(element);
    return bytes;
  }
  ArrayRef<char> raw = value.getRawData();
  int64_t copies = value.isSplat() ? value.getNumElements() : 1;
  bytes.reserve(raw.size() * copies);
  for (int64_t i = 0; i < copies; ++i)
    bytes.append(raw.begin(), raw.end());
  return bytes;
}

FailureOr<StringRef> compiler::constantBytes(Location loc, ElementsAttr value,
                                             std::string &converted) {
  Type element = value.getElementType();
  // The real part of a complex number is followed by the imaginary part.
  unsigned parts = 1;
  if (auto complex = dyn_cast<ComplexType>(element)) {
    parts = 2;
    element = complex.getElementType();
  }
  unsigned bits = element.isIndex()        ? 64
                  : element.isIntOrFloat() ? element.getIntOrFloatBitWidth()
                                           : 0;
  if (bits != 1 && bits != 4 && (bits == 0 || bits % 8))
    return emitError(loc) << "cannot store a constant of " << element;
  if (auto dense = dyn_cast<DenseElementsAttr>(value))
    return StringRef(converted = denseBytes(dense, parts * bits));
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob)
      return emitError(loc)
             << "the resource '" << resource.getRawHandle().getKey()
             << "' has no data";
    ArrayRef<char> data = blob->getData();
    uint64_t storedBits = bits == 1 ? 8 : bits;
    uint64_t expected = (value.getNumElements() * storedBits + 7) / 8;
    if (data.size() != expected)
      return emitError(loc)
             << "the resource '" << resource.getRawHandle().getKey() << "' has "
             << data.size() << " bytes, its type needs " << expected;
    return StringRef(data.data(), data.size());
  }
  return emitError(loc, "cannot store this kind of constant: ") << value;
}

FailureOr<uint32_t> ConstantTable::index(txp::ConstantBufferOp op) {
  auto [it, isNew] = known.try_emplace(op.getValue(), contents.size());
  if (!isNew)
    return it->second;
  uint32_t index = it->second;
  if (auto name = dyn_cast<StringAttr>(op.getValue())) {
    const auto *found =
        llvm::find_if(named, [&](const NamedConstant &constant) {
          return constant.name == name.getValue();
        });
    if (found == named.end())
      return op.emitOpError() << "refers to a constant that is not given";
    contents.emplace_back(found->bytes.data(), found->bytes.size());
    return index;
  }
  FailureOr<StringRef> bytes = constantBytes(
      op.getLoc(), cast<ElementsAttr>(op.getValue()), converted.emplace_back());
  if (failed(bytes))
    return failure();
  contents.push_back(*bytes);
  return index;
}
