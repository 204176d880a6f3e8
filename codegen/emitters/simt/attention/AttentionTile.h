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

/// Base class of the attention skeletons: loops, operands in shared memory,
/// online softmax, and epilogue. A derived class adds the products.
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
  /// Buffers in shared memory. `scores`: products, scores and then (without
  /// matrix instructions) weights. `rowFactors`: a factor per row. `patch`:
  /// results.
  mlir::Value scores, rowFactors, patch;
  int64_t scoreStride, patchStride;

  // To be implemented by a skeleton.
  /// Lays out shared memory after `rowFactors`, by calls of `array`.
  virtual void planMemory() = 0;
  virtual void multiplyScores() = 0;
  /// Stores the weights of contiguous keys in the element type in which they
  /// are multiplied with v.
  virtual void storeWeights(mlir::Value row, mlir::Value key,
                            mlir::Value weights) = 0;
  virtual Values zeroSums() = 0;
  /// Returns the accumulators times the row factors, plus weights times v.
  virtual mlir::FailureOr<Values> multiplyValues(mlir::ValueRange sums) = 0;
  virtual void storeSums(mlir::ValueRange sums) = 0;

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

private:
  AttentionPattern pattern;
  analysis::Index weightIndex;
  /// Number of threads that share a row of scores.
  int64_t perRow;
  mlir::Value row, slot;

  mlir::LogicalResult planLoops();
  mlir::LogicalResult fill(const Operand &o, const Values &dims);
  mlir::LogicalResult beginCopy(const Operand &o, const Values &dims);
  mlir::LogicalResult put(const Operand &o, const Values &at,
                          mlir::Value inside, mlir::Value to);
  mlir::LogicalResult emitTile(const Tile &tile);
  mlir::FailureOr<Values> step(const Values &dims, mlir::ValueRange carried);
  mlir::FailureOr<mlir::Value> scoreRow(const Values &dims);
  mlir::FailureOr<mlir::Value> computeRowWeights(mlir::Value shift,
                                                 mlir::Value sum);
  mlir::LogicalResult finishRow(const Values &dims, mlir::Value max,
                                mlir::Value sum);
  mlir::LogicalResult storeResults(const Tile &tile);
  mlir::FailureOr<Values>
  forKeys(mlir::Value carried,
          llvm::function_ref<mlir::FailureOr<mlir::Value>(
              mlir::Value key, mlir::Value index, mlir::Value carried)>
              body);
  mlir::Value acrossRow(mlir::Value value, bool isMax);
  mlir::Value finite(mlir::Value max);
  mlir::Value exp(mlir::Value x);
  mlir::Value convert(mlir::Value x, mlir::Type to);
};

mlir::FailureOr<KernelSpec> emitPlainAttention(KernelBuilder &kernel,
                                               AttentionPattern pattern);
mlir::FailureOr<KernelSpec> emitTiledAttention(KernelBuilder &kernel,
                                               AttentionPattern pattern);

} // namespace tensorc::codegen::simt

#endif // TENSORC_CODEGEN_EMITTERS_SIMT_ATTENTION_ATTENTIONTILE_H
