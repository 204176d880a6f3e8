//===- Ranks.h - Programs that run on several devices ---------------------===//
#ifndef TENSORC_TOOLS_TENSORC_DEVICE_RANKS_H
#define TENSORC_TOOLS_TENSORC_DEVICE_RANKS_H

#include "tensorc/communicator.h"
#include "tools/tensorc/device/Device.h"

namespace tensorc::tool {

struct ReleaseCommunicator {
  void operator()(tensorc_rt_communicator *communicator) const {
    tensorc_rt_communicator_release(communicator);
  }
};

/// A rank in this process.
struct Rank {
  std::string device;
  std::unique_ptr<tensorc_rt_communicator, ReleaseCommunicator> communicator;
  std::unique_ptr<Executable> executable = nullptr;

  int32_t number() const {
    return tensorc_rt_communicator_rank(communicator.get());
  }
};

/// Connects the devices of `--devices`: a list of names, or `mpi`, which makes
/// this process one rank on `device`. Returns an empty list after an error
/// message.
std::vector<Rank> connectRanks(llvm::StringRef devices, llvm::StringRef device);

/// Runs the executables of all ranks, each on its own thread, and returns their
/// outputs.
mlir::FailureOr<std::vector<std::vector<reference::Array>>>
runOnRanks(llvm::ArrayRef<Rank> ranks, llvm::ArrayRef<reference::Array> inputs);

} // namespace tensorc::tool

#endif // TENSORC_TOOLS_TENSORC_DEVICE_RANKS_H
