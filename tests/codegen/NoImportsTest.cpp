//===- NoImportsTest.cpp - No kernel needs a symbol from outside ----------===//
//
// linkImage refuses undefined symbols, so compiling is the test: every
// operation on every dtype and target.
//
//===----------------------------------------------------------------------===//

#include "tests/codegen/KernelRunner.h"

#include <gtest/gtest.h>

using namespace tensorc;
using namespace tensorc::test;

namespace {

class NoImports : public testing::TestWithParam<const char *> {
protected:
  void expectLinks(const std::string &in, const std::string &out,
                   const std::string &body) {
    codegen::CpuTargetOptions options{GetParam(), level};
    auto bytes = runner.compileToBytes(getLoopKernel(in, out, body), options);
    EXPECT_TRUE(bool(bytes)) << in << " -> " << out << ": " << body << "\n"
                             << (bytes ? "" : toString(bytes.takeError()));
  }

  KernelRunner runner;
  unsigned level = 2;
};

std::string vec(const std::string &type) { return "vector<16x" + type + ">"; }

TEST_P(NoImports, FloatUnary) {
  for (const char *type : {"f16", "bf16", "f32", "f64"})
    for (const char *op :
         {"math.exp",   "math.exp2",  "math.expm1",     "math.log",
          "math.log2",  "math.log10", "math.log1p",     "math.tanh",
          "math.erf",   "math.sqrt",  "math.rsqrt",     "math.sin",
          "math.cos",   "math.tan",   "math.floor",     "math.ceil",
          "math.trunc", "math.round", "math.roundeven", "math.absf",
          "arith.negf"})
      expectLinks(type, type, std::string("%r = ") + op + " %a : " + vec(type));
}

TEST_P(NoImports, FloatBinary) {
  for (const char *type : {"f16", "bf16", "f32", "f64"}) {
    for (const char *op :
         {"arith.addf", "arith.divf", "arith.remf", "arith.maximumf",
          "arith.minimumf", "arith.maxnumf", "math.powf", "math.copysign"})
      expectLinks(type, type,
                  std::string("%r = ") + op + " %a, %b : " + vec(type));
    expectLinks(type, type, "%r = math.fma %a, %b, %a : " + vec(type));
    expectLinks(type, "i1", "%r = arith.cmpf olt, %a, %b : " + vec(type));
    expectLinks(type, type,
                std::string("%s = vector.reduction <add>, %a : ") + vec(type) +
                    " into " + type + "\n%r = vector.broadcast %s : " + type +
                    " to " + vec(type));
  }
}

TEST_P(NoImports, Conversions) {
  const char *floats[] = {"f16", "bf16", "f32", "f64"};
  for (const char *type : floats)
    for (const char *integer : {"i8", "i16", "i32", "i64"})
      for (std::string sign : {"s", "u"}) {
        expectLinks(type, integer,
                    "%r = arith.fpto" + sign + "i %a : " + vec(type) + " to " +
                        vec(integer));
        expectLinks(integer, type,
                    "%r = arith." + sign + "itofp %a : " + vec(integer) +
                        " to " + vec(type));
      }
  for (const char *narrow : {"f16", "bf16"})
    for (const char *wide : {"f32", "f64"}) {
      expectLinks(narrow, wide,
                  "%r = arith.extf %a : " + vec(narrow) + " to " + vec(wide));
      expectLinks(wide, narrow,
                  "%r = arith.truncf %a : " + vec(wide) + " to " + vec(narrow));
    }
}

TEST_P(NoImports, Integers) {
  for (const char *type : {"i8", "i16", "i32", "i64"})
    for (const char *op :
         {"arith.muli", "arith.divsi", "arith.divui", "arith.remsi",
          "arith.remui", "arith.shli", "arith.shrsi", "arith.maxsi",
          "arith.floordivsi", "arith.ceildivui"})
      expectLinks(type, type,
                  std::string("%r = ") + op + " %a, %b : " + vec(type));
  for (const char *op : {"math.ctpop", "math.ctlz", "math.cttz", "math.absi"})
    expectLinks("i32", "i32",
                std::string("%r = ") + op + " %a : " + vec("i32"));
}

TEST_P(NoImports, FullOptimizationMakesNoMemset) {
  level = 3;
  expectLinks("f32", "f32", R"(
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.0 : f32
    scf.for %j = %c0 to %i step %c1 {
      memref.store %zero, %z[%j] : memref<?xf32>
    }
    scf.for %j = %c0 to %i step %c1 {
      %e = memref.load %x[%j] : memref<?xf32>
      memref.store %e, %z[%j] : memref<?xf32>
    }
    %r = arith.addf %a, %b : vector<16xf32>)");
}

INSTANTIATE_TEST_SUITE_P(Targets, NoImports,
                         testing::Values("cpu", "cpu:x86-64-v2",
                                         "cpu:x86-64-v3", "cpu:x86-64-v4",
                                         "cpu:aarch64"));

} // namespace
