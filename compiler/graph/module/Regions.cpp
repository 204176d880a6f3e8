//===- Regions.cpp - Ops with blocks, stored in nodes ---------------------===//

#include "compiler/graph/module/Regions.h"

#include "ir/tx/Control.h"
#include "ir/tx/Dims.h"
#include "ir/tx/Kernel.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectInterface.h"

#include <mutex>
#include <set>

using namespace mlir;

namespace tensorc::graph {

bool hasRegions(StringRef name) {
  return name == tx::IfOp::getOperationName() ||
         name == tx::SwitchOp::getOperationName() ||
         name == tx::WhileOp::getOperationName() ||
         name == tx::ScanOp::getOperationName() ||
         name == tx::CustomVjpOp::getOperationName() ||
         name == tx::StopGradientOp::getOperationName();
}

std::string nameInRegion(unsigned number) {
  return "r" + std::to_string(number);
}

//===----------------------------------------------------------------------===//
// Templates and their modules
//===----------------------------------------------------------------------===//

namespace {
/// The parsed region modules of an MLIR context, which are destroyed with it.
class RegionModules : public DialectInterface::Base<RegionModules> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(RegionModules)

  explicit RegionModules(Dialect *dialect) : Base(dialect) {}
  static RegionModules &of(MLIRContext &context) {
    auto *dialect = context.getOrLoadDialect<tx::TxDialect>();
    if (auto *known = dialect->getRegisteredInterface<RegionModules>())
      return *known;
    return dialect->addInterface<RegionModules>();
  }

  llvm::DenseMap<const RegionTemplate *, OwningOpRef<ModuleOp>> modules;
};

struct ByBytes {
  bool operator()(const RegionTemplate &a, const RegionTemplate &b) const {
    return a.bytes < b.bytes;
  }
};
} // namespace

static const RegionTemplate &keep(std::string bytes) {
  static std::mutex mutex;
  static auto *all = new std::set<RegionTemplate, ByBytes>;
  std::scoped_lock lock(mutex);
  return *all->insert({std::move(bytes)}).first;
}

const RegionTemplate &keepRegion(OwningOpRef<ModuleOp> module) {
  auto unknown = UnknownLoc::get(module->getContext());
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    op->setLoc(unknown);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          argument.setLoc(unknown);
  });
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  [[maybe_unused]] LogicalResult written = writeBytecodeToFile(*module, os);
  assert(succeeded(written) && "the current version can always be written");
  const RegionTemplate &region = keep(std::move(bytes));
  auto &modules = RegionModules::of(*module->getContext()).modules;
  modules.try_emplace(&region, std::move(module));
  return region;
}

static ModuleOp moduleOf(MLIRContext &context, const RegionTemplate &region) {
  OwningOpRef<ModuleOp> &module = RegionModules::of(context).modules[&region];
  if (module)
    return *module;
  Block read;
  [[maybe_unused]] LogicalResult status =
      readBytecodeFile(llvm::MemoryBufferRef(region.bytes, "region"), &read,
                       ParserConfig(&context, /*verifyAfterParse=*/false));
  assert(succeeded(status) && "keepRegion wrote it");
  module = cast<ModuleOp>(&read.front());
  (*module)->remove();
  return *module;
}

static func::FuncOp functionOf(ModuleOp module) {
  return *module.getOps<func::FuncOp>().begin();
}

FunctionType regionType(MLIRContext &context, const RegionTemplate &region) {
  return functionOf(moduleOf(context, region)).getFunctionType();
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

void moveKernels(ModuleOp from, Operation *op, AddKernel addKernel) {
  op->walk([&](tx::KernelCallOp call) {
    const kernels::Kernel &kernel = kernels::kernelOf(from, call.getKernel());
    call.setKernelAttr(FlatSymbolRefAttr::get(addKernel(kernel)));
  });
}

Operation *cloneRegion(OpBuilder &b, Location loc, const RegionTemplate &region,
                       ValueRange inputs, ArrayRef<shape::Dim> sizes,
                       AddKernel addKernel) {
  ModuleOp module = moduleOf(*b.getContext(), region);
  Operation *op = b.clone(functionOf(module).getBody().front().front());
  op->setOperands(inputs);
  moveKernels(module, op, addKernel);
  op->walk([&](Operation *each) { each->setLoc(loc); });
  llvm::StringMap<shape::Dim> named;
  for (auto [i, size] : llvm::enumerate(sizes))
    named[nameInRegion(i)] = size;
  auto sized = [&](ArrayRef<shape::Dim> dims) {
    return llvm::map_to_vector(dims, [&](shape::Dim dim) {
      return shape::substitute(
          dim, [&](shape::Dim symbol) { return named.lookup(symbol.name()); });
    });
  };
  AttrTypeReplacer replacer;
  replacer.addReplacement(
      [&](RankedTensorType type) -> std::optional<std::pair<Type, WalkResult>> {
        return std::pair(Type(tx::tensorType(sized(tx::dimsOf(type)),
                                             type.getElementType())),
                         WalkResult::skip());
      });
  replacer.addReplacement(
      [&](tx::DimsAttr attr)
          -> std::optional<std::pair<Attribute, WalkResult>> {
        return std::pair(Attribute(tx::DimsAttr::get(attr.getContext(),
                                                     sized(attr.getDims()))),
                         WalkResult::skip());
      });
  replacer.recursivelyReplaceElementsIn(op, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  return op;
}

} // namespace tensorc::graph
