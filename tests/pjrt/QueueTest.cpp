//===- QueueTest.cpp - Jobs that a device runs in order -------------------===//

#include "pjrt/Queue.h"

#include <gtest/gtest.h>

#include <future>

using namespace tensorc::pjrt;

namespace {
/// A job that runs until `open` is called.
struct Gate {
  std::promise<void> promise;
  std::shared_future<void> opened{promise.get_future()};

  void open() { promise.set_value(); }
};
} // namespace

TEST(Queue, RunsJobsInOrder) {
  std::vector<int> order;
  Queue queue;
  for (int i = 0; i < 5; ++i)
    queue.post([&order, i] { order.push_back(i); });
  queue.drain();
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4}));
  EXPECT_TRUE(queue.isIdle());
}

// A callback of the host may run a program while as many runs are queued as the
// host's own threads may queue.
TEST(Queue, AJobPostsToItsOwnFullQueue) {
  Gate gate;
  int last = 0;
  Queue queue;
  queue.post([&] {
    gate.opened.wait();
    EXPECT_TRUE(Queue::isWithinJob());
    queue.post([&] { last = 2; });
  });
  for (int i = 0; i < 100; ++i)
    queue.post([&] { last = 1; });
  gate.open();
  queue.drain();
  EXPECT_EQ(last, 2);
}

TEST(Queue, RoomIsLimited) {
  Gate gate;
  Queue queue;
  for (int i = 0; i < 100; ++i)
    queue.post([&] { gate.opened.wait(); });
  std::future<void> room =
      std::async(std::launch::async, [&] { queue.waitForRoom(); });
  EXPECT_EQ(room.wait_for(std::chrono::milliseconds(1)),
            std::future_status::timeout);
  gate.open();
  room.get();
}
