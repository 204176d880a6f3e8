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
  void TearDown() override { tensorc::synchronize(); }
};

[[maybe_unused]] const testing::Environment *const drainAtEnd =
    testing::AddGlobalTestEnvironment(new DrainAtEnd);

} // namespace
