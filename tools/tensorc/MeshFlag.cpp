//===- MeshFlag.cpp - Implements --mesh, which defines a program's mesh ---===//

#include "compiler/transforms/sharding/MeshOf.h"
#include "tools/tensorc/Module.h"

#include "mlir/IR/Verifier.h"

using namespace mlir;

namespace tensorc::tool {

std::optional<MeshSpec> parseMesh(const Arguments &arguments) {
  MeshSpec mesh;
  SmallVector<StringRef> axes;
  arguments.get("mesh").split(axes, ',', -1, /*KeepEmpty=*/false);
  for (StringRef axis : axes) {
    auto [name, text] = axis.split('=');
    int64_t size = 0;
    if (name.empty() || text.getAsInteger(10, size) || size < 1)
      return badUsage("'" + axis +
                      "' is not of the form --mesh=data=2,model=4"),
             std::nullopt;
    mesh.names.push_back(name.str());
    mesh.sizes.push_back(size);
  }
  return mesh;
}

/// The names are an attribute of each function, for messages.
LogicalResult applyMesh(ModuleOp module, const MeshSpec &mesh) {
  SmallVector<StringRef> names(mesh.names.begin(), mesh.names.end());
  for (auto function : module.getOps<func::FuncOp>())
    function->setAttr(compiler::sharding::axesAttr,
                      Builder(module.getContext()).getStrArrayAttr(names));
  bool isFound = false;
  WalkResult walk = module.walk([&](Operation *op) {
    auto sizes = op->getAttrOfType<DenseI64ArrayAttr>("mesh");
    if (!sizes)
      return WalkResult::advance();
    isFound = true;
    if (sizes.size() != static_cast<int64_t>(mesh.sizes.size())) {
      op->emitOpError("has a mesh of ")
          << sizes.size() << " axes, --mesh has " << mesh.sizes.size();
      return WalkResult::interrupt();
    }
    op->setAttr("mesh", DenseI64ArrayAttr::get(op->getContext(), mesh.sizes));
    return failed(verify(op)) ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return failure();
  if (isFound)
    return success();
  return emitError(UnknownLoc::get(module.getContext()),
                   "--mesh: the program has no tx.shard, so nothing is split");
}

} // namespace tensorc::tool
