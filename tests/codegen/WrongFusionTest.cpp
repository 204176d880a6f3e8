//===- WrongFusionTest.cpp - Emitters refuse what would be stored wrongly -===//
//
// The JIT runs without verifiers between stages, so a mistake of the planner
// meets the emitters first.
//
//===----------------------------------------------------------------------===//

#include "compiler/output/pipelines/Pipelines.h"
#include "compiler/output/pipelines/Register.h"

#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>

using namespace tensorc;

namespace {
/// The errors of the emit stage for a function of fusions, which nothing
/// verifies before.
std::string emitErrors(llvm::StringRef text, const std::string &target) {
  mlir::DialectRegistry registry;
  compiler::registerAllTensorcDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  std::string errors;
  mlir::ScopedDiagnosticHandler handler(
      &context, [&](mlir::Diagnostic &diagnostic) {
        llvm::raw_string_ostream(errors)
            << diagnostic.getLocation() << ": " << diagnostic.str() << "\n";
      });
  mlir::ParserConfig config(&context, /*verifyAfterParse=*/false);
  auto module =
      mlir::parseSourceString<mlir::ModuleOp>(text, config, "wrong.mlir");
  EXPECT_TRUE(module) << errors;
  mlir::PassManager passes(&context);
  passes.enableVerifier(false);
  compiler::CompileOptions options;
  options.target = target;
  (*module)->setAttr("tx.target", mlir::StringAttr::get(&context, target));
  compiler::buildEmitStage(passes, options);
  EXPECT_TRUE(failed(passes.run(*module)));
  return errors;
}

class WrongFusion : public testing::TestWithParam<const char *> {};

INSTANTIATE_TEST_SUITE_P(Targets, WrongFusion,
                         testing::Values("cpu:x86-64-v3", "sim:sm_90a",
                                         "rocm:gfx942"),
                         [](const auto &info) {
                           std::string name = info.param;
                           for (char &c : name)
                             c = std::isalnum(c) ? c : '_';
                           return name;
                         });
} // namespace

TEST_P(WrongFusion, ColumnWithAnOutputOfAnotherShape) {
  std::string errors = emitErrors(
      R"(func.func @main(%x: tensor<5x32xf32>, %w: tensor<3x5x64xf32>) -> (tensor<5x64xf32>, tensor<5x32xf32>) {
  %0:2 = tx.fusion "column" "f" (%x, %w) : (tensor<5x32xf32>, tensor<3x5x64xf32>) -> (tensor<5x64xf32>, tensor<5x32xf32>) {
  ^bb0(%a: tensor<5x32xf32>, %b: tensor<3x5x64xf32>):
    %m = tx.neg %a : tensor<5x32xf32>
    %s = tx.sum %b dims = [0] : tensor<3x5x64xf32> -> tensor<5x64xf32>
    tx.yield %s, %m : tensor<5x64xf32>, tensor<5x32xf32>
  }
  return %0#0, %0#1 : tensor<5x64xf32>, tensor<5x32xf32>
})",
      GetParam());
  EXPECT_NE(errors.find("wrong.mlir\":4:10"), std::string::npos) << errors;
  EXPECT_NE(errors.find("output #1 of fusion \"f\" has shape [5,32]"),
            std::string::npos)
      << errors;
}

TEST_P(WrongFusion, LoopOfTwoShapes) {
  std::string errors = emitErrors(
      R"(func.func @main(%x: tensor<8xf32>, %y: tensor<4xf32>) -> (tensor<8xf32>, tensor<4xf32>) {
  %0:2 = tx.fusion "loop" "f" (%x, %y) : (tensor<8xf32>, tensor<4xf32>) -> (tensor<8xf32>, tensor<4xf32>) {
  ^bb0(%a: tensor<8xf32>, %b: tensor<4xf32>):
    %m = tx.neg %a : tensor<8xf32>
    %n = tx.neg %b : tensor<4xf32>
    tx.yield %m, %n : tensor<8xf32>, tensor<4xf32>
  }
  return %0#0, %0#1 : tensor<8xf32>, tensor<4xf32>
})",
      GetParam());
  EXPECT_NE(errors.find("has shape [4], but a kernel of kind \"loop\" stores "
                        "[8] here"),
            std::string::npos)
      << errors;
}

TEST_P(WrongFusion, SumReadAtAnotherRow) {
  std::string errors = emitErrors(
      R"(func.func @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = tx.fusion "row" "f" (%x) : (tensor<8x8xf32>) -> tensor<8x8xf32> {
  ^bb0(%a: tensor<8x8xf32>):
    %s = tx.sum %a dims = [1] : tensor<8x8xf32> -> tensor<8xf32>
    %t = tx.broadcast %s dims = [1] : tensor<8xf32> -> tensor<8x8xf32>
    %r = tx.add %a, %t : tensor<8x8xf32>
    tx.yield %r : tensor<8x8xf32>
  }
  return %0 : tensor<8x8xf32>
})",
      GetParam());
  EXPECT_NE(errors.find("is read at another index than its fusion computes"),
            std::string::npos)
      << errors;
}

TEST_P(WrongFusion, ScanReadAtAnotherPlace) {
  std::string errors = emitErrors(
      R"(func.func @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = tx.fusion "scan" "f" (%x) : (tensor<8x8xf32>) -> tensor<8x8xf32> {
  ^bb0(%a: tensor<8x8xf32>):
    %s = tx.cumsum %a dim = 1 : tensor<8x8xf32>
    %t = tx.transpose %s permutation = [1, 0] : tensor<8x8xf32> -> tensor<8x8xf32>
    tx.yield %t : tensor<8x8xf32>
  }
  return %0 : tensor<8x8xf32>
})",
      GetParam());
  EXPECT_NE(errors.find("is read at another index than its fusion computes"),
            std::string::npos)
      << errors;
}

TEST_P(WrongFusion, ContractionReadInTwoOrders) {
  std::string errors = emitErrors(
      R"(func.func @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = tx.fusion "contraction" "f" (%x) : (tensor<8x8xf32>) -> tensor<8x8xf32> {
  ^bb0(%a: tensor<8x8xf32>):
    %d = tx.dot_general %a, %a batch = [] x [] contracting = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %t = tx.transpose %d permutation = [1, 0] : tensor<8x8xf32> -> tensor<8x8xf32>
    %r = tx.add %d, %t : tensor<8x8xf32>
    tx.yield %r : tensor<8x8xf32>
  }
  return %0 : tensor<8x8xf32>
})",
      GetParam());
  EXPECT_NE(errors.find("is read at 2 different indices"), std::string::npos)
      << errors;
}

TEST_P(WrongFusion, ScatterBesideAnotherOutput) {
  std::string errors = emitErrors(
      R"(func.func @main(%x: tensor<50xf32>, %i: tensor<60xi64>, %u: tensor<60xf32>) -> (tensor<50xf32>, tensor<60xf32>) {
  %0:2 = tx.fusion "scatter" "f" (%x, %i, %u) : (tensor<50xf32>, tensor<60xi64>, tensor<60xf32>) -> (tensor<50xf32>, tensor<60xf32>) {
  ^bb0(%a: tensor<50xf32>, %j: tensor<60xi64>, %b: tensor<60xf32>):
    %s = tx.scatter "add" %a, %j, %b update_window_dims = [] inserted_window_dims = [0] scatter_dims_to_operand_dims = [0]
        index_vector_dim = 1 : (tensor<50xf32>, tensor<60xi64>, tensor<60xf32>) -> tensor<50xf32>
    tx.yield %s, %b : tensor<50xf32>, tensor<60xf32>
  }
  return %0#0, %0#1 : tensor<50xf32>, tensor<60xf32>
})",
      GetParam());
  EXPECT_NE(errors.find("must yield its scatter's result alone"),
            std::string::npos)
      << errors;
}
