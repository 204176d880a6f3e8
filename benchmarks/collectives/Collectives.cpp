//===- Collectives.cpp - Collectives of ranks in one process --------------===//
//
// An all_reduce of large tensors is compared with a copy of as many bytes by as
// many threads: each of the ranks reads and writes its tensor once, which is
// the least that memory has to move. Steps with a small sum over two ranks are
// compared with the same steps on one device.
//
//===----------------------------------------------------------------------===//

#include "benchmarks/harness/Harness.h"

#include "tensorc/collectives.hpp"
#include "tensorc/communicator.h"
#include "tensorc/tensorc.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

using namespace bench;
using tensorc::Tensor;

namespace {

constexpr int repetitions = 9, numRanks = 4;

void check(tensorc_rt_status *status) {
  if (!status)
    return;
  std::fprintf(stderr, "%s\n", tensorc_rt_status_message(status));
  std::exit(1);
}

/// Runs a function on a thread of each rank, as often as the benchmark asks.
template <typename Function>
void onRanks(benchmark::State &state, Function function) {
  for (auto _ : state) {
    std::vector<std::thread> threads;
    for (int rank = 1; rank < numRanks; ++rank)
      threads.emplace_back([&, rank] { function(rank); });
    function(0);
    for (std::thread &thread : threads)
      thread.join();
  }
}

/// The ranks' buffers, of `bytes` each.
struct Buffers {
  explicit Buffers(size_t bytes) : bytes(bytes) {
    std::vector<tensorc_rt_device *> devices(numRanks);
    for (int i = 0; i < numRanks; ++i)
      check(tensorc_rt_device_find(("cpu:" + std::to_string(i)).c_str(),
                                   &devices[i]));
    ranks.resize(numRanks);
    check(tensorc_rt_communicator_create_local(devices.data(), numRanks,
                                               ranks.data()));
    std::vector<char> zeros(bytes);
    for (tensorc_rt_device *device : devices)
      for (auto *list : {&inputs, &outputs}) {
        check(tensorc_rt_buffer_allocate(device, bytes, &list->emplace_back()));
        check(tensorc_rt_buffer_write(list->back(), 0, zeros.data(), bytes,
                                      nullptr));
      }
  }
  ~Buffers() {
    for (auto *list : {&inputs, &outputs})
      for (tensorc_rt_buffer *buffer : *list)
        tensorc_rt_buffer_release(buffer);
    for (tensorc_rt_communicator *rank : ranks)
      tensorc_rt_communicator_release(rank);
  }
  void reduce(int rank) const {
    tensorc_rt_collective sum = {};
    sum.struct_size = sizeof sum;
    sum.kind = TENSORC_RT_ALL_REDUCE;
    sum.dtype = TENSORC_RT_F32;
    sum.count = static_cast<int64_t>(bytes / sizeof(float));
    sum.input.buffer = inputs[rank];
    sum.output.buffer = outputs[rank];
    check(tensorc_rt_communicate(ranks[rank], &sum, nullptr));
  }
  void copy(int rank) const {
    std::memcpy(tensorc_rt_buffer_data(outputs[rank]),
                tensorc_rt_buffer_data(inputs[rank]), bytes);
  }

  size_t bytes;
  std::vector<tensorc_rt_communicator *> ranks;
  std::vector<tensorc_rt_buffer *> inputs, outputs;
};

/// Steps of small kernels on each device; with a sum of 256 floats over the
/// ranks if there are several.
void runSteps(benchmark::State &state, std::vector<tensorc::Device> devices) {
  auto steps = size(500, 2);
  auto body = [&](const tensorc::Communicator &) {
    Tensor x = tensorc::full({256}, 0.5f) + 1;
    for (int64_t i = 0; i < steps; ++i)
      tensorc::all_reduce(tensorc::exp(x) * 0.5f).eval();
    return 0;
  };
  (void)tensorc::spmd(devices, body);
  for (auto _ : state)
    (void)tensorc::spmd(devices, body);
  state.SetItemsProcessed(state.iterations() * steps);
}

void registerAll() {
  auto bytes = static_cast<size_t>(size(64 << 20, 1 << 17));
  static auto buffers = std::make_unique<Buffers>(bytes);
  add("all-reduce/ranks:4", repetitions, [](benchmark::State &state) {
    onRanks(state, [](int rank) { buffers->reduce(rank); });
  });
  add("all-reduce/copies:4", repetitions, [](benchmark::State &state) {
    onRanks(state, [](int rank) { buffers->copy(rank); });
  });
  for (int ranks : {1, 2})
    add("steps/ranks:" + std::to_string(ranks), repetitions,
        [=](benchmark::State &state) {
          std::vector<tensorc::Device> devices = {{"cpu:0"}, {"cpu:1"}};
          devices.resize(ranks);
          runSteps(state, devices);
        });
}

} // namespace

int main(int argc, char **argv) {
  setenv("TENSORC_CPU_DEVICES", "4", /*overwrite=*/0);
  return run(argc, argv, registerAll);
}
