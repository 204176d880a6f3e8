//===- Kind.cpp - Common functions of the kinds of fusions ----------------===//

#include "compiler/transforms/fusion/Group.h"

using namespace mlir;

namespace tensorc::compiler {

static const tx::FusionKindInfo &infoOf(StringRef name) {
  const tx::FusionKindInfo *info = tx::findFusionKind(name);
  assert(info && "a kind needs a row in FusionKinds.def");
  return *info;
}

FusionKind::FusionKind(StringRef name) : info(infoOf(name)) {}
FusionKind::~FusionKind() = default;

Value FusionKind::claim(OpBuilder &, Operation *,
                        const codegen::TargetInfo &) const {
  return nullptr;
}

static std::string withArticle(StringRef noun) {
  bool vowel = StringRef("aeiou").contains(noun.front());
  return (vowel ? "an " : "a ") + noun.str();
}

Refusal FusionKind::checkRoom(const Group &, Operation *op) const {
  const FusionKind &other = kindFor(op);
  return withArticle(info.what) + "'s kernel holds no " +
         (other.info.what == info.what ? "other " : "") +
         other.info.what.str() + "s";
}

bool FusionKind::computesOnce(const Group &group, const Index &index) const {
  return group.usesDims(index, 0, group.shape.size());
}

Refusal FusionKind::checkAround(const Group &, Operation *,
                                RuleContext &) const {
  return {};
}

bool FusionKind::mayStore(const Group &group, Value result, const Index &index,
                          tx::DimSpace &names) const {
  return names.dims(cast<RankedTensorType>(result.getType())) == group.shape &&
         index == group.space(names).identity();
}

bool FusionKind::mayGoOn(const Group &, const Group &, RuleContext &) const {
  return false;
}

bool FusionKind::mayMerge(const Group &, const Group &) const { return true; }

ArrayRef<const FusionKind *> allKinds() {
  static const FusionKind *const kinds[] = {
#define TX_FUSION_KIND(NAME, ...) &NAME##Kind(),
#include "ir/tx/FusionKinds.def"
  };
  return kinds;
}

Value claimComposite(OpBuilder &b, Operation *composite,
                     const codegen::TargetInfo &target) {
  for (const FusionKind *kind : allKinds())
    if (Value taken = kind->claim(b, composite, target))
      return taken;
  return nullptr;
}

const FusionKind &kindFor(Operation *op) {
  for (const FusionKind *kind : allKinds())
    if (kind->isAbout(op))
      return *kind;
  return loopKind();
}

} // namespace tensorc::compiler
