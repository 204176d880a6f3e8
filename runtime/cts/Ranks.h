//===- Ranks.h - the fixture of the communicators' suite --------*- C++ -*-===//
//
// Each rank runs the body of a test. Ranks of one process are threads. Under
// mpirun, this process is one rank, and all processes run the same tests.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RUNTIME_CTS_RANKS_H
#define TENSORC_RUNTIME_CTS_RANKS_H

#include "runtime/cts/TestPackage.h"
#include "tensorc/communicator.h"

#include <cstring>
#include <functional>
#include <gtest/gtest.h>

namespace tensorc::rt::cts {

/// One rank of a test, and the objects that it allocates.
class Rank {
public:
  Rank(tensorc_rt_communicator *communicator, tensorc_rt_stream *stream);
  Rank(const Rank &) = delete;
  ~Rank();

  tensorc_rt_buffer *allocate(size_t bytes);
  template <typename T>
  tensorc_rt_buffer *upload(const std::vector<T> &values) {
    tensorc_rt_buffer *made = allocate(values.size() * sizeof(T));
    EXPECT_EQ(take(tensorc_rt_buffer_write(made, 0, values.data(),
                                           values.size() * sizeof(T), stream)),
              "");
    return made;
  }
  template <typename T> std::vector<T> download(tensorc_rt_buffer *buffer) {
    std::vector<T> values(tensorc_rt_buffer_size(buffer) / sizeof(T));
    EXPECT_EQ(take(tensorc_rt_buffer_read(buffer, 0, values.data(),
                                          values.size() * sizeof(T), stream)),
              "");
    return values;
  }
  /// Starts a collective and waits for it. Returns the first error.
  std::string run(const tensorc_rt_collective &collective);
  /// Runs the collective on the input and returns the output.
  template <typename T>
  std::vector<T> apply(tensorc_rt_collective collective,
                       const std::vector<T> &input, size_t outputCount) {
    collective.input.buffer = upload(input);
    collective.output.buffer = allocate(outputCount * sizeof(T));
    EXPECT_EQ(run(collective), "");
    return download<T>(collective.output.buffer);
  }
  void setTimeout(int64_t milliseconds) {
    tensorc_rt_communicator_set_timeout(communicator, milliseconds);
  }
  /// Releases the communicator before the test ends.
  void leave();

  tensorc_rt_communicator *communicator;
  tensorc_rt_device *device;
  tensorc_rt_stream *stream; // null: the default stream
  int32_t rank, size;

private:
  std::vector<tensorc_rt_buffer *> buffers;
};

/// Tests with one parameter: a backend and a kind of device, such as "local
/// cpu". Ranks of NCCL are threads that meet by a file. With "streams", the
/// ranks use streams that they create instead of the default stream.
class Communicators : public testing::TestWithParam<std::string> {
protected:
  static constexpr int32_t numRanks = 4;
  /// Runs the body on each rank, with a new communicator.
  void onEachRank(const std::function<void(Rank &)> &body);
  std::string backend() const {
    return GetParam().substr(0, GetParam().find(' '));
  }
  bool isLocal() const { return backend() == "local"; }
  bool hasStreams() const {
    return GetParam().find("streams") != std::string::npos;
  }
  /// True if the ranks are threads of this process.
  bool hasThreads() const { return backend() != "mpi"; }
};

/// Returns a collective whose buffers are not set yet.
tensorc_rt_collective collectiveOf(tensorc_rt_collective_kind kind,
                                   tensorc_rt_dtype dtype, int64_t count);

} // namespace tensorc::rt::cts

#endif
