//===- ForkTest.cpp - the runtime in a child of fork ----------------------===//
#include "tests/runtime/core/Fixture.h"

#include <atomic>
#include <future>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace tensorc::rt;
using namespace tensorc::rt::test;

/// Runs the body in a child, which a deadlock would end; "" or what it says.
template <typename Body> static std::string inChild(Body body) {
  int pipes[2];
  if (pipe(pipes))
    return "no pipe";
  pid_t child = fork();
  if (child == 0) {
    alarm(600);
    std::string message = body();
    if (write(pipes[1], message.data(), message.size()) < 0)
      _exit(2);
    _exit(0);
  }
  close(pipes[1]);
  std::string message;
  char text[512];
  for (ssize_t count; (count = read(pipes[0], text, sizeof(text))) > 0;)
    message.append(text, static_cast<size_t>(count));
  close(pipes[0]);
  int state = 0;
  waitpid(child, &state, 0);
  return state ? message + " child ended with state " + std::to_string(state)
               : message;
}

static std::string beforeUse;

namespace {
class Fork : public testing::Test {
protected:
  void SetUp() override { tensorc_rt_set_num_threads(3); }
  void TearDown() override { tensorc_rt_set_num_threads(0); }
};

/// A custom call that waits until it may go on.
struct Gate {
  static inline std::atomic<bool> open{true};
  static tensorc_rt_status *wait(const tensorc_rt_custom_call *) {
    while (!open)
      std::this_thread::yield();
    return nullptr;
  }
};
} // namespace

TEST_F(Fork, BeforeUse) { EXPECT_EQ(beforeUse, ""); }

TEST_F(Fork, AfterUse) {
  ASSERT_EQ(useEverything(), "");
  EXPECT_EQ(inChild(useEverything), "");
  EXPECT_EQ(useEverything(), "");
}

TEST_F(Fork, AChildsChild) {
  ASSERT_EQ(useEverything(), "");
  EXPECT_EQ(inChild([] {
              std::string message = useEverything();
              return message.empty() ? inChild(useEverything) : message;
            }),
            "");
}

TEST_F(Fork, WhatTheParentMadeWorksInTheChild) {
  tensorc_rt_module *module = loaded(busyPackage());
  tensorc_rt_stream *stream = nullptr;
  ASSERT_EQ(take(tensorc_rt_stream_create(cpu(), &stream)), "");
  ASSERT_EQ(runBusy(module, stream), "");
  auto use = [&] {
    std::string message = runBusy(module, nullptr);
    message += runBusy(module, stream);
    tensorc_rt_set_num_threads(2);
    message += runBusy(module, stream);
    tensorc_rt_stream_release(stream);
    tensorc_rt_module_release(module);
    tensorc_rt_device_trim(cpu());
    return message;
  };
  EXPECT_EQ(inChild(use), "");
  EXPECT_EQ(use(), "");
}

TEST_F(Fork, AStreamThatTheChildDoesNotUseIsReleased) {
  tensorc_rt_stream *stream = nullptr;
  ASSERT_EQ(take(tensorc_rt_stream_create(cpu(), &stream)), "");
  EXPECT_EQ(inChild([&] {
              tensorc_rt_stream_release(stream);
              return std::string();
            }),
            "");
  tensorc_rt_stream_release(stream);
}

TEST_F(Fork, WorkUnderWayIsAnErrorInTheChild) {
  static std::string registered =
      take(tensorc_rt_register_custom_call("fork.gate", Gate::wait, nullptr));
  ASSERT_EQ(registered, "");
  tensorc_rt_module *module = loaded(busyPackage("fork.gate"));
  tensorc_rt_stream *stream = nullptr;
  tensorc_rt_event *event = nullptr;
  tensorc_rt_buffer *x = nullptr;
  ASSERT_EQ(take(tensorc_rt_stream_create(cpu(), &stream)), "");
  ASSERT_EQ(take(tensorc_rt_event_create(cpu(), &event)), "");
  ASSERT_EQ(take(tensorc_rt_buffer_allocate(cpu(), 16, &x)), "");
  int64_t four = 4;
  tensorc_rt_arg arg = {x, 0, &four, 1, TENSORC_RT_F32};
  Gate::open = false;
  ASSERT_EQ(take(tensorc_rt_run(tensorc_rt_module_entry(module, 0), &arg, 1,
                                nullptr, 0, stream)),
            "");
  ASSERT_EQ(take(tensorc_rt_event_record(event, stream)), "");
  EXPECT_EQ(inChild([&]() -> std::string {
              Gate::open = true;
              std::string lost =
                  "work that was given before fork() is not done in the child";
              if (take(tensorc_rt_event_synchronize(event)) != lost)
                return "the event says something else";
              if (tensorc_rt_event_query(event))
                return "the event is reached";
              if (take(tensorc_rt_stream_synchronize(stream)) != lost)
                return "the stream says something else";
              std::string message = runBusy(module, stream);
              tensorc_rt_event_release(event);
              tensorc_rt_stream_release(stream);
              return message;
            }),
            "");
  Gate::open = true;
  EXPECT_EQ(take(tensorc_rt_stream_synchronize(stream)), "");
  EXPECT_EQ(tensorc_rt_event_query(event), 1);
  tensorc_rt_buffer_release(x);
  tensorc_rt_event_release(event);
  tensorc_rt_stream_release(stream);
  tensorc_rt_module_release(module);
}

/// Mesa's lavapipe does so when the child exits. The runtime's threads must not
/// have the stack of a lost thread, nor make glibc free it when they end.
TEST_F(Fork, ALibraryMayJoinAThreadThatOnlyTheParentHas) {
  std::promise<void> end;
  std::shared_future<void> ended(end.get_future());
  std::vector<std::thread> lost;
  // Their stacks are more than glibc keeps of ended threads (40 MiB).
  for (int i = 0; i < 8; ++i)
    lost.emplace_back([ended] { ended.wait(); });
  for (std::thread &thread : lost)
    EXPECT_EQ(inChild([&] {
                alarm(20);
                tensorc_rt_module *module = loaded(busyPackage());
                tensorc_rt_stream *kept = nullptr, *ending = nullptr;
                std::string message =
                    take(tensorc_rt_stream_create(cpu(), &kept));
                message += take(tensorc_rt_stream_create(cpu(), &ending));
                message += runBusy(module, kept);
                message += runBusy(module, ending);
                tensorc_rt_stream_release(ending);
                thread.join();
                message += runBusy(module, kept);
                return message;
              }),
              "");
  end.set_value();
  for (std::thread &thread : lost)
    thread.join();
}

TEST_F(Fork, WhileOthersWork) {
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&] {
      while (!stop)
        EXPECT_EQ(useEverything(), "");
    });
  for (int i = 0; i < 30; ++i)
    EXPECT_EQ(inChild(useEverything), "");
  stop = true;
  for (std::thread &thread : threads)
    thread.join();
}

int main(int argc, char **argv) {
  // Before this process has used the runtime.
  beforeUse = inChild([] {
    tensorc_rt_set_num_threads(3);
    return useEverything();
  });
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
