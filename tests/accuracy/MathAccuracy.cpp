//===- MathAccuracy.cpp - Errors of the math functions --------------------===//
//
// math_accuracy [--all | --stride=N] [--samples=N] [--target=T] [--only=NAME]
//               [--table=FILE]
// f32 is judged by glibc in f64, f64 by MPFR, f16 and bf16 by both. Prints a
// Markdown table, to FILE with --table, of which rows that are there already
// are kept. Exit status 1 if an error exceeds its bound.
//
//===----------------------------------------------------------------------===//

#include "tests/accuracy/Measure.h"

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>

using namespace tensorc::accuracy;
using tensorc::DType;

namespace {

/// Of 65,536 results in f16; f32 is at a tie of f16 once in 2^13, and not
/// always on its wrong side.
constexpr int kMostDoublyRounded = 24;

struct Options {
  uint64_t stride = 4099;   // a prime, so that all low bits occur
  size_t samples = 1 << 17; // of f64; see run()
  std::string target = "cpu", only, table;
};

std::string format(const char *text, double value) {
  char buffer[64];
  snprintf(buffer, sizeof buffer, text, value);
  return buffer;
}

class Report {
public:
  explicit Report(const Options &options) : options(options) {}

  bool run(const Function &function) {
    std::string row = std::string("| ") + function.name + " |";
    Compiled single(function, DType::f32, options.target);
    bool isUnary = function.arity == 1;
    Worst w =
        isUnary ? measureAll(function, single, options.stride)
                : measureSamples<float>(function, single, options.samples * 4);
    row += cell(function, "f32", w, function.bound32);
    if (canJudgeDouble()) {
      Compiled twice(function, DType::f64, options.target);
      w = measureSamples<double>(function, twice,
                                 options.samples / (isUnary ? 1 : 4));
      row += cell(function, "f64", w, function.bound64);
    } else {
      row += " not judged | |";
    }
    if (isUnary) {
      row += half<tensorc::float16>(function, single);
      row += half<tensorc::bfloat16>(function, single);
    } else {
      row += " | |";
    }
    print(row);
    return passed;
  }
  void print(const std::string &row) {
    std::cout << row << std::endl;
    if (!options.table.empty())
      std::ofstream(options.table, std::ios::app) << row << std::endl;
  }

private:
  std::string cell(const Function &function, const char *dtype, const Worst &w,
                   double bound) {
    std::string at;
    for (int k = 0; k < function.arity; ++k)
      at += (k ? ", " : "") + format("%a", w.x[k]);
    // The f32 judge itself rounds in f64.
    if (!(w.error <= bound + 0x1p-20)) {
      passed = false;
      std::cerr << function.name << "(" << at << ") in " << dtype << " is "
                << format("%a", w.got) << ", exactly " << format("%a", w.exact)
                << ": " << w.error << " ulp, above " << bound << std::endl;
    }
    return format(" %.3f |", w.error) + (w.error > 0 ? " " + at : "") + " |";
  }

  template <typename T>
  std::string half(const Function &function, const Compiled &single) {
    DType dtype = tensorc::dtype_of<T>();
    Compiled compiled(function, dtype, options.target);
    Half h = measureHalf<T>(function, compiled, single);
    if (h.notRounded > 0) {
      passed = false;
      std::cerr << function.name << "(" << format("%a", h.x) << ") in "
                << tensorc::name(dtype) << " is " << format("%a", h.got)
                << ", not what f32 rounds to (exactly " << format("%a", h.exact)
                << "), and " << h.notRounded - 1 << " more" << std::endl;
    }
    if (h.doublyRounded > kMostDoublyRounded) {
      passed = false;
      std::cerr << function.name << " in " << tensorc::name(dtype) << ": "
                << h.doublyRounded << " results are not the exact ones rounded"
                << std::endl;
    }
    return " " + std::to_string(h.doublyRounded) + " |";
  }

  const Options &options;
  bool passed = true;
};

/// The functions of which a row is in the table.
std::string rowsOf(const std::string &file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

bool parse(int argc, char **argv, Options &options) {
  for (int i = 1; i < argc; ++i) {
    std::string_view argument = argv[i];
    auto value = [&](std::string_view option) -> const char * {
      return argument.starts_with(option) ? argv[i] + option.size() : nullptr;
    };
    if (argument == "--all") {
      options.stride = 1;
      options.samples = 1 << 22;
    } else if (const char *text = value("--stride="))
      options.stride = strtoull(text, nullptr, 10);
    else if (const char *text = value("--samples="))
      options.samples = strtoull(text, nullptr, 10);
    else if (const char *text = value("--target="))
      options.target = text;
    else if (const char *text = value("--only="))
      options.only = text;
    else if (const char *text = value("--table="))
      options.table = text;
    else
      return false;
  }
  return options.stride > 0;
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  if (!parse(argc, argv, options)) {
    std::cerr << "usage: math_accuracy [--all | --stride=N] [--samples=N] "
                 "[--target=T] [--only=NAME] [--table=FILE]\n";
    return 2;
  }
  std::string rows = options.table.empty() ? "" : rowsOf(options.table);
  Report report(options);
  if (rows.empty()) {
    report.print("| function | f32 | at | f64 | at | f16 | bf16 |");
    report.print("|---|---|---|---|---|---|---|");
  }
  bool passed = true, found = false;
  for (const Function &function : functions()) {
    if (!options.only.empty() && options.only != function.name)
      continue;
    found = true;
    if (rows.find(std::string("| ") + function.name + " |") ==
        std::string::npos)
      passed &= report.run(function);
  }
  if (!found)
    std::cerr << "math_accuracy: no function is called " << options.only
              << "\n";
  return passed && found ? 0 : 1;
}
