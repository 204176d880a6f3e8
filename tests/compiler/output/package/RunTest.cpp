//===- RunTest.cpp - threads, streams, memory and hooks of runs -----------===//
#include "tests/compiler/output/package/Packages.h"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <mutex>
#include <numeric>
#include <set>
#include <thread>

using namespace tensorc::test;

/// Adds 1 to i32 elements twice, through a temporary; `n` is named.
static constexpr const char *addTwice = R"(
module attributes {tx.target = "cpu"} {
  llvm.func @through_scratch(!llvm.ptr, i64, i64, !llvm.ptr)
  txp.func @main(%x: !txp.buffer) -> !txp.buffer
      attributes {inputs = [tensor<?xi32, #tx.dims<[n]>>],
                  outputs = [tensor<?xi32, #tx.dims<[n]>>]} {
    %n = txp.dim %x, 0
    %c4 = arith.constant 4 : i64
    %c16 = arith.constant 16 : i64
    %c64 = arith.constant 64 : i64
    %bytes = arith.muli %n, %c4 : i64
    %t = txp.alloc %bytes
    txp.launch @through_scratch extent(%n) grain(%c16) scratch(%c64) ins(%x) outs(%t)
    %y = txp.alloc %bytes
    txp.launch @through_scratch extent(%n) grain(%c16) scratch(%c64) ins(%t) outs(%y)
    txp.return %y
  }
})";

namespace {
class Run : public testing::Test {
protected:
  Run() : loaded(packageOf(addTwice)) {}
  void TearDown() override {
    tensorc_rt_set_num_threads(0);
    tensorc_rt_set_parallel_for(nullptr, nullptr);
    tensorc_rt_set_launch_hook(nullptr, nullptr);
    tensorc_rt_device_set_memory_limit(loaded.device, 0);
  }
  static std::vector<int32_t> iota(int64_t n, int32_t from) {
    std::vector<int32_t> values(static_cast<size_t>(n));
    std::iota(values.begin(), values.end(), from);
    return values;
  }
  uint64_t allocated() const {
    tensorc_rt_memory_stats stats;
    tensorc_rt_device_memory(loaded.device, &stats);
    return stats.allocated;
  }

  Loaded loaded;
};
} // namespace

TEST_F(Run, InputsNeedTheAlignmentOfTheirElements) {
  alignas(64) static char memory[256] = {};
  const int64_t n = 3;
  for (int offset : {4, 16, 2}) {
    char *data = memory + offset;
    int32_t values[3] = {1, 2, 3};
    std::memcpy(data, values, sizeof values);
    tensorc_rt_buffer *buffer = nullptr;
    ASSERT_EQ(tensorc_rt_buffer_wrap(loaded.device, data, sizeof values,
                                     nullptr, nullptr, &buffer),
              nullptr);
    tensorc_rt_arg arg = {buffer, 0, &n, 1, TENSORC_RT_I32};
    tensorc_rt_output output = {};
    tensorc_rt_status *status =
        tensorc_rt_run(loaded.entry(), &arg, 1, &output, 1, nullptr);
    if (offset == 2) {
      EXPECT_NE(std::string(tensorc_rt_status_message(status))
                    .find("which is not aligned to 4 bytes"),
                std::string::npos);
    } else {
      ASSERT_EQ(status, nullptr);
      int32_t result[3];
      ASSERT_EQ(tensorc_rt_buffer_read(output.buffer, 0, result, sizeof result,
                                       nullptr),
                nullptr);
      EXPECT_EQ(result[2], 5);
      tensorc_rt_buffer_release(output.buffer);
    }
    tensorc_rt_status_free(status);
    tensorc_rt_buffer_release(buffer);
  }
}

TEST_F(Run, TheEmbeddersThreadsAreUsed) {
  struct Embedder {
    std::atomic<int> calls{0}, tasks{0};
  } embedder;
  tensorc_rt_set_num_threads(3);
  tensorc_rt_set_parallel_for(
      [](void *user, int64_t count, void (*task)(void *, int64_t),
         void *context) {
        auto &embedder = *static_cast<Embedder *>(user);
        ++embedder.calls;
        std::vector<std::thread> threads;
        for (int64_t i = 0; i < count; ++i)
          threads.emplace_back([&, i] {
            ++embedder.tasks;
            task(context, i);
          });
        for (std::thread &thread : threads)
          thread.join();
      },
      &embedder);
  Argument x(loaded.device, TENSORC_RT_I32, {10000}, iota(10000, 0));
  Outputs out(1);
  ASSERT_EQ(run(loaded.entry(), {x.arg}, out), "");
  EXPECT_EQ(valuesOf<int32_t>(out.list[0]), iota(10000, 2));
  EXPECT_EQ(embedder.calls, 2);
  EXPECT_EQ(embedder.tasks, 6);
}

/// Before anything of the runtime ran.
static constexpr int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
static struct sigaction former[std::size(faults)];
[[gnu::constructor]] static void rememberHandlers() {
  for (size_t i = 0; i < std::size(faults); ++i)
    sigaction(faults[i], nullptr, &former[i]);
}

TEST_F(Run, LeavesTheProcessSignalsAlone) {
  if (getenv("TENSORC_CHECK"))
    GTEST_SKIP() << "faults are reported under TENSORC_CHECK=memory";
  Argument x(loaded.device, TENSORC_RT_I32, {100}, iota(100, 0));
  Outputs out(1);
  ASSERT_EQ(run(loaded.entry(), {x.arg}, out), "");
  for (size_t i = 0; i < std::size(faults); ++i) {
    struct sigaction now;
    sigaction(faults[i], nullptr, &now);
    EXPECT_EQ(now.sa_sigaction, former[i].sa_sigaction) << faults[i];
  }
}

TEST_F(Run, AnEmbedderMayRunTasksOneByOne) {
  tensorc_rt_set_num_threads(4);
  tensorc_rt_set_parallel_for(
      [](void *, int64_t count, void (*task)(void *, int64_t), void *context) {
        for (int64_t i = count; i-- > 0;)
          task(context, i);
      },
      nullptr);
  Argument x(loaded.device, TENSORC_RT_I32, {1000}, iota(1000, 0));
  Outputs out(1);
  ASSERT_EQ(run(loaded.entry(), {x.arg}, out), "");
  EXPECT_EQ(valuesOf<int32_t>(out.list[0]), iota(1000, 2));
}

TEST_F(Run, EverySizeAndNumberOfThreadsGivesTheSame) {
  for (int32_t threads : {1, 2, 3, 8}) {
    tensorc_rt_set_num_threads(threads);
    EXPECT_EQ(tensorc_rt_num_threads(), threads);
    for (int64_t n : {1, 15, 16, 17, 31, 33, 64, 1000, 4099}) {
      Argument x(loaded.device, TENSORC_RT_I32, {n}, iota(n, 5));
      Outputs out(1);
      ASSERT_EQ(run(loaded.entry(), {x.arg}, out), "");
      EXPECT_EQ(valuesOf<int32_t>(out.list[0]), iota(n, 7));
    }
  }
}

TEST_F(Run, OutOfMemoryIsAnErrorAndLeaksNothing) {
  Argument x(loaded.device, TENSORC_RT_I32, {4096}, iota(4096, 0));
  uint64_t before = allocated();
  // From too little for anything to enough: every allocation fails once.
  bool worked = false;
  for (uint64_t extra = 0; extra < 65536 && !worked; extra += 1024) {
    tensorc_rt_device_set_memory_limit(loaded.device, before + extra);
    {
      Outputs out(1);
      std::string message = run(loaded.entry(), {x.arg}, out);
      worked = message.empty();
      if (!worked) {
        EXPECT_NE(message.find("limit"), std::string::npos) << message;
        EXPECT_EQ(out.list[0].buffer, nullptr);
      }
    }
    EXPECT_EQ(allocated(), before);
  }
  EXPECT_TRUE(worked);
}

TEST_F(Run, StreamsRunInOrder) {
  tensorc_rt_stream *stream = nullptr;
  ASSERT_EQ(take(tensorc_rt_stream_create(loaded.device, &stream)), "");
  uint64_t before = allocated();
  {
    Argument x(loaded.device, TENSORC_RT_I32, {5000}, iota(5000, 0));
    Outputs first(1), second(1);
    ASSERT_EQ(run(loaded.entry(), {x.arg}, first, stream), "");
    // Feeds a result that is not there yet; drops it at once.
    tensorc_rt_arg next = {first.list[0].buffer, 0, first.list[0].dims,
                           first.list[0].rank, first.list[0].dtype};
    ASSERT_EQ(run(loaded.entry(), {next}, second, stream), "");
    tensorc_rt_buffer_release(first.list[0].buffer);
    first.list[0].buffer = nullptr;
    ASSERT_EQ(take(tensorc_rt_stream_synchronize(stream)), "");
    EXPECT_EQ(valuesOf<int32_t>(second.list[0]), iota(5000, 4));
  }
  EXPECT_EQ(allocated(), before);
  tensorc_rt_stream_release(stream);
}

TEST_F(Run, ManyThreadsRunOneEntry) {
  tensorc_rt_set_num_threads(2);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i) {
        Argument x(loaded.device, TENSORC_RT_I32, {300}, iota(300, t));
        Outputs out(1);
        EXPECT_EQ(run(loaded.entry(), {x.arg}, out), "");
        EXPECT_EQ(valuesOf<int32_t>(out.list[0]), iota(300, t + 2));
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}

TEST_F(Run, TheHookSeesLaunches) {
  std::vector<std::string> seen;
  tensorc_rt_set_launch_hook(
      [](void *user, const tensorc_rt_launch_record *record) {
        EXPECT_GT(record->begin_ns, 0);
        EXPECT_GE(record->end_ns, record->begin_ns);
        EXPECT_GT(record->cpu_ns, 0);
        EXPECT_LT(record->cpu_ns, 1'000'000'000);
        EXPECT_EQ(record->extent, 100);
        EXPECT_EQ(record->grain, 16);
        EXPECT_STREQ(record->device, "cpu:0");
        static_cast<std::vector<std::string> *>(user)->push_back(
            record->kernel);
      },
      &seen);
  tensorc_rt_run_stats before, after;
  tensorc_rt_device_run_stats(loaded.device, &before);
  Argument x(loaded.device, TENSORC_RT_I32, {100}, iota(100, 0));
  Outputs out(1);
  ASSERT_EQ(run(loaded.entry(), {x.arg}, out), "");
  EXPECT_EQ(seen,
            (std::vector<std::string>{"through_scratch", "through_scratch"}));
  tensorc_rt_device_run_stats(loaded.device, &after);
  EXPECT_EQ(after.runs, before.runs + 1);
  EXPECT_EQ(after.launches, before.launches + 2);
}

TEST_F(Run, ImagesOfOneNameDoNotMix) {
  // The system's loader compares names of files: a second image must not be
  // taken for the first, even when the first is gone.
  std::set<const void *> entries;
  for (int i = 0; i < 300; ++i) {
    Loaded again(packageOf(addTwice));
    Argument x(again.device, TENSORC_RT_I32, {20}, iota(20, i));
    Outputs out(1);
    ASSERT_EQ(run(again.entry(), {x.arg}, out), "");
    ASSERT_EQ(valuesOf<int32_t>(out.list[0]), iota(20, i + 2));
  }
}
