//===- SimOptions.cpp - how launches are simulated ------------------------===//
#include "runtime/drivers/sim/SimOptions.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

using namespace tensorc::rt::sim;

SimOptions SimOptions::fromEnvironment() {
  SimOptions options;
  if (const char *order = std::getenv("TENSORC_SIM_ORDER")) {
    char *end = nullptr;
    uint64_t seed = std::strtoull(order, &end, 10);
    bool isSeed = end != order && !*end;
    if (!std::strcmp(order, "reverse"))
      options.order = Order::Reverse;
    else if (isSeed || !std::strcmp(order, "random"))
      options.order = Order::Random;
    options.seed = isSeed ? seed : 0;
  }
  if (const char *checks = std::getenv("TENSORC_SIM_CHECKS"))
    options.checks = std::strcmp(checks, "0") != 0;
  return options;
}

uint32_t tensorc::rt::sim::simDeviceCount() {
  const char *text = std::getenv("TENSORC_SIM_DEVICES");
  int count = text ? std::atoi(text) : 1;
  return static_cast<uint32_t>(
      std::clamp(count, 1, static_cast<int>(maxListedDevices)));
}

uint64_t tensorc::rt::sim::simMemoryLimit() {
  const char *text = std::getenv("TENSORC_SIM_MEMORY");
  if (!text)
    return 0;
  char *end = nullptr;
  uint64_t bytes = std::strtoull(text, &end, 10);
  static constexpr char units[] = "KMG";
  const char *unit = *end ? std::strchr(units, *end) : nullptr;
  return unit ? bytes << 10 * (unit - units + 1) : bytes;
}

uint32_t tensorc::rt::sim::simDelay() {
  const char *text = std::getenv("TENSORC_SIM_DELAY");
  return text ? static_cast<uint32_t>(std::strtoul(text, nullptr, 10)) : 0;
}
