//===- CommunicatorGroupTest.cpp - conformance: groups, programs ----------===//
#include "runtime/cts/Ranks.h"

#include <latch>
#include <memory>

using namespace tensorc::rt;
using namespace tensorc::rt::cts;

TEST_P(Communicators, WorkInGroups) {
  // Groups of the ranks 0 and 2, and 3 and 1. The order within a group is the
  // order of the list.
  static constexpr int32_t groups[] = {0, 2, 3, 1};
  static constexpr int32_t places[] = {0, 1, 1, 0}, partners[] = {2, 3, 0, 1};
  onEachRank([&](Rank &rank) {
    auto with = [&](tensorc_rt_collective_kind kind, int64_t count) {
      tensorc_rt_collective c = collectiveOf(kind, TENSORC_RT_I32, count);
      c.groups = {groups, 2};
      return c;
    };
    int32_t place = places[rank.rank], partner = partners[rank.rank];
    int32_t first = place ? partner : rank.rank,
            last = place ? rank.rank : partner;
    for (int64_t count : {3, 6000}) {
      size_t one = static_cast<size_t>(count);
      using Numbers = std::vector<int32_t>;
      Numbers own(one, rank.rank), both(one, first);
      both.insert(both.end(), one, last);
      EXPECT_EQ(rank.apply(with(TENSORC_RT_ALL_REDUCE, count), own, one),
                Numbers(one, first + last));
      EXPECT_EQ(rank.apply(with(TENSORC_RT_ALL_GATHER, count), own, 2 * one),
                both);
      EXPECT_EQ(rank.apply(with(TENSORC_RT_ALL_TO_ALL, count),
                           Numbers(2 * one, rank.rank), 2 * one),
                both);
      EXPECT_EQ(rank.apply(with(TENSORC_RT_REDUCE_SCATTER, count), both, one),
                Numbers(one, 2 * (place ? last : first)));
      tensorc_rt_collective broadcast = with(TENSORC_RT_BROADCAST, count);
      broadcast.root = 1;
      EXPECT_EQ(rank.apply(broadcast, own, one), Numbers(one, last));
    }
    EXPECT_EQ(rank.run(with(TENSORC_RT_BARRIER, 0)), "");
    EXPECT_EQ(rank.run(collectiveOf(TENSORC_RT_BARRIER, TENSORC_RT_NONE, 0)),
              "");
  });
}

TEST_P(Communicators, RefuseGroupsThatAreNone) {
  onEachRank([&](Rank &rank) {
    static constexpr int32_t twice[] = {0, 1, 1, 3}, all[] = {0, 1, 2, 3};
    auto message = [&](const int32_t *groups, int32_t size,
                       tensorc_rt_collective_kind kind) {
      tensorc_rt_collective c = collectiveOf(kind, TENSORC_RT_F32, 4);
      c.groups = {groups, size};
      return take(tensorc_rt_communicate(rank.communicator, &c, rank.stream));
    };
    EXPECT_EQ(message(twice, 2, TENSORC_RT_ALL_REDUCE),
              "all_reduce: groups of 2 do not divide the 4 ranks");
    EXPECT_EQ(message(all, 3, TENSORC_RT_ALL_GATHER),
              "all_gather: groups of 3 do not divide the 4 ranks");
    EXPECT_EQ(message(all, 0, TENSORC_RT_BARRIER),
              "barrier: groups of 0 do not divide the 4 ranks");
    EXPECT_EQ(message(all, 2, TENSORC_RT_PERMUTE),
              "permute: it has pairs, not groups");
  });
}

TEST_P(Communicators, NameTheRankOfAnotherGroup) {
  if (!isLocal())
    GTEST_SKIP() << "processes find out by the time limit";
  static constexpr int32_t pairs[] = {0, 1, 2, 3};
  std::latch answered(2); // a rank that ends early is an error by itself
  onEachRank([&](Rank &rank) {
    if (rank.rank > 1)
      return answered.wait();
    tensorc_rt_collective barrier =
        collectiveOf(TENSORC_RT_BARRIER, TENSORC_RT_NONE, 0);
    barrier.groups = {rank.rank == 1 ? nullptr : pairs, 2};
    std::string message = rank.run(barrier);
    answered.count_down();
    EXPECT_NE(message.find("barrier in groups 0, 1 | 2, 3"), std::string::npos)
        << message;
  });
}

/// Text of a program that calls a collective on its four numbers.
static std::string collectiveProgram(const char *target, const char *config) {
  TestPackage package;
  package.targets = {target};
  package.strings = {"collective", config};
  package.hasOutput = true;
  package.outputDims = {{4, "4"}};
  package.add(Op::Const, {0, 16, 0});
  package.add(Op::Alloc, {1, 0});
  package.add(Op::Const, {1, TENSORC_RT_F32 | 1 << 8, 0}); // a dtype and a rank
  package.add(Op::Const, {2, 4, 0});
  package.add(Op::CustomCall, {0, 1, 1, 1, 4, 0, 1, 1, 2, 1, 2});
  package.add(Op::Return, {1, 1, 1, 2});
  return package.bytes();
}

namespace {
/// A run of a program that calls a collective on four numbers.
class ProgramRun {
public:
  ProgramRun(Rank &rank, const char *config);
  ~ProgramRun();
  /// Starts the run with this communicator, with room for this number of
  /// outputs. Returns the error message.
  std::string begin(tensorc_rt_communicator *communicator,
                    int32_t numOutputs = 1);
  /// Waits for the run, and returns the error message or the output's numbers.
  std::string end(std::vector<float> &numbers);

private:
  Rank &rank;
  tensorc_rt_module *module = nullptr;
  tensorc_rt_buffer *input;
  tensorc_rt_output out = {};
};
} // namespace

ProgramRun::ProgramRun(Rank &rank, const char *config)
    : rank(rank),
      input(rank.upload(std::vector<float>(4, float(rank.rank + 1)))) {
  tensorc_rt_device_properties properties;
  tensorc_rt_device_get_properties(rank.device, &properties);
  std::string bytes = collectiveProgram(properties.target, config);
  EXPECT_EQ(
      take(tensorc_rt_load_bytes(rank.device, bytes.data(), bytes.size(),
                                 TENSORC_RT_COPY, nullptr, nullptr, &module)),
      "");
}

ProgramRun::~ProgramRun() {
  tensorc_rt_buffer_release(out.buffer);
  tensorc_rt_module_release(module);
}

std::string ProgramRun::begin(tensorc_rt_communicator *communicator,
                              int32_t numOutputs) {
  int64_t four = 4;
  tensorc_rt_arg arg = {input, 0, &four, 1, TENSORC_RT_F32};
  tensorc_rt_run_options options = {sizeof options, nullptr, 0, 0,
                                    communicator};
  return take(tensorc_rt_run_with(tensorc_rt_module_entry(module, 0), &arg, 1,
                                  &out, numOutputs, rank.stream, &options));
}

std::string ProgramRun::end(std::vector<float> &numbers) {
  // The stream reports errors of other ranks.
  std::string message = take(tensorc_rt_stream_synchronize(
      rank.stream ? rank.stream
                  : tensorc_rt_device_default_stream(rank.device)));
  if (message.empty())
    numbers = rank.download<float>(out.buffer);
  return message;
}

/// Runs the program with this communicator, without memory for its results if
/// `isPoor`, and with room for this number of outputs. Returns the error
/// message, or the output's numbers.
static std::string runProgram(Rank &rank, const char *config,
                              tensorc_rt_communicator *communicator,
                              std::vector<float> &numbers, bool isPoor = false,
                              int32_t numOutputs = 1) {
  ProgramRun run(rank, config);
  tensorc_rt_memory_stats stats = {};
  tensorc_rt_device_memory(rank.device, &stats);
  tensorc_rt_device_set_memory_limit(rank.device, isPoor ? stats.allocated : 0);
  std::string message = run.begin(communicator, numOutputs);
  tensorc_rt_device_set_memory_limit(rank.device, 0);
  return message.empty() ? run.end(numbers) : message;
}

TEST_P(Communicators, TellOthersWhenARunFails) {
  std::latch succeeded(numRanks);
  onEachRank([&](Rank &rank) {
    std::vector<float> numbers;
    EXPECT_EQ(
        runProgram(rank, "all_reduce sum ranks=4", rank.communicator, numbers),
        "");
    // An error also reaches ranks that still wait for an earlier collective.
    if (hasThreads())
      succeeded.arrive_and_wait();
    std::string message =
        runProgram(rank, "all_reduce sum ranks=4", rank.communicator, numbers,
                   /*isPoor=*/rank.rank == 2);
    EXPECT_NE(message.find("bytes that main allocates would pass the limit"),
              std::string::npos)
        << message;
    EXPECT_EQ(message.starts_with("rank 2: "), rank.rank != 2) << message;
  });
}

TEST_P(Communicators, TellOthersWhenARunDoesNotBegin) {
  onEachRank([&](Rank &rank) {
    std::vector<float> numbers;
    int32_t numOutputs = rank.rank == 1 ? 0 : 1;
    std::string message =
        runProgram(rank, "all_reduce sum ranks=4", rank.communicator, numbers,
                   /*isPoor=*/false, numOutputs);
    EXPECT_NE(message.find("main: room for 0 outputs, expected 1"),
              std::string::npos)
        << message;
    EXPECT_EQ(message.starts_with("rank 1: "), rank.rank != 1) << message;
  });
}

TEST_P(Communicators, TellOthersWhenOneRankRefusesACollective) {
  onEachRank([&](Rank &rank) {
    std::vector<float> numbers;
    // Only rank 3 has a program whose sizes do not fit together.
    std::string message = runProgram(
        rank, rank.rank == 3 ? "all_gather ranks=4" : "all_reduce sum ranks=4",
        rank.communicator, numbers);
    EXPECT_EQ(message,
              std::string(rank.rank == 3 ? "" : "rank 3: ") +
                  "all_gather: the sizes of input and output do not belong "
                  "together");
  });
}

/// Runs a program whose collective combines several sums.
static std::vector<float> combinedSums(Rank &rank, const char *parts) {
  std::vector<float> numbers;
  std::string config = std::string("all_reduce sum ranks=4 parts=") + parts;
  EXPECT_EQ(runProgram(rank, config.c_str(), rank.communicator, numbers), "");
  return numbers;
}

TEST_P(Communicators, PerformCombinedCallsOneByOneIfAnotherRankDoes) {
  onEachRank([&](Rank &rank) {
    std::vector<float> tens(4, 10);
    EXPECT_EQ(combinedSums(rank, "0,1,1,2,3,1"), tens);
    tensorc_rt_communicator_counters counters = {};
    tensorc_rt_communicator_get_counters(rank.communicator, &counters);
    EXPECT_EQ(counters.collectives, 1u);
    // One rank makes its three calls one by one.
    if (rank.rank == 2)
      for (size_t count : {1, 2, 1}) {
        std::vector<float> three(count, 3);
        EXPECT_EQ(rank.apply(collectiveOf(TENSORC_RT_ALL_REDUCE, TENSORC_RT_F32,
                                          int64_t(count)),
                             three, count),
                  std::vector<float>(count, 10));
      }
    else
      EXPECT_EQ(combinedSums(rank, "0,1,1,2,3,1"), tens);
    // Two combine the first two calls, and two the last ones.
    std::vector<float> own = {float(rank.rank + 1)};
    auto single = [&] {
      return rank.apply(collectiveOf(TENSORC_RT_ALL_REDUCE, TENSORC_RT_F32, 1),
                        own, 1);
    };
    if (rank.rank % 2)
      EXPECT_EQ(single(), std::vector<float>(1, 10));
    // The second element is padding.
    std::vector<float> two = combinedSums(rank, "0,1,3,1");
    EXPECT_EQ(two[0], 10);
    EXPECT_EQ(two[3], 10);
    if (rank.rank % 2 == 0)
      EXPECT_EQ(single(), std::vector<float>(1, 10));
    // The numbers of later calls fit together.
    EXPECT_EQ(combinedSums(rank, "0,2,2,2"), tens);
    EXPECT_EQ(single(), std::vector<float>(1, 10));
  });
}

TEST_P(Communicators, RunProgramsOfAllRanksOnOneThread) {
  if (!hasThreads() || !hasStreams())
    GTEST_SKIP() << "needs created streams of all ranks in one process";
  std::vector<Rank *> ranks(numRanks);
  std::latch ready(numRanks), done(1);
  auto runAll = [&] {
    std::vector<std::unique_ptr<ProgramRun>> runs;
    for (Rank *rank : ranks)
      for (const char *parts : {"0,1,1,2,3,1", "0,2,2,2"}) {
        std::string config =
            std::string("all_reduce sum ranks=4 parts=") + parts;
        runs.push_back(std::make_unique<ProgramRun>(*rank, config.c_str()));
      }
    // Both runs of a rank begin before those of the next rank.
    for (size_t i = 0; i < runs.size(); ++i)
      EXPECT_EQ(runs[i]->begin(ranks[i / 2]->communicator), "");
    for (const std::unique_ptr<ProgramRun> &run : runs) {
      std::vector<float> numbers;
      EXPECT_EQ(run->end(numbers), "");
      EXPECT_EQ(numbers, std::vector<float>(4, 10));
    }
  };
  onEachRank([&](Rank &rank) {
    rank.setTimeout(20000);
    ranks[size_t(rank.rank)] = &rank;
    ready.arrive_and_wait();
    if (rank.rank == 0) {
      runAll();
      done.count_down();
    }
    done.wait();
  });
}

TEST_P(Communicators, RefuseBucketsOfEarlierVersions) {
  onEachRank([&](Rank &rank) {
    tensorc_rt_device_properties properties;
    tensorc_rt_device_get_properties(rank.device, &properties);
    std::string bytes = collectiveProgram(properties.target,
                                          "all_reduce sum ranks=4 calls=2,3");
    tensorc_rt_module *module = nullptr;
    EXPECT_EQ(
        take(tensorc_rt_load_bytes(rank.device, bytes.data(), bytes.size(),
                                   TENSORC_RT_COPY, nullptr, nullptr, &module)),
        "package: it was saved by a version whose buckets differ; compile it "
        "again");
    EXPECT_EQ(module, nullptr);
  });
}

TEST_P(Communicators, NameTheFirstCallThatDiffersFromACombinedOne) {
  onEachRank([&](Rank &rank) {
    rank.setTimeout(20000);
    std::vector<float> numbers;
    const char *config = rank.rank == 1
                             ? "all_reduce sum ranks=4 parts=0,1,1,3"
                             : "all_reduce sum ranks=4 parts=0,1,1,2,3,1";
    std::string message = runProgram(rank, config, rank.communicator, numbers);
    EXPECT_NE(message.find("rank 1 calls all_reduce sum of 3 f32, rank 0 calls "
                           "all_reduce sum of 2 f32"),
              std::string::npos)
        << message;
    // The run and the stream report the error.
    take(tensorc_rt_stream_synchronize(
        rank.stream ? rank.stream
                    : tensorc_rt_device_default_stream(rank.device)));
  });
}

TEST_P(Communicators, ServePrograms) {
  onEachRank([&](Rank &rank) {
    std::vector<float> numbers;
    auto run = [&](const char *config) {
      return runProgram(rank, config, rank.communicator, numbers);
    };
    EXPECT_EQ(run("all_reduce sum ranks=4"), "");
    EXPECT_EQ(numbers, std::vector<float>(4, 10));
    EXPECT_EQ(run("broadcast root=2 ranks=4"), "");
    EXPECT_EQ(numbers, std::vector<float>(4, 3));
    EXPECT_EQ(run("permute 1>0 ranks=4"), "");
    EXPECT_EQ(numbers, std::vector<float>(4, rank.rank ? 0 : 2));
    EXPECT_EQ(run("all_reduce sum ranks=2 groups=0,2,1,3"), "");
    EXPECT_EQ(numbers, std::vector<float>(4, rank.rank % 2 ? 6 : 4));
    EXPECT_EQ(run("all_reduce sum ranks=2 groups=0,1"),
              "all_reduce: the program is for 2 ranks, the communicator has 4");
    EXPECT_EQ(run("all_reduce sum ranks=2 groups=0,,1"),
              "no collective is called 'all_reduce sum ranks=2 groups=0,,1'");
    EXPECT_EQ(run("all_reduce sum ranks=4 parts=0:4"),
              "no collective is called 'all_reduce sum ranks=4 parts=0:4'");
    EXPECT_EQ(run("all_reduce sum ranks=2"),
              "all_reduce: the program is for 2 ranks, the communicator has 4");
    EXPECT_EQ(run("all_reduce sum"),
              "no collective is called 'all_reduce sum'");
    // Alone.
    for (const char *bad :
         {"0,1", "0,1,1,2", "1,3", "0,2,1,3", "0,0,0,4", "0,5", "0", "0,4,4",
          "0,2,2,-2,2,2", "0,1,2147483647,2147483647"})
      EXPECT_EQ(
          runProgram(
              rank,
              (std::string("all_reduce sum ranks=1 parts=") + bad).c_str(),
              nullptr, numbers),
          "all_reduce: its parts do not fit its size")
          << bad;
    EXPECT_EQ(runProgram(rank, "all_reduce sum ranks=1", nullptr, numbers), "");
    EXPECT_EQ(numbers, std::vector<float>(4, float(rank.rank + 1)));
    EXPECT_EQ(runProgram(rank, "permute ranks=1", nullptr, numbers), "");
    EXPECT_EQ(numbers, std::vector<float>(4, 0));
    EXPECT_EQ(runProgram(rank, "all_reduce sum ranks=4", nullptr, numbers),
              "all_reduce: the program is for 4 ranks, and the run has no "
              "communicator (tensorc_rt_run_options)");
  });
}
