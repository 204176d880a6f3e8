//===- CallbackTest.cpp - the embedder's functions, signals, two modules --===//
#include "tests/runtime/core/Fixture.h"

#include <csignal>
#include <gtest/gtest.h>
#include <stdexcept>

using namespace tensorc::rt;
using namespace tensorc::rt::test;

namespace {
/// What the custom call "callback.call" does next.
enum class Does { Nothing, Fails, Throws, ThrowsANumber, Raises };
Does does = Does::Nothing;
int signals = 0;

class Callback : public testing::Test {
protected:
  static void SetUpTestSuite() {
    auto call = [](const tensorc_rt_custom_call *call) -> tensorc_rt_status * {
      EXPECT_EQ(call->input_count, 0);
      EXPECT_EQ(call->output_count, 1);
      EXPECT_EQ(call->output_sizes[0], 4000u);
      EXPECT_STREQ(call->config, "");
      if (does == Does::Fails)
        return tensorc_rt_status_create(TENSORC_RT_UNSUPPORTED, "not today");
      if (does == Does::Throws)
        throw std::runtime_error("a C++ function");
      if (does == Does::ThrowsANumber)
        throw 42;
      if (does == Does::Raises)
        raise(SIGINT);
      return nullptr;
    };
    EXPECT_EQ(
        take(tensorc_rt_register_custom_call("callback.call", call, nullptr)),
        "");
  }
  void SetUp() override {
    package = busyPackage("callback.call");
    module = loaded(package);
    ASSERT_EQ(take(tensorc_rt_stream_create(cpu(), &stream)), "");
  }
  void TearDown() override {
    does = Does::Nothing;
    tensorc_rt_set_launch_hook(nullptr, nullptr);
    EXPECT_EQ(runBusy(module, nullptr), ""); // Stays usable.
    EXPECT_EQ(runBusy(module, stream), "");
    tensorc_rt_stream_release(stream);
    tensorc_rt_module_release(module);
  }
  /// On both kinds of stream.
  void expectBoth(Does what, const std::string &message) {
    does = what;
    EXPECT_EQ(runBusy(module, nullptr), message);
    EXPECT_EQ(runBusy(module, stream), message);
  }

  std::string package;
  tensorc_rt_module *module = nullptr;
  tensorc_rt_stream *stream = nullptr;
};
} // namespace

TEST_F(Callback, ACustomCallMayFailOrThrow) {
  expectBoth(Does::Nothing, "");
  expectBoth(Does::Fails, "not today");
  expectBoth(Does::Throws, "custom call 'callback.call' threw: a C++ function");
  expectBoth(Does::ThrowsANumber, "custom call 'callback.call' threw");
}

TEST_F(Callback, ALaunchHookMayThrow) {
  tensorc_rt_set_launch_hook(
      [](void *, const tensorc_rt_launch_record *) {
        throw std::runtime_error("seen enough");
      },
      nullptr);
  expectBoth(Does::Nothing, "the launch hook threw: seen enough");
}

TEST_F(Callback, ADeleterMayThrow) {
  int deleted = 0;
  auto deleter = [](void *user, void *) {
    ++*static_cast<int *>(user);
    throw std::runtime_error("lost");
  };
  alignas(64) static char memory[64];
  tensorc_rt_buffer *buffer = nullptr;
  ASSERT_EQ(take(tensorc_rt_buffer_wrap(cpu(), memory, 64, deleter, &deleted,
                                        &buffer)),
            "");
  tensorc_rt_buffer_release(buffer);
  EXPECT_EQ(deleted, 1);
  tensorc_rt_module *borrowed = nullptr;
  ASSERT_EQ(take(tensorc_rt_load_bytes(cpu(), package.data(), package.size(),
                                       TENSORC_RT_BORROW, deleter, &deleted,
                                       &borrowed)),
            "");
  tensorc_rt_module_release(borrowed);
  EXPECT_EQ(deleted, 2);
}

TEST_F(Callback, AMissingCustomCallIsNamedWhenLoading) {
  std::string bytes = busyPackage("callback.absent");
  tensorc_rt_module *absent = nullptr;
  tensorc_rt_status *status =
      tensorc_rt_load_bytes(cpu(), bytes.data(), bytes.size(), TENSORC_RT_COPY,
                            nullptr, nullptr, &absent);
  EXPECT_EQ(tensorc_rt_status_code(status), TENSORC_RT_NOT_FOUND);
  EXPECT_EQ(
      take(status),
      "package: it calls 'callback.absent', which is not registered: before "
      "loading, make it a tensorc::CustomOp, or call tensorc_rt_register_op or "
      "tensorc_rt_register_custom_call");
  EXPECT_EQ(absent, nullptr);
}

TEST_F(Callback, SignalsAreTheEmbedders) {
  // The runtime sets no handler...
  static struct sigaction before[NSIG];
  struct sigaction mine = {};
  mine.sa_handler = [](int) { ++signals; };
  sigaction(SIGINT, &mine, nullptr);
  for (int i = 1; i < NSIG; ++i)
    sigaction(i, nullptr, &before[i]);
  EXPECT_EQ(useEverything(), "");
  for (int i = 1; i < NSIG; ++i) {
    struct sigaction now = {};
    sigaction(i, nullptr, &now);
    EXPECT_EQ(now.sa_handler, before[i].sa_handler) << "signal " << i;
  }
  // ... and a run goes on after one.
  expectBoth(Does::Raises, "");
  EXPECT_EQ(signals, 2);
  signal(SIGINT, SIG_DFL);
}

TEST_F(Callback, TwoModulesDoNotMix) {
  tensorc_rt_module *other = loaded(busyPackage());
  does = Does::Fails;
  EXPECT_EQ(runBusy(other, nullptr), "");
  EXPECT_EQ(runBusy(module, nullptr), "not today");
  tensorc_rt_module_release(other);
}
