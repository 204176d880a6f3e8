//===- Checks.cpp - the checks of TENSORC_CHECK ---------------------------===//
#include "runtime/core/check/Checks.h"

#include <cstdlib>
#include <string_view>

using namespace tensorc::rt;

namespace {
struct Parsed {
  Checks checks;
  std::string unknown; // the first unknown word

  Parsed() {
    const char *text = secure_getenv("TENSORC_CHECK");
    std::string_view rest = text ? text : "";
    while (!rest.empty()) {
      std::string_view word = rest.substr(0, rest.find(','));
      rest.remove_prefix(std::min(rest.size(), word.size() + 1));
      if (word == "memory")
        checks.memory = true;
      else if (word != "nan" && unknown.empty() && !word.empty())
        unknown = word;
    }
  }
};
} // namespace

static const Parsed &parsed() {
  static const Parsed parsed;
  return parsed;
}

const Checks &tensorc::rt::checks() { return parsed().checks; }

Status tensorc::rt::verifyChecks() {
  if (parsed().unknown.empty())
    return Status();
  return error(TENSORC_RT_INVALID_ARGUMENT,
               "TENSORC_CHECK: '%s' is not a check; there are: memory, nan",
               parsed().unknown.c_str());
}
