//===- Reshard.h - Collectives that change the sharding of a value --------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_SHARDING_RESHARD_H
#define TENSORC_COMPILER_TRANSFORMS_SHARDING_RESHARD_H

#include "compiler/transforms/sharding/MeshOf.h"

namespace tensorc::compiler::sharding {

/// The reason for inserting a collective.
struct Reason {
  std::string text;
  /// The annotation that would make the collective unnecessary.
  std::string remedy;
};

/// Builds collectives, each with its reason.
class Resharder {
public:
  explicit Resharder(const Mesh &mesh) : mesh(mesh) {}

  /// Returns a rank's part of x under another sharding. `type` is the type of
  /// the whole x.
  mlir::Value reshard(mlir::OpBuilder &b, mlir::Value x,
                      mlir::RankedTensorType type, Sharding from,
                      const Sharding &to, const Reason &reason);
  /// Combines the results of the ranks along these axes.
  mlir::Value reduce(mlir::OpBuilder &b, mlir::Value x,
                     llvm::ArrayRef<int64_t> axes, tx::Combiner combiner,
                     const Reason &reason);
  /// Like reduce along one axis, except that each rank gets its part along a
  /// dim.
  mlir::Value reduceScatter(mlir::OpBuilder &b, mlir::Value x, int64_t axis,
                            int64_t dim, tx::Combiner combiner,
                            const Reason &reason);

  /// True if `to` only splits the parts of `from` further. In this case no rank
  /// needs data of another.
  bool isFiner(const Sharding &to, const Sharding &from, int64_t rank) const;

private:
  const Mesh &mesh;

  template <typename Op, typename... Arguments>
  mlir::Value collective(mlir::OpBuilder &b, const Reason &reason,
                         mlir::Value x, llvm::ArrayRef<int64_t> axes,
                         mlir::RankedTensorType type, Arguments... arguments);
};

} // namespace tensorc::compiler::sharding

#endif // TENSORC_COMPILER_TRANSFORMS_SHARDING_RESHARD_H
