//===- DeclaredTest.cpp - what programs and kernels declare is kept -------===//
//
// Packages with right hashes whose programs are wrong: a bug of a compiler, or
// damage. They are refused before they write where they must not.
//
//===----------------------------------------------------------------------===//
#include "tests/runtime/core/Fixture.h"

#include <gtest/gtest.h>

using namespace tensorc::rt;
using namespace tensorc::rt::cts;
using namespace tensorc::rt::test;

/// The message of loading and running with a buffer of `n` numbers.
static std::string outcome(const TestPackage &package, int64_t n = 4) {
  std::string bytes = package.bytes();
  tensorc_rt_module *module = nullptr;
  std::string message =
      take(tensorc_rt_load_bytes(cpu(), bytes.data(), bytes.size(),
                                 TENSORC_RT_COPY, nullptr, nullptr, &module));
  if (!module)
    return message;
  tensorc_rt_arg arg = {nullptr, 0, &n, 1, TENSORC_RT_F32};
  EXPECT_EQ(take(tensorc_rt_buffer_allocate(cpu(), static_cast<size_t>(n) * 4,
                                            &arg.buffer)),
            "");
  tensorc_rt_output out = {};
  message = take(tensorc_rt_run(tensorc_rt_module_entry(module, 0), &arg, 1,
                                &out, package.hasOutput, nullptr));
  tensorc_rt_buffer_release(out.buffer);
  tensorc_rt_buffer_release(arg.buffer);
  tensorc_rt_module_release(module);
  return message;
}

static constexpr const char *writes =
    " would write into a constant or an input that is not donated";

TEST(Declared, ConstantsAreNeverWritten) {
  TestPackage package;
  package.constants = {std::string(16, 'c')};
  package.add(Op::Constant, {1, 0});
  package.add(Op::MoveBuffer, {2, 1});
  package.add(Op::Const, {0, 0, 0});
  package.add(Op::Const, {1, 16, 0});
  package.add(Op::View, {3, 2, 0, 1});
  TestPackage fill = package, copy = package;
  fill.add(Op::Fill, {3, 0, 4});
  fill.add(Op::Return, {0, 0});
  EXPECT_EQ(outcome(fill), std::string("main: a fill") + writes);
  copy.add(Op::Copy, {0, 3});
  copy.add(Op::Return, {0, 0});
  EXPECT_EQ(outcome(copy), std::string("main: a copy") + writes);
}

TEST(Declared, InputsAreWrittenWhereTheyAreDonated) {
  TestPackage package;
  package.add(Op::Fill, {0, 0, 4});
  package.add(Op::Return, {0, 0});
  EXPECT_EQ(outcome(package), "");
  package.isDonated = false;
  EXPECT_EQ(outcome(package), std::string("main: a fill") + writes);
}

TEST(Declared, CustomCallsWriteTheirOutputsOnly) {
  ASSERT_EQ(take(tensorc_rt_register_custom_call(
                "declared.call",
                [](const tensorc_rt_custom_call *) -> tensorc_rt_status * {
                  return nullptr;
                },
                nullptr)),
            "");
  for (bool isOutput : {false, true}) {
    TestPackage package;
    package.isDonated = false;
    package.strings = {"declared.call", ""};
    package.add(Op::CustomCall, {0, 1, !isOutput, isOutput, 0, 0});
    package.add(Op::Return, {0, 0});
    EXPECT_EQ(outcome(package),
              isOutput ? std::string("main: declared.call") + writes : "");
  }
}

TEST(Declared, KernelsWriteNoInputs) {
  TestPackage package = busyParts();
  package.isDonated = false;
  package.add(Op::Const, {0, 4, 0});
  package.add(Op::Launch, {0, 0, 3, 2, 0, 2, 0, 0, 1, 0, 0, 0, 0});
  package.add(Op::Return, {0, 0});
  package.roles = {ArgRole::Input, ArgRole::Output};
  EXPECT_EQ(outcome(package), std::string("main: through_scratch") + writes);
  package.roles = {ArgRole::Output, ArgRole::Input};
  EXPECT_EQ(outcome(package), "");
}

TEST(Declared, BuffersHaveTheDtypesThatKernelsDeclare) {
  // Launches of no items with the buffers (in, out): 0 is the f32 argument.
  auto launched = [](std::vector<tensorc_rt_dtype> dtypes,
                     std::vector<std::pair<uint32_t, uint32_t>> buffers,
                     ArgRole second = ArgRole::Output) {
    TestPackage package = busyParts();
    package.roles = {ArgRole::Input, second};
    package.dtypes = std::move(dtypes);
    for (auto [in, out] : buffers)
      package.add(Op::Launch, {0, 4, 3, 2, 0, 2, 0, 0, in, out, 0, 0, 0});
    package.add(Op::Return, {0, 0});
    return outcome(package);
  };
  const std::string refused = "main: launches through_scratch with ";
  constexpr auto f32 = TENSORC_RT_F32, i32 = TENSORC_RT_I32,
                 none = TENSORC_RT_NONE;
  EXPECT_EQ(launched({f32, i32}, {{0, 1}}), "");
  EXPECT_EQ(launched({i32, f32}, {{0, 1}}),
            refused + "f32 as argument 0, it declares i32");
  EXPECT_EQ(launched({none, f32}, {{0, 1}, {1, 2}}), "");
  // What a fill wrote could be anything; what the kernel wrote is i32.
  EXPECT_EQ(launched({f32, i32}, {{1, 2}, {2, 1}}),
            refused + "i32 as argument 0, it declares f32");
  // An output takes the dtype of what writes it; what is updated has one.
  EXPECT_EQ(launched({f32, i32}, {{1, 0}}), "");
  EXPECT_EQ(launched({f32, i32}, {{1, 0}}, ArgRole::InOut),
            refused + "f32 as argument 1, it declares i32");
  EXPECT_EQ(launched({f32, f32}, {{1, 0}}, ArgRole::InOut), "");
}

TEST(Declared, UpdatesWriteNoConstants) {
  TestPackage package = busyParts();
  package.isDonated = false;
  package.roles = {ArgRole::Input, ArgRole::InOut};
  package.add(Op::Launch, {0, 4, 3, 2, 0, 2, 0, 0, 1, 0, 0, 0, 0});
  package.add(Op::Return, {0, 0});
  EXPECT_EQ(outcome(package), std::string("main: through_scratch") + writes);
}

TEST(Declared, OutputsHaveTheirDtype) {
  TestPackage package = busyParts();
  package.hasOutput = true;
  package.outputDims = {{4, "4"}};
  package.roles = {ArgRole::Input, ArgRole::Output};
  package.add(Op::Launch, {0, 4, 3, 2, 0, 2, 0, 0, 1, 2, 0, 0, 0});
  package.add(Op::Const, {0, 4, 0});
  package.add(Op::Return, {1, 1, 2, 0});
  EXPECT_EQ(outcome(package), "");
  package.dtypes = {TENSORC_RT_F32, TENSORC_RT_I32};
  EXPECT_EQ(outcome(package),
            "main: output 0 (y) is i32, the package declares f32");
}

namespace {
/// A launch of `through_scratch` over n items, which declares what it needs.
struct Launched : TestPackage {
  Launched() : TestPackage(busyParts()) {
    hasNamedDim = true;
    roles = {ArgRole::Input, ArgRole::Output};
    declare(Op::Const, {1, 4, 0});
    declare(Op::Const, {2, 64, 0});
    declare(Op::Mul, {3, 0, 1});
    declare(Op::Return, {0, 4, 0, 2, 3, 3});
    sizeDims = 1;
    sizeResults = 4;
    add(Op::Dim, {6, 0, 0});
  }
  void declare(Op op, std::vector<uint32_t> operands) {
    sizes.push_back(encodeHead(op, 0, static_cast<uint32_t>(operands.size())));
    sizes.insert(sizes.end(), operands.begin(), operands.end());
  }
  /// Registers of extent, scratch and the size; the buffers.
  std::string launched(uint32_t extent, uint32_t scratch, uint32_t dim,
                       uint32_t in, uint32_t out) {
    add(Op::Launch, {0, extent, 3, scratch, 0, 2, 0, 1, in, out, dim, 0, 0, 0});
    add(Op::Return, {0, 0});
    return outcome(*this, 1000);
  }
};
} // namespace

TEST(Declared, LaunchesFitWhatTheKernelDeclares) {
  EXPECT_EQ(Launched().launched(6, 2, 6, 1, 2), "");
  EXPECT_EQ(Launched().launched(6, 2, 6, 0, 2), "");
  // Register 1 is 4000: more items than there are.
  EXPECT_EQ(Launched().launched(1, 2, 6, 1, 2),
            "main: launches through_scratch with extent 4000 and 64 bytes of "
            "scratch, it declares 1000 and 64");
  EXPECT_EQ(Launched().launched(6, 3, 6, 1, 2),
            "main: launches through_scratch with extent 1000 and 16 bytes of "
            "scratch, it declares 1000 and 64");
  // All agree except for the buffers, which have 4000 bytes.
  EXPECT_EQ(Launched().launched(1, 2, 1, 1, 2),
            "main: launches through_scratch with 4000 bytes as argument 0, it "
            "declares 16000");
}

TEST(Declared, ALaunchOfNothingIsOneThatTheKernelDeclares) {
  EXPECT_EQ(Launched().launched(4, 2, 6, 1, 2),
            "main: launches through_scratch with extent 0 and 64 bytes of "
            "scratch, it declares 1000 and 64");
  EXPECT_EQ(Launched().launched(4, 2, 4, 1, 2), "");
}

TEST(Declared, SizesThatOverflowAreErrors) {
  Launched package;
  package.add(Op::Const, {7, 0, 0x40000000});
  EXPECT_EQ(package.launched(7, 2, 7, 1, 2),
            "main: launches through_scratch with extent 4611686018427387904, "
            "grain 16, scratch 64");
  Launched wide;
  wide.sizes.clear();
  wide.declare(Op::Mul, {1, 0, 0});
  wide.declare(Op::Mul, {2, 1, 1});
  wide.declare(Op::Mul, {3, 2, 2});
  wide.declare(Op::Mul, {4, 3, 3});
  wide.declare(Op::Return, {0, 4, 0, 4, 4, 4});
  EXPECT_EQ(wide.launched(6, 2, 6, 1, 2),
            "main: through_scratch: size arithmetic overflows");
}

TEST(Declared, DeclarationsOnlyCompute) {
  auto refusal = [](auto change) {
    Launched package;
    package.sizes.clear();
    change(package);
    return package.launched(6, 2, 6, 1, 2);
  };
  const std::string prefix = "package: a kernel's declaration of sizes ";
  EXPECT_EQ(refusal([](Launched &p) {
              p.declare(Op::Jump, {0});
              p.declare(Op::Return, {0, 4, 0, 0, 0, 0});
            }),
            prefix + "does more than computing");
  EXPECT_EQ(refusal([](Launched &p) {
              p.declare(Op::Add, {2, 0, 1});
              p.declare(Op::Return, {0, 4, 0, 0, 0, 0});
            }),
            prefix + "computes in no order");
  EXPECT_EQ(refusal([](Launched &p) {
              p.declare(Op::Const, {0, 1, 0});
              p.declare(Op::Return, {0, 4, 0, 0, 0, 0});
            }),
            prefix + "computes in no order");
  EXPECT_EQ(refusal([](Launched &p) {
              p.sizeResults = 3;
              p.declare(Op::Return, {0, 3, 0, 0, 0});
            }),
            "package: a kernel declares 3 sizes, expected 4");
  EXPECT_EQ(refusal([](Launched &p) {
              p.roles = {ArgRole::Scalar, ArgRole::Input};
              p.declare(Op::Return, {0, 4, 0, 0, 0, 0});
            }),
            "package: a kernel declares an impossible argument");
  EXPECT_NE(refusal([](Launched &p) {
              p.sizeDims = 2;
              p.declare(Op::Return, {0, 4, 0, 0, 0, 0});
            }).find("passes another number of sizes than the kernel declares"),
            std::string::npos);
}

TEST(Declared, OutputsHaveTheirDims) {
  auto returned = [](int64_t declared, const char *name, uint32_t size) {
    TestPackage package;
    package.hasNamedDim = package.hasOutput = true;
    package.outputDims = {{declared, name}};
    package.add(Op::Const, {0, 64, 0});
    package.add(Op::Const, {1, size, 0});
    package.add(Op::Alloc, {1, 0});
    package.add(Op::Return, {1, 1, 1, 1});
    return outcome(package);
  };
  EXPECT_EQ(returned(4, "4", 4), "");
  EXPECT_EQ(returned(4, "4", 5), "main: dimension 0 of output 0 (y) is 5, the "
                                 "package declares 4 = 4");
  EXPECT_EQ(returned(-1, "n", 4), "");
  EXPECT_EQ(returned(-1, "n", 3), "main: dimension 0 of output 0 (y) is 3, the "
                                  "package declares n = 4");
  EXPECT_EQ(returned(-1, "m", 3), "");
  EXPECT_EQ(returned(-1, "?0", 3), "");
}
