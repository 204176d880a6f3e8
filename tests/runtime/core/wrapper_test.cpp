// The C++ wrapper: built as C++17 by clang and g++, linked to libtensorc_rt
// alone. Runs examples/softmax.mlir: y = softmax(x * s + b).
#include "tensorc/runtime.hpp"

#include <cstdio>

using namespace tensorc;

namespace mine {
/// A type of the embedder that entries take.
struct Matrix {
  std::vector<float> values;
  int64_t rows, columns;
};
Argument as_argument(const Matrix &matrix) {
  return view(matrix.values, {matrix.rows, matrix.columns});
}
} // namespace mine

static int failures = 0;

static void check(bool holds, const char *what) {
  if (holds)
    return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  ++failures;
}
#define CHECK(...) check((__VA_ARGS__), #__VA_ARGS__)

template <typename Body>
static void refused(Body body, int code, const std::string &part) {
  try {
    body();
    std::fprintf(stderr, "not refused: %s\n", part.c_str());
    ++failures;
  } catch (const Error &error) {
    if (error.code() != code ||
        std::string(error.what()).find(part) == std::string::npos) {
      std::fprintf(stderr, "refused by %d: %s\n", error.code(), error.what());
      ++failures;
    }
  }
}

static void describes(const Module &module) {
  Entry entry = module.entry();
  CHECK(entry.name() == "main");
  CHECK(module.entries().size() == 1);
  CHECK(module.compiler().find("tensorc") == 0);
  CHECK(module.target().find("cpu") == 0);
  std::vector<Value> inputs = entry.inputs();
  CHECK(inputs.size() == 3);
  CHECK(inputs[0].name == "x" && inputs[0].dtype == f32);
  CHECK(inputs[0].dims == Shape{-1, 64});
  CHECK(inputs[0].dim_names[0] == "n" && inputs[0].dim_names[1] == "64");
  CHECK(inputs[1].name == "s" && inputs[1].is_scalar);
  CHECK(entry.outputs()[0].name == "y");
}

static void computes(const Module &module) {
  std::vector<float> x(3 * 64, 1.0f), b(64, 0.25f);
  Results results = module(view(x, {3, 64}), 0.5, b);
  CHECK(results.size() == 1);
  Array y = results;
  CHECK(y.dtype() == f32 && y.shape() == Shape{3, 64} && y.numel() == 192);
  for (float value : y.to_vector<float>())
    CHECK(value == 1.0f / 64);
  CHECK(y.data<float>()[191] == 1.0f / 64);
  // An array is an argument, and so are types of one's own and integers.
  Array z = module(y, 2, b);
  CHECK(z.shape() == y.shape());
  Array m = module(mine::Matrix{std::vector<float>(64, 7.0f), 1, 64}, 0, b);
  CHECK(m.to_vector<float>() == std::vector<float>(64, 1.0f / 64));
  Array none = module(view(x.data(), {0, 64}), 1, b);
  CHECK(none.numel() == 0 && none.to_vector<float>().empty());
  // Results outlive the module.
  Array kept = load(module.raw() ? std::getenv("TEST_PACKAGE") : "")(y, 1, b);
  CHECK(kept.to_vector<float>().size() == 192);
}

static void refuses(const Module &module) {
  std::vector<float> x(128), b(64);
  std::vector<double> wide(128);
  refused([&] { load("/nowhere.tcpkg"); }, TENSORC_RT_NOT_FOUND, "/nowhere");
  refused([&] { load("/nowhere.tcpkg", "abacus"); }, TENSORC_RT_NOT_FOUND,
          "no device 'abacus'");
  refused([&] { load_bytes(x.data(), 128); }, TENSORC_RT_INVALID_PACKAGE,
          "not a tensorc package");
  refused([&] { module.entry("other"); }, TENSORC_RT_NOT_FOUND, "no entry");
  refused([&] { module(view(x, {2, 64})); }, TENSORC_RT_INVALID_ARGUMENT,
          "1 arguments, expected 3");
  refused([&] { module(view(x, {2, 64}), 1, b, b); },
          TENSORC_RT_INVALID_ARGUMENT, "4 arguments, expected 3");
  refused([&] { module(view(wide, {2, 64}), 1, b); },
          TENSORC_RT_INVALID_ARGUMENT, "(x) is f64, expected f32");
  refused([&] { view(x, {3, 64}); }, TENSORC_RT_INVALID_ARGUMENT, "fill");
  refused([&] { module(view(x, {2, 64}), b, b); }, TENSORC_RT_INVALID_ARGUMENT,
          "expected a scalar");
  refused([&] { module(view<float>(nullptr, {2, 64}), 1, b); },
          TENSORC_RT_INVALID_ARGUMENT, "argument x has no data");
  Array y = module(view(x, {2, 64}), 1, b);
  refused([&] { y.to_vector<double>(); }, TENSORC_RT_INVALID_ARGUMENT,
          "the array is f32, not f64");
  refused([&] { Array().data<float>(); }, TENSORC_RT_INVALID_ARGUMENT, "empty");
}

/// Rounding to the narrow floats: ties to even, subnormals, overflow.
static void narrows() {
  auto f16 = [](double value) { return detail::narrowFloat(value, 5, 10); };
  auto bf16 = [](double value) { return detail::narrowFloat(value, 8, 7); };
  CHECK(f16(1) == 0x3c00 && f16(-2) == 0xc000 && f16(65504) == 0x7bff);
  CHECK(f16(65519.9) == 0x7bff && f16(65520) == 0x7c00 && f16(1e9) == 0x7c00);
  CHECK(f16(std::ldexp(1, -24)) == 1 && f16(std::ldexp(1, -25)) == 0);
  CHECK(f16(std::ldexp(3, -25)) == 2 && f16(-0.0) == 0x8000);
  CHECK(f16(1 + std::ldexp(1, -11)) == 0x3c00);
  CHECK(f16(1 + std::ldexp(3, -11)) == 0x3c02);
  CHECK(f16(INFINITY) == 0x7c00 && (f16(NAN) & 0x7e00) == 0x7e00);
  CHECK(bf16(1) == 0x3f80 && bf16(3.0e38) == 0x7f62);
  CHECK(bf16(3.4e38) == 0x7f80 && bf16(-INFINITY) == 0xff80);
}

static void ends(const Module &module) {
  std::vector<float> x(64), b(64);
  std::vector<Argument> args = {view(x, {1, 64}), 1.0, b};
  RunOptions options;
  options.cancellation.emplace();
  CHECK(module.entry().run(args, options).size() == 1);
  {
    ScopedRunOptions scope(options);
    options.cancellation->cancel();
    refused([&] { module.entry().run(args); }, TENSORC_RT_CANCELLED,
            "cancelled");
  }
  CHECK(module.entry().run(args).size() == 1);
  options = {};
  options.deadline = std::chrono::steady_clock::now();
  refused([&] { module.entry().run(args, options); },
          TENSORC_RT_DEADLINE_EXCEEDED, "deadline");
}

int main(int, char **argv) {
  setenv("TEST_PACKAGE", argv[1], 1);
  Module module = load(argv[1]);
  describes(module);
  computes(module);
  refuses(module);
  narrows();
  ends(module);
  return failures != 0;
}
