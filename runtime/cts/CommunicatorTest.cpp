//===- CommunicatorTest.cpp - conformance: collectives --------------------===//
#include "runtime/cts/Ranks.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <limits>
#include <sstream>
#include <thread>

using namespace tensorc::rt;
using namespace tensorc::rt::cts;

/// Numbers of elements below and above the thresholds at which implementations
/// switch algorithms, and some that are not multiples of the number of ranks.
static constexpr int64_t counts[] = {0, 1, 5, 1000, 5003};

/// Returns the number from which an element of a rank's input is made.
static int64_t numberAt(int32_t rank, int64_t index) {
  return (index * 7 + rank * 13) % 31 - 11;
}

namespace {
/// A dtype's elements and how the suite converts them.
template <typename T> struct Format {
  using Stored = T;
  using Wide = T;
  static Wide load(T value) { return value; }
  static T store(Wide value) { return value; }
};
struct Half {
  using Stored = uint16_t;
  using Wide = float;
  static Wide load(uint16_t bits) { return std::bit_cast<_Float16>(bits); }
  static uint16_t store(Wide value) {
    return std::bit_cast<uint16_t>(static_cast<_Float16>(value));
  }
};
struct BFloat {
  using Stored = uint16_t;
  using Wide = float;
  static Wide load(uint16_t bits) {
    return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
  }
  static uint16_t store(Wide value) {
    // Rounds to the nearest of the two neighbours, and ties to the even one.
    uint32_t bits = std::bit_cast<uint32_t>(value);
    uint32_t below = bits >> 16, rest = bits & 0xffff;
    bool up = rest > 0x8000 || (rest == 0x8000 && below % 2);
    return static_cast<uint16_t>(below + up);
  }
};
} // namespace

template <typename T> static T combined(tensorc_rt_combiner by, T a, T b) {
  switch (by) {
  case TENSORC_RT_SUM:
    return static_cast<T>(a + b);
  case TENSORC_RT_PRODUCT:
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(uint64_t(a) * uint64_t(b));
    else
      return a * b;
  default:
    break;
  }
  if constexpr (!std::is_same_v<T, std::complex<float>> &&
                !std::is_same_v<T, std::complex<double>>) {
    if (by == TENSORC_RT_MIN)
      return std::min(a, b);
    if (by == TENSORC_RT_MAX)
      return std::max(a, b);
  }
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(by == TENSORC_RT_AND ? a & b : a | b);
  return a;
}

template <typename F>
static std::vector<typename F::Stored> inputOf(int32_t rank, int64_t count,
                                               bool isBool) {
  std::vector<typename F::Stored> values(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) {
    int64_t number = numberAt(rank, i);
    // Divides by 3, so that float sums depend on the order of the additions.
    using Wide = typename F::Wide;
    if constexpr (std::is_integral_v<Wide>)
      values[i] = F::store(static_cast<Wide>(isBool ? number & 1 : number));
    else
      values[i] = F::store(static_cast<Wide>(float(number) / 3));
  }
  return values;
}

/// Compares the results of all_reduce and reduce_scatter with those of a loop
/// over the ranks.
template <typename F>
static void checkReductions(Rank &rank, tensorc_rt_dtype dtype,
                            std::vector<tensorc_rt_combiner> combiners) {
  using Stored = typename F::Stored;
  for (tensorc_rt_combiner combiner : combiners)
    for (int64_t count : counts) {
      // Inputs with one piece for each rank; all_reduce reduces all pieces.
      int64_t all = count * rank.size;
      std::vector<Stored> expected = inputOf<F>(0, all, dtype == TENSORC_RT_I1);
      std::vector<typename F::Wide> sums(expected.size());
      std::transform(expected.begin(), expected.end(), sums.begin(), F::load);
      for (int32_t r = 1; r < rank.size; ++r) {
        std::vector<Stored> input = inputOf<F>(r, all, dtype == TENSORC_RT_I1);
        for (size_t i = 0; i < sums.size(); ++i)
          sums[i] = combined(combiner, sums[i], F::load(input[i]));
      }
      std::transform(sums.begin(), sums.end(), expected.begin(), F::store);
      std::vector<Stored> own =
          inputOf<F>(rank.rank, all, dtype == TENSORC_RT_I1);
      tensorc_rt_collective reduce =
          collectiveOf(TENSORC_RT_ALL_REDUCE, dtype, all);
      reduce.combiner = combiner;
      EXPECT_EQ(rank.apply(reduce, own, own.size()), expected)
          << tensorc_rt_dtype_name(dtype) << " by " << combiner << " of "
          << all;
      reduce.kind = TENSORC_RT_REDUCE_SCATTER;
      reduce.count = count;
      auto from = expected.begin() + rank.rank * count;
      EXPECT_EQ(rank.apply(reduce, own, static_cast<size_t>(count)),
                std::vector<Stored>(from, from + count))
          << tensorc_rt_dtype_name(dtype) << " by " << combiner << " of "
          << count;
    }
}

static const std::vector<tensorc_rt_combiner> arithmetic = {
    TENSORC_RT_SUM, TENSORC_RT_PRODUCT, TENSORC_RT_MIN, TENSORC_RT_MAX};
static const std::vector<tensorc_rt_combiner> ofIntegers = {
    TENSORC_RT_SUM, TENSORC_RT_PRODUCT, TENSORC_RT_MIN,
    TENSORC_RT_MAX, TENSORC_RT_AND,     TENSORC_RT_OR};

TEST_P(Communicators, KnowTheirRanks) {
  std::vector<int> seen(numRanks);
  onEachRank([&](Rank &rank) {
    ASSERT_EQ(rank.size, numRanks);
    ASSERT_LT(rank.rank, numRanks);
    EXPECT_EQ(tensorc_rt_communicator_backend(rank.communicator), backend());
    ++seen[rank.rank];
  });
  if (hasThreads())
    EXPECT_EQ(seen, std::vector<int>(numRanks, 1));
}

TEST_P(Communicators, ReduceIntegers) {
  onEachRank([&](Rank &rank) {
    checkReductions<Format<int8_t>>(rank, TENSORC_RT_I8, ofIntegers);
    checkReductions<Format<uint16_t>>(rank, TENSORC_RT_UI16, ofIntegers);
    checkReductions<Format<int32_t>>(rank, TENSORC_RT_I32, ofIntegers);
    checkReductions<Format<uint64_t>>(rank, TENSORC_RT_UI64, ofIntegers);
    checkReductions<Format<uint8_t>>(
        rank, TENSORC_RT_I1,
        {TENSORC_RT_MIN, TENSORC_RT_MAX, TENSORC_RT_AND, TENSORC_RT_OR});
  });
}

TEST_P(Communicators, ReduceFloatsInTheOrderOfTheRanks) {
  onEachRank([&](Rank &rank) {
    checkReductions<Format<float>>(rank, TENSORC_RT_F32, arithmetic);
    checkReductions<Format<double>>(rank, TENSORC_RT_F64, arithmetic);
    checkReductions<Half>(rank, TENSORC_RT_F16, arithmetic);
    checkReductions<BFloat>(rank, TENSORC_RT_BF16, arithmetic);
    checkReductions<Format<std::complex<float>>>(rank, TENSORC_RT_C64,
                                                 {TENSORC_RT_SUM});
    checkReductions<Format<std::complex<double>>>(
        rank, TENSORC_RT_C128, {TENSORC_RT_SUM, TENSORC_RT_PRODUCT});
  });
}

TEST_P(Communicators, ExtremesPropagateNanAndOrderZeros) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  onEachRank([&](Rank &rank) {
    // Elements with a NaN on rank 1, zeros of both signs, and infinities.
    std::vector<float> own = {rank.rank == 1 ? nan : 1.0f,
                              rank.rank == 2 ? -0.0f : 0.0f,
                              rank.rank == 3 ? -INFINITY : INFINITY};
    auto of = [&](tensorc_rt_combiner combiner) {
      tensorc_rt_collective reduce =
          collectiveOf(TENSORC_RT_ALL_REDUCE, TENSORC_RT_F32, 3);
      reduce.combiner = combiner;
      return rank.apply(reduce, own, 3);
    };
    std::vector<float> min = of(TENSORC_RT_MIN), max = of(TENSORC_RT_MAX);
    EXPECT_TRUE(std::isnan(min[0]) && std::isnan(max[0]));
    EXPECT_TRUE(std::signbit(min[1]) && !std::signbit(max[1]));
    EXPECT_EQ(min[2], -INFINITY);
    EXPECT_EQ(max[2], INFINITY);
  });
}

TEST_P(Communicators, RoundHalvesAtTheirLimits) {
  onEachRank([&](Rank &rank) {
    // Terms whose sums round up to infinity, stay finite, are subnormal, or are
    // ties.
    const std::vector<uint16_t> of[2] = {{0x7bff, 0x7bff, 0x0001, 0x3c00},
                                         {0x4c00, 0x4b00, 0x0002, 0x1000}};
    const std::vector<uint16_t> none = {0, 0, 0, 0};
    tensorc_rt_collective reduce =
        collectiveOf(TENSORC_RT_ALL_REDUCE, TENSORC_RT_F16, 4);
    std::vector<uint16_t> sums =
        rank.apply(reduce, rank.rank < 2 ? of[rank.rank] : none, 4);
    EXPECT_EQ(sums, (std::vector<uint16_t>{0x7c00, 0x7bff, 0x0003, 0x3c00}));
  });
}

TEST_P(Communicators, MoveElements) {
  onEachRank([&](Rank &rank) {
    for (int64_t count : counts) {
      int32_t ranks = rank.size;
      auto ofRank = [&](int32_t r, int64_t n) {
        return inputOf<Format<int32_t>>(r, n, false);
      };
      std::vector<int32_t> gathered, exchanged;
      for (int32_t r = 0; r < ranks; ++r) {
        std::vector<int32_t> part = ofRank(r, count);
        gathered.insert(gathered.end(), part.begin(), part.end());
        part = ofRank(r, count * ranks);
        exchanged.insert(exchanged.end(), part.begin() + rank.rank * count,
                         part.begin() + (rank.rank + 1) * count);
      }
      size_t one = static_cast<size_t>(count), all = one * ranks;
      auto with = [&](tensorc_rt_collective_kind kind) {
        return collectiveOf(kind, TENSORC_RT_I32, count);
      };
      EXPECT_EQ(rank.apply(with(TENSORC_RT_ALL_GATHER),
                           ofRank(rank.rank, count), all),
                gathered);
      EXPECT_EQ(rank.apply(with(TENSORC_RT_ALL_TO_ALL),
                           ofRank(rank.rank, count * ranks), all),
                exchanged);
      for (int32_t root = 0; root < ranks; ++root) {
        tensorc_rt_collective broadcast = with(TENSORC_RT_BROADCAST);
        broadcast.root = root;
        EXPECT_EQ(rank.apply(broadcast, ofRank(rank.rank, count), one),
                  ofRank(root, count));
      }
      // Permutations: a ring, and a single pair, with which the other ranks get
      // zeros.
      std::vector<int32_t> ring;
      for (int32_t r = 0; r < ranks; ++r)
        ring.insert(ring.end(), {r, (r + 1) % ranks});
      tensorc_rt_collective permute = with(TENSORC_RT_PERMUTE);
      permute.pairs = ring.data();
      permute.pair_count = ranks;
      EXPECT_EQ(rank.apply(permute, ofRank(rank.rank, count), one),
                ofRank((rank.rank + ranks - 1) % ranks, count));
      permute.pair_count = 1;
      EXPECT_EQ(rank.apply(permute, ofRank(rank.rank, count), one),
                rank.rank == 1 ? ofRank(0, count)
                               : std::vector<int32_t>(one, 0));
    }
    EXPECT_EQ(rank.run(collectiveOf(TENSORC_RT_BARRIER, TENSORC_RT_NONE, 0)),
              "");
  });
}

TEST_P(Communicators, MoveStorageTypes) {
  onEachRank([&](Rank &rank) {
    std::vector<uint8_t> own = {static_cast<uint8_t>(rank.rank + 0x21), 0xf3};
    std::vector<uint8_t> expected;
    for (int32_t r = 0; r < rank.size; ++r)
      expected.insert(expected.end(), {static_cast<uint8_t>(r + 0x21), 0xf3});
    for (auto [dtype, count] : {std::pair(TENSORC_RT_I4, 4),
                                {TENSORC_RT_UI4, 4},
                                {TENSORC_RT_F8E4M3FN, 2},
                                {TENSORC_RT_F8E5M2, 2}}) {
      tensorc_rt_collective gather =
          collectiveOf(TENSORC_RT_ALL_GATHER, dtype, count);
      EXPECT_EQ(rank.apply(gather, own, own.size() * rank.size), expected);
    }
  });
}

TEST_P(Communicators, WorkInPlace) {
  onEachRank([&](Rank &rank) {
    for (int64_t count : {8, 6000}) {
      size_t one = static_cast<size_t>(count);
      tensorc_rt_collective reduce =
          collectiveOf(TENSORC_RT_ALL_REDUCE, TENSORC_RT_I32, count);
      reduce.input.buffer = reduce.output.buffer =
          rank.upload(std::vector<int32_t>(one, rank.rank + 1));
      EXPECT_EQ(rank.run(reduce), "");
      int32_t sum = rank.size * (rank.size + 1) / 2;
      EXPECT_EQ(rank.download<int32_t>(reduce.output.buffer),
                std::vector<int32_t>(one, sum));
      tensorc_rt_collective gather = reduce;
      gather.kind = TENSORC_RT_ALL_GATHER;
      gather.input.buffer = gather.output.buffer =
          rank.upload(std::vector<int32_t>(one * rank.size, rank.rank));
      gather.input.offset = one * rank.rank * 4;
      EXPECT_EQ(rank.run(gather), "");
      std::vector<int32_t> all = rank.download<int32_t>(gather.output.buffer);
      for (size_t i = 0; i < all.size(); ++i)
        ASSERT_EQ(all[i], static_cast<int32_t>(i / one));
    }
  });
}

/// Arrays that do not fit in caches, at addresses that are not multiples of a
/// cache line.
TEST_P(Communicators, ReduceLargeArrays) {
  constexpr int64_t count = (2 << 20) + 5;
  onEachRank([&](Rank &rank) {
    std::vector<int32_t> input(count + 1), expected(count + 1, -1);
    for (int64_t i = 0; i < count; ++i) {
      input[i + 1] = static_cast<int32_t>(i % 1000 + rank.rank);
      expected[i + 1] = static_cast<int32_t>(rank.size * (i % 1000) +
                                             rank.size * (rank.size - 1) / 2);
    }
    tensorc_rt_collective reduce =
        collectiveOf(TENSORC_RT_ALL_REDUCE, TENSORC_RT_I32, count);
    reduce.input = {rank.upload(input), sizeof(int32_t)};
    reduce.output = {rank.upload(std::vector<int32_t>(expected.size(), -1)),
                     sizeof(int32_t)};
    EXPECT_EQ(rank.run(reduce), "");
    EXPECT_TRUE(rank.download<int32_t>(reduce.output.buffer) == expected);
  });
}

TEST_P(Communicators, RefuseWhatNoRankCanDo) {
  onEachRank([&](Rank &rank) {
    auto refused = [&](tensorc_rt_collective_kind kind, tensorc_rt_dtype dtype,
                       auto change) {
      tensorc_rt_collective collective = collectiveOf(kind, dtype, 3);
      change(collective);
      return take(
          tensorc_rt_communicate(rank.communicator, &collective, rank.stream));
    };
    auto by = [](tensorc_rt_combiner combiner) {
      return [=](tensorc_rt_collective &c) { c.combiner = combiner; };
    };
    auto plain = [](tensorc_rt_collective &) {};
    constexpr auto reduce = TENSORC_RT_ALL_REDUCE;
    EXPECT_EQ(refused(reduce, TENSORC_RT_F8E5M2, plain),
              "all_reduce: no sum of f8E5M2");
    EXPECT_EQ(refused(reduce, TENSORC_RT_I1, plain),
              "all_reduce: no sum of i1");
    EXPECT_EQ(refused(reduce, TENSORC_RT_F32, by(TENSORC_RT_AND)),
              "all_reduce: no and of f32");
    EXPECT_EQ(
        refused(TENSORC_RT_REDUCE_SCATTER, TENSORC_RT_C64, by(TENSORC_RT_MAX)),
        "reduce_scatter: no max of c64");
    EXPECT_EQ(refused(TENSORC_RT_ALL_GATHER, TENSORC_RT_I4, plain),
              "all_gather: an odd number (3) of i4 elements, two of which are "
              "one byte");
    EXPECT_EQ(refused(TENSORC_RT_BROADCAST, TENSORC_RT_F32,
                      [](tensorc_rt_collective &c) { c.root = 4; }),
              "broadcast: root 4 is not one of the 4 ranks");
    static constexpr int32_t twice[] = {0, 1, 2, 1}, far[] = {0, 9};
    EXPECT_EQ(refused(TENSORC_RT_PERMUTE, TENSORC_RT_F32,
                      [](tensorc_rt_collective &c) {
                        c.pairs = twice;
                        c.pair_count = 2;
                      }),
              "permute: rank 1 is a target twice");
    EXPECT_EQ(refused(TENSORC_RT_PERMUTE, TENSORC_RT_F32,
                      [](tensorc_rt_collective &c) {
                        c.pairs = far;
                        c.pair_count = 1;
                        c.name = "app.py:3";
                      }),
              "app.py:3: permute: rank 9 of a pair is not one of the 4 ranks");
    EXPECT_NE(refused(reduce, TENSORC_RT_F32,
                      [](tensorc_rt_collective &c) { c.count = -1; }),
              "");
    EXPECT_NE(refused(reduce, TENSORC_RT_F32,
                      [](tensorc_rt_collective &c) { c.struct_size = 8; }),
              "");
    // The refused calls have not broken the communicator.
    EXPECT_EQ(rank.run(collectiveOf(TENSORC_RT_BARRIER, TENSORC_RT_NONE, 0)),
              "");
  });
}

TEST_P(Communicators, TellAllRanksOfBadBuffers) {
  onEachRank([&](Rank &rank) {
    tensorc_rt_collective reduce =
        collectiveOf(TENSORC_RT_ALL_REDUCE, TENSORC_RT_F32, 8);
    reduce.input.buffer = rank.allocate(rank.rank == 2 ? 16 : 32);
    reduce.output.buffer = rank.allocate(32);
    std::string message = rank.run(reduce);
    EXPECT_NE(message.find("32 bytes at 0 are outside the input buffer of 16"),
              std::string::npos)
        << message;
    if (rank.rank != 2)
      EXPECT_NE(message.find("rank 2: all_reduce"), std::string::npos);
  });
}

TEST_P(Communicators, RefuseOffsetsInsideOfElements) {
  onEachRank([&](Rank &rank) {
    tensorc_rt_collective reduce =
        collectiveOf(TENSORC_RT_ALL_REDUCE, TENSORC_RT_F32, 4);
    reduce.input.buffer = rank.allocate(32);
    reduce.output.buffer = rank.allocate(32);
    reduce.output.offset = 6;
    std::string message = rank.run(reduce);
    EXPECT_NE(message.find("all_reduce: the output buffer's offset 6 is not a "
                           "multiple of an element's 4 bytes"),
              std::string::npos)
        << message;
  });
}

TEST_P(Communicators, NameTheRankThatDisagrees) {
  onEachRank([&](Rank &rank) {
    auto other = [&](auto change) {
      tensorc_rt_collective collective =
          collectiveOf(TENSORC_RT_ALL_REDUCE, TENSORC_RT_F32, 4);
      collective.input.buffer = rank.allocate(64);
      collective.output.buffer = rank.allocate(64);
      if (rank.rank == 1)
        change(collective);
      return rank.run(collective);
    };
    EXPECT_EQ(other([](tensorc_rt_collective &c) { c.count = 5; }),
              "all_reduce: rank 1 calls all_reduce sum of 5 f32, rank 0 calls "
              "all_reduce sum of 4 f32");
  });
  // The error names the lines of both ranks.
  onEachRank([&](Rank &rank) {
    tensorc_rt_collective gather =
        collectiveOf(TENSORC_RT_ALL_GATHER, TENSORC_RT_F32, rank.rank ? 2 : 3);
    gather.name = rank.rank ? "step.py:9" : "step.py:7";
    gather.input.buffer = rank.allocate(16);
    gather.output.buffer = rank.allocate(64);
    EXPECT_EQ(rank.run(gather),
              "all_gather: rank 1 calls all_gather of 2 f32 (step.py:9), rank "
              "0 calls all_gather of 3 f32 (step.py:7)");
  });
  for (auto change :
       {+[](tensorc_rt_collective &c) { c.kind = TENSORC_RT_BROADCAST; },
        +[](tensorc_rt_collective &c) { c.dtype = TENSORC_RT_I32; },
        +[](tensorc_rt_collective &c) { c.combiner = TENSORC_RT_MAX; }})
    onEachRank([&](Rank &rank) {
      tensorc_rt_collective collective =
          collectiveOf(TENSORC_RT_ALL_REDUCE, TENSORC_RT_F32, 4);
      collective.input.buffer = rank.allocate(64);
      collective.output.buffer = rank.allocate(64);
      if (rank.rank == 1)
        change(collective);
      std::string message = rank.run(collective);
      EXPECT_NE(message.find("rank 1 calls"), std::string::npos) << message;
      // For good.
      EXPECT_EQ(rank.run(collectiveOf(TENSORC_RT_BARRIER, TENSORC_RT_NONE, 0)),
                message);
    });
}

TEST_P(Communicators, DoNotWaitForever) {
  onEachRank([&](Rank &rank) {
    tensorc_rt_collective barrier =
        collectiveOf(TENSORC_RT_BARRIER, TENSORC_RT_NONE, 0);
    EXPECT_EQ(rank.run(barrier), "");
    // Long enough for the other ranks to make the call on a busy machine.
    std::chrono::milliseconds limit(rank.rank == 2 ? 60000 : 1500);
    rank.setTimeout(limit.count());
    if (rank.rank == 2)
      std::this_thread::sleep_for(std::chrono::milliseconds(4000));
    auto begin = std::chrono::steady_clock::now();
    std::string message = rank.run(barrier);
    // The late rank does not wait for the others. If they had sent all that it
    // needs, it learns of the error in its next call.
    if (rank.rank == 2 && message.empty())
      message = rank.run(barrier);
    if (rank.rank == 2)
      EXPECT_LT(std::chrono::steady_clock::now() - begin, limit / 2);
    EXPECT_NE(message.find("barrier: rank 2 did not call it within 1500 ms"),
              std::string::npos)
        << message;
  });
}

TEST_P(Communicators, TellOthersWhenOneEnds) {
  if (backend() == "nccl")
    GTEST_SKIP() << "NCCL finds out by the time limit";
  onEachRank([&](Rank &rank) {
    if (rank.rank == 3)
      return rank.leave();
    std::string message =
        rank.run(collectiveOf(TENSORC_RT_BARRIER, TENSORC_RT_NONE, 0));
    EXPECT_EQ(message, "barrier: rank 3 has ended without calling it");
  });
}

TEST_P(Communicators, AbortEndsTheWaiting) {
  onEachRank([&](Rank &rank) {
    if (rank.rank == 0)
      tensorc_rt_communicator_abort(rank.communicator, "no more data");
    tensorc_rt_collective barrier =
        collectiveOf(TENSORC_RT_BARRIER, TENSORC_RT_NONE, 0);
    EXPECT_EQ(rank.run(barrier), "rank 0: no more data");
  });
}

TEST_P(Communicators, WorkAlone) {
  // Several collectives are in flight on two streams, in the order of the
  // calls.
  onEachRank([&](Rank &rank) {
    tensorc_rt_stream *streams[2] = {};
    for (tensorc_rt_stream *&stream : streams)
      ASSERT_EQ(take(tensorc_rt_stream_create(rank.device, &stream)), "");
    std::vector<tensorc_rt_buffer *> results;
    for (int32_t i = 0; i < 8; ++i) {
      tensorc_rt_collective reduce =
          collectiveOf(TENSORC_RT_ALL_REDUCE, TENSORC_RT_I32, 100);
      reduce.input.buffer = rank.upload(std::vector<int32_t>(100, i));
      reduce.output.buffer = rank.allocate(400);
      results.push_back(reduce.output.buffer);
      ASSERT_EQ(take(tensorc_rt_communicate(rank.communicator, &reduce,
                                            streams[i % 2])),
                "");
    }
    for (int32_t i = 0; i < 8; ++i)
      EXPECT_EQ(rank.download<int32_t>(results[i]),
                std::vector<int32_t>(100, i * rank.size));
    for (tensorc_rt_stream *stream : streams)
      tensorc_rt_stream_release(stream);
  });
}

/// TENSORC_TEST_COMMUNICATORS has a list, such as "nccl cuda,nccl streams
/// cuda".
static std::vector<std::string> communicators() {
  if (const char *list = secure_getenv("TENSORC_TEST_COMMUNICATORS")) {
    std::vector<std::string> names;
    std::istringstream text(list);
    for (std::string name; std::getline(text, name, ',');)
      names.push_back(name);
    return names;
  }
  // Under an MPI launcher, this process is one rank.
  if (secure_getenv("OMPI_COMM_WORLD_SIZE") || secure_getenv("PMI_SIZE"))
    return {"mpi cpu", "mpi streams cpu"};
  return {"local cpu", "local streams cpu", "local sim"};
}

static std::string
nameOfBackend(const testing::TestParamInfo<std::string> &info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Backends, Communicators,
                         testing::ValuesIn(communicators()), nameOfBackend);
