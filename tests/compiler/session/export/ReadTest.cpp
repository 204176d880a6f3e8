//===- ReadTest.cpp - Programs of other frameworks in C++ -----------------===//

#include "tests/compiler/graph/ErrorOf.h"

#include "tensorc/tensorc.hpp"

#include <gtest/gtest.h>

using namespace tensorc;

/// As JAX prints x * 2 + y, but that the number of rows is named.
static const std::string stablehlo = R"(
module @jit_f {
  func.func public @main(%x: tensor<?x3xf32>, %y: tensor<3xf32>) -> (tensor<?x3xf32>, tensor<3xf32>) {
    %c = stablehlo.constant dense<2.000000e+00> : tensor<3xf32>
    %d = stablehlo.multiply %y, %c : tensor<3xf32>
    %s = stablehlo.add %x, %x : tensor<?x3xf32>
    return %s, %d : tensor<?x3xf32>, tensor<3xf32>
  }
})";
static const char *const tx = R"(
func.func @main(%x: tensor<?xf32, #tx.dims<[n]>>, %y: tensor<?xf32, #tx.dims<[2 * n]>>)
    -> tensor<?xf32, #tx.dims<[2 * n]>> {
  %z = tx.add %y, %y : tensor<?xf32, #tx.dims<[2 * n]>>
  return %z : tensor<?xf32, #tx.dims<[2 * n]>>
})";

static std::vector<float> valuesOf(const Tensor &x) {
  return x.to_vector<float>();
}

TEST(Read, StableHloRuns) {
  Function f = read_program(stablehlo).function();
  for (int64_t rows : {0, 1, 7}) {
    std::vector<Tensor> made = f({full({rows, 3}, 1.5f), ones({3})});
    ASSERT_EQ(made.size(), 2u);
    EXPECT_EQ(made[0].shape(), Shape({rows, 3}));
    EXPECT_EQ(valuesOf(made[0]), std::vector<float>(size_t(rows) * 3, 3.0f));
    EXPECT_EQ(valuesOf(made[1]), std::vector<float>(3, 2.0f));
  }
}

TEST(Read, SizesThatAreNamedOrDerivedAreChecked) {
  Function f = read_program(tx).function();
  EXPECT_EQ(valuesOf(f({ones({3}), ones({6})})[0]), std::vector<float>(6, 2));
  EXPECT_ERROR_WITH("of arg1 is not n * 2", f({ones({3}), ones({5})}));
  EXPECT_ERROR_WITH("argument 0 is f32[2,2]", f({ones({2, 2}), ones({4})}));
  EXPECT_ERROR_WITH("takes 2 arguments, got 1", f({ones({3})}));
  EXPECT_ERROR_WITH("argument 1 is i32[6]", f({ones({3}), ones({6}, i32)}));
}

TEST(Read, WithoutArguments) {
  Function f = read_program("func.func @only() -> tensor<2xi64> {\n"
                            "  %c = tx.constant dense<[3, 4]> : tensor<2xi64>\n"
                            "  return %c : tensor<2xi64>\n}")
                   .function();
  EXPECT_EQ(f({})[0].to_vector<int64_t>(), (std::vector<int64_t>{3, 4}));
}

TEST(Read, IsText) {
  std::string text = read_program(stablehlo).to_mlir();
  EXPECT_NE(text.find("tx.add"), std::string::npos) << text;
  EXPECT_EQ(text.find("stablehlo"), std::string::npos) << text;
}

TEST(Read, Refuses) {
  EXPECT_ERROR_WITH("mine:2",
                    read_program("func.func @main() {\n  nothing", "mine"));
  EXPECT_ERROR_WITH("has no function 'main'", read_program("module {}"));
  EXPECT_ERROR_WITH("has no function 'main'",
                    read_program("func.func @a() { return }\n"
                                 "func.func @b() { return }"));
  EXPECT_ERROR_WITH("read: ", read_program(std::string("\0\1\2", 3)));
  EXPECT_ERROR_WITH(
      "custom_call",
      read_program("func.func @main(%x: tensor<2xf32>) -> "
                   "tensor<2xf32> {\n  %y = stablehlo.custom_call "
                   "@mine(%x) : (tensor<2xf32>) -> tensor<2xf32>\n"
                   "  return %y : tensor<2xf32>\n}"));
}
