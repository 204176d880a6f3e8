//===- RankWorker.cpp - a rank that is killed or stopped in a collective --===//
//
//   rank-worker SECONDS COUNT
//
// Adds COUNT floats of all ranks again and again, under mpirun, until it is
// killed or a sum fails. Its time limit is SECONDS. Prints its number and
// process, then that it computes, then the error. rank_ends.py starts it.
//
//===----------------------------------------------------------------------===//

#include "tensorc/collectives.hpp"

#include <cstdio>
#include <cstdlib>
#include <thread>
#include <unistd.h>

using namespace tensorc;

/// Keeps a thread in a read from a pipe, and thereby the lock of its FILE. A rank
/// must nevertheless end.
static void blockInRead() {
  int ends[2];
  if (pipe(ends) != 0)
    return;
  std::thread([file = fdopen(ends[0], "r")] { std::fgetc(file); }).detach();
}

int main(int argc, char **argv) {
  if (argc != 3)
    return std::fprintf(stderr, "rank-worker SECONDS COUNT\n"), 2;
  // A line of one write is not mixed with those of other ranks.
  setvbuf(stdout, nullptr, _IOFBF, 4096);
  blockInRead();
  try {
    Communicator rank = Communicator::mpi();
    CommunicatorScope scope(rank);
    std::printf("pid %d %d\n", rank.rank(), static_cast<int>(getpid()));
    std::fflush(stdout);
    try {
      for (int64_t step = 0;; ++step) {
        all_reduce(ones({std::atoll(argv[2])})).eval();
        if (step == 2) {
          // From now on, no rank compiles while another one waits.
          rank.set_timeout(std::chrono::seconds(std::atoi(argv[1])));
          std::printf("computes %d\n", rank.rank());
          std::fflush(stdout);
        }
      }
    } catch (const Error &error) {
      std::printf("error %d %s\n", rank.rank(), error.what());
      std::fflush(stdout);
    }
  } catch (const std::exception &error) {
    std::fprintf(stderr, "rank-worker: %s\n", error.what());
  }
  return 3;
}
