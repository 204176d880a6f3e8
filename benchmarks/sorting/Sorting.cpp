//===- Sorting.cpp - Compares sorts with std::sort ------------------------===//
//
// `group/tensorc` sorts along the last axis. `group/std` copies the rows and
// sorts each by std::sort on one thread. Argsorts compare elements by value and
// then by position.
//
//===----------------------------------------------------------------------===//

#include "benchmarks/harness/Harness.h"

#include "tensorc/tensorc.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

using namespace bench;
using tensorc::Tensor;

namespace {

constexpr int repetitions = 11;

Tensor numbers(int64_t rows, int64_t length) {
  Tensor x = tensorc::randn(tensorc::random_key(1), {rows, length});
  x.eval();
  return x;
}

template <typename Expression>
void addSort(const std::string &group, int64_t rows, int64_t length,
             Expression expression) {
  add(group + "/tensorc", repetitions, [=](benchmark::State &state) {
    Tensor x = numbers(rows, length);
    expression(x).eval();
    for (auto _ : state)
      expression(x).eval();
    state.SetItemsProcessed(state.iterations() * rows * length);
  });
}

void addSortRival(const std::string &group, int64_t rows, int64_t length) {
  add(group + "/std", repetitions, [=](benchmark::State &state) {
    auto source = numbers(rows, length).to_vector<float>();
    for (auto _ : state) {
      std::vector<float> x = source;
      for (int64_t row = 0; row < rows; ++row)
        std::sort(x.begin() + row * length, x.begin() + (row + 1) * length);
      benchmark::DoNotOptimize(x.data());
    }
    state.SetItemsProcessed(state.iterations() * rows * length);
  });
}

void addArgsortRival(const std::string &group, int64_t length) {
  add(group + "/std", repetitions, [=](benchmark::State &state) {
    auto x = numbers(1, length).to_vector<float>();
    std::vector<int64_t> places(x.size());
    for (auto _ : state) {
      std::iota(places.begin(), places.end(), int64_t(0));
      std::sort(places.begin(), places.end(), [&](int64_t a, int64_t b) {
        return std::pair(x[a], a) < std::pair(x[b], b);
      });
      benchmark::DoNotOptimize(places.data());
    }
    state.SetItemsProcessed(state.iterations() * length);
  });
}

void registerAll() {
  auto sorted = [](const Tensor &x) { return tensorc::sort(x); };
  auto places = [](const Tensor &x) { return tensorc::argsort(x); };
  int64_t many = size(1'000'000, 1000);
  addSort("sort/one", 1, many, sorted);
  addSortRival("sort/one", 1, many);
  int64_t rows = size(1000, 3), length = size(1000, 300);
  addSort("sort/rows", rows, length, sorted);
  addSortRival("sort/rows", rows, length);
  int64_t shortRows = size(100'000, 7), shortLength = 16;
  addSort("sort/short", shortRows, shortLength, sorted);
  addSortRival("sort/short", shortRows, shortLength);
  addSort("argsort/one", 1, many, places);
  addArgsortRival("argsort/one", many);
}

} // namespace

int main(int argc, char **argv) { return run(argc, argv, registerAll); }
