//===- CompileTime.cpp - Time of each step from text to function ----------===//
//
// compile_time [--target=T] [-ON] prints the milliseconds from a kernel's text
// to a function that can be called. It is the median of 31 compilations in one
// process.
//
//===----------------------------------------------------------------------===//

#include "tests/codegen/KernelRunner.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace tensorc::test;

namespace {

struct Sample {
  const char *name, *body;
};

const char *const kPrefix = R"(
  func.func @k(%x: memref<?xf32>, %y: memref<?xf32>, %n: i64, %begin: index,
               %end: index, %scratch: memref<?xi8>) attributes {txk.kernel} {
    %c16 = arith.constant 16 : index
    %zero = arith.constant dense<0.0> : vector<16xf32>
    %one = arith.constant dense<1.0> : vector<16xf32>
    scf.for %i = %begin to %end step %c16 {
      %left = arith.subi %end, %i : index
      %mask = vector.create_mask %left : vector<16xi1>
      %v = vector.maskedload %x[%i], %mask, %zero {alignment = 64} : memref<?xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
)";
const char *const kSuffix = R"(
      vector.maskedstore %y[%i], %mask, %r {alignment = 64} : memref<?xf32>, vector<16xi1>, vector<16xf32>
    }
    return
  })";

const Sample kSamples[] = {
    {"add", "%r = arith.addf %v, %one : vector<16xf32>"},
    {"exp+tanh", "%e = math.exp %v : vector<16xf32>\n"
                 "%r = math.tanh %e : vector<16xf32>"},
    {"erf+pow", "%e = math.erf %v : vector<16xf32>\n"
                "%r = math.powf %e, %v : vector<16xf32>"},
};

double median(llvm::SmallVector<double> values) {
  llvm::sort(values);
  return values[values.size() / 2];
}

} // namespace

int main(int argc, char **argv) {
  tensorc::codegen::CodegenOptions options;
  for (llvm::StringRef arg : llvm::ArrayRef(argv, argc).drop_front()) {
    if (arg.consume_front("--target="))
      options.target = arg.str();
    else if (arg.consume_front("-O"))
      arg.getAsInteger(10, options.optLevel);
  }
  KernelRunner runner;
  llvm::outs() << "kernel      parse  passes    llvm    link    load   total\n";
  for (const Sample &sample : kSamples) {
    std::string text = std::string(kPrefix) + sample.body + kSuffix;
    llvm::SmallVector<double> steps[6];
    for (int i = 0; i < 31; ++i) {
      CompileTimes t;
      runner.compile(text, options, &t);
      double values[] = {t.parse, t.passes, t.llvm, t.link, t.load, t.total()};
      for (auto [step, value] : llvm::zip(steps, values))
        step.push_back(value);
    }
    llvm::outs() << llvm::format("%-10s", sample.name);
    for (auto &step : steps)
      llvm::outs() << llvm::format(" %7.2f", median(step));
    llvm::outs() << "\n";
  }
  return 0;
}
