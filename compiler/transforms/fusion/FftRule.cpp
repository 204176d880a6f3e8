//===- FftRule.cpp - Fourier transforms of rows ---------------------------===//
//
// A kernel keeps one or a few rows in cache through all butterfly steps. A
// prologue is computed when the kernel loads its operand. An epilogue is
// computed when the kernel stores, with the real and imaginary parts in planes
// or interleaved, or combined into one value. The batch of rows may be strided
// in memory if it is strided both before and after the transform.
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/fusion/Group.h"
#include "ir/library/Fourier.h"
#include "ir/tx/Dft.h"

using namespace mlir;

namespace tensorc::compiler {

namespace {
bool isPair(AffineExpr size) {
  auto constant = dyn_cast<AffineConstantExpr>(size);
  return constant && constant.getValue() == 2;
}

class FftKind : public FusionKind {
public:
  FftKind() : FusionKind(tx::kinds::fft) {}

  Value claim(OpBuilder &b, Operation *composite,
              const codegen::TargetInfo &target) const override {
    auto fft = dyn_cast<tx::FftOp>(composite);
    bool taken = fft && !target.isSimt() && tx::isDft(fft);
    return taken ? tx::makeDft(b, fft) : Value();
  }
  Refusal check(const Group &group, Operation *op,
                RuleContext &context) const override;
  bool join(Group &group, Operation *op, RuleContext &context) const override;
  /// Returns false, because the operand is computed into scratch memory and not
  /// into an output.
  bool mayStore(const Group &, Value, const Index &,
                tx::DimSpace &) const override {
    return false;
  }
  bool mayMerge(const Group &, const Group &) const override { return false; }
  Refusal checkAround(const Group &group, Operation *op,
                      RuleContext &context) const override;
  /// The index may omit the dim of real and imaginary parts, which are loaded
  /// in separate loops: each loop computes its prologue once.
  bool computesOnce(const Group &group, const Index &index) const override {
    return group.usesPairs(index);
  }
  StringRef kernelName() const override { return "fft"; }
};
} // namespace

const FusionKind &fftKind() {
  static const FftKind kind;
  return kind;
}

/// True if the transform's operand is contiguous along the transformed dim
/// rather than across the rows, in planes or as interleaved complex numbers.
static bool readsAlong(tx::DftOp dft, unsigned dim, RuleContext &context) {
  analysis::IterationSpace space(context.names,
                                 context.names.dims(dft.getType()));
  auto isAlong = [&](AffineExpr position, unsigned d) {
    auto linear = analysis::linearIn(position, d, space);
    return linear && (linear->coefficient == context.names.constant(1) ||
                      linear->coefficient == context.names.constant(2));
  };
  bool any = false;
  auto onRead = [&](Value v, const Index &index) {
    auto type = dyn_cast<RankedTensorType>(v.getType());
    if (!type)
      return;
    AffineExpr position = space.linearize(index, context.names.dims(type));
    any |= isAlong(position, dim) && !isAlong(position, space.getRank() - 1);
  };
  analysis::walkReads(
      dft.getX(), space.identity(), space, context.symbolOf,
      [](Value v) { return !analysis::isElementMapped(v.getDefiningOp()); },
      onRead, [](const analysis::Guard &) {});
  return any;
}

/// Returns the dim of the group that runs along a row of the transform, or
/// nullopt if no dim or several dims do.
static std::optional<unsigned> placeDim(const Index &read, unsigned rank) {
  std::optional<unsigned> place;
  for (unsigned d = 0; d < rank; ++d) {
    if (!read.back().isFunctionOfDim(d))
      continue;
    if (place)
      return std::nullopt;
    place = d;
  }
  return place;
}

/// True if the element's position in the row selects both the part (position
/// mod 2) and the element (position / 2), which means that the parts are
/// interleaved.
static bool isInterleaved(const Index &read, unsigned place) {
  auto isOfPlace = [&](AffineExpr e, AffineExprKind kind) {
    auto binary = dyn_cast<AffineBinaryOpExpr>(e);
    return binary && e.getKind() == kind && isPair(binary.getRHS()) &&
           binary.getLHS() == getAffineDimExpr(place, e.getContext());
  };
  return isOfPlace(read.front(), AffineExprKind::Mod) &&
         isOfPlace(read.back(), AffineExprKind::FloorDiv);
}

/// Each element of the group must read one row of the transform: its real part,
/// its imaginary part, or both. The group has the transform's dims in some
/// order. Values that combine both parts may have a dim of size 2 in place of
/// the dim of parts. If rows are read by slices or backwards, they must be the
/// last dim.
Refusal FftKind::check(const Group &group, Operation *op,
                       RuleContext &context) const {
  auto dft = cast<tx::DftOp>(op);
  auto dims = context.names.dims(dft.getType());
  auto it = group.reads.find(dft.getResult());
  if (it == group.reads.end())
    return "this kernel does not read it";
  const Refusal otherPlace = "it is not read row by row";
  unsigned rank = group.shape.size(), last = dims.size() - 1;
  SmallVector<std::optional<unsigned>> read(rank);
  auto reads = [&](AffineExpr e, unsigned i) {
    auto dim = dyn_cast<AffineDimExpr>(e);
    if (!dim)
      return false;
    std::optional<unsigned> &known = read[dim.getPosition()];
    if (group.shape[dim.getPosition()] != dims[i] || known.value_or(i) != i)
      return false;
    known = i;
    return true;
  };
  bool isAnywhere = false;
  std::optional<unsigned> place = placeDim(it->second.front(), rank);
  for (const Index &index : it->second) {
    bool isOfPlace = place && isInterleaved(index, *place);
    if (!isa<AffineConstantExpr>(index[0]) && !isOfPlace && !reads(index[0], 0))
      return otherPlace;
    for (unsigned i = 1; i < last; ++i)
      if (!reads(index[i], i) && dims[i] != context.names.constant(1))
        return otherPlace;
    if (!place || placeDim(index, rank) != place)
      return otherPlace;
    isAnywhere |=
        !isa<AffineDimExpr>(index.back()) || group.shape[*place] != dims[last];
  }
  if (read[*place])
    return otherPlace;
  read[*place] = last;
  SmallVector<unsigned> order;
  unsigned more = 0;
  for (auto [d, size] : llvm::enumerate(group.shape)) {
    bool isEdge = d == 0 || d + 1 == rank;
    if (read[d].value_or(0) != 0)
      order.push_back(*read[d]);
    else if (size != context.names.constant(1) && !(isEdge && isPair(size)))
      return "this kernel has another shape";
    else
      more += size != context.names.constant(1);
  }
  if (more > 1)
    return "this kernel has another shape";
  if (llvm::is_sorted(order))
    return {};
  if (isAnywhere || order.back() == last ||
      !readsAlong(dft, order.back(), context))
    return "its rows are stored across memory, and not read so";
  return {};
}

/// True if the op is computed element-wise from the result of another
/// transform.
static bool followsTransform(Operation *op) {
  constexpr size_t maxOps = 64;
  llvm::SetVector<Operation *> seen;
  seen.insert(op);
  for (size_t i = 0; i < seen.size() && i < maxOps; ++i)
    for (Value operand : seen[i]->getOperands()) {
      Operation *made = operand.getDefiningOp();
      if (isa_and_present<tx::DftOp>(made))
        return true;
      if (made && analysis::isElementMapped(made))
        seen.insert(made);
    }
  return false;
}

/// True if the op reads different positions of a row, not only different parts
/// of one position.
static bool isReadAtPlaces(ArrayRef<Index> reads) {
  auto placeOf = [](Index index) {
    llvm::erase_if(index, llvm::IsaPred<AffineConstantExpr>);
    return index;
  };
  return llvm::any_of(reads, [&](const Index &read) {
    return placeOf(read) != placeOf(reads.front());
  });
}

/// A real transform combines both ends of a complex spectrum. If the spectrum
/// is computed from another transform, fusing would read each element four
/// times from memory, whereas the kernel of the other transform still has it in
/// scratch memory.
Refusal FftKind::checkAround(const Group &group, Operation *op,
                             RuleContext &) const {
  auto it = group.reads.find(op->getResult(0));
  if (it == group.reads.end() || !isReadAtPlaces(it->second) || isFree(op) ||
      !followsTransform(op))
    return {};
  return "it is behind another transform, and read at several places";
}

bool FftKind::join(Group &group, Operation *op, RuleContext &context) const {
  auto dft = cast<tx::DftOp>(op);
  group.kind = this;
  // Reads the real and the imaginary part at each position of the row.
  SmallVector<Index, 2> reads = group.reads[dft.getResult()];
  for (Index index : reads) {
    index.back() = getAffineDimExpr(*placeDim(index, group.shape.size()),
                                    op->getContext());
    bool isOfBoth = isa<AffineDimExpr>(index[0]);
    for (int64_t part : {0, 1}) {
      if (!isOfBoth)
        index[0] = context.names.constant(part);
      group.addRead(dft.getX(), index);
    }
  }
  group.readAnywhere.insert(dft.getTable());
  return true;
}

} // namespace tensorc::compiler
