//===- MemoryCheckTest.cpp - What TENSORC_CHECK=memory knows of the JIT ---===//

#include <cstdlib>
#include <gtest/gtest.h>
#include <map>
#include <tensorc/runtime.h>
#include <tensorc/tensorc.hpp>

using namespace tensorc;

/// Before the runtime looks.
[[gnu::constructor]] static void setChecks() {
  setenv("TENSORC_CHECK", "memory", 1);
}

namespace {
/// The lines of the launches since it was made.
class Lines {
public:
  Lines() {
    tensorc_rt_set_launch_hook(
        [](void *user, const tensorc_rt_launch_record *record) {
          if (record->file)
            static_cast<Lines *>(user)->seen[record->kernel] = record->line;
        },
        this);
  }
  ~Lines() { tensorc_rt_set_launch_hook(nullptr, nullptr); }
  std::map<std::string, uint32_t> seen;
};
} // namespace

/// Traced at two lines: the kernel that they share names the one that runs.
TEST(MemoryCheck, KernelsOfFunctionsKnowTheLinesInThem) {
  if (default_device() == Device("reference"))
    GTEST_SKIP() << "it has no kernels";
  auto first = jit([](const Tensor &x) { return tanh(x) * 3.0f; });
  uint32_t lines[2] = {__LINE__ - 1};
  auto second = jit([](const Tensor &x) { return tanh(x) * 3.0f; });
  lines[1] = __LINE__ - 1;
  Tensor x = full({6, 5}, 1.0f) * 1.0f;
  x.eval();
  for (int round = 0; round < 2; ++round)
    for (int i : {0, 1}) {
      synchronize();
      Lines launches;
      Tensor y = i ? second(x) : first(x);
      y.eval();
      synchronize();
      ASSERT_EQ(launches.seen.size(), 1u);
      EXPECT_EQ(launches.seen.begin()->second, lines[i]);
    }
}

TEST(MemoryCheck, KernelsKnowTheLinesThatAskForThem) {
  if (default_device() == Device("reference"))
    GTEST_SKIP() << "it has no kernels";
  uint32_t lines[2];
  for (uint32_t &line : lines) {
    Tensor x = full({7, 5}, 1.0f) * 1.0f;
    x.eval();
    synchronize();
    Lines launches;
    Tensor y = exp(x);
    line = __LINE__ - 1;
    y.eval();
    synchronize();
    // A stream may report the launch before this one late.
    EXPECT_EQ(launches.seen[last_kernels().at(0)], line);
  }
  // One kernel serves other lines, too.
  Tensor x = full({7, 5}, 2.0f) * 1.0f;
  x.eval();
  synchronize();
  Lines launches;
  Tensor z = exp(x);
  uint32_t line = __LINE__ - 1;
  z.eval();
  synchronize();
  EXPECT_EQ(launches.seen[last_kernels().at(0)], line);
}
