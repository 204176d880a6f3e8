//===- MemoryTest.cpp - Statistics, plans and lack of device memory -------===//

#include "tensorc/grad.hpp"
#include "tensorc/on_host.hpp"
#include "tests/compiler/api/devices/Errors.h"

#include <cstdlib>
#include <functional>
#include <gtest/gtest.h>

using namespace tensorc;

/// Devices of this test alone; TENSORC_SIM_MEMORY gives each 8 MiB.
static const char *const device = "sim:gfx942";
static constexpr uint64_t MiB = 1 << 20;

namespace {
class Memory : public testing::Test {
protected:
  void SetUp() override { TearDown(); }
  void TearDown() override {
    synchronize(device);
    empty_cache(device);
    reset_peak(device);
  }
};
int callsOfCounted = 0;

tensorc_rt_status *count(const tensorc_rt_op_call *call) {
  ++callsOfCounted;
  *static_cast<float *>(call->outputs[0].data) =
      *static_cast<const float *>(call->inputs[0].data);
  return nullptr;
}

tensorc_status *sameType(void *, const tensorc_type *inputs, int32_t,
                         const char *, tensorc_type *outputs, int32_t) {
  outputs[0] = inputs[0];
  return nullptr;
}

/// x, a vector of one element.
Tensor counted(const Tensor &x) {
  static const bool registered = [] {
    tensorc_custom_op op{sizeof op, "test.count", count,
                         sameType,  nullptr,      nullptr};
    tensorc_status_free(tensorc_register_custom_op(&op));
    return true;
  }();
  (void)registered;
  const tensorc_tensor *input = x.raw();
  tensorc_tensor *out = nullptr;
  detail::check(tensorc_custom_call("test.count", &input, 1, nullptr, 1, "",
                                    Location::current(), &out));
  return Tensor::take(out);
}

Tensor block(uint64_t bytes) {
  return zeros({static_cast<int64_t>(bytes / 4)}).to(device).eval();
}

/// Runs under a limit that is too small. The errors, of which the second one is
/// of a refusal that is remembered, name a number of bytes that is enough.
void expectSmallestLimit(uint64_t limit, const std::function<float()> &run) {
  float expected = run();
  for (int i = 0; i < 2; ++i) {
    set_memory_limit(limit, device);
    std::string error = errorOf([&] { run(); });
    EXPECT_NE(error.find("would pass the limit"), std::string::npos) << error;
    static const std::string before =
        "; no memory plan fits, the best one needs ";
    size_t at = error.find(before);
    ASSERT_NE(at, std::string::npos) << error;
    uint64_t more = std::stoull(error.substr(at + before.size()));
    EXPECT_LT(more, limit);
    set_memory_limit(limit + more, device);
    EXPECT_EQ(run(), expected);
    set_memory_limit(0, device);
  }
}
} // namespace

TEST_F(Memory, IsCountedExactly) {
  if (std::getenv("TENSORC_CHECK"))
    GTEST_SKIP() << "TENSORC_CHECK=memory caches no blocks, and widens them";
  MemoryStats start = memory_stats(device);
  EXPECT_EQ(start.allocated, 0u);
  EXPECT_EQ(start.reserved, 0u);
  EXPECT_EQ(start.total, 8 * MiB);
  EXPECT_EQ(start.free, 8 * MiB);
  {
    Tensor a = block(MiB), b = block(MiB / 2);
    synchronize(device);
    MemoryStats two = memory_stats(device);
    EXPECT_EQ(two.allocated, MiB + MiB / 2);
    EXPECT_EQ(two.reserved, two.allocated);
    EXPECT_EQ(two.free, 8 * MiB - two.reserved);
    EXPECT_EQ(two.peak, two.allocated);
    EXPECT_EQ(two.allocations, start.allocations + 2);
  }
  MemoryStats cached = memory_stats(device);
  EXPECT_EQ(cached.allocated, 0u);
  EXPECT_EQ(cached.reserved, MiB + MiB / 2);
  EXPECT_EQ(cached.peak, MiB + MiB / 2);
  Tensor again = block(MiB);
  EXPECT_EQ(memory_stats(device).cache_hits, cached.cache_hits + 1);
  EXPECT_EQ(memory_stats(device).reserved, cached.reserved);
  synchronize(device);
  reset_peak(device);
  EXPECT_EQ(memory_stats(device).peak, MiB);
  empty_cache(device);
  EXPECT_EQ(memory_stats(device).reserved, MiB);
}

TEST_F(Memory, SnapshotsHaveTheRecordedBlocks) {
  record_memory(8, device);
  {
    Tensor a = block(MiB);
  }
  synchronize(device);
  std::string json = memory_snapshot(device);
  record_memory(0, device);
  EXPECT_NE(json.find("{\"device\": \"sim:gfx942"), std::string::npos) << json;
  EXPECT_NE(json.find("{\"bytes\": 1048576, "), std::string::npos) << json;
  EXPECT_NE(json.find("\"state\": \"released\"}"), std::string::npos) << json;
}

TEST_F(Memory, TheCacheIsDroppedBeforeAnAllocationFails) {
  if (std::getenv("TENSORC_CHECK"))
    GTEST_SKIP() << "TENSORC_CHECK=memory caches no blocks, and widens them";
  {
    Tensor a = block(4 * MiB), b = block(2 * MiB);
  }
  synchronize(device);
  EXPECT_EQ(memory_stats(device).reserved, 6 * MiB);
  Tensor c = block(6 * MiB); // fits neither in the cache nor beside it
  EXPECT_EQ(c.numel(), static_cast<int64_t>(6 * MiB / 4));
}

TEST_F(Memory, AReportNamesTheLargestTensors) {
  Tensor small = block(MiB);
  Tensor large = full({1 << 20}, 1).to(device).eval(); // 4 MiB
  int line = __LINE__ - 1;
  std::string message = errorOf([&] { block(4 * MiB); });
  std::string place = std::string(__FILE__) + ":" + std::to_string(line);
  EXPECT_NE(message.find("cannot allocate 4194304 bytes: 3145728 of 8388608 "
                         "are free (5242880 in use by this process); the "
                         "largest live tensors: 4194304 bytes (" +
                         place + "), 1048576 bytes ("),
            std::string::npos)
      << message;
  try {
    block(4 * MiB);
  } catch (const Error &error) {
    EXPECT_EQ(error.code(), TENSORC_OUT_OF_MEMORY);
  }
  // The process goes on, and what was there is intact.
  EXPECT_EQ(sum(large).item<float>(), 1 << 20);
  large = Tensor();
  EXPECT_EQ(sum(block(4 * MiB)).item<float>(), 0);
}

TEST_F(Memory, ARunWithoutMemoryGivesBackWhatItTook) {
  Tensor x = block(2 * MiB), y = block(2 * MiB);
  synchronize(device);
  uint64_t before = memory_stats(device).allocated;
  Tensor big = concatenate({x, y, x}); // 6 MiB
  EXPECT_NE(errorOf([&] { big.eval(); }).find("cannot allocate"),
            std::string::npos);
  synchronize(device);
  EXPECT_EQ(memory_stats(device).allocated, before);
  EXPECT_EQ(memory_stats(device).peak, before);
  EXPECT_EQ((x + y).index({0}).item<float>(), 0);
}

TEST_F(Memory, ALimitIsKept) {
  set_memory_limit(MiB, device);
  EXPECT_NE(errorOf([] { block(2 * MiB); }).find("would pass the limit"),
            std::string::npos);
  set_memory_limit(0, device);
  EXPECT_EQ(errorOf([] { block(2 * MiB); }), "no error");
}

TEST_F(Memory, AnEvaluationIsFittedIntoALimit) {
  if (std::getenv("TENSORC_CHECK"))
    GTEST_SKIP() << "TENSORC_CHECK=memory gives each temporary a block";
  Tensor x = sin(arange(512 * 64).to(f32)).reshape({512, 64}).to(device).eval();
  Tensor w = cos(arange(64 * 64).to(f32)).reshape({64, 64}).to(device).eval();
  // The first product is needed last: it is kept, or computed twice.
  auto chain = [&] {
    Tensor a = matmul(x, w);
    Tensor d = matmul(matmul(matmul(a, w), w), w);
    return sum(transpose(a) * transpose(d));
  };
  float expected = chain().item<float>();
  synchronize(device);
  empty_cache(device);
  uint64_t product = 512 * 64 * 4;
  uint64_t before = memory_stats(device).allocated;
  uint64_t compilations = compile_stats().compilations;
  set_memory_limit(before + 2 * product + product / 2, device);
  EXPECT_EQ(chain().item<float>(), expected);
  EXPECT_EQ(compile_stats().compilations, compilations + 1);
  // The next one finds that program.
  EXPECT_EQ(chain().item<float>(), expected);
  EXPECT_EQ(compile_stats().compilations, compilations + 1);
  expectSmallestLimit(before + product, [&] { return chain().item<float>(); });
}

TEST_F(Memory, AFunctionOfJitIsFittedIntoALimit) {
  if (std::getenv("TENSORC_CHECK"))
    GTEST_SKIP() << "TENSORC_CHECK=memory gives each temporary a block";
  Tensor x = sin(arange(640 * 64).to(f32)).reshape({640, 64}).to(device).eval();
  Tensor w = cos(arange(64 * 64).to(f32)).reshape({64, 64}).to(device).eval();
  // As above, with other sizes and a captured value.
  auto chain = jit([w](const Tensor &x) {
    Tensor a = matmul(x, w);
    Tensor d = matmul(matmul(matmul(a, w), w), w);
    return sum(transpose(a) * transpose(d));
  });
  float expected = chain(x).item<float>();
  synchronize(device);
  empty_cache(device);
  uint64_t product = 640 * 64 * 4;
  uint64_t before = memory_stats(device).allocated;
  uint64_t compilations = compile_stats().compilations;
  set_memory_limit(before + 2 * product + product / 2, device);
  EXPECT_EQ(chain(x).item<float>(), expected);
  EXPECT_EQ(chain(x).item<float>(), expected);
  EXPECT_EQ(compile_stats().compilations, compilations + 1);
  EXPECT_EQ(chain.traces(), 1u);
  expectSmallestLimit(before + product, [&] { return chain(x).item<float>(); });
  EXPECT_EQ(chain(x).item<float>(), expected);
}

// One program with plans serves all sizes but the first.
TEST_F(Memory, FewProgramsServeManySizesUnderALimit) {
  if (std::getenv("TENSORC_CHECK"))
    GTEST_SKIP() << "TENSORC_CHECK=memory gives each temporary a block";
  Tensor w = cos(arange(64 * 64).to(f32)).reshape({64, 64}).to(device).eval();
  auto chain = [w](const Tensor &x) {
    Tensor a = matmul(x, w);
    Tensor d = matmul(matmul(matmul(a, w), w), w);
    return sum(transpose(a) * transpose(d) * 0.5f);
  };
  auto function = jit([&](const Tensor &x) { return chain(x) + 1; });
  auto rows = [](int64_t count) {
    return sin(arange(count * 64).to(f32)).reshape({count, 64}).to(device);
  };
  auto allSizes = [&](auto each) {
    for (int64_t count = 144; count <= 224; count += 16)
      each(rows(count).eval());
  };
  std::vector<float> expected, values;
  allSizes([&](const Tensor &x) {
    expected.push_back(chain(x).item<float>());
    expected.push_back(function(x).template item<float>());
  });
  uint64_t compilations = compile_stats().compilations;
  allSizes([&](const Tensor &x) {
    synchronize(device);
    empty_cache(device);
    auto bytes = static_cast<uint64_t>(x.shape()[0]) * 64 * 4;
    set_memory_limit(memory_stats(device).allocated + bytes * 5 / 2, device);
    values.push_back(chain(x).item<float>());
    values.push_back(function(x).template item<float>());
    set_memory_limit(0, device);
  });
  EXPECT_EQ(values, expected);
  // For each of both: one for the first size, and one with plans.
  EXPECT_LE(compile_stats().compilations, compilations + 4);
}

TEST_F(Memory, AFunctionHasItsOwnProgramOnceThatFitsAgain) {
  if (std::getenv("TENSORC_CHECK"))
    GTEST_SKIP() << "TENSORC_CHECK=memory gives each temporary a block";
  Tensor w = cos(arange(64 * 64).to(f32)).reshape({64, 64}).to(device).eval();
  auto chain = jit([w](const Tensor &x) {
    Tensor a = matmul(x, w);
    Tensor d = matmul(matmul(matmul(a, w), w), w);
    return sum(transpose(a) * transpose(d) - transpose(a));
  });
  auto rows = [](int64_t count) {
    return sin(arange(count * 64).to(f32)).reshape({count, 64}).to(device);
  };
  chain(rows(32).eval()).eval();
  Tensor x = rows(64).eval(); // the kernels for all sizes
  float expected = chain(x).item<float>();
  std::vector<std::string> own = last_kernels();
  uint64_t needed = chain.memory_required(x), product = 64 * 64 * 4;
  synchronize(device);
  empty_cache(device);
  uint64_t before = memory_stats(device).allocated;
  auto kernelsUnder = [&](uint64_t limit) {
    set_memory_limit(before + limit, device);
    EXPECT_EQ(chain(x).item<float>(), expected);
    set_memory_limit(0, device);
    return last_kernels();
  };
  std::vector<std::string> planned = kernelsUnder(product * 5 / 2);
  EXPECT_NE(planned, own);
  EXPECT_EQ(kernelsUnder(needed), own);
  EXPECT_EQ(kernelsUnder(needed - 1), planned);
}

// A program with named sizes has plans for any value of them.
TEST_F(Memory, AFunctionOfNamedSizesHasPlans) {
  if (std::getenv("TENSORC_CHECK"))
    GTEST_SKIP() << "TENSORC_CHECK=memory gives each temporary a block";
  Tensor w = cos(arange(64 * 64).to(f32)).reshape({64, 64}).to(device).eval();
  DeviceGuard on(device);
  Program program = compile(
      [w](const Tensor &x) {
        Tensor a = matmul(x, w);
        Tensor d = matmul(matmul(matmul(a, w), w), w);
        return sum(transpose(a) * transpose(d));
      },
      Input(f32, {"n", 64}));
  Function whole = program.function(), planned = program.function({{"n", 512}});
  for (int64_t count : {512, 640}) {
    Tensor x = sin(arange(count * 64).to(f32)).reshape({count, 64}).eval();
    float expected = whole({x})[0].item<float>();
    synchronize(device);
    empty_cache(device);
    uint64_t before = memory_stats(device).allocated, product = count * 64 * 4;
    set_memory_limit(before + product * 5 / 2, device);
    EXPECT_NE(errorOf([&] { whole({x}); }).find("that main allocates"),
              std::string::npos);
    EXPECT_EQ(planned({x})[0].item<float>(), expected);
    set_memory_limit(before + product, device);
    // The error has the bytes of the smallest plan.
    std::string error = errorOf([&] { planned({x}); });
    EXPECT_NE(error.find("that the smallest plan of main allocates"),
              std::string::npos)
        << error;
    set_memory_limit(0, device);
  }
  EXPECT_NE(errorOf([&] {
              program.function({{"m", 512}});
            }).find("there is no value for the size n"),
            std::string::npos);
}

using Layers = std::vector<Tensor>;

/// Eight square matrices, and a vector.
Layers makeLayers(int64_t size) {
  Layers layers;
  for (int i = 0; i < 8; ++i)
    layers.push_back((cos(arange(size * size).to(f32) + i) * 0.1f)
                         .reshape({size, size})
                         .to(device)
                         .eval());
  layers.push_back(ones({size}).to(device).eval());
  return layers;
}

/// Trains for two steps. Returns the parameters, and the maximum of the device's
/// memory meanwhile.
template <typename Optimizer>
std::pair<std::vector<float>, uint64_t> train(const Optimizer &optimizer,
                                              int64_t size = 16) {
  Tensor x = sin(arange(4 * size).to(f32)).reshape({4, size}).to(device).eval();
  auto gradient = jit(grad([x](const Layers &layers) {
    Tensor h = x * layers.back();
    for (size_t i = 0; i + 1 < layers.size(); ++i)
      h = tanh(matmul(h, layers[i]));
    return mean(h * h);
  }));
  Layers layers = makeLayers(size);
  auto state = optimizer.init(layers);
  synchronize(device);
  empty_cache(device);
  reset_peak(device);
  for (int step = 0; step < 2; ++step) {
    std::tie(layers, state) = optimizer.update(layers, gradient(layers), state);
    eval(layers);
  }
  synchronize(device);
  uint64_t peak = memory_stats(device).peak;
  EXPECT_EQ(state.step.template item<int32_t>(), 2);
  std::vector<float> values;
  for (const Tensor &layer : layers) {
    std::vector<float> own = layer.to_vector<float>();
    values.insert(values.end(), own.begin(), own.end());
  }
  return {values, peak};
}

TEST_F(Memory, StateOnTheHostHasTheSameBits) {
  EXPECT_EQ(train(OnHost(Sgd(0.1))).first, train(Sgd(0.1)).first);
  SgdOptions momentum{0.9};
  EXPECT_EQ(train(OnHost(Sgd(0.1, momentum))).first,
            train(Sgd(0.1, momentum)).first);
  EXPECT_EQ(train(OnHost(Lion(0.01), 3)).first, train(Lion(0.01)).first);
  EXPECT_EQ(train(OnHost(Adafactor(0.01))).first, train(Adafactor(0.01)).first);
  // Without parameters or gradients.
  OnHost adam(Adam(0.01));
  auto [none, state] = adam.update(Layers(), Layers(), adam.init(Layers()));
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(state.step.item<int32_t>(), 1);
}

// Adam's state is twice as large as the parameters, and at most three parts of
// eight are on the device.
TEST_F(Memory, StateOnTheHostLeavesMemoryOfTheDevice) {
  if (std::getenv("TENSORC_CHECK"))
    GTEST_SKIP() << "TENSORC_CHECK=memory widens blocks";
  Adam adam(0.01);
  auto [expected, whole] = train(adam, 96);
  auto [actual, less] = train(OnHost(adam), 96);
  EXPECT_EQ(actual, expected);
  EXPECT_LT(less, whole - 10 * 96 * 96 * 4);
  auto state = OnHost(adam).init(makeLayers(16));
  EXPECT_EQ(state.first[0].device(), Device("cpu"));
}

// The function captured `a`. A program that captures `w` would ignore rebind().
TEST_F(Memory, AFunctionIsFittedOnlyForWhatItCaptured) {
  if (std::getenv("TENSORC_CHECK"))
    GTEST_SKIP() << "TENSORC_CHECK=memory gives each temporary a block";
  Tensor x = sin(arange(704 * 64).to(f32)).reshape({704, 64}).to(device).eval();
  Tensor a = cos(arange(64 * 64).to(f32)).reshape({64, 64}).to(device).eval();
  Tensor w = a * 0.5f;
  auto chain = jit([w](const Tensor &x) {
    Tensor b = matmul(x, w);
    Tensor c = matmul(matmul(matmul(b, w), w), w);
    return sum(transpose(b) * transpose(c));
  });
  float expected = chain(x).item<float>();
  w.eval();
  synchronize(device);
  empty_cache(device);
  uint64_t product = 704 * 64 * 4;
  set_memory_limit(memory_stats(device).allocated + 2 * product + product / 2,
                   device);
  EXPECT_NE(errorOf([&] { chain(x); }).find("would pass the limit"),
            std::string::npos);
  set_memory_limit(0, device);
  EXPECT_EQ(chain(x).item<float>(), expected);
  chain.rebind(a, zeros({64, 64}).to(device).eval());
  EXPECT_EQ(chain(x).item<float>(), 0);
}

TEST_F(Memory, ATrainingStepOfJitIsFittedIntoALimit) {
  if (std::getenv("TENSORC_CHECK"))
    GTEST_SKIP() << "TENSORC_CHECK=memory gives each temporary a block";
  Tensor x = sin(arange(512 * 64).to(f32)).reshape({512, 64}).to(device).eval();
  auto loss = [x](const Tensor &w) {
    Tensor h = x;
    for (int layer = 0; layer < 4; ++layer)
      h = tanh(matmul(h, w));
    return mean(h * h);
  };
  auto step = jit([loss](const Tensor &w) { return w - 0.1f * grad(loss)(w); });
  Tensor w = (cos(arange(64 * 64).to(f32)) * 0.1f).reshape({64, 64});
  auto train = [&] {
    Tensor trained = w.to(device).eval();
    for (int i = 0; i < 3; ++i)
      trained = step(trained);
    return sum(trained).item<float>();
  };
  float expected = train();
  synchronize(device);
  empty_cache(device);
  uint64_t planned = step.memory_required(w.to(device).eval());
  set_memory_limit(memory_stats(device).allocated + planned * 3 / 4, device);
  uint64_t compilations = compile_stats().compilations;
  EXPECT_EQ(train(), expected);
  EXPECT_GT(compile_stats().compilations, compilations);
  set_memory_limit(0, device);
}

TEST_F(Memory, AnEvaluationThatCallsAFunctionIsFittedBeforeTheCall) {
  if (std::getenv("TENSORC_CHECK"))
    GTEST_SKIP() << "TENSORC_CHECK=memory gives each temporary a block";
  Tensor x = sin(arange(512 * 64).to(f32)).reshape({512, 64}).to(device).eval();
  Tensor w = cos(arange(64 * 64).to(f32)).reshape({64, 64}).to(device).eval();
  auto chain = [&] {
    Tensor a = matmul(x, w);
    Tensor d = matmul(matmul(matmul(a, w), w), w);
    return counted(sum(transpose(a) * transpose(d)).reshape({1}));
  };
  callsOfCounted = 0;
  chain().eval();
  synchronize(device);
  EXPECT_EQ(callsOfCounted, 1);
  empty_cache(device);
  uint64_t product = 512 * 64 * 4;
  set_memory_limit(memory_stats(device).allocated + 2 * product + product / 2,
                   device);
  EXPECT_EQ(errorOf([&] { chain().eval(); }), "no error");
  synchronize(device);
  EXPECT_EQ(callsOfCounted, 2);
  set_memory_limit(0, device);
}

TEST_F(Memory, APlanSaysThePeak) {
  if (std::getenv("TENSORC_CHECK"))
    GTEST_SKIP() << "TENSORC_CHECK=memory caches no blocks, and widens them";
  auto twice = jit([](const Tensor &x) {
    Tensor s = softmax(x);
    return matmul(s, transpose(s)) + 1;
  });
  Tensor x = ones({256, 256}).to(device).eval();
  synchronize(device);
  uint64_t planned = twice.memory_required(x);
  EXPECT_GE(planned, 256u * 256 * 4);
  empty_cache(device);
  reset_peak(device);
  uint64_t before = memory_stats(device).allocated;
  Tensor y = twice(x);
  EXPECT_EQ(memory_stats(device).peak - before, planned);
  EXPECT_EQ(twice.traces(), 1u);
}
