//===- ContractionRoute.cpp - How a contraction is multiplied -------------===//

#include "codegen/emitters/simt/tiles/ContractionRoute.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace tensorc::codegen::simt {

/// A tile's side: with fewer steps, or fewer rows and columns, most of an
/// instruction would be zeros.
static constexpr int64_t tileSide = 16;

/// The dims' product, or none if one of them has a name.
static std::optional<int64_t> product(RankedTensorType type,
                                      ArrayRef<int64_t> dims) {
  int64_t result = 1;
  for (int64_t d : dims) {
    if (type.isDynamicDim(d))
      return std::nullopt;
    result *= type.getDimSize(d);
  }
  return result;
}

static SmallVector<int64_t> freeDims(RankedTensorType type,
                                     ArrayRef<int64_t> batch,
                                     ArrayRef<int64_t> contracting) {
  SmallVector<int64_t> result;
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (!llvm::is_contained(batch, d) && !llvm::is_contained(contracting, d))
      result.push_back(d);
  return result;
}

static std::string typeName(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

static SmallVector<OfferedContraction, 1> &offers() {
  static SmallVector<OfferedContraction, 1> list;
  return list;
}

void offerContraction(const OfferedContraction &offered) {
  offers().push_back(offered);
}

const OfferedContraction *findOffered(tx::FusionOp fusion,
                                      const TargetInfo &target) {
  StringRef chip = target.getName().split(':').second;
  for (const OfferedContraction &offered : offers())
    if (offered.chip == chip && !offered.suits(fusion).empty())
      return &offered;
  return nullptr;
}

ContractionRoute chooseRoute(tx::FusionOp fusion, const TargetInfo &target) {
  tx::DotGeneralOp dot;
  for (Operation &op : fusion.getBody().front())
    if (auto candidate = dyn_cast<tx::DotGeneralOp>(op))
      dot = candidate;
  if (!dot)
    return {false, "no contraction"};
  if (const OfferedContraction *offered = findOffered(fusion, target))
    return {true, offered->suits(fusion)};
  RankedTensorType x = dot.getX().getType(), y = dot.getY().getType();
  std::string name = typeName(x.getElementType());
  if (!target.multipliesTiles(x.getElementType()))
    return {false, "one by one: no matrix instructions for " + name};
  auto steps = product(x, dot.getXContracting());
  if (steps && *steps < tileSide)
    return {false, "one by one: fewer than 16 steps"};
  auto rows = product(x, freeDims(x, dot.getXBatch(), dot.getXContracting()));
  auto columns =
      product(y, freeDims(y, dot.getYBatch(), dot.getYContracting()));
  if (rows && columns && *rows < tileSide && *columns < tileSide)
    return {false, "one by one: fewer than 16 rows and columns"};
  return {true, "tiles of " + name};
}

} // namespace tensorc::codegen::simt
