//===- TileLayout.h - Distribution of a tile over lanes ---------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_LOWERING_TILES_TILELAYOUT_H
#define TENSORC_CODEGEN_LOWERING_TILES_TILELAYOUT_H

#include "codegen/kernel/TargetInfo.h"
#include "codegen/kernel/ops/TileInstructions.h"
#include "codegen/kernel/ops/Txk.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/MapVector.h"
#include <memory>

namespace tensorc::codegen {

/// Emits the tile instructions of a GPU family, on tiles as vectors of
/// registers. Each kernel uses its own instance.
class TileLayout {
public:
  virtual ~TileLayout() = default;
  static std::unique_ptr<TileLayout> create(MatrixUnit unit,
                                            mlir::gpu::GPUFuncOp kernel);

  virtual mlir::VectorType registersOf(txk::FragmentType type) = 0;

  /// Emit an op at the insertion point and return its replacement. The op's
  /// operands have been replaced by registers, so their types are passed.
  virtual mlir::Value load(txk::TileLoadOp op, txk::FragmentType type) = 0;
  virtual mlir::Value multiply(txk::TileMmaOp op, txk::FragmentType left,
                               txk::FragmentType right) = 0;
  virtual mlir::Value scale(txk::TileScaleOp op) = 0;
  virtual void store(txk::TileStoreOp op) = 0;
  /// Only called for a unit with the SumLayout.
  virtual mlir::Value narrow(txk::TileNarrowOp op, txk::FragmentType type) {
    llvm_unreachable("the unit has another layout");
  }

  mlir::OpBuilder b;

protected:
  TileLayout(mlir::gpu::GPUFuncOp kernel, unsigned lanes);

  /// Returns the offset of the lane's elements from the start of a tile. It is
  /// computed only once for each `kind` and stride.
  mlir::Value offset(unsigned kind, int64_t stride,
                     llvm::function_ref<mlir::Value()> compute);

  mlir::Value lane() { return laneValue; }
  mlir::Value constant(int64_t value);
  mlir::Value add(mlir::Value x, mlir::Value y);
  mlir::Value add(mlir::Value x, int64_t y) { return add(x, constant(y)); }
  mlir::Value mul(mlir::Value x, int64_t y);
  mlir::Value div(mlir::Value x, int64_t y);
  mlir::Value rem(mlir::Value x, int64_t y);
  /// Returns the signless element type of a tile as an attribute.
  mlir::TypeAttr elementOf(txk::FragmentType type);
  /// Returns an attribute if the tile's elements are unsigned, otherwise null.
  mlir::UnitAttr isUnsigned(txk::FragmentType type);
  /// Returns the given elements of a vector.
  mlir::Value pick(mlir::Value vector, llvm::ArrayRef<int64_t> elements);

  mlir::Location loc;

private:
  mlir::Value laneValue;
  llvm::DenseMap<std::pair<unsigned, int64_t>, mlir::Value> offsets;
};

std::unique_ptr<TileLayout> createMmaLayout(mlir::gpu::GPUFuncOp kernel);
std::unique_ptr<TileLayout> createMfmaLayout(mlir::gpu::GPUFuncOp kernel);
std::unique_ptr<TileLayout> createWmmaLayout(mlir::gpu::GPUFuncOp kernel,
                                             bool holdsHalfRows);

/// Lowers target-independent tile ops to instructions of `unit`, in all kernels
/// in `root`.
mlir::LogicalResult expandTiles(mlir::Operation *root, MatrixUnit unit);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_LOWERING_TILES_TILELAYOUT_H
