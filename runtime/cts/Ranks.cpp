//===- Ranks.cpp - the fixture of the communicators' suite ----------------===//
#include "runtime/cts/Ranks.h"

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <thread>

using namespace tensorc::rt;
using namespace tensorc::rt::cts;

Rank::Rank(tensorc_rt_communicator *communicator, tensorc_rt_stream *stream)
    : communicator(communicator),
      device(tensorc_rt_communicator_device(communicator)), stream(stream),
      rank(tensorc_rt_communicator_rank(communicator)),
      size(tensorc_rt_communicator_size(communicator)) {}

Rank::~Rank() {
  for (tensorc_rt_buffer *buffer : buffers)
    tensorc_rt_buffer_release(buffer);
  leave();
  tensorc_rt_stream_release(stream);
}

void Rank::leave() {
  tensorc_rt_communicator_release(std::exchange(communicator, nullptr));
}

tensorc_rt_buffer *Rank::allocate(size_t bytes) {
  tensorc_rt_buffer *made = nullptr;
  EXPECT_EQ(take(tensorc_rt_buffer_allocate(device, bytes, &made)), "");
  buffers.push_back(made);
  return made;
}

std::string Rank::run(const tensorc_rt_collective &collective) {
  tensorc_rt_stream *on =
      stream ? stream : tensorc_rt_device_default_stream(device);
  std::string message =
      take(tensorc_rt_communicate(communicator, &collective, stream));
  std::string later = take(tensorc_rt_stream_synchronize(on));
  return message.empty() ? later : message;
}

tensorc_rt_collective
tensorc::rt::cts::collectiveOf(tensorc_rt_collective_kind kind,
                               tensorc_rt_dtype dtype, int64_t count) {
  tensorc_rt_collective collective = {};
  collective.struct_size = sizeof collective;
  collective.kind = kind;
  collective.dtype = dtype;
  collective.count = count;
  return collective;
}

/// Runs the body for one rank, on a stream of its own if `hasStreams`.
static void runRank(tensorc_rt_communicator *communicator, bool hasStreams,
                    const std::function<void(Rank &)> &body) {
  tensorc_rt_stream *stream = nullptr;
  if (hasStreams)
    EXPECT_EQ(take(tensorc_rt_stream_create(
                  tensorc_rt_communicator_device(communicator), &stream)),
              "");
  Rank rank(communicator, stream);
  body(rank);
}

namespace {
/// A new folder, in which ranks meet. It is removed with all files.
struct MeetingFolder {
  MeetingFolder() : name(testing::TempDir() + "nccl-XXXXXX") {
    EXPECT_TRUE(mkdtemp(name.data()));
  }
  ~MeetingFolder() { std::filesystem::remove_all(name); }
  std::string name;
};
} // namespace

void Communicators::onEachRank(const std::function<void(Rank &)> &body) {
  std::string device = GetParam().substr(GetParam().rfind(' ') + 1);
  if (!hasThreads()) {
    tensorc_rt_device *own = nullptr;
    tensorc_rt_communicator *communicator = nullptr;
    ASSERT_EQ(take(tensorc_rt_device_find(device.c_str(), &own)), "");
    ASSERT_EQ(take(tensorc_rt_communicator_create_mpi(own, &communicator)), "");
    return runRank(communicator, hasStreams(), body);
  }
  std::vector<tensorc_rt_device *> devices(numRanks);
  for (int32_t i = 0; i < numRanks; ++i)
    ASSERT_EQ(take(tensorc_rt_device_find(
                  (device + ":" + std::to_string(i)).c_str(), &devices[i])),
              "");
  tensorc_rt_communicator *communicators[numRanks] = {};
  std::optional<MeetingFolder> folder;
  if (!isLocal())
    folder.emplace();
  std::string file = folder ? folder->name + "/id" : "";
  if (isLocal())
    ASSERT_EQ(take(tensorc_rt_communicator_create_local(
                  devices.data(), numRanks, communicators)),
              "");
  std::vector<std::thread> threads;
  for (int32_t i = 0; i < numRanks; ++i)
    threads.emplace_back([&, i] {
      if (!isLocal())
        ASSERT_EQ(
            take(tensorc_rt_communicator_create_nccl(
                devices[i], file.c_str(), i, numRanks, &communicators[i])),
            "");
      runRank(communicators[i], hasStreams(), body);
    });
  for (std::thread &thread : threads)
    thread.join();
}
