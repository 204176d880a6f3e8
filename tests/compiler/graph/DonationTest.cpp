//===- DonationTest.cpp - Results in the memory of what they replace ------===//

#include "tests/compiler/graph/ErrorOf.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <thread>

using namespace tensorc;

namespace {

constexpr int64_t count = 1 << 12;

/// A value of its own.
Tensor stored(float number, Shape shape = {count}) {
  Tensor x = full(shape, number) + 0;
  x.eval();
  return x;
}

/// The most that was allocated at once while fn ran, beyond what there was.
template <typename Fn> uint64_t peakOf(Fn fn) {
  Device device = current_device();
  reset_peak(device);
  uint64_t before = memory_stats(device).allocated;
  fn();
  return memory_stats(device).peak - before;
}

bool isReference() { return current_device().name == "reference"; }
bool isChecked() { return std::getenv("TENSORC_CHECK") != nullptr; }
/// Kernels allocate all that they write there.
#define SKIP_IF_NOT_IN_PLACE()                                                 \
  if (isReference() || isChecked())                                            \
  GTEST_SKIP() << "this device allocates each result"

const void *addressOf(const Tensor &x) {
  tensorc_rt_buffer *buffer = nullptr;
  tensorc_status_free(tensorc_tensor_buffer(x.raw(), &buffer));
  const void *data = tensorc_rt_buffer_data(buffer);
  tensorc_rt_buffer_release(buffer);
  return data;
}

} // namespace

TEST(Donation, AStepOfTrainingUpdatesWeightsInPlace) {
  // Two layers of weights: the gradient of the second is there before the
  // weights are read for that of the first.
  constexpr int64_t size = 96;
  auto values = [&](float scale) {
    Tensor x = sin(reshape(arange(size * size, f32), {size, size}) * scale);
    return x.eval();
  };
  auto step = jit([](const Tensor &w, const Tensor &v, const Tensor &x) {
    Tensor h = tanh(matmul(x, w)), error = matmul(h, v) - x;
    Tensor slope = matmul(error, transpose(v)) * (1 - h * h);
    return std::pair(w - matmul(transpose(x), slope) * 0.01f,
                     v - matmul(transpose(h), error) * 0.01f);
  });
  Tensor x = values(0.3f), w = values(0.7f), v = values(1.1f);
  auto [expectedW, expectedV] = step(w, v, x); // Neither is given up.
  expectedW.eval();
  uint64_t bytes = size * size * sizeof(float);
  uint64_t apart = peakOf([&] {
    auto [a, b] = step(w, v, x);
    a.eval();
  });
  std::pair<Tensor, Tensor> updated;
  uint64_t peak =
      peakOf([&] { updated = step(std::move(w), std::move(v), x); });
  EXPECT_TRUE(all(updated.first == expectedW).item<bool>());
  EXPECT_TRUE(all(updated.second == expectedV).item<bool>());
  if (!isReference() && !isChecked()) {
    EXPECT_GE(apart, peak + (current_device().name == "cpu" ? 2 : 0) * bytes);
  }
}

TEST(Donation, UpdatesInPlace) {
  SKIP_IF_NOT_IN_PLACE();
  Tensor x = stored(1), step = stored(2);
  (x + step).eval(); // compiled
  const void *where = addressOf(x);
  uint64_t peak = peakOf([&] {
    for (int i = 0; i < 10; ++i) {
      x += step;
      x.eval();
    }
  });
  EXPECT_EQ(peak, 0u);
  EXPECT_EQ(addressOf(x), where);
  EXPECT_EQ(x.to_vector<float>(), std::vector<float>(count, 21));
}

TEST(Donation, AssignsToElementsInPlace) {
  SKIP_IF_NOT_IN_PLACE();
  Tensor x = stored(1, {16, count});
  x[3] = 5.0f;
  x.eval();
  const void *where = addressOf(x);
  x[4] = 6.0f;
  x(5, Slice(0, 2)) = 7.0f;
  x.eval();
  EXPECT_EQ(addressOf(x), where);
  EXPECT_EQ(Tensor(x(Slice(2, 6), 1)).to_vector<float>(),
            (std::vector<float>{1, 5, 6, 7}));
}

/// Windows of every rank, at starts that are clamped, of several outputs.
TEST(Donation, ReplacesWindowsInPlace) {
  struct Case {
    Shape shape, window;
    std::vector<int32_t> starts;
  } cases[] = {{{1000}, {37}, {900}},
               {{1000}, {1000}, {5}},
               {{33, 65}, {1, 65}, {7, 0}},
               {{33, 65}, {33, 3}, {0, 64}},
               {{5, 7, 9}, {2, 3, 4}, {-3, 2, 5}},
               {{2, 3, 4, 5}, {2, 1, 4, 1}, {0, 2, 0, 3}},
               {{8, 16}, {0, 16}, {3, 0}}};
  for (DType dtype : {f32, f64, f16, i8, DType::i1})
    for (const Case &c : cases) {
      auto update = [](const Tensor &x, const Tensor &y, const Tensor &u,
                       const std::vector<Tensor> &starts) {
        std::vector<Arg> at(starts.begin(), starts.end());
        return std::vector<Tensor>{dynamic_update_slice(x, u, at),
                                   dynamic_update_slice(y, u, at)};
      };
      auto numbers = [&](const Shape &shape, int64_t first) {
        int64_t count = 1;
        for (int64_t size : shape)
          count *= size;
        Tensor x = arange(first, first + count, 1, i64) % 101;
        x = dtype == DType::i1 ? x > 50 : astype(x, dtype);
        return x.reshape(shape).eval();
      };
      std::vector<Tensor> starts;
      for (int32_t start : c.starts)
        starts.push_back(full({}, start, i32).eval());
      Tensor x = numbers(c.shape, 3), y = numbers(c.shape, 50);
      Tensor u = numbers(c.window, 17);
      std::vector<Tensor> expected = update(x, y, u, starts);
      eval(expected[0], expected[1]);
      auto f = jit(update);
      for (int repeated = 0; repeated < 2; ++repeated) {
        std::vector<Tensor> results =
            f(numbers(c.shape, 3), numbers(c.shape, 50), u, starts);
        EXPECT_EQ(results[0].to_bytes(), expected[0].to_bytes());
        EXPECT_EQ(results[1].to_bytes(), expected[1].to_bytes());
      }
    }
}

/// Only rows that are named change.
TEST(Donation, ScattersInPlace) {
  SKIP_IF_NOT_IN_PLACE();
  auto f = jit([](const Tensor &x, const Tensor &rows, const Tensor &u) {
    return scatter(x, rows, u, TENSORC_UPDATE_ADD, {{1}, {0}, {0}, 1});
  });
  Tensor rows = tensor({3, 0, 3}), u = stored(2, {3, count});
  f(stored(1, {16, count}), rows, u); // compiled
  Tensor x = stored(1, {16, count});
  const void *where = addressOf(x);
  Tensor y = f(std::move(x), rows, u).eval();
  EXPECT_EQ(addressOf(y), where);
  EXPECT_EQ(Tensor(y(Slice(0, 5), 7)).to_vector<float>(),
            (std::vector<float>{3, 1, 1, 5, 1}));
}

/// An evaluation gives a value up only if the kernel that overwrites it is the
/// last: the one before it, which would copy x, has nothing to do.
TEST(Donation, AssignsByIndexTensorsInPlace) {
  SKIP_IF_NOT_IN_PLACE();
  Tensor x = stored(1, {16, count}), rows = tensor({3, 0, 3});
  x(rows) = 5.0f;
  x.eval();
  const void *where = addressOf(x);
  x(rows) = 6.0f;
  x.eval();
  x = x.at({rows}).add(1.0f);
  x.eval();
  EXPECT_EQ(addressOf(x), where);
  EXPECT_EQ(Tensor(x(Slice(0, 5), 7)).to_vector<float>(),
            (std::vector<float>{7, 1, 1, 8, 1}));
}

/// One reference is given up once, however often it is said.
TEST(Donation, OneTensorMovedTwice) {
  auto f = jit([](const Tensor &a, const Tensor &b) { return a + 2 * b; });
  Tensor x = stored(3);
  Tensor y = f(std::move(x), std::move(x));
  EXPECT_EQ(y.to_vector<float>(), std::vector<float>(count, 9));
  Tensor z = stored(3);
  EXPECT_EQ(f(std::move(z), z).to_vector<float>(),
            std::vector<float>(count, 9));
  // Two handles of one value, and one more that keeps it.
  Tensor a = stored(3), b = a, kept = a;
  EXPECT_EQ(f(std::move(a), std::move(b)).to_vector<float>(),
            std::vector<float>(count, 9));
  EXPECT_FALSE(a.defined() || b.defined());
  auto g = jit([](const std::vector<Tensor> &xs) { return xs[0] - xs[1]; });
  EXPECT_EQ(g(std::vector{kept, kept}).to_vector<float>(),
            std::vector<float>(count, 0));
  EXPECT_EQ(kept.to_vector<float>(), std::vector<float>(count, 3));
}

/// Whoever holds the former value keeps it.
TEST(Donation, LeavesWhatOthersHold) {
  Tensor x = stored(1), y = x;
  x += 1;
  x.eval();
  EXPECT_EQ(y.to_vector<float>()[0], 1);
  // A recorded operation holds its operands.
  Tensor later = sum(x);
  x += 1;
  x.eval();
  EXPECT_EQ(later.item<float>(), 2.0f * count);
  // So do a package's array and a function that captured it.
  Array array = to_array(x);
  auto f = jit([x](const Tensor &a) { return a + x; });
  EXPECT_EQ(f(stored(0)).to_vector<float>()[0], 3);
  x *= 2;
  x.eval();
  EXPECT_EQ(array.to_vector<float>()[0], 3);
  EXPECT_EQ(f(stored(0)).to_vector<float>()[0], 3);
  EXPECT_EQ(x.to_vector<float>()[0], 6);
}

/// What the kernel reads elsewhere than it writes is not overwritten.
TEST(Donation, KernelsThatReadElsewhere) {
  auto make = [] {
    Tensor x = arange(0, count, 1, f32).reshape({64, 64});
    return x.eval();
  };
  Tensor kept = make();
  std::vector<float> sorted = kept.to_vector<float>();
  {
    Tensor x = make();
    x = flip(x, {0, 1});
    x.eval();
    std::vector<float> expected(sorted.rbegin(), sorted.rend());
    EXPECT_EQ(x.to_vector<float>(), expected);
  }
  {
    Tensor x = make();
    x = x + transpose(x);
    EXPECT_EQ(x.to_bytes(), (kept + transpose(kept)).to_bytes());
  }
  {
    Tensor x = make();
    x = x - x.max(1, true);
    EXPECT_EQ(x.to_bytes(), (kept - kept.max(1, true)).to_bytes());
  }
  {
    Tensor x = make();
    x = matmul(x, x);
    EXPECT_EQ(x.to_bytes(), matmul(kept, kept).to_bytes());
  }
  {
    Tensor x = make();
    x = x + x[0];
    EXPECT_EQ(x.to_bytes(), (kept + kept[0]).to_bytes());
  }
}

/// Several outputs of one kernel: each is computed before any is stored.
TEST(Donation, OutputsOfOneKernel) {
  Tensor p = stored(1), m = stored(2), g = stored(4);
  Tensor m2 = m * 0.5f + g, p2 = p - m2 * 0.25f, sumOf = p + m;
  p = m = Tensor();
  eval(m2, p2, sumOf);
  EXPECT_EQ(m2.to_vector<float>(), std::vector<float>(count, 5));
  EXPECT_EQ(p2.to_vector<float>(), std::vector<float>(count, -0.25f));
  EXPECT_EQ(sumOf.to_vector<float>(), std::vector<float>(count, 3));
}

/// Foreign memory is not written.
TEST(Donation, LeavesMemoryOfTheProgram) {
  alignas(64) static float data[count];
  std::fill_n(data, count, 1.0f);
  Tensor x = from_memory(data, {count}, [](float *) {});
  x += 1;
  x.eval();
  EXPECT_EQ(data[0], 1);
  EXPECT_EQ(x.to_vector<float>()[0], 2);
}

/// Threads that need one value while one of them overwrites its operand.
TEST(Donation, RacingThreads) {
  for (int round = 0; round < 50; ++round) {
    Tensor x = stored(static_cast<float>(round), {64});
    Tensor y = x + 1, z = y * 2;
    x = Tensor();
    std::vector<std::thread> threads;
    std::vector<float> results(4);
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([&, i] {
        results[i] =
            i % 2 ? y.to_vector<float>()[63] : z.to_vector<float>()[63] / 2;
      });
    for (std::thread &thread : threads)
      thread.join();
    for (float result : results)
      ASSERT_EQ(result, static_cast<float>(round + 1));
  }
}

TEST(Donation, MovedArgumentsOfFunctions) {
  auto step =
      jit([](const Tensor &x, const Tensor &by) { return x * 0.5f + by; });
  Tensor x = stored(4), by = stored(2);
  Tensor kept = step(x, by);
  EXPECT_EQ(x.to_vector<float>()[0], 4); // nothing was moved
  Tensor y = step(std::move(x), by);
  const unsigned call = __LINE__ - 1;
  EXPECT_FALSE(x.defined());
  EXPECT_EQ(y.to_vector<float>()[0], 4);
  EXPECT_EQ(step.traces(), 1u);
  // What is left of it.
  Tensor copy = x;
  for (const Tensor &gone : {x, copy}) {
    EXPECT_FALSE(gone.defined());
    EXPECT_EQ(gone.shape(), by.shape());
    EXPECT_EQ(gone.dtype(), f32);
    EXPECT_EQ(gone.rank(), 1);
    EXPECT_EQ(gone.size(-1), count);
    EXPECT_EQ(gone.numel(), count);
    EXPECT_EQ(gone.device(), by.device());
    const std::string text = ": the tensor was given up to the call at " +
                             std::string(__FILE__) + ":" +
                             std::to_string(call) +
                             ", and has no value any more: use what that call "
                             "returned, or call it without std::move";
    EXPECT_ERROR("add" + text, gone + 1);
    EXPECT_ERROR("sub" + text, by - gone);
    EXPECT_ERROR("where" + text, where(by > 0, gone, by));
    EXPECT_ERROR("where" + text, where(by > 0, 1, gone));
    EXPECT_ERROR("full" + text, full({2}, gone));
    EXPECT_ERROR("t" + text, gone.t());
    EXPECT_ERROR("to" + text, gone.cpu());
    EXPECT_ERROR("nonzero" + text, nonzero(gone, 3));
    EXPECT_ERROR("clip" + text, clip(by, 0, gone));
    EXPECT_ERROR("square" + text, square(gone));
    EXPECT_ERROR("layer_norm" + text, layer_norm(by, gone, by));
    EXPECT_ERROR("linear" + text, linear(by, gone));
    EXPECT_ERROR("linear" + text, linear(by, stored(1, {1, count}), gone));
    EXPECT_ERROR("attention" + text, attention(by, by, gone));
    EXPECT_ERROR("masked_fill" + text, by.masked_fill(by > 0, gone));
    EXPECT_ERROR("concatenate" + text, concatenate({by, gone}, 0));
    EXPECT_ERROR("stack" + text, stack({gone, by}));
    EXPECT_ERROR("meshgrid" + text, meshgrid({gone, by}));
    EXPECT_ERROR("dynamic_slice" + text, dynamic_slice(by, {gone}, {1}));
    EXPECT_ERROR("index" + text, gone.index({0}));
    EXPECT_ERROR("index" + text, gone[0]);
    EXPECT_ERROR("index" + text, gone(Slice(0, 2)));
    EXPECT_ERROR("index" + text, by[gone]);
    EXPECT_ERROR("at" + text, gone.at({0}).set(1));
    EXPECT_ERROR("at" + text, by.at({0}).set(gone));
    EXPECT_ERROR("index" + text, by.at({gone}).set(1));
    Tensor variable = gone, target = by;
    EXPECT_ERROR("index" + text, variable[0]);
    EXPECT_ERROR("index" + text, (variable[0] = 1));
    EXPECT_ERROR("index" + text, (variable[by > 0] = 1));
    EXPECT_ERROR("at" + text, (target[0] = gone));
    EXPECT_ERROR("add" + text, variable += 1);
    EXPECT_ERROR("copy_" + text, target.copy_(gone));
    EXPECT_ERROR("copy_" + text, target[0].copy_(gone));
    EXPECT_ERROR("copy_" + text, variable.copy_(by));
    EXPECT_ERROR("eval" + text, eval(by, gone));
    EXPECT_ERROR("eval" + text, eval(std::vector{by, gone}));
    EXPECT_ERROR("constant" + text, constant(gone));
    EXPECT_ERROR("save_tensor" + text, save_tensor("never.npy", gone));
    EXPECT_ERROR("save_tensors" + text,
                 save_tensors("never.npz", {{"x", gone}}));
    EXPECT_ERROR("residence" + text, residence(gone));
    EXPECT_ERROR("to_array" + text, to_array(gone));
    EXPECT_ERROR("eval" + text, gone.eval());
    EXPECT_ERROR("item" + text, gone.item<float>());
    EXPECT_ERROR("to_vector" + text, gone.to_vector<float>());
    EXPECT_ERROR("to_string" + text, gone.to_string());
    EXPECT_ERROR_WITH("bool" + text, (void)bool(gone));
    EXPECT_ERROR_WITH("mul" + text, step(gone, by));
  }
  x = stored(3);
  EXPECT_EQ(copy.rank(), 1);
  EXPECT_EQ((x + 1).to_vector<float>()[0], 4);
  // Another handle keeps the value.
  Tensor other = y;
  Tensor z = step(std::move(y), by);
  EXPECT_EQ(other.to_vector<float>()[0], 4);
  EXPECT_EQ(z.to_vector<float>()[0], 4);
  // The same value twice.
  Tensor w = stored(2), twice = w;
  EXPECT_EQ(step(std::move(w), twice).to_vector<float>()[0], 3);
  // What a function returns as it is.
  auto both = jit([](const Tensor &x) { return std::pair{x, x + 1}; });
  auto [same, more] = both(stored(1));
  EXPECT_EQ(same.to_vector<float>()[0], 1);
  EXPECT_EQ(more.to_vector<float>()[0], 2);
}

TEST(Donation, CallsOfAllKindsSayWhoTookAnArgument) {
  auto step = jit([](const Tensor &x) { return x + 1; });
  Tensor x = stored(1), gone = stored(2);
  const int call = __LINE__ + 1;
  step(std::move(gone));
  const std::string text = ": the tensor was given up to the call at " +
                           std::string(__FILE__) + ":" + std::to_string(call) +
                           ", and has no value any more: use what that call "
                           "returned, or call it without std::move";
  CustomOp op(
      "test.given_up", [](const CustomCall &) {}, CustomOp::like_first_input);
  EXPECT_ERROR("test.given_up" + text, op({x, gone}));
  EXPECT_ERROR("test.given_up" + text, op.call({gone}, {{f32, {count}}}));
  Kernel kernel =
      cuda_kernel("__global__ void k(const float *x, float *y) {}", "k",
                  {{{f32, "n"}}, {{f32, "n"}}, "n ceildiv 256", {256}});
  EXPECT_ERROR("k" + text, kernel({gone}));
  Program program = compile([](const Tensor &y) { return y * 2; }, x);
  EXPECT_ERROR("call" + text, program.function()({gone}));
  program.save("given-up.tcpkg");
  Module package = load("given-up.tcpkg", "cpu");
  EXPECT_ERROR("call of a package" + text, package(gone));
  EXPECT_ERROR("call of a package: the tensor is undefined", package(Tensor()));
  std::remove("given-up.tcpkg");
}

TEST(Donation, MovedArgumentsNeedNoMemory) {
  SKIP_IF_NOT_IN_PLACE();
  auto step = jit([](const Tensor &x, std::map<std::string, Tensor> rest) {
    rest["m"] = rest["m"] * 0.5f + x;
    return std::pair{x - rest["m"], rest};
  });
  Tensor x = stored(1);
  std::map<std::string, Tensor> rest{{"m", stored(2)}};
  std::tie(x, rest) = step(x, rest); // compiled
  x.eval();
  uint64_t peak = peakOf([&] {
    for (int i = 0; i < 3; ++i)
      std::tie(x, rest) = step(std::move(x), std::move(rest));
  });
  EXPECT_EQ(peak, 0u);
  float p = 1, m = 2;
  for (int i = 0; i < 4; ++i) {
    m = m * 0.5f + p;
    p = p - m;
  }
  EXPECT_EQ(x.to_vector<float>()[0], p);
}

/// Kernels of the simulator write its memory only.
#define SKIP_IF_NOT_HOST_MEMORY()                                              \
  if (current_device().name.rfind("sim", 0) == 0)                              \
  GTEST_SKIP() << "memory of the host is none of this device"

TEST(Donation, ResultsInMemoryOfTheProgram) {
  SKIP_IF_NOT_HOST_MEMORY();
  auto f = jit([](const Tensor &x) { return std::pair{x + 1, sum(x)}; });
  alignas(64) float more[8], total[1];
  float apart[9];
  Tensor x = arange(0, 8, 1, f32);
  std::string device = current_device().name;
  if (device == "reference")
    device = "cpu";
  f.into({wrap(more, {8}, device), wrap(total, {}, device)}, x);
  EXPECT_EQ(std::vector<float>(more, more + 8),
            (std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(total[0], 28);
  if (device != "cpu:0" && device != "cpu")
    return;
  // Addresses that kernels cannot write to.
  f.into({wrap(apart + 1, {8}, device), wrap(apart, {}, device)}, x);
  EXPECT_EQ(apart[0], 28);
  EXPECT_EQ(apart[8], 8);
}

TEST(Donation, ResultsThatAreNoOutputs) {
  SKIP_IF_NOT_HOST_MEMORY();
  Tensor c = stored(3, {2});
  auto f = jit([=](const Tensor &x) {
    Tensor y = x * 2;
    return std::tuple{x, c, y, y};
  });
  alignas(64) float out[4][16];
  Tensor x = stored(1, {2});
  std::string device = isReference() ? "cpu" : current_device().name;
  std::vector<Array> arrays;
  for (float *each : out)
    arrays.push_back(wrap(each, {2}, device));
  f.into(arrays, x);
  EXPECT_EQ(out[0][1], 1);
  EXPECT_EQ(out[1][1], 3);
  EXPECT_EQ(out[2][1], 2);
  EXPECT_EQ(out[3][1], 2);
}

TEST(Donation, WrongMemoryForResults) {
  SKIP_IF_NOT_HOST_MEMORY();
  auto f = jit([](const Tensor &x) { return x + 1; });
  alignas(64) static float data[16];
  std::string device = isReference() ? "cpu" : current_device().name;
  Tensor x = from_memory(data, {8}, [](float *) {});
  auto error = [&](std::vector<Array> outputs) {
    return errorOf([&] { f.into(outputs, x); });
  };
  auto contains = [](const std::string &text, const std::string &part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_TRUE(contains(error({}), "into: there are 0 arrays for 1 results"));
  EXPECT_TRUE(contains(error({wrap(data, {7}, device)}),
                       "into: result 0 is f32[8], the array for it f32[7]"));
  EXPECT_TRUE(
      contains(error({wrap(reinterpret_cast<int *>(data), {8}, device)}),
               "the array for it i32[8]"));
  EXPECT_TRUE(contains(error({Array()}), "the array for it empty"));
  // The line is that of the call.
  std::string place = "  at " __FILE__ ":" + std::to_string(__LINE__ + 1);
  EXPECT_TRUE(contains(errorOf([&] { f.into({Array()}, x); }), place));
  if (!isReference()) {
    std::string overlaps = error({wrap(data + 4, {8}, device)});
    EXPECT_TRUE(contains(overlaps, "overlaps argument 0")) << overlaps;
  }
}

TEST(Donation, ConstantsAreNotRebound) {
  // A trace has the constant, another one perhaps a packed copy alone.
  Tensor w = constant(reshape(arange(64 * 256, f32), {64, 256}));
  auto f = jit(
      [w](const Tensor &x) { return matmul(x, transpose(w)) + sum(w) * 0; });
  f(ones({8, 256})).eval();
  std::string error = errorOf([&] { f.rebind(w, zeros({64, 256})); });
  EXPECT_NE(error.find("is a constant, of which products hold packed copies"),
            std::string::npos)
      << error;
}

TEST(Donation, CapturedValuesAreRebound) {
  Tensor w = stored(2), unused = stored(1);
  auto f = jit([w](const Tensor &x) { return std::pair{x * w, w}; });
  Tensor x = stored(3);
  EXPECT_EQ(f(x).first.to_vector<float>()[0], 6);
  f(stored(1, {count, 1}));
  EXPECT_EQ(f.traces(), 2u);
  reset_compile_stats();
  Tensor next = stored(5);
  f.rebind(w, next);
  auto [product, same] = f(x);
  EXPECT_EQ(product.to_vector<float>()[0], 15);
  EXPECT_EQ(same.raw(), next.raw());
  f.rebind(next, stored(7)); // by the value that it has now
  EXPECT_EQ(f(x).first.to_vector<float>()[0], 21);
  EXPECT_EQ(f(stored(1, {count, 1})).first.to_vector<float>()[0], 7);
  f.rebind(w, stored(4)); // or by the one that was captured
  EXPECT_EQ(f(x).first.to_vector<float>()[0], 12);
  EXPECT_EQ(compile_stats().compilations, 0u);
  // A trace that is made later.
  EXPECT_EQ(f(stored(1, {2, count})).first.to_vector<float>()[0], 4);
  ASSERT_FALSE(f.captures().empty());
  EXPECT_EQ(f.captures()[0].tensor.raw(), w.raw());
  std::string error = errorOf([&] { f.rebind(w, stored(1, {3})); });
  EXPECT_NE(error.find("rebind: f32[3] cannot stand for f32[4096]"),
            std::string::npos)
      << error;
  error = errorOf([&] { f.rebind(unused, w); });
  EXPECT_NE(
      error.find("rebind: no trace has captured what was made at " __FILE__),
      std::string::npos)
      << error;
}

TEST(Donation, RebindsWhileOthersCall) {
  Tensor w = stored(1, {64});
  auto f = jit([w](const Tensor &x) { return x + w; });
  Tensor x = stored(0, {64});
  f(x);
  std::thread other([&] {
    for (int i = 0; i < 200; ++i) {
      float value = f(x).to_vector<float>()[0];
      EXPECT_TRUE(value >= 1 && value <= 50);
    }
  });
  for (int i = 1; i <= 50; ++i)
    f.rebind(w, stored(static_cast<float>(i), {64}));
  other.join();
  EXPECT_EQ(f(x).to_vector<float>()[0], 50);
}
