//===- Coverage.cpp - Which ops the random programs had -------------------===//

#include "tests/fuzz/Coverage.h"

#include "mlir/IR/TypeUtilities.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace tensorc::fuzz {

/// Why an op is in no random program; empty: it has to be.
static StringRef reasonForNone(StringRef op) {
  return llvm::StringSwitch<StringRef>(op)
      .Case("tx.fusion", "the planner makes it of the others")
      .Case("tx.yield", "ends the body of a tx.fusion")
      .Case("tx.custom_call", "its function is the embedder's")
      .Case("tx.kernel_call", "its kernel is the user's")
      .Case("tx.reinterpret", "made of the 4-bit integers at a program's edges")
      .Cases({"tx.custom_vjp", "tx.stop_gradient"},
             "is its operand except where gradients are made")
      .Case("tx.partition_id", "is 0 in a program of one rank")
      .Case("tx.dft", "made of tx.fft where a target has its kernel")
      .Default("");
}

void Coverage::add(ModuleOp module) {
  if (seen.empty())
    for (RegisteredOperationName op :
         module.getContext()->getRegisteredOperationsByDialect("tx"))
      seen[op.getStringRef().str()];
  module.walk([&](Operation *op) {
    auto entry = seen.find(op->getName().getStringRef().str());
    if (entry == seen.end())
      return;
    // An op without results counts by itself.
    if (op->getNumResults() == 0)
      entry->second.insert("");
    for (Type type : op->getResultTypes())
      entry->second.insert(debugString(getElementTypeOrSelf(type)));
  });
}

bool Coverage::report(llvm::raw_ostream &os) const {
  size_t drawn = 0, pairs = 0;
  std::string excused, missing;
  for (auto &[op, dtypes] : seen) {
    pairs += dtypes.size();
    drawn += !dtypes.empty();
    if (!dtypes.empty())
      continue;
    StringRef reason = reasonForNone(op);
    if (reason.empty())
      missing += " " + op;
    else
      excused += "  not " + op + ": " + reason.str() + "\n";
  }
  os << drawn << " of " << seen.size() << " ops ("
     << llvm::format("%.1f", 100.0 * drawn / std::max<size_t>(seen.size(), 1))
     << " %), " << pairs << " pairs of op and dtype\n"
     << excused;
  if (!missing.empty())
    os << "  in no program:" << missing << "\n";
  return missing.empty();
}

} // namespace tensorc::fuzz
