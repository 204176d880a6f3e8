//===- CompileSources.cpp - Compiles the source of user kernels -----------===//
//
//   txp.kernel_source @saxpy "cuda" kernel "saxpy" source "__global__ ..."
//   txp.launch_grid @saxpy ...
// becomes
//   txp.image @saxpy kernel "_Z5saxpyPKfPf" bytes ".version ..."
//   txp.launch_grid @saxpy ...
//
//===----------------------------------------------------------------------===//

#include "codegen/targets/Target.h"
#include "compiler/transforms/passes/Passes.h"
#include "ir/program/Kernels.h"
#include "ir/tx/Tx.h"

using namespace mlir;

namespace tensorc::compiler {

#define GEN_PASS_DEF_COMPILESOURCESPASS
#include "compiler/transforms/passes/Passes.h.inc"

namespace {

/// Checks the arguments of a launch, because the driver would access invalid
/// memory if they were wrong.
LogicalResult checkLaunch(StringRef name, txp::LaunchGridOp launch,
                          const codegen::CompiledSource &compiled) {
  size_t buffers = launch.getIns().size() + launch.getOuts().size();
  size_t given = buffers + launch.getScalars().size();
  auto refuse = [&]() -> InFlightDiagnostic {
    return launch.emitError() << name << ": ";
  };
  if (compiled.parameters.size() != given)
    return refuse() << "the kernel has " << compiled.parameters.size()
                    << " parameters, the call gives " << launch.getIns().size()
                    << " inputs, " << launch.getOuts().size() << " outputs and "
                    << launch.getScalars().size() << " scalars";
  for (auto [i, bytes] : llvm::enumerate(compiled.parameters))
    if (i < buffers ? bytes != 8 : bytes > 8)
      return refuse() << "the kernel's parameter " << i << " has " << bytes
                      << " bytes, and is given "
                      << (i < buffers ? "a pointer" : "an integer");
  int64_t threads = 1;
  for (int32_t size : launch.getBlock())
    threads *= size;
  if (threads > compiled.maxThreads)
    return refuse() << "the kernel is for at most " << compiled.maxThreads
                    << " threads in a block, not " << threads;
  return success();
}

struct CompileSources : impl::CompileSourcesPassBase<CompileSources> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    DenseMap<StringAttr, SmallVector<txp::LaunchGridOp>> launches;
    module.walk([&](txp::LaunchGridOp launch) {
      launches[launch.getKernelAttr().getAttr()].push_back(launch);
    });
    for (auto source :
         llvm::make_early_inc_range(module.getOps<txp::KernelSourceOp>())) {
      if (failed(compile(source, launches[source.getSymNameAttr()])))
        return signalPassFailure();
      source.erase();
    }
  }

  LogicalResult compile(txp::KernelSourceOp source,
                        ArrayRef<txp::LaunchGridOp> launches) {
    if (launches.empty())
      return success();
    txp::LaunchGridOp first = launches.front();
    auto name = getOperation()->getAttrOfType<StringAttr>(tx::targetAttr);
    codegen::CodegenOptions options;
    options.target = name ? name.str() : "";
    auto target = codegen::findTarget(options.target);
    if (!target)
      return source.emitError(llvm::toString(target.takeError()));
    codegen::KernelSource text{
        source.getLanguage(), source.getKernel(), source.getSource(), {}};
    if (source.getFlags())
      for (StringRef flag : source.getFlags()->getAsValueRange<StringAttr>())
        text.flags.push_back(flag.str());
    auto compiled = target->compileSource(text, options);
    if (!compiled)
      return first.emitError() << source.getKernel() << ": "
                               << llvm::toString(compiled.takeError());
    for (txp::LaunchGridOp launch : launches)
      if (failed(checkLaunch(source.getKernel(), launch, *compiled)))
        return failure();
    OpBuilder b(source);
    StringRef bytes(compiled->image.data(), compiled->image.size());
    txp::ImageOp::create(b, source.getLoc(), source.getSymName(),
                         compiled->kernel, bytes);
    return success();
  }
};

} // namespace
} // namespace tensorc::compiler
