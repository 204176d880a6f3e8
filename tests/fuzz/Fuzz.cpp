//===- Fuzz.cpp - Random programs: interpreter against a device -----------===//
//
//   tensorc-fuzz --seed=1 --count=2000 [--device=cpu] [--ops=3]
//   tensorc-fuzz --seed=1 --count=2000 --gradients
//   tensorc-fuzz --seed=1 --count=2000 --limits [--gradients]
//
// Program i has the seed `seed + i`, so one that fails is repeated by
// `--seed=ITS_SEED --count=1 --print`.
//
//===----------------------------------------------------------------------===//

#include "tests/fuzz/Coverage.h"
#include "tests/fuzz/Generator.h"
#include "tests/fuzz/Gradients.h"
#include "tests/fuzz/MemoryLimits.h"
#include "tools/io/Compare.h"
#include "tools/tensorc/Inputs.h"
#include "tools/tensorc/device/Device.h"
#include "tools/tensorc/help/Help.h"

#include "compiler/session/jit/CustomOps.h"
#include "ir/reference/Interpreter.h"

#include "mlir/IR/Verifier.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/PrettyStackTrace.h"

#include <cstring>
#include <limits>
#include <random>

using namespace mlir;
using tensorc::reference::Array;

namespace tensorc::fuzz {

static const tool::Flag flags[] = {
    {"seed", tool::Flag::Value, "N", "the first program's seed; default 1"},
    {"count", tool::Flag::Value, "N", "how many programs; default 100"},
    {"device", tool::Flag::Value, "D", "default cpu"},
    {"ops", tool::Flag::Value, "N", "draw 1 to N ops; default 3 to 16"},
    {"print", tool::Flag::Switch, "", "print the programs"},
    {"coverage", tool::Flag::Switch, "", "fail if an op is in no program"},
    {"gradients", tool::Flag::Switch, "",
     "differentiate programs of f64, and judge by differences too"},
    {"limits", tool::Flag::Switch, "",
     "compare with runs under random memory limits, and not with the "
     "interpreter"},
};

namespace {
class Fuzzer {
public:
  Fuzzer(const tool::Arguments &arguments, OpCount ops)
      : device(arguments.get("device", "cpu")), ops(ops),
        print(arguments.has("print")),
        differentiates(arguments.has("gradients")),
        limits(arguments.has("limits")) {}

  /// Whether the program of this seed has the same results on both.
  bool check(uint64_t seed);
  const Coverage &getCoverage() const { return coverage; }
  /// How many had no gradient; of the others the slopes that differences
  /// confirmed, and those that they cannot tell.
  uint64_t withoutGradient = 0, confirmed = 0, unknown = 0;
  /// Runs whose gradients were compared with tangents.
  uint64_t tangents = 0;
  LimitCounts limitCounts;

private:
  std::string device;
  OpCount ops;
  bool print, differentiates, limits;
  Coverage coverage;
  std::optional<Pullback> pullback;

  FailureOr<std::vector<Array>>
  drawArguments(Program &program, const std::map<std::string, int64_t> &sizes,
                uint64_t seed);
  bool checkRun(tool::Executable &executable, Program &program,
                const std::map<std::string, int64_t> &sizes, uint64_t seed);
};
} // namespace

/// Puts NaN, infinities, both zeros and the ends of the range among floats, the
/// ends of the range among integers.
static void sprinkle(Array &array, uint64_t seed) {
  std::mt19937_64 random(seed);
  for (int64_t i = 0, end = array.size(); i < end; ++i) {
    if (random() % 4)
      continue;
    unsigned which = random() % 8;
    int64_t width = reference::byteWidth(array.dtype);
    if (!reference::isFloat(array.dtype)) {
      // All ones, the sign bit, and all but the sign bit.
      std::memset(array.at(i), which % 3 == 1 ? 0 : 0xff, width);
      if (which % 3)
        array.at(i)[width - 1] = which % 3 == 1 ? 0x80 : 0x7f;
      if (array.dtype == reference::DType::I1)
        *array.at(i) = which & 1;
      continue;
    }
    static const double values[] = {
        0.0,  -0.0,  infinity, -infinity,
        -1.0, 1e-40, 1e30,     std::numeric_limits<double>::quiet_NaN()};
    Array one = *Array::create(array.dtype, {});
    reference::write<double>(one, values[which]);
    std::memcpy(array.at(i), one.at(0), width);
  }
}

/// Within the tolerance of the dtype plus what the generator estimated.
static bool agrees(const Array &x, const Array &y, double error,
                   unsigned index) {
  tool::Tolerance tolerance = tool::toleranceOf(y.dtype);
  if (reference::isFloat(y.dtype) || tx::isComplex(y.dtype))
    tolerance.absolute += 2 * error;
  tool::Comparison result = tool::compare(x, y, tolerance);
  if (!result.same)
    llvm::errs() << "out" << index << " (expected error " << error
                 << "): " << tool::describe(result, x, y) << "\n";
  return result.same;
}

FailureOr<std::vector<Array>>
Fuzzer::drawArguments(Program &program,
                      const std::map<std::string, int64_t> &sizes,
                      uint64_t seed) {
  reference::Symbols symbols;
  for (auto &[name, size] : sizes)
    symbols.define(name, size);
  std::vector<std::optional<Array>> drawn(program.function.getNumArguments());
  if (failed(tool::drawInputs(program.function, seed, symbols, drawn)))
    return failure();
  std::vector<Array> inputs;
  for (auto [i, array] : llvm::enumerate(drawn)) {
    if (program.special[i])
      sprinkle(*array, seed + i);
    inputs.push_back(std::move(*array));
  }
  return inputs;
}

bool Fuzzer::checkRun(tool::Executable &executable, Program &program,
                      const std::map<std::string, int64_t> &sizes,
                      uint64_t seed) {
  FailureOr<std::vector<Array>> drawn = drawArguments(program, sizes, seed);
  if (failed(drawn))
    return false;
  const std::vector<Array> &inputs = *drawn;
  FailureOr<std::vector<Array>> expected =
      reference::evaluate(program.function, inputs, jit::callCustomOp);
  FailureOr<std::vector<Array>> results = executable.run(inputs);
  if (failed(expected) || failed(results))
    return false;
  bool same = true;
  for (size_t i = 0; i < expected->size(); ++i)
    same &= pullback && i >= pullback->results
                ? gradientsAgree((*results)[i], (*expected)[i],
                                 i - pullback->results)
                : agrees((*results)[i], (*expected)[i], program.errors[i], i);
  if (!pullback)
    return same;
  tangents += pullback->hasTangents;
  Slope slope = checkSlope(program, *pullback, inputs, seed);
  confirmed += slope == Slope::Right;
  unknown += slope == Slope::Unknown;
  return same && slope != Slope::Wrong;
}

bool Fuzzer::check(uint64_t seed) {
  std::string crumb = std::string("tensorc-fuzz --count=1 --print ") +
                      (limits ? "--limits " : "") +
                      (differentiates ? "--gradients " : "") +
                      (ops.min == 1 ? "--ops=" + std::to_string(ops.max) + " "
                                    : std::string()) +
                      "--seed=" + std::to_string(seed);
  llvm::PrettyStackTraceString trace(crumb.c_str());
  // A context of its own: types of 2,000 programs would pile up.
  tool::Program compiled;
  Program program = generate(compiled.module.getContext(), seed,
                             differentiates ? Kind::Smooth : Kind::Any, ops);
  if (print)
    program.module->print(llvm::errs());
  pullback.reset();
  if (differentiates) {
    pullback = Pullback::add(program, seed % 2);
    if (!pullback) {
      ++withoutGradient;
      return true;
    }
  }
  coverage.add(*program.module);
  bool same = succeeded(verify(*program.module));
  if (same && limits) {
    compiled.function = program.function;
    std::vector<std::vector<Array>> inputs;
    for (auto &sizes : program.sizes)
      if (auto drawn = drawArguments(program, sizes, seed); succeeded(drawn))
        inputs.push_back(std::move(*drawn));
    same = inputs.size() == program.sizes.size() &&
           checkPlans(compiled, device, program.sizes, inputs, seed,
                      limitCounts) &&
           checkLimits(compiled, device, inputs.front(), seed, limitCounts);
  } else if (same) {
    compiled.function = program.function;
    compiler::CompileOptions options;
    options.target = tool::targetOf(device);
    std::unique_ptr<tool::Executable> executable =
        tool::prepare(compiled, device, options);
    same = executable != nullptr;
    // Later sizes run in the code that was compiled before they were known.
    for (auto &sizes : program.sizes)
      same = same && checkRun(*executable, program, sizes, seed);
  }
  if (!same && !print)
    program.module->print(llvm::errs());
  if (!same)
    llvm::errs() << "FAILED: " << crumb << "\n\n";
  return same;
}

static int run(const tool::Arguments &arguments) {
  uint64_t seed = 1, count = 100;
  if (arguments.get("seed", "1").getAsInteger(10, seed) ||
      arguments.get("count", "100").getAsInteger(10, count))
    return tool::badUsage("--seed and --count are numbers");
  OpCount ops;
  if (arguments.has("ops")) {
    ops.min = 1;
    if (arguments.get("ops", "").getAsInteger(10, ops.max) || ops.max < 1)
      return tool::badUsage("--ops is a positive number");
  }
  Fuzzer fuzzer(arguments, ops);
  uint64_t failures = 0;
  for (uint64_t i = 0; i < count; ++i)
    failures += !fuzzer.check(seed + i);
  llvm::outs() << count << " programs, " << failures << " failed\n";
  if (arguments.has("limits")) {
    llvm::outs() << fuzzer.limitCounts.runs << " runs under limits, "
                 << fuzzer.limitCounts.spilled
                 << " of them with buffers on the host; "
                 << fuzzer.limitCounts.unplanned << " programs not planned; "
                 << fuzzer.limitCounts.planRuns << " runs by plans, "
                 << fuzzer.limitCounts.planRefusals << " refused\n";
    return failures ? tool::Refused : tool::Success;
  }
  if (arguments.has("gradients")) {
    llvm::outs() << fuzzer.withoutGradient
                 << " without a gradient; slopes: " << fuzzer.confirmed
                 << " confirmed, " << fuzzer.unknown << " unknown; "
                 << fuzzer.tangents << " compared with tangents\n";
    return failures ? tool::Refused : tool::Success;
  }
  bool isCovered = fuzzer.getCoverage().report(llvm::outs());
  if (arguments.has("coverage") && !isCovered)
    ++failures;
  return failures ? tool::Refused : tool::Success;
}

static const tool::Command command = {
    "fuzz",      "random programs: interpreter against a device",
    "[options]", flags,
    "",          /*takesInput=*/false,
    run};

} // namespace tensorc::fuzz

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  std::vector<llvm::StringRef> words(argv + 1, argv + argc);
  using tensorc::fuzz::command;
  auto arguments = tensorc::tool::Arguments::parse(command, words);
  if (!arguments)
    return tensorc::tool::BadUsage;
  if (arguments->wantsHelp()) {
    tensorc::tool::printHelp(llvm::outs(), command);
    return 0;
  }
  return command.run(*arguments);
}
