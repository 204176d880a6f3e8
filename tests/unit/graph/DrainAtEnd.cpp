//===- DrainAtEnd.cpp - No work under way when a test program ends --------===//
//
// A simulated device at work holds memory on its fibers' stacks alone, where
// the leak checker does not look.
//
//===----------------------------------------------------------------------===//

#include "tensorc/tensorc.hpp"

#include <gtest/gtest.h>

namespace {

class DrainAtEnd : public testing::Environment {
  void TearDown() override {
    // Reading a value waits for all that was enqueued before it.
    EXPECT_EQ((tensorc::ones({1}) + 1).to_vector<float>()[0], 2);
  }
};

[[maybe_unused]] const testing::Environment *const drainAtEnd =
    testing::AddGlobalTestEnvironment(new DrainAtEnd);

} // namespace
