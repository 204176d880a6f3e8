//===- SpmdTest.cpp - tensorc/collectives.hpp -----------------------------===//
//
// The ranks are devices of this process: of the CPU, and simulated.
//
//===----------------------------------------------------------------------===//

#include "tensorc/checkpoint.hpp"
#include "tensorc/custom.hpp"
#include "tensorc/grad.hpp"
#include "tensorc/jit.hpp"
#include "tensorc/shard_map.hpp"
#include "tensorc/streams.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <future>

#include <unistd.h>

using namespace tensorc;

namespace {

const std::vector<std::vector<Device>> &places() {
  static const std::vector<std::vector<Device>> list = {
      {"cpu:0", "cpu:1", "cpu:2", "cpu:3"}, {"sim:0", "sim:1"}};
  return list;
}

std::vector<float> valuesOf(const Tensor &x) { return x.to_vector<float>(); }

TEST(Spmd, ReducesOverTheRanks) {
  for (const std::vector<Device> &devices : places()) {
    int ranks = static_cast<int>(devices.size());
    auto sums = spmd(devices, [](const Communicator &rank) {
      Tensor x = tensor({1.0f, 2.0f}) * static_cast<float>(rank.rank() + 1);
      return all_reduce(x) * 0.5;
    });
    float sum = static_cast<float>(ranks * (ranks + 1)) / 2;
    for (const Tensor &y : sums)
      EXPECT_EQ(valuesOf(y), (std::vector<float>{sum / 2, sum}));
  }
}

TEST(Spmd, MovesParts) {
  for (const std::vector<Device> &devices : places()) {
    int64_t ranks = static_cast<int64_t>(devices.size());
    auto results = spmd(devices, [&](const Communicator &) {
      Tensor id = astype(partition_id(), f32);
      Tensor x = broadcast_to(id, {2, ranks});
      return std::vector<Tensor>{all_gather(x, 1), all_to_all(x, 1, 0),
                                 reduce_scatter(x, Combiner::max, 1),
                                 collective_broadcast(x, 1),
                                 collective_permute(x, {0}, {1})};
    });
    for (int64_t r = 0; r < ranks; ++r) {
      const std::vector<Tensor> &of = results[r];
      EXPECT_EQ(of[0].shape(), Shape({2, ranks * ranks}));
      EXPECT_EQ(valuesOf(of[0])[ranks], 1);
      EXPECT_EQ(of[1].shape(), Shape({2 * ranks, 1}));
      EXPECT_EQ(valuesOf(of[1])[2], 1);
      EXPECT_EQ(valuesOf(of[2]),
                std::vector<float>(2, static_cast<float>(ranks - 1)));
      EXPECT_EQ(valuesOf(of[3])[0], 1);
      EXPECT_EQ(valuesOf(of[4])[0], 0);
    }
  }
}

TEST(Spmd, WorksInGroups) {
  auto sums = spmd(places()[0], [](const Communicator &rank) {
    Tensor x = tensor({static_cast<float>(rank.rank())});
    Tensor root = collective_broadcast(x, 1, {0, 2, 3, 1}, 2);
    auto loss = [](const Tensor &w) {
      return sum(collective_broadcast(w, 1, {0, 2, 3, 1}, 2));
    };
    return std::vector<Tensor>{all_reduce(x, Combiner::sum, {0, 2, 3, 1}, 2),
                               all_gather(x, 0, {0, 2, 3, 1}, 2), root,
                               grad(loss)(x)};
  });
  const float partners[] = {2, 3, 0, 1};
  for (int r = 0; r < 4; ++r) {
    float own = static_cast<float>(r), other = partners[r];
    bool isRoot = r == 2 || r == 1;
    EXPECT_EQ(valuesOf(sums[r][0])[0], own + other);
    EXPECT_EQ(valuesOf(sums[r][1]), (isRoot ? std::vector<float>{other, own}
                                            : std::vector<float>{own, other}));
    EXPECT_EQ(valuesOf(sums[r][2])[0], isRoot ? own : other);
    EXPECT_EQ(valuesOf(sums[r][3])[0], isRoot ? 2 : 0);
  }
}

TEST(Spmd, GradientsAreOfTheSumOfAllLosses) {
  for (const std::vector<Device> &devices : places()) {
    auto gradients = spmd(devices, [](const Communicator &rank) {
      auto loss = [&](const Tensor &w) {
        Tensor mean = all_reduce(w * static_cast<float>(rank.rank() + 1));
        return sum(mean * mean);
      };
      return grad(loss)(tensor({1.0f, 3.0f}));
    });
    // Each rank's loss is (s w)^2, and of n of them d/dw_r = n 2 s w (r + 1).
    float n = static_cast<float>(devices.size()), s = n * (n + 1) / 2;
    for (size_t r = 0; r < devices.size(); ++r) {
      float by = n * 2 * s * static_cast<float>(r + 1);
      EXPECT_EQ(valuesOf(gradients[r]), (std::vector<float>{by, 3 * by}));
    }
  }
}

TEST(Spmd, SplitsValuesOverAMesh) {
  Mesh mesh({{"data", 2}, {"model", 2}});
  EXPECT_EQ(mesh.size(), 4);
  EXPECT_EQ(mesh.groups("data"), Shape({0, 2, 1, 3}));
  EXPECT_EQ(mesh.position("model", 3), 1);
  auto results = spmd(places()[0], [&](const Communicator &) {
    Tensor x = shard(reshape(arange(32, f32), {8, 4}), mesh, {"data", nullptr});
    Tensor w = shard(ones({4, 6}), mesh, {nullptr, "model"});
    Tensor part = local_part(x, mesh, {nullptr, "data,model"});
    auto loss = [&](const Tensor &w) { return sum(matmul(x, w)); };
    return std::vector<Tensor>{sum(matmul(x, w), {0}), part,
                               join_parts(part, mesh, {nullptr, "data,model"}),
                               grad(loss)(w)};
  });
  for (size_t r = 0; r < 4; ++r) {
    EXPECT_EQ(valuesOf(results[r][0]), std::vector<float>(6, 496));
    EXPECT_EQ(results[r][1].shape(), Shape({8, 1}));
    EXPECT_EQ(valuesOf(results[r][1])[1], static_cast<float>(4 + r));
    EXPECT_EQ(valuesOf(results[r][2])[31], 31);
    EXPECT_EQ(valuesOf(results[r][3])[0], 112);
  }
  EXPECT_THROW(shard(ones({4, 4}), mesh, {"rows"}), Error);
  EXPECT_THROW(shard(ones({4, 4}), mesh, {"data", "data"}), Error);
  EXPECT_THROW(shard(ones({4, 4}), mesh, {"model,data"}), Error);
  EXPECT_THROW(Mesh({{"data", 0}}), Error);
  EXPECT_THROW(Mesh({{"data", 2}, {"data", 2}}), Error);
  EXPECT_THROW(Mesh({{"a", int64_t(1) << 32}, {"b", int64_t(1) << 32}}), Error);
}

/// How an expression reads its arguments and makes its result.
bool mentions(const Tensor &x, const char *text) {
  return x.to_mlir().find(text) != std::string::npos;
}

TEST(Spmd, ValuesStaySplitBetweenEvaluations) {
  Mesh mesh({{"data", 2}, {"model", 2}});
  auto results = spmd(places()[0], [&](const Communicator &) {
    Tensor x = shard(reshape(arange(32, f32), {8, 4}), mesh, {"data", "model"});
    x.eval();
    EXPECT_EQ(sharding(x)->mesh, Shape({2, 2}));
    EXPECT_EQ(sharding(x)->dims, Shape({0, 1}));
    Tensor y = x * 2.0 + 1.0;
    EXPECT_EQ(sharding(y)->dims, Shape({0, 1}));
    EXPECT_TRUE(mentions(y, "(%arg0: tensor<4x2xf32>"));
    EXPECT_TRUE(mentions(y, "-> tensor<4x2xf32> {"));
    // Sums, and what differs between ranks, are whole; so is what is annotated
    // so.
    EXPECT_FALSE(sharding(sum(y, {1})));
    EXPECT_FALSE(sharding(y + astype(partition_id(), f32)));
    EXPECT_FALSE(sharding(shard(y, mesh, {})));
    y.eval();
    Tensor z = shard(y, mesh, {nullptr, "data"});
    z.eval();
    EXPECT_EQ(sharding(z)->dims, Shape({1, -1}));
    // Reading leaves a tensor split.
    EXPECT_EQ(valuesOf(z)[31], 63);
    EXPECT_TRUE(sharding(z));
    Tensor gradient = grad([](const Tensor &w) { return sum(w * w); })(z);
    EXPECT_EQ(sharding(gradient)->dims, Shape({1, -1}));
    Tensor local = local_part(z, mesh, {nullptr, "data"});
    EXPECT_FALSE(mentions(local, "all_gather"));
    return std::vector<Tensor>{z, gradient, local, z.to(Device("sim:0"))};
  });
  for (size_t r = 0; r < 4; ++r) {
    EXPECT_FALSE(sharding(results[r][0]));
    EXPECT_EQ(valuesOf(results[r][0])[30], 61);
    EXPECT_EQ(valuesOf(results[r][1])[31], 126);
    EXPECT_EQ(results[r][2].shape(), Shape({8, 2}));
    EXPECT_EQ(valuesOf(results[r][2])[0], r < 2 ? 1 : 5);
    EXPECT_EQ(valuesOf(results[r][3])[31], 63);
  }
}

TEST(Spmd, CompiledFunctionsTakeAndGiveParts) {
  Mesh mesh({{"data", 4}});
  auto results = spmd(places()[0], [&](const Communicator &) {
    auto step = jit([](const Tensor &w, const Tensor &g) { return w - g; });
    Tensor w = shard(ones({8, 2}), mesh, {"data"});
    for (int i = 0; i < 3; ++i) {
      w = step(w, ones({8, 2}));
      EXPECT_EQ(sharding(w)->dims, Shape({0}));
    }
    EXPECT_EQ(step.traces(), 1u);
    // Arguments that are split in another way get a trace of their own.
    Tensor columns =
        step(shard(ones({8, 2}), Mesh({{"a", 2}, {"b", 2}}), {nullptr, "b"}),
             ones({8, 2}));
    EXPECT_EQ(sharding(columns)->dims, Shape({-1, 1}));
    Tensor whole = step(shard(ones({8, 2}), mesh, {}), ones({8, 2}));
    EXPECT_FALSE(sharding(whole));
    EXPECT_EQ(step.traces(), 3u);
    EXPECT_EQ(sharding(step(w, ones({8, 2})))->dims, Shape({0}));
    EXPECT_EQ(step.traces(), 3u);
    return std::vector<Tensor>{w, whole, columns};
  });
  for (size_t r = 0; r < 4; ++r) {
    EXPECT_EQ(valuesOf(results[r][0]), std::vector<float>(16, -2));
    EXPECT_EQ(valuesOf(results[r][1]), std::vector<float>(16, 0));
    EXPECT_EQ(valuesOf(results[r][2]), std::vector<float>(16, 0));
  }
}

TEST(Spmd, MapsFunctionsOfParts) {
  Mesh mesh({{"data", 2}, {"model", 2}});
  auto results = spmd(places()[0], [&](const Communicator &) {
    auto dots = shard_map(
        [&](const Tensor &x, const Tensor &w) {
          Tensor sums = all_reduce(matmul(x, w), Combiner::sum,
                                   mesh.groups("model"), mesh.size("model"));
          return std::vector<Tensor>{sums, slice(x, {{0, 1}})};
        },
        mesh, {{"data", "model"}, {"model"}}, {{"data"}, {"data", "model"}});
    Tensor x = reshape(arange(32, f32), {8, 4}), w = ones({4, 3});
    std::vector<Tensor> both = dots(x, w);
    auto loss = [&](const Tensor &x, const Tensor &w) {
      return sum(square(dots(x, w)[0]));
    };
    Tensor byW = grad(loss, argnums<1>)(x, w);
    auto [y, part] = std::pair(both[0], both[1]);
    auto same = [](const Tensor &x) { return x; };
    EXPECT_THROW(shard_map(same, mesh, {}, {{}})(x), Error);
    return std::vector<Tensor>{y, part, byW};
  });
  Tensor x = reshape(arange(32, f32), {8, 4}), w = ones({4, 3});
  Tensor byW = matmul(transpose(x), matmul(x, w)) * 2;
  for (const std::vector<Tensor> &of : results) {
    EXPECT_EQ(valuesOf(of[0]), valuesOf(matmul(x, w)));
    EXPECT_EQ(of[1].shape(), Shape({2, 4}));
    EXPECT_EQ(valuesOf(of[1])[4], 16);
    EXPECT_EQ(valuesOf(of[2]), valuesOf(byW));
  }
}

struct State {
  Tensor w, b, step;
};
TENSORC_STRUCT(State, w, b, step)

State stateOf(float step) {
  return {reshape(arange(48, f32), {8, 6}) + step, full({3}, step),
          scalar(step)};
}

/// Returns the error of a function that two ranks call.
template <typename Body> std::string errorOf(Body body) {
  try {
    spmd({"cpu:0", "cpu:1"}, body);
  } catch (const Error &error) {
    return error.what();
  }
  return "";
}

TEST(Spmd, ErrorsNameTheLinesOfTheRanks) {
  int line = 0;
  auto at = [&](int number) {
    return "SpmdTest.cpp:" + std::to_string(number);
  };
  std::string message = errorOf([&](const Communicator &rank) {
    line = __LINE__ + 1;
    Tensor y = all_reduce(ones({rank.rank() + 2}));
    return exp(y) * 2;
  });
  EXPECT_NE(message.find("all_reduce: rank 1 calls all_reduce sum of 3 f32 ("),
            std::string::npos)
      << message;
  EXPECT_NE(message.find(at(line) + "), rank 0 calls"), std::string::npos)
      << message;
  EXPECT_NE(message.find(at(line) + ")", message.find("rank 0 calls")),
            std::string::npos)
      << message;
  message = errorOf([&](const Communicator &rank) {
    Tensor x = ones({4});
    if (rank.rank() == 1)
      return x;
    line = __LINE__ + 1;
    x = all_gather(x, 0);
    return x + 1.0;
  });
  EXPECT_NE(message.find(at(line) + ": all_gather: rank 1 has ended"),
            std::string::npos)
      << message;
}

TEST(Spmd, ResumesCheckpointsOnOtherNumbersOfRanks) {
  std::string folder =
      ::testing::TempDir() + "tensorc-checkpoint-" + std::to_string(::getpid());
  Mesh grid({{"data", 2}, {"model", 2}}), line({{"data", 2}});
  spmd(places()[0], [&](const Communicator &) {
    for (float step : {1.0f, 2.0f}) {
      State state = stateOf(step);
      state.w = shard(state.w, grid, {"data", "model"});
      save_checkpoint(folder, state);
    }
    return 0;
  });
  // The parts of w, and one rank's file with all else, of one generation.
  size_t files = 0;
  for (const auto &entry : std::filesystem::directory_iterator(folder)) {
    ++files;
    if (entry.path().extension() == ".safetensors")
      for (const auto &[name, x] : load_tensors(entry.path().string()))
        EXPECT_EQ(x.numel(), name[0] == 'w' ? 12 : name[0] == 'b' ? 3 : 1);
  }
  EXPECT_EQ(files, 5u);
  State expected = stateOf(2);
  auto read = [&](const Communicator &) {
    State like = stateOf(0);
    like.w = shard(like.w, line, {nullptr, "data"});
    State state = load_checkpoint(folder, like);
    EXPECT_EQ(sharding(state.w)->dims, Shape({1}));
    return std::vector<Tensor>{state.w, state.b, state.step};
  };
  for (const std::vector<Tensor> &of : spmd({"cpu:0", "cpu:1"}, read)) {
    EXPECT_EQ(valuesOf(of[0]), valuesOf(expected.w));
    EXPECT_EQ(valuesOf(of[1]), valuesOf(expected.b));
    EXPECT_EQ(valuesOf(of[2]), valuesOf(expected.step));
  }
  EXPECT_EQ(valuesOf(load_checkpoint(folder, stateOf(0)).w),
            valuesOf(expected.w));
  State other = stateOf(0);
  other.w = zeros({6, 8});
  EXPECT_THROW(load_checkpoint(folder, other), Error);
  EXPECT_THROW(load_checkpoint(folder, std::tuple(zeros({2}))), Error);
  EXPECT_THROW(load_checkpoint(folder + "/none", stateOf(0)), Error);
  std::filesystem::remove_all(folder);
}

TEST(Spmd, OnlyRanksReadWhatIsSplit) {
  Mesh mesh({{"data", 2}});
  std::vector<Tensor> kept(2);
  spmd({"cpu:0", "cpu:1"}, [&](const Communicator &rank) {
    Tensor x = shard(ones({4}), mesh, {"data"});
    x.eval();
    kept[rank.rank()] = x;
    return 0;
  });
  try {
    valuesOf(kept[0]);
    FAIL() << "no error";
  } catch (const Error &error) {
    EXPECT_NE(std::string(error.what()).find("split over 2 ranks"),
              std::string::npos)
        << error.what();
  }
}

TEST(Spmd, OneRankNeedsNoCommunicator) {
  EXPECT_EQ(valuesOf(all_reduce(tensor({1.0f, 2.0f}))),
            (std::vector<float>{1, 2}));
  EXPECT_EQ(partition_id().item<int64_t>(), 0);
}

TEST(Spmd, AnErrorOfOneRankEndsAll) {
  try {
    spmd(places()[0], [](const Communicator &rank) {
      if (rank.rank() == 2)
        throw Error(1, "no more data");
      return all_reduce(tensor({1.0f}));
    });
    FAIL() << "no error";
  } catch (const Error &error) {
    EXPECT_STREQ(error.what(), "no more data");
  }
}

/// A step whose sum and its user are recorded before a product that does not
/// need them.
std::vector<Tensor> stepWithSum(float rank, const CustomOp &mark) {
  Tensor x = full({64, 64}, rank + 1);
  Tensor update = all_reduce(sqrt(x)) * 0.5;
  return {update, mark({matmul(x, x)})};
}

TEST(Spmd, KernelsRunWhileAReductionWaits) {
  static std::promise<void> *isMarked = nullptr;
  CustomOp mark(
      "spmd.mark",
      [](const CustomCall &call) {
        const float *x = call.input<float>();
        std::copy(x, x + 64 * 64, call.output<float>());
        if (x[0] == 4 * 64)
          isMarked->set_value();
      },
      CustomOp::like_first_input);
  for (const std::vector<Device> &devices :
       std::vector<std::vector<Device>>{{"cpu:0", "cpu:1"}, places()[1]}) {
    std::promise<void> promise;
    isMarked = &promise;
    auto steps = spmd(devices, [&](const Communicator &rank) {
      Stream stream(devices[rank.rank()]);
      StreamGuard guard(stream);
      // Rank 0 takes part in the sum after rank 1 has computed its product.
      if (rank.rank() == 0)
        EXPECT_EQ(promise.get_future().wait_for(std::chrono::seconds(60)),
                  std::future_status::ready);
      std::vector<Tensor> step =
          stepWithSum(static_cast<float>(rank.rank()), mark);
      eval(step);
      step[0].to_vector<float>();
      return step[0];
    });
    for (const Tensor &update : steps)
      EXPECT_FLOAT_EQ(valuesOf(update)[0], (1 + std::sqrt(2.0f)) / 2);
  }
}

TEST(Spmd, RanksCombineDifferentSums) {
  for (std::vector<Device> devices : std::vector<std::vector<Device>>{
           {"cpu:0", "cpu:1"}, {"cpu:0", "cpu:1", "cpu:2", "cpu:3"}}) {
    auto ranks = static_cast<float>(devices.size());
    auto results = spmd(devices, [&](const Communicator &rank) {
      // Each rank but the last one also returns one of the sums.
      auto step = jit([&](const Tensor &x) {
        std::vector<Tensor> sums, results;
        for (float scale : {1.0f, 2.0f, 3.0f})
          sums.push_back(all_reduce(x * scale));
        Tensor part = reduce_scatter(x * 4.0f);
        for (const Tensor &sum : sums)
          results.push_back(sum + 1.0f);
        results.push_back(part + 1.0f);
        if (rank.rank() + 1 < rank.size())
          results.push_back(sums[static_cast<size_t>(rank.rank()) % 3]);
        return results;
      });
      std::vector<Tensor> made = step(ones({64}));
      for (size_t i = 0; i < 3; ++i)
        EXPECT_EQ(valuesOf(made[i])[9], float(i + 1) * ranks + 1);
      EXPECT_EQ(valuesOf(made[3])[9], 4 * ranks + 1);
      if (made.size() > 4)
        EXPECT_EQ(valuesOf(made[4])[9], float(rank.rank() % 3 + 1) * ranks);
      return made[0];
    });
    EXPECT_EQ(valuesOf(results[0])[0], ranks + 1);
  }
}

TEST(Spmd, ARankThatFailsEndsAReductionNextToKernels) {
  CustomOp mark(
      "spmd.pass",
      [](const CustomCall &call) {
        const float *x = call.input<float>();
        std::copy(x, x + 64 * 64, call.output<float>());
      },
      CustomOp::like_first_input);
  for (const std::vector<Device> &devices :
       std::vector<std::vector<Device>>{{"cpu:0", "cpu:1"}, places()[1]})
    try {
      spmd(devices, [&](const Communicator &rank) {
        Stream stream(devices[rank.rank()]);
        StreamGuard guard(stream);
        if (rank.rank() == 0)
          throw std::runtime_error("no data");
        std::vector<Tensor> step = stepWithSum(1, mark);
        eval(step);
        try {
          step[0].to_vector<float>();
          ADD_FAILURE() << "the sum lacks rank 0";
        } catch (const Error &error) {
          EXPECT_NE(std::string(error.what()).find("rank 0"), std::string::npos)
              << error.what();
        }
        return step[0];
      });
      ADD_FAILURE() << "spmd hides the error of rank 0";
    } catch (const std::runtime_error &error) {
      EXPECT_NE(std::string(error.what()).find("no data"), std::string::npos)
          << error.what();
    }
}

TEST(Spmd, RefusesWhatNoRankCanDo) {
  EXPECT_THROW(reduce_scatter(tensor({1.0f}), Combiner::bit_and), Error);
  EXPECT_THROW(all_gather(scalar(1.0f)), Error);
  EXPECT_THROW(collective_broadcast(tensor({1.0f}), 1), Error);
  EXPECT_THROW(all_reduce(tensor({1.0f}), Combiner::sum, {0, 1}, 2), Error);
  auto one = [](const Communicator &) { return tensor({1.0f}); };
  EXPECT_THROW(spmd({"sim:0", "sim:0"}, one), Error);
}

} // namespace
