//===- NcclTest.cpp - how ranks meet, on a fake NCCL ----------------------===//
//
// runtime/cts has the collectives themselves.
//
//===----------------------------------------------------------------------===//
#include "runtime/cts/TestPackage.h"
#include "tensorc/communicator.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <thread>
#include <unistd.h>

using namespace tensorc::rt::cts;

namespace {
class Nccl : public testing::Test {
protected:
  void SetUp() override {
    folder = testing::TempDir() + "nccl-test-" + std::to_string(getpid());
    std::filesystem::remove_all(folder);
    std::filesystem::create_directory(folder);
    file = folder + "/id";
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  /// Makes a rank on a device, and returns the error.
  std::string create(const char *name, int32_t rank, int32_t size,
                     tensorc_rt_communicator *&out) {
    tensorc_rt_device *device = nullptr;
    EXPECT_EQ(take(tensorc_rt_device_find(name, &device)), "");
    return take(tensorc_rt_communicator_create_nccl(device, file.c_str(), rank,
                                                    size, &out));
  }
  std::string createAlone(const char *name = "cuda:0") {
    tensorc_rt_communicator *made = nullptr;
    std::string message = create(name, 0, 1, made);
    tensorc_rt_communicator_release(made);
    return message;
  }

  std::string folder, file;
};
} // namespace

TEST_F(Nccl, RemovesItsFile) {
  tensorc_rt_communicator *ranks[2] = {};
  std::string messages[2];
  std::thread other([&] { messages[1] = create("cuda:1", 1, 2, ranks[1]); });
  // The other rank waits for the file, which only its owner may read.
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_FALSE(std::filesystem::exists(file));
  messages[0] = create("cuda:0", 0, 2, ranks[0]);
  other.join();
  EXPECT_EQ(messages[0] + messages[1], "");
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  for (int32_t rank = 0; rank < 2; ++rank) {
    EXPECT_EQ(tensorc_rt_communicator_rank(ranks[rank]), rank);
    EXPECT_EQ(tensorc_rt_communicator_size(ranks[rank]), 2);
    tensorc_rt_communicator_release(ranks[rank]);
  }
}

/// The files by which ranks pass on an error go with the last rank.
TEST_F(Nccl, RemovesTheFilesOfAnError) {
  tensorc_rt_communicator *ranks[2] = {};
  std::string messages[2];
  std::thread other([&] { messages[1] = create("cuda:1", 1, 2, ranks[1]); });
  messages[0] = create("cuda:0", 0, 2, ranks[0]);
  other.join();
  ASSERT_EQ(messages[0] + messages[1], "");
  tensorc_rt_communicator_abort(ranks[0], "no more data");
  EXPECT_FALSE(std::filesystem::is_empty(folder));
  tensorc_rt_communicator_release(ranks[0]);
  EXPECT_FALSE(std::filesystem::is_empty(folder));
  tensorc_rt_collective barrier = {};
  barrier.struct_size = sizeof barrier;
  barrier.kind = TENSORC_RT_BARRIER;
  tensorc_rt_stream *stream = tensorc_rt_device_default_stream(
      tensorc_rt_communicator_device(ranks[1]));
  // The error is that of the call, or of its work. Reading it clears the stream.
  std::string message =
      take(tensorc_rt_communicate(ranks[1], &barrier, nullptr));
  std::string later = take(tensorc_rt_stream_synchronize(stream));
  EXPECT_EQ(message.empty() ? later : message, "rank 0: no more data");
  tensorc_rt_communicator_release(ranks[1]);
  EXPECT_TRUE(std::filesystem::is_empty(folder));
}

TEST_F(Nccl, RefusesAFileThatExists) {
  std::ofstream(file) << "another's";
  EXPECT_EQ(createAlone(),
            "NCCL: the file " + file + " cannot be created: File exists");
  EXPECT_TRUE(std::filesystem::exists(file));
}

TEST_F(Nccl, LeavesOtherFilesAlone) {
  for (const char *end : {".0", ".1", ".error"})
    std::ofstream(file + end) << "another's";
  EXPECT_EQ(createAlone(), "");
  for (const char *end : {".0", ".1", ".error"})
    EXPECT_TRUE(std::filesystem::exists(file + end)) << end;
}

TEST_F(Nccl, RefusesALinkAndAFileThatOthersCanRead) {
  setenv("TENSORC_COMMUNICATOR_TIMEOUT", "1", 1);
  std::ofstream(folder + "/target") << std::string(128, 'x');
  std::filesystem::permissions(folder + "/target",
                               std::filesystem::perms::owner_read);
  std::filesystem::create_symlink(folder + "/target", file);
  EXPECT_EQ(createAlone(),
            "NCCL: the file " + file + " cannot be created: File exists");
  tensorc_rt_communicator *made = nullptr;
  EXPECT_EQ(create("cuda:1", 1, 2, made),
            "NCCL: rank 0 did not create the file " + file +
                ", readable by this user alone, within 1000 ms");
  std::filesystem::remove(file);
  std::ofstream(file) << std::string(128, 'x'); // with the usual permissions
  std::filesystem::permissions(file, std::filesystem::perms::others_read,
                               std::filesystem::perm_options::add);
  EXPECT_NE(create("cuda:1", 1, 2, made), "");
  unsetenv("TENSORC_COMMUNICATOR_TIMEOUT");
}

TEST_F(Nccl, DoesNotWaitForeverForARank) {
  setenv("TENSORC_COMMUNICATOR_TIMEOUT", "1", 1);
  tensorc_rt_communicator *made = nullptr;
  EXPECT_EQ(create("cuda:0", 0, 2, made),
            "NCCL: joining the ranks: not all ranks took part within 1000 ms, "
            "for which rank 0 waited");
  unsetenv("TENSORC_COMMUNICATOR_TIMEOUT");
}

TEST_F(Nccl, IsForGpus) {
  EXPECT_EQ(createAlone("cpu"),
            "cpu:0: NCCL connects GPUs whose vendor has such a library");
  file = "id";
  EXPECT_EQ(createAlone(), "NCCL: rank 0 of 1 by the file 'id', which must "
                           "have an absolute path");
}

/// In a process of its own, because the library stays loaded.
TEST_F(Nccl, RefusesAnOldLibrary) {
  setenv("TENSORC_FAKE_NCCL_VERSION", "21706", 1);
  EXPECT_EQ(createAlone("rocm:0"),
            "NCCL: the library is version 2.17; 2.18 is needed");
  unsetenv("TENSORC_FAKE_NCCL_VERSION");
  EXPECT_EQ(createAlone("rocm:0"), "");
}

/// Runs under mpirun with a single rank, as the fake connects only threads.
TEST_F(Nccl, MeetsByMpi) {
  if (!secure_getenv("OMPI_COMM_WORLD_SIZE") && !secure_getenv("PMI_SIZE"))
    GTEST_SKIP() << "no launcher";
  tensorc_rt_device *device = nullptr;
  tensorc_rt_communicator *rank = nullptr;
  ASSERT_EQ(take(tensorc_rt_device_find("cuda:0", &device)), "");
  ASSERT_EQ(
      take(tensorc_rt_communicator_create_nccl(device, nullptr, 7, 9, &rank)),
      "");
  EXPECT_EQ(tensorc_rt_communicator_rank(rank), 0);
  EXPECT_EQ(tensorc_rt_communicator_size(rank), 1);
  tensorc_rt_collective barrier = {};
  barrier.struct_size = sizeof barrier;
  barrier.kind = TENSORC_RT_BARRIER;
  EXPECT_EQ(take(tensorc_rt_communicate(rank, &barrier, nullptr)), "");
  EXPECT_EQ(take(tensorc_rt_stream_synchronize(
                tensorc_rt_device_default_stream(device))),
            "");
  tensorc_rt_communicator_release(rank);
}
