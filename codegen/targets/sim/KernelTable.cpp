//===- KernelTable.cpp - The constant that describes a simulated kernel ---===//

#include "codegen/targets/sim/KernelTable.h"
#include "codegen/targets/sim/SimKernelAttrs.h"

using namespace mlir;

namespace tensorc::codegen::sim {

namespace {
class TableBuilder {
public:
  explicit TableBuilder(LLVM::LLVMFuncOp function)
      : function(function), b(function), loc(function.getLoc()),
        name(function.getName().str()) {}

  void build(const SiteTable &sites, const KernelTraits &traits);

private:
  int32_t number(StringRef attribute) {
    return function->getAttrOfType<IntegerAttr>(attribute).getInt();
  }
  ArrayRef<int32_t> numbers(StringRef attribute) {
    return function->getAttrOfType<DenseI32ArrayAttr>(attribute);
  }
  LLVM::GlobalOp words(StringRef suffix, ArrayRef<uint32_t> values);
  LLVM::GlobalOp bytes(StringRef suffix, StringRef text);
  std::vector<uint32_t> memory(const KernelTraits &traits);

  LLVM::LLVMFuncOp function;
  OpBuilder b;
  Location loc;
  std::string name;
};
} // namespace

LLVM::GlobalOp TableBuilder::words(StringRef suffix,
                                   ArrayRef<uint32_t> values) {
  auto type = LLVM::LLVMArrayType::get(b.getI32Type(), values.size());
  auto data = DenseElementsAttr::get(
      RankedTensorType::get({int64_t(values.size())}, b.getI32Type()), values);
  return LLVM::GlobalOp::create(b, loc, type, /*isConstant=*/true,
                                LLVM::Linkage::Internal, name + suffix.str(),
                                data, /*alignment=*/8);
}

LLVM::GlobalOp TableBuilder::bytes(StringRef suffix, StringRef text) {
  auto type = LLVM::LLVMArrayType::get(b.getI8Type(), text.size());
  return LLVM::GlobalOp::create(b, loc, type, /*isConstant=*/true,
                                LLVM::Linkage::Internal, name + suffix.str(),
                                b.getStringAttr(text));
}

/// Returns the SimBuffer of each buffer and each array, as words.
std::vector<uint32_t> TableBuilder::memory(const KernelTraits &traits) {
  std::vector<uint32_t> result;
  auto add = [&](uint32_t bytes, uint32_t elementBytes, bool written) {
    result.push_back(bytes);
    result.push_back(elementBytes | uint32_t(written) << 16);
  };
  for (auto [i, bytes] : llvm::enumerate(numbers(kBuffersAttr)))
    add(0, bytes, traits.writesAnything || traits.written.contains(i));
  ArrayRef<int32_t> shared = numbers(kSharedAttr);
  for (size_t i = 0; i < shared.size(); i += 2)
    add(shared[i], shared[i + 1], true);
  // Avoids an empty list, because LLVM does not support arrays without elements
  // here.
  add(0, 1, false);
  return result;
}

static std::vector<uint32_t> siteWords(const SiteTable &sites) {
  std::vector<uint32_t> result;
  for (const rt::SimSite &site : sites.getSites()) {
    uint32_t raw[sizeof(site) / sizeof(uint32_t)];
    std::memcpy(raw, &site, sizeof(site));
    result.insert(result.end(), std::begin(raw), std::end(raw));
  }
  result.resize(result.size() + sizeof(rt::SimSite) / sizeof(uint32_t));
  return result;
}

void TableBuilder::build(const SiteTable &sites, const KernelTraits &traits) {
  LLVM::GlobalOp parts[] = {words(".memory", memory(traits)),
                            words(".sites", siteWords(sites)),
                            bytes(".strings", sites.getStrings())};
  uint32_t buffers = numbers(kBuffersAttr).size();
  uint32_t shared = numbers(kSharedAttr).size() / 2;
  auto optional = [&](StringRef name) {
    auto value = function->getAttrOfType<IntegerAttr>(name);
    return uint32_t(value ? value.getInt() : 0);
  };
  uint32_t flags = (traits.synchronizes ? rt::simSynchronizes : 0) |
                   (traits.hasAtomics ? rt::simHasAtomics : 0) |
                   (function->hasAttr(kProfileAttr) ? rt::simProfiled : 0);
  const uint32_t fields[] = {rt::simVersion,
                             uint32_t(number(kBlockAttr)),
                             uint32_t(number(kSubgroupAttr)),
                             flags,
                             uint32_t(traits.stackBytes),
                             buffers,
                             uint32_t(number(kScalarsAttr)),
                             shared,
                             uint32_t(sites.getSites().size()),
                             optional(kDynamicAttr),
                             optional(kTensorMapsAttr),
                             /*reserved=*/0};
  // The struct must have the layout of rt::SimKernel.
  static_assert(sizeof(rt::SimKernel) == sizeof(fields) + 4 * sizeof(void *));
  function.setName(name + ".thread");
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  SmallVector<Type> types(std::size(fields), b.getI32Type());
  types.append(4, pointer);
  auto type = LLVM::LLVMStructType::getLiteral(b.getContext(), types);
  auto table = LLVM::GlobalOp::create(b, loc, type, /*isConstant=*/true,
                                      LLVM::Linkage::External, name,
                                      Attribute(), /*alignment=*/8);
  OpBuilder::InsertionGuard guard(b);
  b.createBlock(&table.getInitializerRegion());
  Value value = LLVM::UndefOp::create(b, loc, type);
  int64_t position = 0;
  auto add = [&](Value field) {
    value = LLVM::InsertValueOp::create(b, loc, value, field, position++);
  };
  for (uint32_t field : fields)
    add(LLVM::ConstantOp::create(b, loc, b.getI32IntegerAttr(field)));
  add(LLVM::AddressOfOp::create(b, loc, pointer, function.getName()));
  for (LLVM::GlobalOp part : parts)
    add(LLVM::AddressOfOp::create(b, loc, pointer, part.getName()));
  LLVM::ReturnOp::create(b, loc, value);
}

void addKernelTable(LLVM::LLVMFuncOp function, const SiteTable &sites,
                    const KernelTraits &traits) {
  TableBuilder(function).build(sites, traits);
  for (StringRef attribute :
       {kBlockAttr, kSubgroupAttr, kScalarsAttr, kBuffersAttr, kSharedAttr,
        kDynamicAttr, kProfileAttr})
    function->removeAttr(attribute);
}

} // namespace tensorc::codegen::sim
