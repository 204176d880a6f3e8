//===- Mpi.cpp - all_reduce on MPI processes beside MPI_Allreduce ---------===//
//
//   mpicxx.openmpi -O2 -std=c++17 -Iruntime/include -Ibuild/include \
//     benchmarks/collectives/Mpi.cpp -Lbuild/lib -ltensorc_rt \
//     -Wl,-rpath,$PWD/build/lib -o bench-mpi
//   mpirun.openmpi -n 2 --bind-to core bench-mpi
//
// Prints medians of interleaved rounds. The sums of tensorc have the same bits on every backend, which MPI does not promise.
//
//===----------------------------------------------------------------------===//

#include "tensorc/communicator.h"
#include "tensorc/runtime.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mpi.h>
#include <vector>

static void check(tensorc_rt_status *status) {
  if (!status)
    return;
  std::fprintf(stderr, "%s\n", tensorc_rt_status_message(status));
  std::exit(1);
}

/// Returns the microseconds of one call.
template <typename Call> static double timeOf(int calls, Call call) {
  MPI_Barrier(MPI_COMM_WORLD);
  auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < calls; ++i)
    call();
  std::chrono::duration<double, std::micro> time =
      std::chrono::steady_clock::now() - start;
  return time.count() / calls;
}

static double medianOf(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

static void compare(tensorc_rt_communicator *rank, int count, int calls,
                    int rounds) {
  tensorc_rt_device *device = tensorc_rt_communicator_device(rank);
  std::vector<float> x(count, 1), y(count);
  tensorc_rt_collective sum = {};
  sum.struct_size = sizeof sum;
  sum.kind = TENSORC_RT_ALL_REDUCE;
  sum.dtype = TENSORC_RT_F32;
  sum.count = count;
  size_t bytes = x.size() * sizeof(float);
  check(tensorc_rt_buffer_allocate(device, bytes, &sum.input.buffer));
  check(tensorc_rt_buffer_allocate(device, bytes, &sum.output.buffer));
  check(tensorc_rt_buffer_write(sum.input.buffer, 0, x.data(), bytes, nullptr));
  std::vector<double> ours, theirs, ratios;
  for (int round = 0; round < rounds; ++round) {
    ours.push_back(timeOf(
        calls, [&] { check(tensorc_rt_communicate(rank, &sum, nullptr)); }));
    theirs.push_back(timeOf(calls, [&] {
      MPI_Allreduce(x.data(), y.data(), count, MPI_FLOAT, MPI_SUM,
                    MPI_COMM_WORLD);
    }));
    ratios.push_back(ours.back() / theirs.back());
  }
  if (tensorc_rt_communicator_rank(rank) == 0)
    std::printf("%zu bytes: %.2f us, MPI_Allreduce %.2f us, ratio %.2f\n",
                bytes, medianOf(ours), medianOf(theirs), medianOf(ratios));
  tensorc_rt_buffer_release(sum.input.buffer);
  tensorc_rt_buffer_release(sum.output.buffer);
}

int main(int argc, char **argv) {
  int level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  tensorc_rt_device *device = nullptr;
  tensorc_rt_communicator *rank = nullptr;
  check(tensorc_rt_device_find("cpu", &device));
  check(tensorc_rt_communicator_create_mpi(device, &rank));
  compare(rank, 1 << 10, /*calls=*/2000, /*rounds=*/15);
  compare(rank, 1 << 24, /*calls=*/3, /*rounds=*/7);
  tensorc_rt_communicator_release(rank);
  MPI_Finalize();
}
