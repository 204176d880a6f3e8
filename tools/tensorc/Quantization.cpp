//===- Quantization.cpp - Implements --quantize-weights -------------------===//

#include "compiler/frontends/quantize/QuantizeWeights.h"
#include "tools/tensorc/Module.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tensorc::tool {

using compiler::WeightFacts;

static std::string sizeText(uint64_t bytes) {
  if (bytes < 10000)
    return llvm::formatv("{0} B", bytes);
  if (bytes < 10000000)
    return llvm::formatv("{0:F1} kB", double(bytes) / 1e3);
  return llvm::formatv("{0:F1} MB", double(bytes) / 1e6);
}

static std::string lineOf(const WeightFacts &weight) {
  std::string what = weight.layer + ": " + weight.name + " " + weight.type;
  if (!weight.keptBecause.empty())
    return what + " stays: it " + weight.keptBecause;
  return llvm::formatv(
      "{0}: groups of {1}, error at most {2:E2}, mean {3:E2}, relative {4:P2}, "
      "{5} -> {6}",
      what, weight.group, weight.maxError, weight.meanError,
      weight.relativeError, sizeText(weight.bytesBefore),
      sizeText(weight.bytesAfter));
}

LogicalResult quantizeWeights(ArrayRef<func::FuncOp> functions,
                              StringRef text) {
  llvm::Expected<compiler::WeightFormat> format =
      compiler::WeightFormat::parse(text);
  if (!format)
    return refuse("--quantize-weights: " + llvm::toString(format.takeError())),
           failure();
  Terminal err(llvm::errs());
  uint64_t before = 0, after = 0;
  size_t count = 0;
  for (func::FuncOp function : functions)
    for (const WeightFacts &weight :
         compiler::quantizeWeights(function, *format)) {
      err << lineOf(weight) << "\n";
      before += weight.bytesBefore;
      after += weight.bytesAfter;
      count += weight.keptBecause.empty();
    }
  if (count == 0)
    return refuse("--quantize-weights: no constant is read by a contraction or "
                  "convolution and gets smaller (--weights=FILE makes "
                  "constants of arguments)"),
           failure();
  err << count << (count == 1 ? " weight" : " weights") << " as "
      << tx::dtypeName(format->dtype) << ": " << sizeText(before) << " -> "
      << sizeText(after) << "\n";
  return success();
}

} // namespace tensorc::tool
