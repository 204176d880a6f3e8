//===- Quantized.cpp - Products with narrow weights, and memory bandwidth -===//
//
// quantized/SHAPE/WEIGHTS/x:DTYPE/m:ROWS multiplies a few rows by weights that
// are dequantized as they are read. The weights are [k, n] (plain) or [n, k]
// (turned). The product is compared with a read of as many bytes as the weights
// and their scales have, and with the product with f32 weights. If x is bf16,
// either x is widened, or the weights are rounded to bf16 (scales of bf16). The
// weights have 180 MB, more than any last-level cache, so they are read from
// memory, like those of a model.
//
// products/DTYPE/LAYOUT/N multiplies two N x N matrices in each layout of x and
// y (T means transposed). It is compared with the peak rate of the instructions
// for its dtype. f16 is computed in f32.
//

#include "benchmarks/harness/Harness.h"
#include "benchmarks/rivals/Copies.h"
#include "benchmarks/rivals/FmaPeak.h"
#include "benchmarks/rivals/NarrowPeak.h"

#include "tensorc/tensorc.hpp"

#include <functional>
#include <string>
#include <vector>

using namespace bench;
using tensorc::Tensor;

namespace {

constexpr int repetitions = 7;

struct Weights {
  const char *name;
  tensorc::DType dtype;
  int64_t bits;
  /// Number of elements along k that share a scale; 0 means all.
  int64_t group;
};

const Weights kinds[] = {
    {"f32", tensorc::f32, 32, 0},    {"i8", tensorc::i8, 8, 0},
    {"i8-32", tensorc::i8, 8, 32},   {"i4-32", tensorc::i4, 4, 32},
    {"i4-128", tensorc::i4, 4, 128}, {"f8", tensorc::f8e4m3fn, 8, 0},
};

struct Product {
  int64_t m, k, n;
  Weights weights;
  bool turned;
  /// Dtypes of x and of the scales.
  tensorc::DType x, scale;

  int64_t scales() const {
    return weights.bits == 32 ? 0 : n * (weights.group ? k / weights.group : 1);
  }
  int64_t bytes() const {
    return k * n * weights.bits / 8 +
           scales() * (scale == tensorc::f32 ? 4 : 2);
  }
};

Tensor evaluated(Tensor t) {
  t.eval();
  return t;
}

void addProduct(const std::string &name, const Product &p) {
  add(name + (p.turned ? "/turned" : "/plain"), repetitions,
      [=](benchmark::State &state) {
        auto shape = [&](int64_t k) {
          return p.turned ? tensorc::Shape{p.n, k} : tensorc::Shape{k, p.n};
        };
        Tensor x = evaluated(tensorc::full({p.m, p.k}, 0.5f).astype(p.x) + 0);
        Tensor w = evaluated(tensorc::astype(
            tensorc::full(shape(p.k), 3.0f) + 0, p.weights.dtype));
        Tensor scale = evaluated(
            tensorc::full(shape(p.weights.group ? p.k / p.weights.group : 1),
                          0.25f)
                .astype(p.scale) +
            0);
        auto run = [&] {
          Tensor wide =
              p.weights.bits == 32 ? w : tensorc::dequantize(w, scale);
          Tensor rows = tensorc::astype(x, p.scale);
          tensorc::matmul(rows, p.turned ? tensorc::transpose(wide) : wide)
              .eval();
        };
        run();
        for (auto _ : state)
          run();
        state.SetBytesProcessed(state.iterations() * p.bytes());
      });
}

void addRead(const std::string &name, int64_t bytes) {
  add(name + "/read", repetitions, [=](benchmark::State &state) {
    Memory from(bytes), to(4096);
    for (auto _ : state)
      copyOnThreads(readByLoop, to, from, threadCount());
    state.SetBytesProcessed(state.iterations() * bytes);
  });
}

/// Adds the benchmarks of a shape. `streams`: only those with one row of f32
/// and narrow weights.
void addQuantized(int64_t k, int64_t n, bool streams) {
  struct Floats {
    const char *name;
    tensorc::DType x, scale;
  };
  for (const Weights &w : kinds)
    for (const Floats &f :
         {Floats{"f32", tensorc::f32, tensorc::f32},
          Floats{"bf16", tensorc::bf16, tensorc::f32},
          Floats{"bf16-rounded", tensorc::bf16, tensorc::bf16}})
      for (int64_t m : {1, 8, 32}) {
        if (w.bits == 32 && f.x != tensorc::f32)
          continue;
        if (streams && (m != 1 || w.bits == 32 || f.x != tensorc::f32))
          continue;
        std::string name = "quantized/" + std::to_string(k) + "x" +
                           std::to_string(n) + "/" + w.name + "/x:" + f.name +
                           "/m:" + std::to_string(m);
        Product p{m, k, n, w, false, f.x, f.scale};
        addProduct(name, p);
        p.turned = true;
        addProduct(name, p);
        if (m == 1)
          addRead(name, p.bytes());
      }
}

/// A loop of operations on registers on one thread, and the number of
/// operations per round.
struct Peak {
  std::function<void(int64_t rounds)> run;
  int64_t operations;
};

Peak peakOf(const NarrowPeak *peak) {
  return peak ? Peak{peak->run, peak->operations} : Peak{};
}

void addProducts(const std::string &name, const Peak &peak,
                 tensorc::DType dtype,
                 std::function<Tensor(Tensor, Tensor)> product) {
  auto report = [](benchmark::State &state, int64_t operations) {
    state.counters["flops"] =
        benchmark::Counter(static_cast<double>(operations),
                           benchmark::Counter::kIsIterationInvariantRate);
  };
  std::string group = "products/" + name;
  if (peak.run)
    add(group + "/peak", repetitions, [=](benchmark::State &state) {
      int64_t rounds = size(1 << 20, 1 << 8);
      for (auto _ : state)
        peak.run(rounds);
      report(state, rounds * peak.operations);
    });
  struct Layout {
    const char *name;
    bool turnsX, turnsY;
  };
  std::vector<int64_t> sizes{size(1024, 48)};
  if (!isTiny())
    sizes.push_back(2048);
  for (int64_t n : sizes)
    for (Layout layout :
         {Layout{"xy", false, false}, Layout{"xTy", true, false},
          Layout{"xyT", false, true}, Layout{"xTyT", true, true}})
      add(group + "/" + layout.name + "/" + std::to_string(n), repetitions,
          [=](benchmark::State &state) {
            auto filled = [&](float value) {
              return evaluated(tensorc::full({n, n}, value).astype(dtype) + 0);
            };
            Tensor x = filled(2.0f), y = filled(1.0f);
            auto run = [&] {
              product(layout.turnsX ? tensorc::transpose(x) : x,
                      layout.turnsY ? tensorc::transpose(y) : y)
                  .eval();
            };
            run();
            for (auto _ : state)
              run();
            report(state, 2 * n * n * n);
          });
}

void registerAll() {
  int64_t k = size(4096, 256);
  addQuantized(k, k, /*streams=*/false);
  if (!isTiny()) {
    addQuantized(k, 11008, /*streams=*/false);
    addQuantized(4 * k, 11008, /*streams=*/true);
  }
  auto matmul = [](Tensor x, Tensor y) { return tensorc::matmul(x, y); };
  Peak fma{[](int64_t rounds) { runFma(rounds, 1); }, fmaOperations(1)};
  addProducts("f32", fma, tensorc::f32, matmul);
  addProducts("f16", {}, tensorc::f16, matmul);
  addProducts("bf16", peakOf(bfloatPeak()), tensorc::bf16, matmul);
  addProducts("i8", peakOf(bytePeak()), tensorc::i8,
              [](Tensor x, Tensor y) { return tensorc::matmul_i32(x, y); });
}

} // namespace

int main(int argc, char **argv) { return run(argc, argv, registerAll); }
