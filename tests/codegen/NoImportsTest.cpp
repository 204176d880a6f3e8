//===- NoImportsTest.cpp - No kernel needs a symbol from outside ----------===//
//
// linkImage refuses undefined symbols, so compiling is the test: every
// operation on every dtype and target. The runtime would map each image: its
// check knows all that the linker writes.
//
//===----------------------------------------------------------------------===//

#include "runtime/core/images/ElfImage.h"
#include "tests/codegen/KernelRunner.h"

#include <gtest/gtest.h>

using namespace tensorc;
using namespace tensorc::test;

namespace {

class NoImports : public testing::TestWithParam<const char *> {
protected:
  void expectLinks(const std::string &in, const std::string &out,
                   const std::string &body) {
    codegen::CodegenOptions options{GetParam(), level};
    auto bytes = runner.compileToBytes(getLoopKernel(in, out, body), options);
    EXPECT_TRUE(bool(bytes)) << in << " -> " << out << ": " << body << "\n"
                             << (bytes ? "" : toString(bytes.takeError()));
    if (!bytes)
      return;
    bool isArm = llvm::StringRef(GetParam()).starts_with("cpu:aarch64");
    rt::ElfTables tables;
    rt::Status status =
        rt::checkElfImage(*bytes, isArm ? EM_AARCH64 : EM_X86_64, tables);
    EXPECT_STREQ(tensorc_rt_status_message(status.get()), "");
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

TEST_P(NoImports, MovingData) {
  for (const char *type : {"i1", "i8", "f16", "bf16", "f32", "f64"}) {
    std::string v = vec(type), m = "memref<?x" + std::string(type) + ">";
    std::string mask = "%left = arith.subi %end, %i : index\n"
                       "%m = vector.create_mask %left : vector<16xi1>\n";
    expectLinks(type, type,
                mask + "%r = vector.maskedload %x[%i], %m, %b : " + m +
                    ", vector<16xi1>, " + v + " into " + v +
                    "\nvector.maskedstore %z[%i], %m, %r : " + m +
                    ", vector<16xi1>, " + v);
    expectLinks(type, type,
                mask +
                    "%n = vector.step : vector<16xindex>\n"
                    "%r = vector.gather %x[%i][%n], %m, %b : " +
                    m + ", vector<16xindex>, vector<16xi1>, " + v + " into " +
                    v + "\nvector.scatter %z[%i][%n], %m, %r : " + m +
                    ", vector<16xindex>, vector<16xi1>, " + v);
    expectLinks(type, type,
                mask + "%c = arith.select %m, %a, %b : vector<16xi1>, " + v +
                    "\n%s = vector.extract %c[3] : " + type + " from " + v +
                    "\n%t = memref.load %x[%i] : " + m +
                    "\n%u1 = vector.extract %m[2] : i1 from vector<16xi1>"
                    "\n%u = arith.select %u1, %s, %t : " +
                    type + "\nmemref.store %u, %z[%i] : " + m +
                    "\n%d = vector.broadcast %u : " + type + " to " + v +
                    "\n%f = vector.insert %s, %d[5] : " + type + " into " + v +
                    "\n%r = vector.shuffle %f, %a [0, 17, 2, 19, 4, 21, 6, 23,"
                    " 8, 25, 10, 27, 12, 29, 14, 31] : " +
                    v + ", " + v);
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
                                         "cpu:aarch64", "cpu:aarch64-sve256"));

} // namespace
