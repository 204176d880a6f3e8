//===- ThreadsTest.cpp - parallel_for for compiled objects ----------------===//
#include "tensorc/runtime.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <gtest/gtest.h>
#include <stdexcept>
#include <thread>
#include <vector>

namespace {
/// Counts how often each item is done, and which slots are in use at once.
struct Counts {
  explicit Counts(int64_t extent) : items(static_cast<size_t>(extent)) {}
  std::vector<std::atomic<int>> items;
  std::atomic<int> busy[64] = {};
  std::atomic<int> clashes{0}, misaligned{0};
  int64_t grain = 1;
  int32_t slots = 0;

  static void body(void *context, int64_t begin, int64_t end, int32_t slot) {
    auto &counts = *static_cast<Counts *>(context);
    if (slot < 0 || slot >= counts.slots || counts.busy[slot]++)
      ++counts.clashes;
    if (begin % counts.grain)
      ++counts.misaligned;
    for (int64_t i = begin; i < end; ++i)
      ++counts.items[static_cast<size_t>(i)];
    --counts.busy[slot];
  }
};

class ParallelFor : public testing::Test {
protected:
  void TearDown() override {
    tensorc_rt_set_num_threads(0);
    tensorc_rt_set_parallel_for(nullptr, nullptr);
  }
  static void check(int64_t extent, int64_t grain, int32_t slots) {
    Counts counts(extent);
    counts.grain = grain;
    counts.slots = slots;
    tensorc_rt_parallel_for(extent, grain, slots, Counts::body, &counts);
    EXPECT_EQ(counts.clashes, 0);
    EXPECT_EQ(counts.misaligned, 0);
    EXPECT_TRUE(std::all_of(counts.items.begin(), counts.items.end(),
                            [](const std::atomic<int> &n) { return n == 1; }))
        << extent << " items, grain " << grain << ", " << slots << " slots";
  }
};
} // namespace

TEST_F(ParallelFor, DoesEachItemOnce) {
  for (int32_t threads : {1, 2, 5}) {
    tensorc_rt_set_num_threads(threads);
    for (int64_t extent : {1, 7, 64, 1000, 12345})
      for (int64_t grain : {1, 3, 64, 100000})
        for (int32_t slots : {1, 2, 8})
          check(extent, grain, slots);
  }
}

TEST_F(ParallelFor, DoesNothingForNothing) {
  Counts counts(1);
  counts.slots = 1;
  tensorc_rt_parallel_for(0, 1, 1, Counts::body, &counts);
  tensorc_rt_parallel_for(-5, 1, 1, Counts::body, &counts);
  tensorc_rt_parallel_for(1, 1, 1, nullptr, &counts);
  EXPECT_EQ(counts.items[0], 0);
  // A grain or a number of slots below one counts as one.
  tensorc_rt_parallel_for(1, 0, 0, Counts::body, &counts);
  EXPECT_EQ(counts.items[0], 1);
}

TEST_F(ParallelFor, OneGrainStaysOnTheCaller) {
  tensorc_rt_set_num_threads(4);
  struct Parts {
    std::thread::id caller = std::this_thread::get_id();
    int64_t count = 0;
  } parts;
  for (int64_t extent : {1, 63, 64}) {
    parts.count = 0;
    tensorc_rt_parallel_for(
        extent, 64, 4,
        [](void *context, int64_t, int64_t, int32_t slot) {
          auto &parts = *static_cast<Parts *>(context);
          EXPECT_EQ(std::this_thread::get_id(), parts.caller);
          EXPECT_EQ(slot, 0);
          ++parts.count;
        },
        &parts);
    EXPECT_EQ(parts.count, 1) << extent;
  }
}

// Each of two callers is inside its range only when the other is, too.
TEST_F(ParallelFor, CallersDoNotWaitForEachOther) {
  tensorc_rt_set_num_threads(4);
  struct Meeting {
    std::atomic<int> inside[2] = {};
    std::atomic<int> missed{0};
  } meeting;
  struct Caller {
    Meeting &meeting;
    int self;
  };
  auto meet = [](void *context, int64_t, int64_t, int32_t) {
    auto &[meeting, self] = *static_cast<Caller *>(context);
    ++meeting.inside[self];
    auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(3600);
    while (!meeting.inside[1 - self]) {
      if (std::chrono::steady_clock::now() > limit) {
        ++meeting.missed;
        break;
      }
      std::this_thread::yield();
    }
  };
  for (int64_t extent : {1, 2}) {
    meeting.inside[0] = meeting.inside[1] = 0;
    Caller callers[] = {{meeting, 0}, {meeting, 1}};
    std::thread other(
        [&] { tensorc_rt_parallel_for(extent, 1, 2, meet, &callers[1]); });
    tensorc_rt_parallel_for(extent, 1, 2, meet, &callers[0]);
    other.join();
    EXPECT_EQ(meeting.missed, 0) << extent;
  }
}

TEST_F(ParallelFor, HugeExtentsDoNotOverflow) {
  tensorc_rt_set_num_threads(3);
  std::atomic<int64_t> sum{0};
  tensorc_rt_parallel_for(
      INT64_MAX, INT64_MAX / 2, 3,
      [](void *context, int64_t begin, int64_t end, int32_t) {
        *static_cast<std::atomic<int64_t> *>(context) += end - begin;
      },
      &sum);
  EXPECT_EQ(sum, INT64_MAX);
}

// Threads of larger machines than this one: blocks are taken in order, each by
// the thread that is free first.
TEST_F(ParallelFor, SharesWorkEvenlyAmongManyThreads) {
  // The caller does all blocks, so they are seen in their order.
  tensorc_rt_set_parallel_for(
      [](void *, int64_t, void (*)(void *, int64_t), void *) {}, nullptr);
  for (int32_t threads : {2, 3, 16, 28, 64, 96, 128}) {
    tensorc_rt_set_num_threads(threads);
    for (int64_t grains : {2, 3, 5, 17, 40, 65, 130, 200, 257, 511, 1000, 1411,
                           2049, 4099, 8256, 20011, 100000, 1048577})
      for (int64_t grain : {1, 7, 4096}) {
        std::vector<int64_t> blocks;
        int64_t extent = grains * grain - grain / 2;
        tensorc_rt_parallel_for(
            extent, grain, threads,
            [](void *context, int64_t begin, int64_t end, int32_t) {
              static_cast<std::vector<int64_t> *>(context)->push_back(end -
                                                                      begin);
            },
            &blocks);
        std::vector<int64_t> work(static_cast<size_t>(threads));
        for (int64_t block : blocks)
          *std::min_element(work.begin(), work.end()) += block;
        int64_t most = *std::max_element(work.begin(), work.end());
        // With whole grains no split is better than this one.
        int64_t least = ((grains - 1) / threads + 1) * grain;
        EXPECT_LE(static_cast<double>(most),
                  1.07 * static_cast<double>(least) + 0.5)
            << grains << " grains of " << grain << ", " << threads
            << " threads";
        if (grains >= 16 * threads) {
          EXPECT_LE(most * threads, extent * 11 / 10)
              << grains << " grains of " << grain << ", " << threads
              << " threads";
          EXPECT_LE(blocks.size(), static_cast<size_t>(64 * threads));
        }
      }
  }
}

TEST_F(ParallelFor, Nests) {
  tensorc_rt_set_num_threads(3);
  std::atomic<int> inner{0};
  tensorc_rt_parallel_for(
      20, 1, 3,
      [](void *context, int64_t begin, int64_t end, int32_t) {
        for (int64_t i = begin; i < end; ++i)
          tensorc_rt_parallel_for(
              10, 1, 3,
              [](void *context, int64_t begin, int64_t end, int32_t) {
                *static_cast<std::atomic<int> *>(context) +=
                    static_cast<int>(end - begin);
              },
              context);
      },
      &inner);
  EXPECT_EQ(inner, 200);
}

TEST_F(ParallelFor, DoesWhatTheEmbedderLeaves) {
  tensorc_rt_set_num_threads(4);
  tensorc_rt_set_parallel_for(
      [](void *, int64_t, void (*)(void *, int64_t), void *) {}, nullptr);
  check(1000, 1, 4);
  tensorc_rt_set_parallel_for(
      [](void *, int64_t, void (*task)(void *, int64_t), void *context) {
        task(context, 1);
        throw std::runtime_error("no threads");
      },
      nullptr);
  check(1000, 1, 4);
}

TEST_F(ParallelFor, AVariableThatIsNoNumberIsSaidOnce) {
  const char *former = std::getenv("TENSORC_NUM_THREADS");
  std::string restored = former ? former : "";
  auto countWith = [](const char *text) {
    setenv("TENSORC_NUM_THREADS", text, 1);
    tensorc_rt_set_num_threads(0);
    return tensorc_rt_num_threads();
  };
  int32_t usual = countWith("");
  testing::internal::CaptureStderr();
  EXPECT_EQ(countWith("7"), 7);
  EXPECT_EQ(countWith("4096"), 4096);
  for (const char *text : {"abc", "0", "-3", "4097", "3x", "99999999999999999"})
    EXPECT_EQ(countWith(text), usual) << text;
  EXPECT_EQ(
      testing::internal::GetCapturedStderr(),
      "tensorc: TENSORC_NUM_THREADS=abc is ignored: it is not a number from "
      "1 to 4096\n");
  setenv("TENSORC_NUM_THREADS", restored.c_str(), 1);
}
