//===- VerifyTest.cpp - code that the loader refuses ----------------------===//
#include "runtime/cts/TestPackage.h"

#include <gtest/gtest.h>

using namespace tensorc::rt;
using namespace tensorc::rt::cts;

static std::string load(const TestPackage &package, const char *device = "cpu",
                        uint32_t planOf = 0) {
  tensorc_rt_device *on = nullptr;
  EXPECT_EQ(take(tensorc_rt_device_find(device, &on)), "");
  std::string bytes = package.bytes({}, planOf);
  tensorc_rt_module *module = nullptr;
  std::string message =
      take(tensorc_rt_load_bytes(on, bytes.data(), bytes.size(),
                                 TENSORC_RT_COPY, nullptr, nullptr, &module));
  EXPECT_EQ(message.empty(), module != nullptr);
  tensorc_rt_module_release(module);
  return message;
}

/// What the loader says of one instruction before a return.
static std::string refusal(Op op, std::vector<uint32_t> operands) {
  TestPackage package;
  package.strings = {"text"};
  package.add(op, std::move(operands));
  package.add(Op::Return, {0, 0});
  std::string message = load(package);
  size_t at = message.rfind(": ");
  return at == std::string::npos ? message : message.substr(at + 2);
}

TEST(Verify, RegistersAreInRange) {
  EXPECT_EQ(refusal(Op::Add, {3, 0, 1}), "");
  EXPECT_EQ(refusal(Op::Add, {4, 0, 1}), "no such word register");
  EXPECT_EQ(refusal(Op::Add, {0, 0, 4}), "no such word register");
  EXPECT_EQ(refusal(Op::Alloc, {4, 0}), "no such buffer register");
  EXPECT_EQ(refusal(Op::Record, {1}), "no such event register");
  EXPECT_EQ(refusal(Op::Spill, {1, 0}), "no such register of host buffers");
  EXPECT_EQ(refusal(Op::Restore, {1, 0}), "no such register of host buffers");
}

TEST(Verify, IndicesAreInRange) {
  EXPECT_EQ(refusal(Op::Assert, {0, 1}), "no such string");
  EXPECT_EQ(refusal(Op::Constant, {0, 0}), "no such constant");
  EXPECT_EQ(refusal(Op::Upload, {0, 0}), "no such constant");
  EXPECT_EQ(refusal(Op::Launch, {0, 0, 0, 0, 0, 0, 0, 0}), "no such kernel");
  EXPECT_EQ(refusal(Op::Call, {1, 0, 0}), "no such function");
  EXPECT_EQ(refusal(Op::Call, {0, 1, 0, 0}), "calls an entry");
  EXPECT_EQ(refusal(Op::Dim, {0, 0, 0}), "");
  EXPECT_EQ(refusal(Op::Dim, {0, 0, 1}), "no such dimension");
  EXPECT_EQ(refusal(Op::Dim, {0, 1, 0}), "no such dimension");
}

TEST(Verify, BlocksHaveALimit) {
  TestPackage package;
  package.kernels = {"step"};
  package.add(Op::Launch, {0, 0, 0, 0, maxBlockThreads + 1, 0, 0, 0});
  package.add(Op::Return, {0, 0});
  std::string message = load(package);
  EXPECT_EQ(message.substr(message.rfind(": ") + 2),
            "has no possible number of threads in a block");
}

/// Why a launch of a kernel without arguments is refused; `more` are the grid
/// and the tensor maps.
static std::string launchRefusal(uint32_t block, std::vector<uint32_t> more) {
  TestPackage package;
  package.kernels = {"step"};
  std::vector<uint32_t> words = {0, 0, 0, 0, block, 0, 0, 0};
  words.insert(words.end(), more.begin(), more.end());
  package.add(Op::Launch, words);
  package.add(Op::Return, {0, 0});
  std::string message = load(package);
  size_t colon = message.rfind(": ");
  return colon == std::string::npos ? message : message.substr(colon + 2);
}

TEST(Verify, GridsAndTensorMapsOfLaunches) {
  EXPECT_EQ(launchRefusal(32, {}), "does not say whether it has a grid");
  EXPECT_EQ(launchRefusal(32, {2, 0}), "does not say whether it has a grid");
  EXPECT_EQ(launchRefusal(32, {0}), "has no count of maps");
  EXPECT_EQ(launchRefusal(32, {1, 0, 0}), "has fewer operands than it says");
  EXPECT_EQ(launchRefusal(32, {1, 9, 0, 0, 1, 1, 0}), "no such word register");
  EXPECT_EQ(launchRefusal(32, {1, 0, 0, 0, 33, 1, 0}),
            "has no possible number of threads in a block");
  EXPECT_EQ(launchRefusal(0, {1, 0, 0, 0, 1, 1, 0}),
            "has no possible number of threads in a block");
  EXPECT_EQ(launchRefusal(32, {0, 9}), "has too many tensor maps");
  EXPECT_EQ(launchRefusal(32, {0, 1, 0, 4, 0, 1, 64, 0}),
            "has an impossible tensor map"); // of no buffer
  EXPECT_EQ(launchRefusal(32, {0, 0}), "does not say which op it computes");
  EXPECT_EQ(launchRefusal(32, {0, 0, 0, 0}), "has more operands than it takes");
}

/// Why a launch with this tensor map of its only buffer is refused.
static std::string mapRefusal(std::vector<uint32_t> map) {
  TestPackage package;
  package.kernels = {"step"};
  package.arities = {1};
  std::vector<uint32_t> words = {0, 0, 0, 0, 32, 1, 0, 0, 0, 0, 1};
  words.insert(words.end(), map.begin(), map.end());
  package.add(Op::Launch, words);
  package.add(Op::Return, {0, 0});
  std::string message = load(package);
  return message.substr(message.rfind(": ") + 2);
}

TEST(Verify, ImpossibleTensorMaps) {
  // Buffer, bytes of an element and of the swizzle, rank, box; registers.
  for (std::vector<uint32_t> map :
       {std::vector<uint32_t>{1, 2, 128, 2, 64, 128, 0, 0, 0},
        {0, 3, 128, 2, 64, 128, 0, 0, 0},
        {0, 0, 128, 2, 64, 128, 0, 0, 0},
        {0, 2, 96, 2, 64, 128, 0, 0, 0},
        {0, 2, 256, 2, 64, 128, 0, 0, 0},
        {0, 2, 128, 0, 0, 0, 0},
        {0, 2, 128, 6, 1, 1, 1, 1, 1, 1},
        {0, 2, 128, 2, 0, 128, 0, 0, 0},
        {0, 2, 128, 2, 64, 257, 0, 0, 0},
        {0, 2, 128, 2, ~0u, 128, 0, 0, 0}})
    EXPECT_EQ(mapRefusal(map), "has an impossible tensor map");
  EXPECT_EQ(mapRefusal({0, 2, 128, 2, 64, 128, 0, 0}),
            "has fewer operands than it says");
  EXPECT_EQ(mapRefusal({0, 2, 128, 2, 64, 128, 0, 0, 99}),
            "no such word register");
}

TEST(Verify, OperandsAreCounted) {
  EXPECT_EQ(refusal(Op::Add, {0, 0}), "has fewer operands than it says");
  EXPECT_EQ(refusal(Op::Add, {0, 0, 0, 0}), "has more operands than it takes");
  EXPECT_EQ(refusal(Op::CustomCall, {0, 0, 2, 0, 0, 0}),
            "has fewer operands than it says");
  EXPECT_EQ(refusal(Op::CustomCall, {0, 0, 1, 0}), "has no counts");
  EXPECT_EQ(refusal(Op::CustomCall, {0, 0, UINT32_MAX, 1, 0}),
            "passes too many arguments");
  EXPECT_EQ(refusal(Op::Return, {1, 0, 0}),
            "returns another number of values than the function");
}

TEST(Verify, ImmediatesMeanSomething) {
  EXPECT_EQ(refusal(Op::Fill, {0, 0, 4}), "");
  EXPECT_EQ(refusal(Op::Fill, {0, 0, 3}), "fills with an impossible width");
  EXPECT_EQ(refusal(Op::ReadScalar, {0, 0, 0, TENSORC_RT_F32}), "");
  EXPECT_EQ(refusal(Op::ReadScalar, {0, 0, 0, TENSORC_RT_I4}),
            "reads an impossible dtype");
}

TEST(Verify, JumpsLandOnInstructions) {
  EXPECT_EQ(refusal(Op::Jump, {2}), "");
  EXPECT_EQ(refusal(Op::Jump, {1}), "a jump lands inside an instruction");
  EXPECT_EQ(refusal(Op::Jump, {5}), "jumps out of the function");
  EXPECT_EQ(refusal(Op::JumpIfZero, {0, 99}), "jumps out of the function");
}

TEST(Verify, ControlStaysInside) {
  TestPackage package;
  EXPECT_NE(load(package).find("control runs off the end"), std::string::npos);
  package.add(Op::Move, {0, 0});
  EXPECT_NE(load(package).find("control runs off the end"), std::string::npos);
  package.code.push_back(encodeHead(Op::Return, 0, 2));
  EXPECT_NE(load(package).find("ends after its function"), std::string::npos);
  package.code.back() = 0xfe;
  EXPECT_NE(load(package).find("no such instruction"), std::string::npos);
}

TEST(Verify, RegistersHaveABound) {
  TestPackage package;
  package.add(Op::Return, {0, 0});
  package.words = maxRegisters + 1;
  EXPECT_NE(load(package).find("impossible registers"), std::string::npos);
  package.words = 4;
  package.buffers = 0;
  EXPECT_NE(load(package).find("impossible registers"), std::string::npos);
}

TEST(Verify, PlansComeAfterTheirEntry) {
  TestPackage package;
  package.add(Op::Return, {0, 0});
  EXPECT_NE(load(package, "cpu", 1).find("entry 0 is no plan of entry 0"),
            std::string::npos);
}

TEST(Verify, SaysWhichTargetsThereAre) {
  TestPackage package;
  package.add(Op::Return, {0, 0});
  package.targets = {"cuda:sm_90", "cpu:z80"};
  EXPECT_EQ(
      load(package),
      "package: it holds code for cuda:sm_90, cpu:z80, none of which this "
      "device runs");
}

TEST(Verify, BuffersThatAreNotSetAreAnErrorWhenUsed) {
  TestPackage package;
  package.add(Op::Fill, {2, 0, 4});
  package.add(Op::Return, {0, 0});
  std::string bytes = package.bytes();
  tensorc_rt_device *device = nullptr;
  ASSERT_EQ(take(tensorc_rt_device_find("cpu", &device)), "");
  tensorc_rt_module *module = nullptr;
  ASSERT_EQ(
      take(tensorc_rt_load_bytes(device, bytes.data(), bytes.size(),
                                 TENSORC_RT_COPY, nullptr, nullptr, &module)),
      "");
  tensorc_rt_buffer *x = nullptr;
  ASSERT_EQ(take(tensorc_rt_buffer_allocate(device, 16, &x)), "");
  int64_t four = 4;
  tensorc_rt_arg arg = {x, 0, &four, 1, TENSORC_RT_F32};
  EXPECT_EQ(take(tensorc_rt_run(tensorc_rt_module_entry(module, 0), &arg, 1,
                                nullptr, 0, nullptr)),
            "main: uses a buffer that is not set");
  tensorc_rt_buffer_release(x);
  tensorc_rt_module_release(module);
}
