//===- RunOrder.h - the order in which threads run --------------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_DRIVERS_SIM_BLOCK_RUNORDER_H
#define TENSORC_RUNTIME_DRIVERS_SIM_BLOCK_RUNORDER_H

#include "runtime/drivers/sim/SimOptions.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

namespace tensorc::rt::sim {

/// The order in which the threads of a block run in each round.
class RunOrder {
public:
  void prepare(const SimOptions &options, uint32_t threads) {
    kind = options.order;
    seed = options.seed;
    order.resize(threads);
    std::iota(order.begin(), order.end(), 0);
    if (kind == Order::Reverse)
      std::reverse(order.begin(), order.end());
  }
  void begin(uint64_t block) {
    random = seed * 0x100000001B3ull + block;
    beginRound();
  }
  /// Begins a round, in which a random order is a new one.
  void beginRound() {
    position = 0;
    for (auto i = kind == Order::Random ? order.size() : 0; i > 1; --i)
      std::swap(order[i - 1], order[draw() % i]);
  }
  /// Returns the next thread of the round; nullopt at its end.
  std::optional<uint32_t> next() {
    if (position == order.size())
      return std::nullopt;
    return order[position++];
  }

  /// Returns whether an asynchronous operation is performed when it is issued.
  /// Otherwise it is performed when a thread waits for it. `salt` distinguishes
  /// operations in a random order.
  bool performsAtOnce(uint64_t salt) const {
    return kind == Order::Reverse ||
           (kind == Order::Random && ((random ^ salt) & 1));
  }

private:
  /// Returns the next number of the splitmix64 generator.
  uint64_t draw() {
    uint64_t z = random += 0x9E3779B97F4A7C15ull;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ z >> 27) * 0x94D049BB133111EBull;
    return z ^ z >> 31;
  }

  Order kind = Order::Forward;
  uint64_t seed = 0, random = 0;
  std::vector<uint32_t> order;
  size_t position = 0; // in `order`
};

} // namespace tensorc::rt::sim

#endif
