// A package that was compiled for four ranks (Inputs/spmd.mlir), on four devices
// of this process, or, under mpirun, in four processes.
#include "tensorc/runtime.hpp"

#include <cstdio>
#include <cstdlib>
#include <thread>

using namespace tensorc;

static const int ranks = 4;

/// Runs the package as one rank. Returns whether its numbers are right.
static bool runRank(const char *package,
                    tensorc_rt_communicator *communicator) {
  int rank = tensorc_rt_communicator_rank(communicator);
  tensorc_rt_device_properties properties;
  tensorc_rt_device_get_properties(tensorc_rt_communicator_device(communicator),
                                   &properties);
  RunOptions options;
  options.communicator = communicator;
  Module module = load(package, properties.name);
  std::vector<float> x(8);
  for (int i = 0; i < 8; ++i)
    x[i] = static_cast<float>(10 * rank + i);
  Results results = module.entry().run({view(x, {8})}, options);
  std::vector<float> means = results[0].to_vector<float>();
  std::vector<float> all = results[1].to_vector<float>();
  bool holds = true;
  for (int i = 0; i < 8; ++i) // 2 * mean of 10 r + i, plus the rank
    holds &= means[i] == static_cast<float>(2 * (15 + i) + rank);
  for (int r = 0; r < ranks; ++r)
    for (int i = 0; i < 8; ++i)
      holds &= all[8 * r + i] == static_cast<float>(10 * r + i);
  if (!holds)
    std::fprintf(stderr, "rank %d has wrong numbers: %g %g\n", rank, means[0],
                 all[8]);
  return holds;
}

static bool runAndRelease(const char *package,
                          tensorc_rt_communicator *communicator) {
  bool holds = false;
  try {
    holds = runRank(package, communicator);
  } catch (const Error &error) {
    std::fprintf(stderr, "%s\n", error.what());
    tensorc_rt_communicator_abort(communicator, error.what());
  }
  tensorc_rt_communicator_release(communicator);
  return holds;
}

static bool failed(tensorc_rt_status *status) {
  if (status)
    std::fprintf(stderr, "%s\n", tensorc_rt_status_message(status));
  tensorc_rt_status_free(status);
  return status != nullptr;
}

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  tensorc_rt_device *devices[ranks];
  tensorc_rt_communicator *communicators[ranks];
  if (std::getenv("OMPI_COMM_WORLD_SIZE") || std::getenv("PMI_SIZE"))
    return failed(tensorc_rt_device_find("cpu", devices)) ||
           failed(
               tensorc_rt_communicator_create_mpi(devices[0], communicators)) ||
           !runAndRelease(argv[1], communicators[0]);
  for (int i = 0; i < ranks; ++i)
    if (failed(tensorc_rt_device_find(("cpu:" + std::to_string(i)).c_str(),
                                      &devices[i])))
      return 1;
  if (failed(
          tensorc_rt_communicator_create_local(devices, ranks, communicators)))
    return 1;
  bool holds[ranks] = {};
  std::vector<std::thread> threads;
  for (int i = 0; i < ranks; ++i)
    threads.emplace_back(
        [&, i] { holds[i] = runAndRelease(argv[1], communicators[i]); });
  for (std::thread &thread : threads)
    thread.join();
  return !(holds[0] && holds[1] && holds[2] && holds[3]);
}
