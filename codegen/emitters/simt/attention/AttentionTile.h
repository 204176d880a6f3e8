//===- AttentionTile.h - A block's tile of an attention ---------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMT_ATTENTION_ATTENTIONTILE_H
#define TENSORC_CODEGEN_EMITTERS_SIMT_ATTENTION_ATTENTIONTILE_H

#include "codegen/emitters/simt/attention/AttentionOrder.h"
#include "codegen/emitters/simt/tiles/ContractionTile.h"

#include <limits>

namespace tensorc::codegen::simt {

inline int64_t bytesOf(mlir::Type element) {
  return element.getIntOrFloatBitWidth() / 8;
}

/// Base class of the attention skeletons: loops, operands in shared memory, the
/// elements of scores and of results, and epilogue. A derived class adds the
/// products and the online softmax.
class AttentionTile : protected ContractionTile {
public:
  virtual ~AttentionTile() = default;
  mlir::FailureOr<KernelSpec> emit();

protected:
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  AttentionTile(KernelBuilder &kernel, AttentionPattern pattern);

  /// A tile of q, k or v in shared memory, with zeros past the edges. It has
  /// `steps` elements along the K dim of its product (depth or keys), and
  /// `mnSize` along the other dim (rows, keys or columns).
  struct Operand {
    mlir::Value value;
    analysis::Index index;
    unsigned mnLoop, stepLoop;
    int64_t mnSize, steps;
    /// `readAlongSteps`: the operand is contiguous along K (K-major) in global
    /// memory. `storedAlongSteps`: it is K-major in shared memory. If false, it
    /// is contiguous along its other dim (MN-major).
    bool readAlongSteps = false, storedAlongSteps = false;
    /// Number of elements per access.
    int64_t lanes = 1;
    int64_t padding = accumulatorPadding;
    mlir::Value memory = {};
    /// The input that is copied asynchronously, or null if the operand is
    /// computed.
    mlir::BlockArgument source = {};
    analysis::Index sourceIndex = {};

    bool isCopied() const { return bool(source); }
    int64_t stride() const {
      return (storedAlongSteps ? steps : mnSize) + padding;
    }
    int64_t elements() const {
      return stride() * (storedAlongSteps ? mnSize : steps);
    }
  };
  Operand q, k, v;
  int64_t keys, depth;
  /// The results in shared memory.
  mlir::Value patch;
  int64_t patchStride;

  // To be implemented by a skeleton.
  /// Lays out shared memory, by calls of `array`.
  virtual void planMemory() = 0;
  /// Emits what precedes the loop over keys, after the stores of q. Returns the
  /// first values that the loop carries.
  virtual mlir::FailureOr<Values> begin(const Values &dims) = 0;
  /// Emits the code for the tile of keys that begins at `dims`.
  virtual mlir::FailureOr<Values> step(const Values &dims,
                                       mlir::ValueRange carried) = 0;
  /// Stores the results to `patch`.
  virtual mlir::LogicalResult finish(const Values &dims,
                                     mlir::ValueRange carried) = 0;
  /// Returns the results for accumulators that were loaded from index `from` of
  /// the patch.
  virtual mlir::Value resultsOf(mlir::Value sums, mlir::Value from) = 0;

  /// Returns the element type of an operand in shared memory.
  virtual mlir::Type operandType(const Operand &o) = 0;
  void planOperand(Operand &o, bool alwaysMNMajor, int64_t padding);
  /// Plans to copy the operand to shared memory asynchronously, if the target
  /// and its layout allow it. Its memory must then not be shared with another
  /// operand.
  void planCopy(Operand &o);
  /// Allocates an array in shared memory, aligned to 16 bytes.
  mlir::Value array(int64_t count, mlir::Type element);
  int64_t arrayBytes(int64_t count, mlir::Type element);
  mlir::Value shared;
  int64_t nextByte = 0;

  mlir::LogicalResult fill(const Operand &o, const Values &dims);
  /// Starts an asynchronous copy of the next tile of keys or values. The group
  /// is empty if the tile is past the last key.
  mlir::LogicalResult beginCopy(const Operand &o, const Values &dims);
  /// Returns `dims` at the next tile of keys.
  Values nextKeys(const Values &dims);

  /// Returns the score of the query and key at `at`, given their product; or of
  /// several contiguous keys, given a vector.
  mlir::FailureOr<mlir::Value> scoreAt(const Values &at, mlir::Value product);
  /// Returns `lanes` if scores of that many contiguous keys read whole vectors
  /// or single elements, and their number divides that of the keys; else 1.
  int64_t scoreLanes(int64_t lanes);
  /// Returns the factor (or divisor) of a row's results. `sum` is the sum of
  /// all weights, which were computed with the shift `finite(max)`.
  mlir::FailureOr<mlir::Value> rowFactor(const Values &at, mlir::Value max,
                                         mlir::Value sum);
  /// Returns results, given accumulators and the factors of their rows.
  mlir::Value applyFactors(mlir::Value sums, mlir::Value factors);
  /// Reduces `value` across `lanes` contiguous lanes. All of them get the
  /// result.
  mlir::Value acrossLanes(mlir::Value value, int64_t lanes, bool isMax);
  /// Returns the value to subtract from scores. If a row has seen only scores
  /// of -inf, this is 0 instead of the maximum, so that its weights are 0 and
  /// not NaN.
  mlir::Value finite(mlir::Value max);
  mlir::Value convert(mlir::Value x, mlir::Type to);
  /// Dtype of the weights in the program.
  mlir::Type weightType() {
    return mlir::getElementTypeOrSelf(pattern.weight.getType());
  }

private:
  AttentionPattern pattern;
  analysis::Index weightIndex;

  mlir::LogicalResult planLoops();
  mlir::LogicalResult put(const Operand &o, const Values &at,
                          mlir::Value inside, mlir::Value to);
  mlir::LogicalResult emitTile(const Tile &tile);
  mlir::LogicalResult storeResults(const Tile &tile);
};

mlir::FailureOr<KernelSpec> emitPlainAttention(KernelBuilder &kernel,
                                               AttentionPattern pattern);
mlir::FailureOr<KernelSpec> emitTiledAttention(KernelBuilder &kernel,
                                               AttentionPattern pattern);
mlir::FailureOr<KernelSpec> emitRegisterAttention(KernelBuilder &kernel,
                                                  AttentionPattern pattern);

} // namespace tensorc::codegen::simt

#endif // TENSORC_CODEGEN_EMITTERS_SIMT_ATTENTION_ATTENTIONTILE_H
