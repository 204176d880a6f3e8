//===- CheckpointWorker.cpp - a program that is killed while it saves -----===//
//
//   checkpoint-worker FOLDER RANKS|mpi [FIRST]
//
// Resumes the checkpoint in the folder, checks that it is the state of a single
// step, and saves one step after the other until it is killed. FIRST is the
// first step if there is no checkpoint. checkpoint_kills.py starts it again and
// again.
//
//===----------------------------------------------------------------------===//

#include "tensorc/checkpoint.hpp"

#include <cstdio>
#include <unistd.h>

using namespace tensorc;

namespace {
/// Parameters of different sizes and splits, all of which are functions of the
/// step.
struct State {
  Tensor w, bias, whole, step;
};
TENSORC_STRUCT(State, w, bias, whole, step)

std::vector<float> numbers(size_t count, float step) {
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i)
    values[i] = step + static_cast<float>(i % 64);
  return values;
}

State stateOf(float step, const Mesh &mesh) {
  State state = {reshape(tensor(numbers(64 * 256, step)), {64, 256}),
                 tensor(numbers(8, step)), tensor(numbers(100, step)),
                 scalar(step)};
  state.w = shard(state.w, mesh, {"data", "model"});
  state.bias = shard(state.bias, mesh, {"model"});
  return state;
}

void check(const Tensor &x, float step, const char *name) {
  if (x.to_vector<float>() == numbers(static_cast<size_t>(x.numel()), step))
    return;
  std::printf("torn: %s is not that of step %g\n", name, double(step));
  std::fflush(stdout);
  _exit(3);
}

int work(const Communicator &rank, const std::string &folder, float first) {
  int64_t model = rank.size() % 2 ? 1 : 2;
  Mesh mesh({{"data", rank.size() / model}, {"model", model}});
  auto say = [&](const char *what, float step) {
    if (rank.rank() == 0) {
      std::printf("%s %g\n", what, double(step));
      std::fflush(stdout);
    }
  };
  float step = first;
  if (std::filesystem::exists(folder + "/checkpoint.json")) {
    State state = load_checkpoint(folder, stateOf(0, mesh));
    step = state.step.item<float>();
    check(state.w, step, "w");
    check(state.bias, step, "bias");
    check(state.whole, step, "whole");
  }
  detail::meet(); // before a rank of another process saves
  for (say("resumed", step);;) {
    save_checkpoint(folder, stateOf(++step, mesh));
    say("saved", step);
  }
}
} // namespace

int main(int argc, char **argv) try {
  if (argc < 3)
    return std::fprintf(stderr, "checkpoint-worker FOLDER RANKS|mpi\n"), 2;
  std::string folder = argv[1], ranks = argv[2];
  float first = argc > 3 ? std::stof(argv[3]) : 0;
  if (ranks == "mpi") {
    Communicator rank = Communicator::mpi();
    CommunicatorScope scope(rank);
    std::printf("pid %d\n", static_cast<int>(getpid()));
    std::fflush(stdout);
    return work(rank, folder, first);
  }
  std::vector<Device> devices;
  for (int i = 0; i < std::stoi(ranks); ++i)
    devices.emplace_back("cpu:" + std::to_string(i));
  return spmd(devices, [&](const Communicator &rank) {
    return work(rank, folder, first);
  })[0];
} catch (const std::exception &error) {
  std::fprintf(stderr, "checkpoint-worker: %s\n", error.what());
  return 1;
}
