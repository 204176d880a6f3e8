//===- SpmdTest.cpp - tensorc/collectives.hpp -----------------------------===//
//
// The ranks are devices of this process: of the CPU, and simulated.
//
//===----------------------------------------------------------------------===//

#include "tensorc/collectives.hpp"
#include "tensorc/grad.hpp"

#include <gtest/gtest.h>

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

TEST(Spmd, RefusesWhatNoRankCanDo) {
  EXPECT_THROW(reduce_scatter(tensor({1.0f}), Combiner::bit_and), Error);
  EXPECT_THROW(all_gather(scalar(1.0f)), Error);
  EXPECT_THROW(collective_broadcast(tensor({1.0f}), 1), Error);
  EXPECT_THROW(all_reduce(tensor({1.0f}), Combiner::sum, {0, 1}, 2), Error);
  auto one = [](const Communicator &) { return tensor({1.0f}); };
  EXPECT_THROW(spmd({"sim:0", "sim:0"}, one), Error);
}

} // namespace
