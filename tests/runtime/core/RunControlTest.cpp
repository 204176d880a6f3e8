//===- RunControlTest.cpp - runs that end early ---------------------------===//
#include "tensorc/interrupt.h"
#include "tensorc/runtime.hpp"
#include "tests/runtime/core/Fixture.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <gtest/gtest.h>
#include <thread>

using namespace tensorc::rt;
using namespace tensorc::rt::cts;
using namespace tensorc::rt::test;
using Clock = std::chrono::steady_clock;

namespace {
/// Options of a run with a cancellation of their own.
class RunControl : public testing::Test {
protected:
  RunControl() {
    EXPECT_EQ(take(tensorc_rt_cancellation_create(&options.cancellation)), "");
  }
  ~RunControl() override {
    tensorc_rt_cancellation_release(options.cancellation);
    EXPECT_EQ(take(tensorc_rt_set_run_options(nullptr)), "");
  }
  tensorc_rt_run_options options = {sizeof(options), nullptr, 0, 0, nullptr};
};

/// A buffer of four numbers as the argument of such a package.
struct Input {
  Input() {
    EXPECT_EQ(take(tensorc_rt_buffer_allocate(cpu(), 16, &arg.buffer)), "");
    arg.dims = &four;
    arg.rank = 1;
    arg.dtype = TENSORC_RT_F32;
  }
  ~Input() { tensorc_rt_buffer_release(arg.buffer); }
  int64_t four = 4;
  tensorc_rt_arg arg = {};
};
} // namespace

/// The code and message of a run.
static std::string runOf(const tensorc_rt_module *module,
                         const tensorc_rt_run_options *options = nullptr,
                         tensorc_rt_stream *stream = nullptr,
                         tensorc_rt_code *code = nullptr) {
  Input x;
  tensorc_rt_status *status =
      tensorc_rt_run_with(tensorc_rt_module_entry(module, 0), &x.arg, 1,
                          nullptr, 0, stream, options);
  if (code)
    *code = tensorc_rt_status_code(status);
  return take(status);
}

/// By default after 2^27 words.
static void expectExhausted(const TestPackage &package, const char *where,
                            const tensorc_rt_run_options *options = nullptr) {
  tensorc_rt_module *module = loaded(package.bytes());
  tensorc_rt_code code = TENSORC_RT_OK;
  uint64_t words = options ? options->max_instructions : 1 << 27;
  EXPECT_EQ(runOf(module, options, nullptr, &code),
            std::string("main: function ") + where + ": runs for more than " +
                std::to_string(words) +
                " words of code without launching a kernel");
  EXPECT_EQ(code, TENSORC_RT_RESOURCE_EXHAUSTED);
  tensorc_rt_module_release(module);
}

TEST_F(RunControl, JumpLoopsEnd) {
  TestPackage package;
  package.add(Op::Const, {0, 1, 0});
  package.add(Op::Jump, {4});
  package.add(Op::Return, {0, 0});
  expectExhausted(package, "'main', word 4");
}

TEST_F(RunControl, AllocationLoopsEnd) {
  TestPackage package;
  package.add(Op::Const, {0, 64, 0});
  package.add(Op::Alloc, {1, 0});
  package.add(Op::Jump, {4});
  package.add(Op::Return, {0, 0});
  // With guards each allocation maps pages.
  options.max_instructions = 1 << 18;
  expectExhausted(package, "'main', word 4",
                  std::getenv("TENSORC_CHECK") ? &options : nullptr);
}

TEST_F(RunControl, CopyLoopsEnd) {
  TestPackage package;
  package.add(Op::Const, {0, 1 << 26, 0});
  package.add(Op::Alloc, {1, 0});
  package.add(Op::Alloc, {2, 0});
  package.add(Op::Copy, {1, 2});
  package.add(Op::Jump, {10});
  package.add(Op::Return, {0, 0});
  tensorc_rt_module *module = loaded(package.bytes());
  options.max_instructions = 1 << 20;
  EXPECT_NE(runOf(module, &options).find("without launching a kernel"),
            std::string::npos);
  tensorc_rt_module_release(module);
}

/// The check of a memory limit executes the program without its work.
TEST_F(RunControl, EndsTheCheckOfALimit) {
  if (std::getenv("TENSORC_CHECK"))
    GTEST_SKIP() << "guarded memory is not checked before a run";
  TestPackage package;
  package.add(Op::Const, {0, 1 << 26, 0});
  package.add(Op::Alloc, {1, 0});
  package.add(Op::Alloc, {2, 0});
  package.add(Op::Copy, {1, 2});
  package.add(Op::Return, {0, 0});
  tensorc_rt_module *module = loaded(package.bytes());
  tensorc_rt_device_set_memory_limit(cpu(), 1 << 20);
  tensorc_rt_cancel(options.cancellation);
  tensorc_rt_code code = TENSORC_RT_OK;
  EXPECT_EQ(runOf(module, &options, nullptr, &code), "the run was cancelled");
  EXPECT_EQ(code, TENSORC_RT_CANCELLED);
  // The thread's options do not concern a run that has its own.
  EXPECT_EQ(take(tensorc_rt_set_run_options(&options)), "");
  tensorc_rt_run_options none = {sizeof none, nullptr, 0, 0, nullptr};
  EXPECT_NE(runOf(module, &none).find("bytes that main allocates would pass"),
            std::string::npos);
  tensorc_rt_device_set_memory_limit(cpu(), 0);
  tensorc_rt_module_release(module);
}

/// Functions that call themselves twice nest 64 deep: 2^64 calls.
TEST_F(RunControl, NestedCallsEnd) {
  TestPackage package;
  auto add = [&](Op op, std::vector<uint32_t> operands) {
    package.inner.push_back(
        encodeHead(op, 0, static_cast<uint32_t>(operands.size())));
    package.inner.insert(package.inner.end(), operands.begin(), operands.end());
  };
  add(Op::Const, {1, 1, 0});
  add(Op::JumpIfZero, {0, 27});
  add(Op::Sub, {2, 0, 1});
  add(Op::Call, {1, 1, 1, 0, 2, 1, 3});
  add(Op::Call, {1, 1, 1, 0, 2, 1, 3});
  ASSERT_EQ(package.inner.size(), 27u);
  add(Op::Return, {1, 1, 0, 0});
  package.add(Op::Const, {0, 60, 0});
  package.add(Op::Call, {1, 1, 1, 0, 0, 1, 3});
  package.add(Op::Return, {0, 0});
  tensorc_rt_module *module = loaded(package.bytes());
  tensorc_rt_code code = TENSORC_RT_OK;
  EXPECT_NE(runOf(module, nullptr, nullptr, &code).find("function 'inner'"),
            std::string::npos);
  EXPECT_EQ(code, TENSORC_RT_RESOURCE_EXHAUSTED);
  tensorc_rt_module_release(module);
}

TEST_F(RunControl, TheBudgetIsSettableAndKernelsRenewIt) {
  // 1000 launches of some 20 words each.
  TestPackage package = busyParts();
  package.add(Op::Const, {6, 1000, 0});
  package.add(Op::Const, {7, 1, 0});
  auto loop = static_cast<uint32_t>(package.code.size());
  package.add(Op::Launch, {0, 0, 3, 2, 0, 2, 0, 0, 1, 2, 0, 0, 0});
  package.add(Op::Sub, {6, 6, 7});
  package.add(Op::JumpIfZero, {6, loop + 23});
  package.add(Op::Jump, {loop});
  package.add(Op::Return, {0, 0});
  tensorc_rt_module *module = loaded(package.bytes());
  options.max_instructions = 100;
  EXPECT_EQ(runOf(module, &options), "");
  options.max_instructions = 10;
  EXPECT_NE(runOf(module, &options).find("more than 10 words"),
            std::string::npos);
  tensorc_rt_module_release(module);
}

TEST_F(RunControl, CancelledRunsFailBeforeTheirNextKernel) {
  tensorc_rt_module *module = loaded(busyPackage());
  EXPECT_EQ(runOf(module, &options), "");
  tensorc_rt_cancel(options.cancellation);
  tensorc_rt_code code = TENSORC_RT_OK;
  EXPECT_EQ(runOf(module, &options, nullptr, &code), "the run was cancelled");
  EXPECT_EQ(code, TENSORC_RT_CANCELLED);
  EXPECT_EQ(runOf(module), "");
  // The thread's options are for runs without.
  EXPECT_EQ(take(tensorc_rt_set_run_options(&options)), "");
  EXPECT_EQ(runOf(module), "the run was cancelled");
  tensorc_rt_run_options none = {sizeof(none), nullptr, 0, 0, nullptr};
  EXPECT_EQ(runOf(module, &none), "");
  EXPECT_EQ(take(tensorc_rt_set_run_options(nullptr)), "");
  EXPECT_EQ(runOf(module), "");
  tensorc_rt_module_release(module);
}

/// What `cancelCall` cancels, once its caller has let it go on.
struct HeldCancellation {
  tensorc_rt_cancellation *cancellation = nullptr;
  std::atomic<bool> released = false;
};

static tensorc_rt_status *cancelCall(const tensorc_rt_custom_call *call) {
  auto *held = static_cast<HeldCancellation *>(call->user);
  held->released.wait(false);
  tensorc_rt_cancel(held->cancellation);
  return nullptr;
}

TEST_F(RunControl, WorkOfAStreamIsAskedForWhenItIsDone) {
  static HeldCancellation held;
  held.cancellation = options.cancellation;
  held.released = false;
  ASSERT_EQ(take(tensorc_rt_register_custom_call("control.cancel", cancelCall,
                                                 &held)),
            "");
  // The function cancels before the copy behind it, which was given already.
  tensorc_rt_module *module = loaded(busyPackage("control.cancel"));
  tensorc_rt_stream *stream = nullptr;
  ASSERT_EQ(take(tensorc_rt_stream_create(cpu(), &stream)), "");
  EXPECT_EQ(runOf(module, &options, stream), "");
  held.released = true;
  held.released.notify_all();
  EXPECT_EQ(take(tensorc_rt_stream_synchronize(stream)),
            "the run was cancelled");
  EXPECT_EQ(runOf(module, nullptr, stream), "");
  EXPECT_EQ(take(tensorc_rt_stream_synchronize(stream)), "");
  tensorc_rt_stream_release(stream);
  tensorc_rt_module_release(module);
}

TEST_F(RunControl, DeadlinesEndLoopsAndKernels) {
  TestPackage package;
  package.add(Op::Const, {0, 1, 0});
  package.add(Op::Jump, {4});
  package.add(Op::Return, {0, 0});
  tensorc_rt_module *endless = loaded(package.bytes());
  tensorc_rt_module *busy = loaded(busyPackage());
  auto deadline = Clock::now() + std::chrono::milliseconds(50);
  options.deadline_ns = deadline.time_since_epoch().count();
  options.max_instructions = UINT64_MAX;
  tensorc_rt_code code = TENSORC_RT_OK;
  EXPECT_EQ(runOf(endless, &options, nullptr, &code),
            "the run's deadline has passed");
  EXPECT_EQ(code, TENSORC_RT_DEADLINE_EXCEEDED);
  EXPECT_EQ(runOf(busy, &options), "the run's deadline has passed");
  options.deadline_ns += int64_t(3600) * 1000000000;
  EXPECT_EQ(runOf(busy, &options), "");
  tensorc_rt_module_release(endless);
  tensorc_rt_module_release(busy);
}

/// Yes from the `after`th question on.
struct Question {
  int asked = 0, after = 0;
  static int32_t answer(void *user) {
    auto *self = static_cast<Question *>(user);
    return ++self->asked > self->after;
  }
};

TEST_F(RunControl, AThreadIsAskedWhileItWorks) {
  TestPackage package;
  package.add(Op::Const, {0, 1, 0});
  package.add(Op::Jump, {4});
  package.add(Op::Return, {0, 0});
  tensorc_rt_module *endless = loaded(package.bytes());
  options.max_instructions = UINT64_MAX;
  tensorc_rt_code code = TENSORC_RT_OK;
  Question third{0, 2};
  tensorc_rt_set_interrupt(Question::answer, &third);
  auto start = Clock::now();
  EXPECT_EQ(runOf(endless, &options, nullptr, &code), "interrupted");
  EXPECT_EQ(code, TENSORC_RT_CANCELLED);
  // Not before each jump: every 20 ms.
  EXPECT_EQ(third.asked, 3);
  EXPECT_GE(Clock::now() - start, std::chrono::milliseconds(30));
  // Another thread is not asked, nor is this one any more.
  std::string other = "none";
  tensorc_rt_module *busy = loaded(busyPackage());
  std::thread([&] { other = runOf(busy); }).join();
  EXPECT_EQ(other, "");
  EXPECT_EQ(third.asked, 3);
  tensorc_rt_set_interrupt(nullptr, nullptr);
  EXPECT_EQ(take(tensorc_rt_check_interrupt()), "");
  EXPECT_EQ(runOf(busy), "");
  tensorc_rt_module_release(busy);
  tensorc_rt_module_release(endless);
}

TEST_F(RunControl, OptionsSayHowLargeTheyAre) {
  tensorc_rt_module *module = loaded(busyPackage());
  options.struct_size = 0;
  EXPECT_EQ(runOf(module, &options),
            "options of a run without their struct_size");
  EXPECT_NE(take(tensorc_rt_set_run_options(&options)), "");
  // Members that an older caller does not have are not read.
  options.struct_size = sizeof(size_t);
  tensorc_rt_cancel(options.cancellation);
  EXPECT_EQ(runOf(module, &options), "");
  tensorc_rt_module_release(module);
}
