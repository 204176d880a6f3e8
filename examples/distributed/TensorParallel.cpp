//===- TensorParallel.cpp - A sharded transformer block -------------------===//
//
// Heads and hidden units are sharded over "model", and the batch over "data".
// The first matrix of the attention and of the feed-forward layers is sharded
// by columns and the second one by rows, so that each half of the block needs
// one all_reduce. The program is the one for a single device with annotations
// added.
//
//===----------------------------------------------------------------------===//

#include "examples/distributed/Examples.h"

#include "tensorc/grad.hpp"
#include "tensorc/nn.hpp"

using namespace tensorc;

namespace transformer {
constexpr int64_t batch = 4, length = 8, width = 32, heads = 4, hidden = 64,
                  steps = 5;
constexpr double rate = 0.1;

struct Block {
  Tensor q, k, v, out, up, down;
};
TENSORC_STRUCT(Block, q, k, v, out, up, down)

Tensor random(int64_t i, const Shape &shape) {
  return randn(fold_in(random_key(0), i), shape);
}

Block makeBlock() {
  Shape square = {width, width};
  Block block = {random(0, square),          random(1, square),
                 random(2, square),          random(3, square),
                 random(4, {width, hidden}), random(5, {hidden, width})};
  for_each_tensor(block, [](Tensor &w) { w = w / 6; });
  return block;
}

Tensor normalized(Tensor x) {
  x = x - mean(x, -1, true);
  return x / sqrt(mean(x * x, -1, true) + 1e-5);
}

Tensor apply(const Block &block, Tensor x) {
  Tensor h = normalized(x);
  auto headsOf = [&](const Tensor &w) {
    return transpose(reshape(matmul(h, w), {batch, length, heads, -1}),
                     {0, 2, 1, 3});
  };
  Tensor q = headsOf(block.q), k = headsOf(block.k), v = headsOf(block.v);
  Tensor weights = softmax(
      matmul(q, swapaxes(k, 2, 3)) / std::sqrt(double(width / heads)), -1);
  Tensor joined = transpose(matmul(weights, v), {0, 2, 1, 3});
  x = x + matmul(reshape(joined, {batch, length, width}), block.out);
  return x + matmul(silu(matmul(normalized(x), block.up)), block.down);
}

/// Returns the losses of all steps. On a mesh each rank stores its part of the
/// parameters.
std::vector<float> train(const Mesh *mesh) {
  Block block = makeBlock();
  Tensor x = random(6, {batch, length, width}),
         target = random(7, {batch, length, width});
  if (mesh) {
    for (Tensor *w : {&block.q, &block.k, &block.v, &block.up})
      *w = shard(*w, *mesh, {nullptr, "model"});
    for (Tensor *w : {&block.out, &block.down})
      *w = shard(*w, *mesh, {"model"});
    x = shard(x, *mesh, {"data"});
    target = shard(target, *mesh, {"data"});
  }
  auto loss = [&](const Block &block) {
    return mean(square(apply(block, x) - target));
  };
  std::vector<float> losses;
  for (int64_t i = 0; i < steps; ++i) {
    auto [value, gradient] = value_and_grad(loss)(block);
    block.q = block.q - rate * gradient.q;
    block.k = block.k - rate * gradient.k;
    block.v = block.v - rate * gradient.v;
    block.out = block.out - rate * gradient.out;
    block.up = block.up - rate * gradient.up;
    block.down = block.down - rate * gradient.down;
    losses.push_back(value.item<float>());
  }
  if (mesh && !sharding(block.down))
    throw std::runtime_error("a parameter did not stay split");
  return losses;
}
} // namespace transformer

std::string tensorParallel(const Communicator &rank) {
  using namespace transformer;
  int64_t model = rank.size() % 2 ? 1 : 2;
  Mesh mesh({{"data", rank.size() / model}, {"model", model}});
  std::vector<float> split = train(&mesh), one = train(nullptr);
  double error = 0;
  for (size_t i = 0; i < one.size(); ++i)
    error = std::max<double>(error, std::abs(one[i] - split[i]) / one[i]);
  return std::string("tensor-parallel: ") + std::to_string(steps) +
         " losses as one device " + (error < 1e-5 ? "true" : "false");
}
