//===- MeshOf.cpp - The mesh of a program's annotations -------------------===//

#include "compiler/transforms/sharding/MeshOf.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tensorc::compiler::sharding {

FailureOr<std::optional<Mesh>> meshOf(func::FuncOp function) {
  std::optional<Mesh> mesh;
  Operation *first = nullptr;
  WalkResult walk = function.walk([&](Operation *op) {
    auto sizes =
        llvm::TypeSwitch<Operation *, std::optional<ArrayRef<int64_t>>>(op)
            .Case<tx::ShardOp, tx::LocalPartOp, tx::JoinPartsOp>(
                [](auto op) { return op.getMesh(); })
            .Default(std::nullopt);
    if (!sizes)
      return WalkResult::advance();
    if (!mesh) {
      mesh.emplace(Mesh{SmallVector<int64_t>(*sizes)});
      first = op;
    } else if (ArrayRef(mesh->sizes) != *sizes) {
      op->emitOpError("has another mesh than the program's first annotation")
              .attachNote(first->getLoc())
          << "which is here";
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return failure();
  if (!mesh)
    return std::optional<Mesh>();
  auto names = function->getAttrOfType<ArrayAttr>(axesAttr);
  for (size_t axis = 0; axis < mesh->sizes.size(); ++axis)
    mesh->names.push_back(names && axis < names.size()
                              ? cast<StringAttr>(names[axis]).getValue().str()
                              : "axis" + std::to_string(axis));
  return mesh;
}

} // namespace tensorc::compiler::sharding
