//===- SimOptions.cpp - options of the simulator --------------------------===//
#include "runtime/drivers/sim/SimOptions.h"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <string_view>

using namespace tensorc::rt;
using namespace tensorc::rt::sim;

/// Returns an environment variable; empty if it is not set.
static std::string_view variable(const char *name) {
  const char *text = secure_getenv(name);
  return text ? text : std::string_view();
}

template <typename T> static std::optional<T> number(std::string_view text) {
  T value = 0;
  const char *end = text.data() + text.size();
  auto [rest, failure] = std::from_chars(text.data(), end, value);
  if (failure != std::errc() || rest != end)
    return std::nullopt;
  return value;
}

/// Parses a size such as `8M`; 0 means all memory of the host.
static std::optional<uint64_t> bytes(std::string_view text) {
  static constexpr std::string_view units = "KMG";
  size_t unit = text.empty() ? units.npos : units.find(text.back());
  if (unit == units.npos)
    return number<uint64_t>(text);
  unsigned shift = 10 * static_cast<unsigned>(unit + 1);
  auto count = number<uint64_t>(text.substr(0, text.size() - 1));
  if (!count || *count > UINT64_MAX >> shift)
    return std::nullopt;
  return *count << shift;
}

Status tensorc::rt::sim::checkSimEnvironment() {
  auto check = [](const char *name, const char *meaning, auto isGood) {
    std::string_view text = variable(name);
    if (text.empty() || isGood(text))
      return Status();
    return error(TENSORC_RT_INVALID_ARGUMENT, "%s=%.*s is not %s", name,
                 static_cast<int>(text.size()), text.data(), meaning);
  };
  TENSORC_RT_TRY(check("TENSORC_SIM_DEVICES", "a number from 1 to 64",
                       [](std::string_view text) {
                         auto count = number<uint32_t>(text);
                         return count && *count >= 1 &&
                                *count <= maxListedDevices;
                       }));
  TENSORC_RT_TRY(check("TENSORC_SIM_ORDER",
                       "forward, reverse, random or a seed",
                       [](std::string_view text) {
                         return text == "forward" || text == "reverse" ||
                                text == "random" || number<uint64_t>(text);
                       }));
  TENSORC_RT_TRY(
      check("TENSORC_SIM_CHECKS", "0 or 1",
            [](std::string_view text) { return text == "0" || text == "1"; }));
  TENSORC_RT_TRY(
      check("TENSORC_SIM_PROFILE", "all or kinds", [](std::string_view text) {
        return text == "all" || text == "kinds";
      }));
  TENSORC_RT_TRY(
      check("TENSORC_SIM_MEMORY", "a number of bytes, or one with K, M or G",
            [](std::string_view text) { return bytes(text).has_value(); }));
  return check(
      "TENSORC_SIM_DELAY", "a number of microseconds",
      [](std::string_view text) { return number<uint32_t>(text).has_value(); });
}

SimOptions SimOptions::fromEnvironment() {
  SimOptions options;
  std::string_view order = variable("TENSORC_SIM_ORDER");
  auto seed = number<uint64_t>(order);
  if (order == "reverse")
    options.order = Order::Reverse;
  else if (seed || order == "random")
    options.order = Order::Random;
  options.seed = seed.value_or(0);
  options.checks = variable("TENSORC_SIM_CHECKS") != "0";
  options.countsAll = variable("TENSORC_SIM_PROFILE") == "all";
  return options;
}

uint32_t tensorc::rt::sim::simDeviceCount() {
  std::string_view text = variable("TENSORC_SIM_DEVICES");
  uint32_t count = text.empty() ? 1 : number<uint32_t>(text).value_or(0);
  if (count >= 1 && count <= maxListedDevices)
    return count;
  // Using a device fails; a list of devices can only warn.
  static std::once_flag said;
  std::call_once(said, [&] {
    std::fprintf(stderr,
                 "tensorc: TENSORC_SIM_DEVICES=%s is not a number from 1 to "
                 "%u; no simulated device can be used\n",
                 text.data(), maxListedDevices);
  });
  return 1;
}

uint64_t tensorc::rt::sim::simMemoryLimit() {
  return bytes(variable("TENSORC_SIM_MEMORY")).value_or(0);
}

uint32_t tensorc::rt::sim::simDelay() {
  return number<uint32_t>(variable("TENSORC_SIM_DELAY")).value_or(0);
}
