//===- FftRule.cpp - Fourier transforms of rows ---------------------------===//
//
// A kernel keeps a row, or a few, in a cache through all steps. It computes its
// operand where it loads it, and what comes behind where it stores: of both
// parts, or of one that a slice has taken.
//
//===----------------------------------------------------------------------===//

#include "compiler/fusion/Group.h"
#include "ir/library/Fourier.h"
#include "ir/tx/Dft.h"

using namespace mlir;

namespace tensorc::compiler {

namespace {
class FftKind : public FusionKind {
public:
  FftKind() : FusionKind("fft") {}

  Value claim(OpBuilder &b, Operation *composite,
              const codegen::TargetInfo &target) const override {
    auto fft = dyn_cast<tx::FftOp>(composite);
    bool taken = fft && !target.isSimt() && tx::isDft(fft);
    return taken ? tx::makeDft(b, fft) : Value();
  }
  Refusal check(const Group &group, Operation *op,
                RuleContext &context) const override;
  bool join(Group &group, Operation *op, RuleContext &context) const override;
  /// Its operand is computed into scratch.
  bool mayStore(const Group &, Value, const Index &,
                tx::DimSpace &) const override {
    return false;
  }
  bool mayMerge(const Group &, const Group &) const override { return false; }
  /// Each part in a loop of its own.
  bool computesOnce(const Group &group, const Index &index) const override {
    return group.usesDims(index, 0, group.shape.size());
  }
  StringRef kernelName() const override { return "fft"; }
};
} // namespace

const FusionKind &fftKind() {
  static const FftKind kind;
  return kind;
}

/// The group's place in one of the parts.
static Index partIndex(const Group &group, int64_t part, RuleContext &context) {
  Index index = group.space(context.names).identity();
  index.insert(index.begin(), context.names.constant(part));
  return index;
}

Refusal FftKind::check(const Group &group, Operation *op,
                       RuleContext &context) const {
  Value result = op->getResult(0);
  auto dims = context.names.dims(cast<RankedTensorType>(result.getType()));
  if (group.shape == dims)
    return checkReadElementwise(group, result, context);
  if (ArrayRef(group.shape) != ArrayRef(dims).drop_front())
    return "this kernel has another shape";
  auto it = group.reads.find(result);
  if (it == group.reads.end())
    return "this kernel does not read it";
  for (const Index &index : it->second)
    if (index != partIndex(group, 0, context) &&
        index != partIndex(group, 1, context))
      return "it is not read element by element";
  return {};
}

bool FftKind::join(Group &group, Operation *op, RuleContext &context) const {
  auto dft = cast<tx::DftOp>(op);
  group.kind = this;
  auto rank = static_cast<size_t>(dft.getType().getRank());
  if (group.shape.size() == rank) {
    group.addRead(dft.getX(), group.space(context.names).identity());
  } else {
    group.addRead(dft.getX(), partIndex(group, 0, context));
    group.addRead(dft.getX(), partIndex(group, 1, context));
  }
  group.readAnywhere.insert(dft.getTable());
  return true;
}

} // namespace tensorc::compiler
