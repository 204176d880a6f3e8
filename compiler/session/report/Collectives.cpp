//===- Collectives.cpp - Explains the collectives of a program ------------===//

#include "compiler/session/report/Collectives.h"

#include "compiler/transforms/passes/TensorProgram.h"
#include "compiler/transforms/sharding/MeshOf.h"
#include "ir/tx/DType.h"
#include "ir/tx/Dims.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tensorc::report {

namespace sharding = compiler::sharding;

/// Returns the number of bytes that each of n ranks sends for a value of this
/// many bytes per rank. This is the minimum for any algorithm;
/// runtime/collectives sends no more, except for small values.
static int64_t bytesSent(Operation *op, int64_t bytes) {
  int64_t n = cast<IntegerAttr>(op->getAttr("ranks")).getInt();
  return llvm::TypeSwitch<Operation *, int64_t>(op)
      .Case([&](tx::AllReduceOp) { return 2 * bytes * (n - 1) / n; })
      .Case([&](tx::AllGatherOp) { return bytes * (n - 1); })
      .Default([&](Operation *) { return bytes * (n - 1) / n; });
}

static std::string lineOf(Location loc) {
  std::string text;
  loc->walk([&](Location part) {
    auto file = dyn_cast<FileLineColLoc>(part);
    if (!file)
      return WalkResult::advance();
    text = (file.getFilename().getValue() + ":" + Twine(file.getLine())).str();
    return WalkResult::interrupt();
  });
  return text;
}

std::vector<CollectiveFacts> explainCollectives(func::FuncOp function) {
  std::vector<CollectiveFacts> all;
  function.walk([&](Operation *op) {
    auto reason = op->getAttrOfType<StringAttr>(sharding::insertedAttr);
    if (!reason)
      return;
    auto text = [&](StringRef name) {
      return op->getAttrOfType<StringAttr>(name).getValue().str();
    };
    auto type = cast<RankedTensorType>(op->getOperand(0).getType());
    std::optional<int64_t> bytes = tx::staticBytes(type);
    std::string kind = op->getName().stripDialect().str();
    if (auto combiner = op->getAttrOfType<tx::CombinerAttr>("combiner"))
      kind += " " + tx::stringifyCombiner(combiner.getValue()).str();
    all.push_back({kind, text(sharding::axesAttr),
                   tx::dtypeName(*tx::dtypeOf(type.getElementType())) +
                       tx::shapeString(type),
                   bytes ? std::optional(bytesSent(op, *bytes)) : std::nullopt,
                   reason.getValue().str(), text(sharding::remedyAttr),
                   lineOf(op->getLoc())});
  });
  return all;
}

llvm::json::Object toJson(const CollectiveFacts &facts) {
  return llvm::json::Object{
      {"kind", facts.kind},       {"axes", facts.axes},
      {"operand", facts.operand}, {"bytes", llvm::json::toJSON(facts.bytes)},
      {"reason", facts.reason},   {"remedy", facts.remedy},
      {"line", facts.line}};
}

void print(llvm::raw_ostream &os, ArrayRef<CollectiveFacts> collectives) {
  int64_t bytes = 0;
  bool areKnown = true;
  for (const CollectiveFacts &each : collectives) {
    bytes += each.bytes.value_or(0);
    areKnown = areKnown && each.bytes;
  }
  os << collectives.size()
     << (collectives.size() == 1 ? " collective, " : " collectives, ")
     << (areKnown ? "" : "more than ") << bytes << " bytes sent by each rank\n";
  for (auto [i, each] : llvm::enumerate(collectives)) {
    os << "\n"
       << i << ": " << each.kind << " over " << each.axes << " of "
       << each.operand << ": "
       << (each.bytes ? std::to_string(*each.bytes) : "a run's number of")
       << " bytes\n"
       << "  why      " << each.reason << "\n"
       << "  without  " << each.remedy << "\n";
    if (!each.line.empty())
      os << "  for      " << each.line << "\n";
  }
}

std::vector<BucketFacts> explainBuckets(func::FuncOp function) {
  std::vector<BucketFacts> all;
  function.walk([&](tx::CustomCallOp call) {
    auto calls = call->getAttrOfType<IntegerAttr>(compiler::bucketAttr);
    if (!calls)
      return;
    auto type = cast<RankedTensorType>(call->getOperand(0).getType());
    all.push_back({call.getConfig()->split(" ranks=").first.str(),
                   calls.getInt(), tx::staticBytes(type).value_or(0),
                   call->hasAttr(compiler::queueAttr)});
  });
  return all;
}

llvm::json::Object toJson(const BucketFacts &facts) {
  return llvm::json::Object{{"kind", facts.kind},
                            {"calls", facts.calls},
                            {"bytes", facts.bytes},
                            {"next_to_kernels", facts.runsNextToKernels}};
}

void print(llvm::raw_ostream &os, ArrayRef<BucketFacts> buckets) {
  for (auto [i, each] : llvm::enumerate(buckets))
    os << "bucket " << i << ": " << each.calls << " x " << each.kind << ", "
       << each.bytes << " bytes"
       << (each.runsNextToKernels ? ", next to kernels" : "") << "\n";
}

} // namespace tensorc::report
