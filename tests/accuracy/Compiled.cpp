//===- Compiled.cpp - A function compiled for a target --------------------===//

#include "tests/accuracy/Compiled.h"
#include "compiler/output/pipelines/Register.h"
#include "compiler/session/jit/Executable.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

namespace tensorc::accuracy {

static Entry compile(const Function &function, DType dtype,
                     const std::string &target) {
  std::vector<Tensor> x;
  for (int i = 0; i < function.arity; ++i)
    x.push_back(zeros({int64_t(kBlock)}, dtype).eval());
  std::string text = function.build(x).to_mlir();
  mlir::DialectRegistry registry;
  compiler::registerAllTensorcDialects(registry);
  mlir::MLIRContext context(registry);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  jit::Status status;
  std::unique_ptr<jit::Compilation> compilation;
  if (module)
    compilation = jit::compileFor(target, *module, nullptr, status, {});
  if (!compilation)
    throw Error(TENSORC_RT_UNSUPPORTED, std::string(function.name) + " for " +
                                            target + " does not compile");
  std::string device = target.starts_with("cpu") ? "cpu" : target;
  return load_bytes(compilation->package.data(), compilation->package.size(),
                    device)
      .entry();
}

Compiled::Compiled(const Function &function, DType dtype,
                   const std::string &target)
    : entry(compile(function, dtype, target)) {}

} // namespace tensorc::accuracy
