//===- Packages.cpp - packages from text, for tests -----------------------===//
#include "tests/compiler/output/package/Packages.h"

#include "compiler/output/package/Serialize.h"
#include "ir/program/Txp.h"
#include "ir/tx/Tx.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"

#include <fstream>
#include <gtest/gtest.h>

using namespace tensorc;

const std::string &test::kernelImage() {
  static const std::string image = [] {
    std::ifstream file(TENSORC_TEST_KERNELS, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  }();
  return image;
}

std::string test::packageOf(llvm::StringRef text, std::string *errors,
                            compiler::ConstantsFile *constants) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<txp::TxpDialect, tx::TxDialect, mlir::arith::ArithDialect,
                      mlir::scf::SCFDialect, mlir::LLVM::LLVMDialect>();
  std::string messages;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diag) {
    messages += diag.str() + "\n";
    return mlir::success();
  });
  auto module =
      mlir::parseSourceString<mlir::ModuleOp>(text, &context, "test.mlir");
  std::string package;
  if (module) {
    auto bytes = compiler::serialize(
        {compiler::PackageSection{*module, kernelImage(), ""}}, {}, 0,
        constants);
    if (succeeded(bytes))
      package = std::move(*bytes);
  }
  if (errors)
    *errors = messages;
  else
    EXPECT_EQ(messages, "");
  return package;
}

std::string test::take(tensorc_rt_status *status) {
  std::string message = tensorc_rt_status_message(status);
  tensorc_rt_status_free(status);
  return message;
}

test::Loaded::Loaded(const std::string &package, const char *name) {
  EXPECT_EQ(take(tensorc_rt_device_find(name, &device)), "");
  EXPECT_EQ(
      take(tensorc_rt_load_bytes(device, package.data(), package.size(),
                                 TENSORC_RT_COPY, nullptr, nullptr, &module)),
      "");
}

const tensorc_rt_entry *test::Loaded::entry(const char *name) const {
  const tensorc_rt_entry *entry = nullptr;
  EXPECT_EQ(take(tensorc_rt_module_find(module, name, &entry)), "");
  return entry;
}

void test::Argument::init(tensorc_rt_device *device, tensorc_rt_dtype dtype,
                          const void *data, size_t size) {
  EXPECT_EQ(take(tensorc_rt_buffer_allocate(device, size, &arg.buffer)), "");
  EXPECT_EQ(take(tensorc_rt_buffer_write(arg.buffer, 0, data, size, nullptr)),
            "");
  arg.dims = dims.data();
  arg.rank = static_cast<int32_t>(dims.size());
  arg.dtype = dtype;
}

std::string test::run(const tensorc_rt_entry *entry,
                      const std::vector<tensorc_rt_arg> &args, Outputs &outputs,
                      tensorc_rt_stream *stream) {
  return take(tensorc_rt_run(
      entry, args.data(), static_cast<int32_t>(args.size()),
      outputs.list.data(), static_cast<int32_t>(outputs.list.size()), stream));
}
