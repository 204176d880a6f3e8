//===- Recorder.h - Error reporting of recorded calls ---------------------===//
#ifndef TENSORC_COMPILER_GRAPH_RECORDER_H
#define TENSORC_COMPILER_GRAPH_RECORDER_H

#include "compiler/graph/Node.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"

#include <string>

namespace tensorc::graph {

using Shape = llvm::SmallVector<int64_t, 6>;
using Ints = llvm::ArrayRef<int64_t>;

/// The location of the user's call, and the error of the call.
struct Recorder {
  SourceLocation location;
  std::string error;
  /// The function that the user called, if it records several ops. Null means
  /// that errors begin with the op's own name.
  const char *called = nullptr;

  explicit Recorder(SourceLocation location, const char *called = nullptr)
      : location(location), called(called) {}
  /// Reports `op: message at file:line` and returns null.
  NodeRef fail(const llvm::Twine &op, const llvm::Twine &message);
};

/// Checks that the shape is valid: its rank, no negative dim, fewer than 2^63
/// bytes.
bool checkShape(Recorder &r, const char *op, DType dtype, Ints shape);

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_RECORDER_H
