//===- Bandwidth.cpp - Fused kernels against copies of the same bytes -----===//
//
// Each kernel reads one tensor and writes one, as a copy does; a pooling writes
// a quarter of it, and is measured against a copy of as many bytes. A row that
// replaces another in a large tensor is copied alone.
//
//===----------------------------------------------------------------------===//

#include "benchmarks/harness/Harness.h"
#include "benchmarks/rivals/Copies.h"

#include "tensorc/tensorc.hpp"
#include "tensorc/windows.hpp"

using namespace bench;
using tensorc::Tensor;

namespace {

constexpr int repetitions = 11;

/// By the elements that are read and those that are written, half their sum.
void report(benchmark::State &state, int64_t elements) {
  int64_t bytes = elements * 2 * static_cast<int64_t>(sizeof(float));
  state.SetBytesProcessed(state.iterations() * bytes);
}

/// `group/copy/...`: the rivals for tensors of that many f32.
void addCopies(const std::string &group, int64_t elements) {
  struct Rival {
    const char *name;
    Copy copy;
  };
  for (Rival rival : {Rival{"memcpy", copyByMemcpy}, Rival{"loop", copyByLoop},
                      Rival{"nontemporal", copyNonTemporal}})
    add(group + "/copy/" + rival.name, repetitions,
        [=](benchmark::State &state) {
          Memory from(elements * sizeof(float)), to(from.size());
          for (auto _ : state) {
            copyOnThreads(rival.copy, to, from, threadCount());
            benchmark::ClobberMemory();
          }
          report(state, elements);
        });
}

/// `group/tensorc`: an expression of one tensor, as one kernel.
void addExpression(const std::string &group, tensorc::Shape shape,
                   Tensor (*expression)(const Tensor &)) {
  add(group + "/tensorc", repetitions, [=](benchmark::State &state) {
    Tensor x = tensorc::full(shape, 0.5f) + 1;
    x.eval();
    expression(x).eval();
    state.counters["kernels"] =
        static_cast<double>(tensorc::last_kernels().size());
    int64_t written = expression(x).numel();
    for (auto _ : state) {
      Tensor y = expression(x);
      y.eval();
    }
    report(state, (x.numel() + written) / 2);
  });
}

Tensor chain(const Tensor &x) {
  return tensorc::maximum((x * 2.5f + 1.25f) * x - 3.75f, 0.125f);
}
Tensor softmax(const Tensor &x) { return tensorc::softmax(x); }
Tensor layerNorm(const Tensor &x) {
  static Tensor scale = tensorc::full({x.size(-1)}, 1.5f) + 0;
  static Tensor bias = tensorc::full({x.size(-1)}, 0.25f) + 0;
  if (!scale.is_evaluated())
    tensorc::eval(scale, bias);
  return tensorc::layer_norm(x, scale, bias);
}

/// `group/tensorc`: rows that are written one after the other into a cache of
/// which nobody else holds the former value.
void addUpdates(const std::string &group, int64_t heads, int64_t length,
                int64_t columns) {
  add(group + "/tensorc", repetitions, [=](benchmark::State &state) {
    Tensor cache = tensorc::full({heads, length, columns}, 0.5f) + 0;
    Tensor row = tensorc::full({heads, 1, columns}, 1.5f) + 0;
    tensorc::eval(cache, row);
    int64_t at = 0;
    auto step = [&] {
      cache = tensorc::dynamic_update_slice(cache, row, {0, at++ % length, 0});
      cache.eval();
    };
    step();
    for (auto _ : state)
      step();
    report(state, row.numel());
  });
}

Tensor turned(const Tensor &x) { return tensorc::transpose(x, 0, 1); }
Tensor pooled(const Tensor &x) {
  return tensorc::max_pool2d(x, 3, {.stride = 2, .padding = 1});
}
Tensor depthwise(const Tensor &x) {
  static Tensor kernel = tensorc::full({x.size(1), 1, 3, 3}, 0.125f) + 0;
  if (!kernel.is_evaluated())
    kernel.eval();
  return tensorc::conv2d(x, kernel, {}, {.padding = 1, .groups = x.size(1)});
}

void registerAll() {
  int64_t many = size(int64_t(64) << 20, 1 << 16);
  addCopies("chain", many);
  addExpression("chain", {many}, chain);
  int64_t rows = size(8192, 32), columns = size(4096, 96);
  addCopies("rows", rows * columns);
  addExpression("rows/softmax", {rows, columns}, softmax);
  addExpression("rows/layer_norm", {rows, columns}, layerNorm);
  // No multiple of a vector, and too small for stores past the caches.
  int64_t some = size(6'000'001, 1001);
  addCopies("some", some);
  addExpression("some/chain", {some}, chain);
  int64_t side = size(4096, 48);
  addCopies("square", side * side);
  addExpression("square/transpose", {side, side}, turned);
  int64_t images = size(8, 1), image = size(112, 12);
  addCopies("images", images * 64 * image * image * 5 / 8);
  addExpression("images/max_pool", {images, 64, image, image}, pooled);
  int64_t planes = size(4, 1), plane = size(56, 9);
  addCopies("planes", planes * 128 * plane * plane);
  addExpression("planes/depthwise", {planes, 128, plane, plane}, depthwise);
  int64_t heads = size(32, 2), length = size(4096, 8);
  addCopies("cache", heads * 128);
  addUpdates("cache", heads, length, 128);
}

} // namespace

int main(int argc, char **argv) { return run(argc, argv, registerAll); }
