//===- PlacementTest.cpp - Tensors on several devices ---------------------===//

#include "tests/compiler/api/devices/Errors.h"

#include "tensorc/grad.hpp"
#include "tensorc/vmap.hpp"

#include <gtest/gtest.h>

#include <thread>

using namespace tensorc;

namespace {
std::string here(int line) {
  return std::string(__FILE__) + ":" + std::to_string(line);
}
} // namespace

TEST(Devices, AreNamedByTypeAndIndex) {
  EXPECT_EQ(Device("cuda:1").type(), "cuda");
  EXPECT_EQ(Device("cuda:1").index(), 1);
  EXPECT_EQ(Device("sim:gfx942:1").type(), "sim:gfx942");
  EXPECT_EQ(Device("sim:gfx942").index(), 0);
  EXPECT_EQ(Device("cpu"), Device("cpu:0"));
  EXPECT_FALSE(Device("sim:0") == Device("sim:1"));
}

TEST(Devices, OfAKindAreTheCurrentOne) {
  auto placed = [] {
    Tensor x = tensor({1.0f});
    EXPECT_EQ(Stream("sim").device(), x.to("sim").device());
    EXPECT_EQ(current_stream("sim").device(), x.to("sim").device());
    return x.to("sim").device().name;
  };
  EXPECT_EQ(placed(), "sim:0");
  {
    DeviceGuard guard("sim:1");
    EXPECT_EQ(placed(), "sim:1");
    EXPECT_STREQ(device_properties("sim").name, "sim:1");
    EXPECT_EQ(tensor({1.0f}).device().name, "sim:1");
    // Of another kind, and one by its number.
    EXPECT_STREQ(device_properties("sim:gfx942").name, "sim:gfx942");
    EXPECT_STREQ(device_properties("sim:0").name, "sim:0");
    EXPECT_STREQ(device_properties("cpu").name, "cpu:0");
    {
      DeviceGuard same("sim");
      EXPECT_EQ(placed(), "sim:1");
    }
    DeviceGuard chip("sim:gfx942:1");
    EXPECT_STREQ(device_properties("sim:gfx942").name, "sim:gfx942:1");
    EXPECT_EQ(placed(), "sim:0");
    std::thread([&] { EXPECT_EQ(placed(), "sim:0"); }).join();
  }
  EXPECT_EQ(placed(), "sim:0");
  set_default_device("sim:1");
  EXPECT_EQ(placed(), "sim:1");
  set_default_device("cpu");
  EXPECT_EQ(placed(), "sim:0");
}

TEST(Devices, AreCountedAndDescribed) {
  EXPECT_EQ(device_count("sim"), 2);
  EXPECT_EQ(device_count("cpu"), 1);
  EXPECT_EQ(device_count("toaster"), 0);
  EXPECT_GE(device_count(), 4);
  EXPECT_TRUE(is_available("sim:1"));
  EXPECT_TRUE(is_available("sim:gfx942:1"));
  EXPECT_FALSE(is_available("sim:2"));
  EXPECT_FALSE(is_available("sim:gfx942:2"));
  EXPECT_FALSE(is_available("null")); // computes nothing
  EXPECT_TRUE(is_available(Device("sim:1")));
  EXPECT_TRUE(is_available(std::string("cpu")));
  DeviceProperties gpu = device_properties("sim:gfx942");
  EXPECT_STREQ(gpu.target, "sim:gfx942");
  EXPECT_EQ(gpu.subgroup, 64);
  EXPECT_EQ(gpu.multiprocessors, 304);
  EXPECT_EQ(gpu.capability_major, 9);
  EXPECT_GT(gpu.memory, 0u);
  EXPECT_EQ(device_properties("cpu").multiprocessors, 0);
  EXPECT_NE(errorOf([] { device_properties("toaster"); }).find("toaster"),
            std::string::npos);
}

TEST(Devices, OtherWordsAreNotAvailable) {
  for (const char *name : {"mps", "xpu", "opencl", "opencl:0", "toaster", "",
                           ":", "cpu:x", "sim:", "cuda:99", "rocm:1:2"})
    EXPECT_FALSE(is_available(name)) << name;
  // As programs for any machine choose.
  Device best = is_available("mps")   ? "mps"
                : is_available("xpu") ? "xpu"
                : is_available("cpu") ? "cpu"
                                      : "auto";
  EXPECT_EQ(best, Device("cpu"));
}

TEST(Placement, MovesValuesBetweenDevices) {
  Tensor x = tensor({1.0f, 2.0f, 3.0f});
  EXPECT_EQ(x.device().name, "cpu:0");
  Tensor a = x.to("sim:0");
  EXPECT_EQ(a.device().name, "sim:0");
  EXPECT_FALSE(a.is_evaluated());
  Tensor b = (a * 2).to("sim:1");
  Tensor c = b + 1;
  EXPECT_EQ(c.device().name, "sim:1");
  EXPECT_EQ(c.to_vector<float>(), (Floats{3, 5, 7}));
  Tensor back = c.cpu();
  EXPECT_EQ(back.device(), Device("cpu"));
  EXPECT_EQ(back.to_vector<float>(), (Floats{3, 5, 7}));
  EXPECT_EQ((back - x).to_vector<float>(), (Floats{2, 3, 4}));
}

TEST(Placement, IsFreeWhereTheValueIs) {
  Tensor x = tensor({1.0f});
  EXPECT_EQ(x.cpu().raw(), x.raw());
  Tensor y = x.to("sim:1");
  EXPECT_EQ(y.to("sim:1").raw(), y.raw());
}

TEST(Placement, ResultsLandOnTheOperandsDevice) {
  Tensor x = tensor({4.0f, 9.0f}).to("sim:1");
  EXPECT_EQ(sqrt(x).device().name, "sim:1");
  EXPECT_EQ(top_k(x, 1).indices.device().name, "sim:1");
  EXPECT_EQ(softmax(x).device().name, "sim:1");
  EXPECT_EQ(where(x > 5, x, 0).to_vector<float>(), (Floats{0, 9}));
}

TEST(Placement, EmptyAndScalarTensorsMove) {
  Tensor none = zeros({0, 3}).to("sim:0");
  EXPECT_EQ(none.to("sim:1").cpu().shape(), (Shape{0, 3}));
  EXPECT_EQ(none.to_vector<float>(), Floats());
  EXPECT_EQ(scalar(int64_t{-7}).to("sim:1").item<int64_t>(), -7);
}

TEST(Placement, MixedDevicesAreNamed) {
  Tensor x = tensor({1.0f, 2.0f, 3.0f});
  int xLine = __LINE__ - 1;
  Tensor y = ones({3}).to("sim:0");
  int yLine = __LINE__ - 1, line = 0;
  std::string message = errorOf([&] {
    line = __LINE__ + 1;
    x + y;
  });
  EXPECT_EQ(message, "add: the operands are on different devices: f32[3] on "
                     "cpu:0 (" +
                         here(xLine) + ") and f32[3] on sim:0 (" + here(yLine) +
                         "); move one with to()  at " + here(line));
}

TEST(Placement, MixedDevicesAreFoundBehindConversions) {
  Tensor x = ones({2, 3}).to("sim:1"), row = arange(3);
  int line = __LINE__ - 1;
  // The row is converted and broadcast; the message names what the user has.
  std::string message = errorOf([&] { x *row; });
  EXPECT_NE(message.find("mul: the operands are on different devices: f32[2,3] "
                         "on sim:1 (" +
                         here(line) + ") and i64[3] on cpu:0 (" + here(line)),
            std::string::npos)
      << message;
  EXPECT_NE(errorOf([&] {
              layer_norm(x, ones({3}));
            }).find("layer_norm: the operands are on different devices"),
            std::string::npos);
  EXPECT_NE(errorOf([&] {
              concatenate({x, ones({1, 3})});
            }).find("concatenate: the operands are on different devices"),
            std::string::npos);
  EXPECT_NE(errorOf([&] {
              x.index({tensor({0, 1})});
            }).find("the operands are on different devices"),
            std::string::npos);
}

TEST(Placement, AMissingDeviceIsAnErrorOfTheCall) {
  Tensor x = ones({2});
  int line = __LINE__ + 1;
  std::string message = errorOf([&] { x.to("toaster"); });
  EXPECT_NE(message.find("'toaster' is of no kind of device"),
            std::string::npos)
      << message;
  EXPECT_NE(message.find(here(line)), std::string::npos) << message;
  line = __LINE__ + 1;
  message = errorOf([&] { x.to("sim:99"); });
  EXPECT_NE(message.find("no device 'sim:99'"), std::string::npos) << message;
  EXPECT_NE(message.find(here(line)), std::string::npos) << message;
  if (!is_available("cuda")) {
    EXPECT_NE(errorOf([&] { x.cuda(); }).find("no device 'cuda'"),
              std::string::npos);
    EXPECT_NE(errorOf([&] { x.cuda(0); }).find("no device 'cuda:0'"),
              std::string::npos);
  }
}

TEST(Placement, TheCurrentDeviceTakesNewTensors) {
  EXPECT_EQ(current_device(), Device("cpu"));
  {
    DeviceGuard guard("sim:1");
    EXPECT_EQ(current_device().name, "sim:1");
    EXPECT_EQ(zeros({2}).device().name, "sim:1");
    EXPECT_EQ(tensor({1.0f}).device().name, "sim:1");
    {
      DeviceGuard inner("sim:0");
      EXPECT_EQ(arange(3).device().name, "sim:0");
    }
    EXPECT_EQ(Device().name, "sim:1");
    // Recorded under the guard, computed after it.
    Tensor late = arange(4, f32) * 2;
    set_device("cpu");
    EXPECT_EQ(late.to_vector<float>(), (Floats{0, 2, 4, 6}));
    EXPECT_EQ(late.device().name, "sim:1");
  }
  EXPECT_EQ(current_device(), Device("cpu"));
  EXPECT_EQ(zeros({2}).device().name, "cpu:0");
}

TEST(Placement, TheCurrentDeviceIsTheThreads) {
  DeviceGuard guard("sim:0");
  std::thread([] {
    EXPECT_EQ(zeros({1}).device().name, "cpu:0");
    set_device("sim:1");
    EXPECT_EQ(ones({1}).device().name, "sim:1");
  }).join();
  EXPECT_EQ(ones({1}).device().name, "sim:0");
}

TEST(Placement, CopyTakesTheTargetsPlace) {
  Tensor target = zeros({2, 3}).to("sim:1"), kept = target;
  target.copy_(tensor({1, 2, 3}));
  EXPECT_EQ(target.device().name, "sim:1");
  EXPECT_EQ(target.dtype(), f32);
  EXPECT_EQ(target.to_vector<float>(), (Floats{1, 2, 3, 1, 2, 3}));
  EXPECT_EQ(kept.to_vector<float>(), Floats(6, 0));
}

TEST(Placement, TracedFunctionsRunWhereTheArgumentsAre) {
  auto twice = jit([](const Tensor &x) { return x * 2; });
  Tensor x = tensor({1.0f, 2.0f});
  EXPECT_EQ(twice(x).device().name, "cpu:0");
  EXPECT_EQ(twice(x.to("sim:0")).device().name, "sim:0");
  EXPECT_EQ(twice(x.to("sim:0")).to_vector<float>(), (Floats{2, 4}));
  EXPECT_EQ(twice.traces(), 2u);
  auto toAny = jit([](const Tensor &x) { return x.to("auto") + 1; });
  EXPECT_NE(errorOf([&] { toAny(x); }).find("names its devices; auto is none"),
            std::string::npos);
  auto mapped = vmap([](const Tensor &x) { return x.to("sim:1") + 1; });
  EXPECT_NE(errorOf([&] { mapped(x); }).find("runs on one device"),
            std::string::npos);
}

TEST(Placement, TracedFunctionsMoveValues) {
  for (const std::vector<Device> &on : std::vector<std::vector<Device>>{
           {"cpu:0", "sim:1"}, {"sim:0", "sim:1"}}) {
    Tensor w = tensor({10.0f, 20.0f}).to(on[1]);
    auto moving = jit([&](const Tensor &x) {
      Tensor h = exp(x * 0.0f) + x;
      Tensor there = h.to(on[1]) * w;
      // Both stages on the first device need h.
      return std::pair((there + w).to(on[0]) + h, there);
    });
    Tensor x = tensor({1.0f, 2.0f}).to(on[0]);
    for (int call = 0; call < 3; ++call) {
      auto [sum, product] = moving(x * 1.0f);
      EXPECT_EQ(sum.device().name, on[0].name);
      EXPECT_EQ(product.device().name, on[1].name);
      EXPECT_EQ(sum.to_vector<float>(), (Floats{32, 83}));
      EXPECT_EQ(product.to_vector<float>(), (Floats{20, 60}));
    }
    EXPECT_EQ(moving.traces(), 1u);
    moving.rebind(w, w * 2.0f);
    auto [sum, product] = moving(std::move(x));
    EXPECT_EQ(sum.to_vector<float>(), (Floats{62, 163}));
    EXPECT_EQ(product.to_vector<float>(), (Floats{40, 120}));
    EXPECT_NE(errorOf([&] {
                moving.memory_required(sum);
              }).find("runs on several devices"),
              std::string::npos);
  }
}

/// A function that moves its values between two devices: `a` is on the first, `b`
/// on the second. A stage is read by several later ones, and an argument by
/// none.
Tensor onTwoDevices(const std::vector<Device> &on, const Tensor &a,
                    const Tensor &b) {
  Tensor h = (tanh(a) * 2.0f).to(on[1]);
  Tensor back = exp(h * b * 0.1f).to(on[0]);
  Tensor positive = astype(astype(a * 10.0f, i32).to(on[1]), f32);
  return sum((back + a).to(on[1]) * h * positive).to("cpu:0");
}

TEST(Placement, PullbacksPassTransfers) {
  std::vector<Floats> expected;
  std::vector<std::vector<Device>> places = {
      {"cpu:0", "cpu:0"}, {"sim:0", "sim:1"}, {"cpu:0", "sim:1"}};
  for (const std::vector<Device> &on : places) {
    Tensor a = tensor({0.3f, -0.2f, 0.7f}).to(on[0]);
    Tensor b = tensor({1.5f, 0.2f, -0.3f}).to(on[1]);
    auto f = [&](const Tensor &a, const Tensor &b, const Tensor &) {
      return onTwoDevices(on, a, b);
    };
    Tensor none = ones({2}).to(on[1]);
    auto [value, pullback] = vjp(f, a, b, none);
    auto [da, db, unread] = pullback(scalar(1.0f));
    auto compiled = value_and_grad(f, argnums<0, 1, 2>);
    for (int call = 0; call < 2; ++call) {
      auto [again, gradients] = compiled(a, b, none);
      auto [dx, dy, dz] = gradients;
      EXPECT_EQ(dx.device().name, on[0].name);
      EXPECT_EQ(dy.device().name, on[1].name);
      EXPECT_NEAR(again.item<float>(), value.item<float>(), 1e-6);
      for (auto [x, y] : {std::pair(da, dx), {db, dy}, {unread, dz}})
        for (size_t i = 0; i < y.to_vector<float>().size(); ++i)
          EXPECT_NEAR(x.to_vector<float>()[i], y.to_vector<float>()[i], 1e-6);
    }
    EXPECT_EQ(compiled.traces(), 1u);
    EXPECT_EQ(value.device().name, "cpu:0");
    EXPECT_EQ(da.device().name, on[0].name);
    EXPECT_EQ(db.device().name, on[1].name);
    EXPECT_EQ(unread.to_vector<float>(), (Floats{0, 0}));
    std::vector<Floats> made = {value.to_vector<float>(), da.to_vector<float>(),
                                db.to_vector<float>()};
    if (expected.empty())
      expected = made;
    for (size_t i = 0; i < made.size(); ++i)
      for (size_t j = 0; j < made[i].size(); ++j)
        EXPECT_NEAR(made[i][j], expected[i][j], 1e-5) << i << " " << j;
  }
}

TEST(Placement, SeveralDevicesAreEvaluatedTogether) {
  Tensor x = arange(3, f32);
  Tensor a = x + 1, b = x.to("sim:0") * 2, c = x.to("sim:1") - 1;
  eval(a, b, c);
  EXPECT_TRUE(a.is_evaluated() && b.is_evaluated() && c.is_evaluated());
  EXPECT_EQ(b.to_vector<float>(), (Floats{0, 2, 4}));
  EXPECT_EQ(c.to_vector<float>(), (Floats{-1, 0, 1}));
}

TEST(Placement, ChainsOfTransfersAreMade) {
  // A chain of transfers, of which each needs the one before.
  Tensor x = tensor({1.0f});
  for (int i = 0; i < 64; ++i)
    x = (x + 1).to(i % 2 ? "sim:0" : "sim:1");
  EXPECT_EQ(x.item<float>(), 65);
}

TEST(Placement, ThreadsMoveTheSameTensor) {
  Tensor x = arange(1000, f32).to("sim:0") + 1;
  Tensor y = x.to("sim:1");
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] { EXPECT_EQ(sum(y).item<float>(), 500500); });
  for (std::thread &thread : threads)
    thread.join();
}
