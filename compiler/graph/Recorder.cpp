//===- Recorder.cpp - Error reporting of recorded calls -------------------===//

#include "compiler/graph/Recorder.h"

namespace tensorc::graph {

NodeRef Recorder::fail(const llvm::Twine &op, const llvm::Twine &message) {
  if (!error.empty())
    return {};
  error = (called ? called + (": " + message) : op + ": " + message).str();
  // A forwarded message may already contain a location.
  if (location.file && error.find("  at ") == std::string::npos)
    error += "  at " + std::string(location.file) + ":" +
             std::to_string(location.line);
  return {};
}

bool checkShape(Recorder &r, const char *op, DType dtype, Ints shape) {
  if (shape.size() > maxRank) {
    r.fail(op, "rank " + llvm::Twine(shape.size()) + " is above " +
                   llvm::Twine(maxRank));
    return false;
  }
  // Dims of 0 count as 1, so that the product of the other dims is also checked
  // for overflow.
  int64_t bytes = byteWidth(dtype);
  for (int64_t dim : shape) {
    if (dim < 0) {
      r.fail(op, "negative size in " + shapeString(shape));
      return false;
    }
    if (llvm::MulOverflow(bytes, std::max<int64_t>(dim, 1), bytes)) {
      r.fail(op, llvm::Twine(dtypeName(dtype)) + shapeString(shape) +
                     " is larger than 2^63 bytes");
      return false;
    }
  }
  return true;
}

} // namespace tensorc::graph
