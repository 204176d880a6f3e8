//===- Ranks.cpp - Programs that run on several devices -------------------===//

#include "tools/tensorc/device/Ranks.h"
#include "tools/tensorc/device/RuntimeHandles.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SaveAndRestore.h"
#include "llvm/Support/raw_ostream.h"

#include <thread>

using namespace mlir;
using tensorc::reference::Array;

namespace tensorc::tool {

static tensorc_rt_device *find(StringRef name) {
  tensorc_rt_device *device = nullptr;
  return ok(tensorc_rt_device_find(name.str().c_str(), &device)) ? device
                                                                 : nullptr;
}

static std::vector<Rank> connectByMpi(StringRef name) {
  tensorc_rt_device *device = find(name);
  tensorc_rt_communicator *made = nullptr;
  std::vector<Rank> ranks;
  if (device && ok(tensorc_rt_communicator_create_mpi(device, &made)))
    ranks.push_back({name.str(), {made, {}}});
  return ranks;
}

std::vector<Rank> connectRanks(StringRef devices, StringRef device) {
  if (devices == "mpi")
    return connectByMpi(device);
  SmallVector<StringRef> names;
  devices.split(names, ',');
  std::vector<tensorc_rt_device *> found;
  for (StringRef name : names) {
    tensorc_rt_device *each = find(name);
    if (!each)
      return {};
    if (llvm::is_contained(found, each) && !name.starts_with("cpu")) {
      badUsage("--devices: " + name +
               " is there twice: it does its work in order, so its ranks would "
               "wait for each other");
      return {};
    }
    found.push_back(each);
  }
  std::vector<tensorc_rt_communicator *> made(found.size());
  std::vector<Rank> ranks;
  if (ok(tensorc_rt_communicator_create_local(
          found.data(), static_cast<int32_t>(found.size()), made.data())))
    for (auto [name, communicator] : llvm::zip(names, made))
      ranks.push_back({name.str(), {communicator, {}}});
  return ranks;
}

/// Runs one rank on the calling thread. Its errors are added to the list.
static FailureOr<std::vector<Array>> runRank(const Rank &rank,
                                             ArrayRef<Array> inputs,
                                             std::vector<std::string> &errors) {
  llvm::SaveAndRestore holding(heldErrors, &errors);
  tensorc_rt_run_options options = {sizeof options, nullptr, 0, 0,
                                    rank.communicator.get()};
  if (!ok(tensorc_rt_set_run_options(&options)))
    return failure();
  FailureOr<std::vector<Array>> outputs = rank.executable->run(inputs);
  if (failed(outputs))
    tensorc_rt_communicator_abort(rank.communicator.get(),
                                  "the program failed");
  (void)ok(tensorc_rt_set_run_options(nullptr));
  return outputs;
}

/// Prints an error in one write: other processes print theirs at the same time.
static void printOnce(const Twine &message) {
  llvm::errs().SetBuffered();
  refuse(message);
  llvm::errs().flush();
  llvm::errs().SetUnbuffered();
}

FailureOr<std::vector<std::vector<Array>>> runOnRanks(ArrayRef<Rank> ranks,
                                                      ArrayRef<Array> inputs) {
  std::vector<FailureOr<std::vector<Array>>> outputs(ranks.size());
  std::vector<std::vector<std::string>> errors(ranks.size());
  std::vector<std::thread> threads;
  for (size_t i = 1; i < ranks.size(); ++i)
    threads.emplace_back(
        [&, i] { outputs[i] = runRank(ranks[i], inputs, errors[i]); });
  outputs[0] = runRank(ranks[0], inputs, errors[0]);
  for (std::thread &thread : threads)
    thread.join();
  for (auto [rank, all] : llvm::zip_equal(ranks, errors))
    for (const std::string &error : all)
      printOnce("rank" + Twine(rank.number()) + ": " + error);
  std::vector<std::vector<Array>> all;
  for (FailureOr<std::vector<Array>> &each : outputs) {
    if (failed(each))
      return failure();
    all.push_back(std::move(*each));
  }
  return all;
}

} // namespace tensorc::tool
