//===- Bandwidth.cpp - Bandwidth of fused kernels and of copies -----------===//
//
// Each kernel reads one tensor and writes one, like a copy. A pooling writes a
// quarter of what it reads, and is compared with a copy of as many bytes.
// Copying one row into a large tensor copies only the row. Reductions and
// products of one row read far more than they write, so they are compared with
// reads.
//
//===----------------------------------------------------------------------===//

#include "benchmarks/harness/Harness.h"
#include "benchmarks/rivals/Copies.h"

#include "tensorc/tensorc.hpp"
#include "tensorc/windows.hpp"

#include <vector>

using namespace bench;
using tensorc::Tensor;

namespace {

constexpr int repetitions = 11;

/// Reports the bandwidth for `elements`, which is half the sum of the elements
/// read and written.
void report(benchmark::State &state, int64_t elements) {
  int64_t bytes = elements * 2 * static_cast<int64_t>(sizeof(float));
  state.SetBytesProcessed(state.iterations() * bytes);
}

/// Adds `group/copy/...`: copies of as many f32 elements, with which tensorc is
/// compared.
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

/// Evaluates an expression of one tensor repeatedly. Returns the tensor's
/// number of elements.
int64_t repeat(benchmark::State &state, const tensorc::Shape &shape,
               Tensor (*expression)(const Tensor &)) {
  Tensor x = tensorc::full(shape, 0.5f) + 1;
  x.eval();
  expression(x).eval();
  state.counters["kernels"] =
      static_cast<double>(tensorc::last_kernels().size());
  for (auto _ : state) {
    Tensor y = expression(x);
    y.eval();
  }
  return x.numel();
}

/// Adds `group/tensorc`: an expression of one tensor, whose reads and writes
/// are counted.
void addExpression(const std::string &group, tensorc::Shape shape,
                   Tensor (*expression)(const Tensor &)) {
  add(group + "/tensorc", repetitions, [=](benchmark::State &state) {
    int64_t read = repeat(state, shape, expression);
    report(state, (read + expression(tensorc::full(shape, 1.0f)).numel()) / 2);
  });
}

/// Adds `group/read`: a read of as many f32 elements, with which reductions are
/// compared.
void addRead(const std::string &group, int64_t elements) {
  add(group + "/read", repetitions, [=](benchmark::State &state) {
    Memory from(elements * sizeof(float)), to(from.size());
    for (auto _ : state) {
      copyOnThreads(readByLoop, to, from, threadCount());
      benchmark::ClobberMemory();
    }
    state.SetBytesProcessed(state.iterations() * elements * sizeof(float));
  });
}

/// Adds `group/tensorc`: an expression of one tensor, of which only the reads
/// are counted.
void addReduction(const std::string &group, tensorc::Shape shape,
                  Tensor (*expression)(const Tensor &)) {
  add(group + "/tensorc", repetitions, [=](benchmark::State &state) {
    int64_t read = repeat(state, shape, expression);
    state.SetBytesProcessed(state.iterations() * read * sizeof(float));
  });
}

/// Adds `group/tensorc`: reads rows of a table in random order.
void addLookups(const std::string &group, int64_t rows, int64_t columns,
                int64_t count) {
  add(group + "/tensorc", repetitions, [=](benchmark::State &state) {
    Tensor table = tensorc::full({rows, columns}, 0.5f) + 1;
    std::vector<int64_t> places(count);
    for (int64_t i = 0; i < count; ++i)
      places[i] = i * 7919 % rows;
    Tensor ids = tensorc::tensor(places);
    tensorc::eval(table, ids);
    tensorc::take(table, ids, 0).eval();
    state.counters["kernels"] =
        static_cast<double>(tensorc::last_kernels().size());
    for (auto _ : state)
      tensorc::take(table, ids, 0).eval();
    report(state, count * columns);
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

/// Adds `group/tensorc`: writes rows one after another into a cache that is
/// updated in place.
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

Tensor rmsNorm(const Tensor &x) {
  static Tensor scale = tensorc::full({x.size(-1)}, 1.5f) + 0;
  if (!scale.is_evaluated())
    scale.eval();
  return tensorc::rms_norm(x, scale);
}
Tensor whole(const Tensor &x) { return tensorc::sum(x); }
Tensor ofRows(const Tensor &x) { return tensorc::sum(x, 1); }
Tensor ofColumns(const Tensor &x) { return tensorc::sum(x, 0); }
Tensor largest(const Tensor &x) { return tensorc::max(x, 1); }
Tensor timesVector(const Tensor &x) {
  static Tensor vector = tensorc::full({x.size(1)}, 0.25f) + 0;
  if (!vector.is_evaluated())
    vector.eval();
  return tensorc::matmul(x, vector);
}
Tensor vectorTimes(const Tensor &x) {
  static Tensor vector = tensorc::full({x.size(0)}, 0.25f) + 0;
  if (!vector.is_evaluated())
    vector.eval();
  return tensorc::matmul(vector, x);
}
Tensor headsFirst(const Tensor &x) { return tensorc::permute(x, {0, 2, 1, 3}); }
Tensor channelsLast(const Tensor &x) {
  return tensorc::permute(x, {0, 2, 3, 1});
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
  addExpression("rows/rms_norm", {rows, columns}, rmsNorm);
  addRead("read", rows * columns);
  addReduction("read/sum", {rows * columns}, whole);
  addReduction("read/sum_rows", {rows, columns}, ofRows);
  addReduction("read/sum_columns", {rows, columns}, ofColumns);
  addReduction("read/max_rows", {rows, columns}, largest);
  addReduction("read/matrix_vector", {rows, columns}, timesVector);
  addReduction("read/vector_matrix", {rows, columns}, vectorTimes);
  addExpression("rows/heads_first", {size(32, 2), 512, size(32, 3), 64},
                headsFirst);
  addExpression("rows/channels_last", {size(32, 1), 256, size(64, 3), 64},
                channelsLast);
  int64_t ids = size(32768, 16);
  addCopies("table", ids * 1024);
  addLookups("table", size(65536, 64), 1024, ids);
  // The size is not a multiple of a vector, and is too small for streaming
  // stores.
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
