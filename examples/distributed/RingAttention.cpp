//===- RingAttention.cpp - Attention over a sharded sequence --------------===//
//
// Each rank has a part of the queries, keys and values. In each step it attends
// to the keys that it currently has and passes them to the next rank. So no
// rank ever has the whole sequence. The softmax over all keys is combined from
// the softmaxes over the parts.
//
//===----------------------------------------------------------------------===//

#include "examples/distributed/Examples.h"

#include "tensorc/nn.hpp"
#include "tensorc/shard_map.hpp"

using namespace tensorc;

namespace ring {
constexpr int64_t heads = 2, length = 32, depth = 8;
constexpr float never = -1e30f;

Tensor scoresOf(const Tensor &q, const Tensor &k) {
  return matmul(q, swapaxes(k, 1, 2)) / std::sqrt(double(depth));
}

/// Returns the attention of this rank's queries. Parts are [heads, rows, depth].
Tensor onRing(const Tensor &q, Tensor k, Tensor v, int64_t ranks) {
  Shape from, to;
  for (int64_t r = 0; r < ranks; ++r) {
    from.push_back(r);
    to.push_back((r + 1) % ranks);
  }
  int64_t rows = q.size(1);
  Tensor here = partition_id();
  Tensor ofQueries = expand_dims(here * rows + arange(rows), 1);
  Tensor total = zeros({heads, rows, depth}), weight = zeros({heads, rows, 1}),
         largest = full({heads, rows, 1}, never);
  for (int64_t step = 0; step < ranks; ++step) {
    // Positions of the keys of the rank that is `step` positions before this
    // one.
    Tensor ofKeys =
        expand_dims((here + (ranks - step)) % ranks * rows + arange(rows), 0);
    Tensor scores = where(ofQueries >= ofKeys, scoresOf(q, k), never);
    Tensor now = maximum(largest, max(scores, -1, true));
    Tensor e = exp(scores - now), scale = exp(largest - now);
    total = total * scale + matmul(e, v);
    weight = weight * scale + sum(e, -1, true);
    largest = now;
    k = collective_permute(k, from, to);
    v = collective_permute(v, from, to);
  }
  return total / weight;
}

Tensor onOne(const Tensor &q, const Tensor &k, const Tensor &v) {
  Tensor places = arange(length);
  Tensor isBefore = expand_dims(places, 1) >= expand_dims(places, 0);
  return matmul(softmax(where(isBefore, scoresOf(q, k), never), -1), v);
}

double difference(const Tensor &a, const Tensor &b) {
  return max(abs(a - b)).item<float>();
}
} // namespace ring

std::string ringAttention(const Communicator &rank) {
  using namespace ring;
  Mesh mesh({{"sequence", rank.size()}});
  ShardSpec spec = {nullptr, "sequence"};
  auto attend =
      shard_map([&](const Tensor &q, const Tensor &k,
                    const Tensor &v) { return onRing(q, k, v, rank.size()); },
                mesh, {spec, spec, spec}, {spec});
  auto inputOf = [](int64_t i) {
    return randn(fold_in(random_key(0), i), {heads, length, depth});
  };
  Tensor q = inputOf(0), k = inputOf(1), v = inputOf(2);
  auto squares = [&](const auto &attention) {
    return [&](const Tensor &k) { return sum(square(attention(q, k, v))); };
  };
  double error = difference(attend(q, k, v), onOne(q, k, v));
  error = std::max(
      error, difference(grad(squares(attend))(k), grad(squares(onOne))(k)));
  return std::string("ring-attention: as one device ") +
         (error < 1e-4 ? "true" : "false");
}
