//===- Heat.cpp - The heat equation on a sharded grid ---------------------===//
//
// Each rank has some rows and exchanges the rows at its borders with its
// neighbours. The results have the same bits as on one device, because each
// element is computed from the same numbers.
//
//===----------------------------------------------------------------------===//

#include "examples/distributed/Examples.h"

#include "tensorc/shard_map.hpp"

using namespace tensorc;

namespace plate {
constexpr int64_t rows = 32, columns = 24, steps = 50;
constexpr double rate = 0.2;

/// Computes one time step. The temperature outside the grid is 0 degrees.
Tensor spread(const Tensor &u, const Tensor &above, const Tensor &below) {
  int64_t count = u.size(0), width = u.size(1);
  Tensor tall = concatenate({above, u, below}, 0);
  Tensor wide = pad(u, {0, 1}, {0, 1});
  Tensor beside =
      slice(wide, {{}, {0, width}}) + slice(wide, {{}, {2, width + 2}});
  Tensor beyond = slice(tall, {{0, count}}) + slice(tall, {{2, count + 2}});
  return u + rate * (beyond + beside - 4 * u);
}

/// Computes one time step of a rank's rows. A rank without a neighbour receives
/// zeros.
Tensor step(const Tensor &u, int64_t ranks) {
  Shape lower, upper;
  for (int64_t r = 1; r < ranks; ++r) {
    lower.push_back(r);
    upper.push_back(r - 1);
  }
  int64_t count = u.size(0);
  Tensor above =
      collective_permute(slice(u, {{count - 1, count}}), upper, lower);
  Tensor below = collective_permute(slice(u, {{0, 1}}), lower, upper);
  return spread(u, above, below);
}

Tensor start() {
  Tensor row = arange(rows) < 5, column = arange(columns) > 12;
  return where(expand_dims(row, 1) & expand_dims(column, 0), 100.0f, 0.0f);
}
} // namespace plate

std::string heat(const Communicator &rank) {
  using namespace plate;
  Mesh mesh({{"rows", rank.size()}});
  auto next =
      jit(shard_map([&](const Tensor &u) { return step(u, rank.size()); }, mesh,
                    {{"rows"}}, {{"rows"}}));
  Tensor u = shard(start(), mesh, {"rows"});
  for (int64_t i = 0; i < steps; ++i)
    u = next(u); // u stays split
  bool isSplit = sharding(u).has_value() || rank.size() == 1;

  Tensor expected = start(), edge = zeros({1, columns});
  for (int64_t i = 0; i < steps; ++i)
    expected = spread(expected, edge, edge);
  bool isEqual = u.to_vector<float>() == expected.to_vector<float>();
  return std::string("heat: split ") + (isSplit ? "true" : "false") +
         ", equal to one device in all bits " + (isEqual ? "true" : "false");
}
