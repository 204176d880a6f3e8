//===- main.cpp - One program on several devices --------------------------===//
//
//   build/bin/distributed tensor-parallel|ring-attention|heat [DEVICE DEVICE ...]
//   mpirun -n 4 build/bin/distributed ring-attention mpi
//   build/bin/distributed pipeline [DEVICE DEVICE ...]
//
// If no devices are given, four ranks or stages share the CPU.
//
//===----------------------------------------------------------------------===//

#include "examples/distributed/Examples.h"

#include <iostream>
#include <map>

using namespace tensorc;

int main(int argc, char **argv) {
  const std::map<std::string, std::string (*)(const Communicator &)> programs =
      {{"tensor-parallel", tensorParallel},
       {"ring-attention", ringAttention},
       {"heat", heat}};
  auto program = programs.find(argc > 1 ? argv[1] : "");
  bool isPipeline = argc > 1 && std::string(argv[1]) == "pipeline";
  if (program == programs.end() && !isPipeline) {
    std::cerr << "usage: distributed tensor-parallel|ring-attention|heat "
                 "[DEVICE DEVICE ...|mpi]\n"
                 "       distributed pipeline [DEVICE DEVICE ...]\n";
    return 2;
  }
  std::vector<std::string> names(argv + 2, argv + argc);
  if (names.empty())
    names.assign(4, "cpu");
  try {
    if (!isPipeline && names.front() == "mpi") {
      Communicator rank = Communicator::mpi();
      CommunicatorScope scope(rank);
      std::string line = program->second(rank);
      if (rank.rank() == 0)
        std::cout << line << "\n";
      return 0;
    }
    std::vector<Device> devices;
    for (const std::string &name : names)
      devices.emplace_back(name);
    std::cout << (isPipeline ? pipeline(devices)
                             : spmd(devices, program->second).front())
              << "\n";
    return 0;
  } catch (const std::exception &error) {
    std::cerr << "distributed: " << error.what() << "\n";
    return 1;
  }
}
