//===- OpOrdinals.cpp - Numbers of a graph's ops in locations -------------===//
#include "ir/tx/structure/OpOrdinals.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tensorc;

static constexpr llvm::StringLiteral prefix = "op";

Location tx::nameByOrdinal(Location loc, uint32_t ordinal) {
  return NameLoc::get(
      StringAttr::get(loc.getContext(), prefix + llvm::Twine(ordinal)), loc);
}

std::optional<uint32_t> tx::ordinalOf(Location loc) {
  std::optional<uint32_t> found;
  loc->walk([&](Location part) {
    auto named = dyn_cast<NameLoc>(part);
    StringRef text = named ? named.getName().strref() : "";
    uint32_t ordinal = 0;
    if (!text.consume_front(prefix) || text.getAsInteger(10, ordinal))
      return WalkResult::advance();
    found = ordinal;
    return WalkResult::interrupt();
  });
  return found;
}
