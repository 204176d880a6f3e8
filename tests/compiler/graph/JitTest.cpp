//===- JitTest.cpp - Traces of a function: kept, shared, looked into ------===//

#include "tests/compiler/graph/ErrorOf.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <functional>
#include <stdexcept>
#include <thread>

using namespace tensorc;

static int64_t threadNanoseconds() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * 1'000'000'000 + time.tv_nsec;
}

TEST(Jit, KeepsTheLastShapes) {
  size_t kept = detail::Traces::capacity, before = 0;
  auto f = jit([](const Tensor &x) { return x * 2 + 1; });
  reset_compile_stats(true);
  auto call = [&](size_t n) {
    Tensor x = ones({static_cast<int64_t>(n)});
    ASSERT_EQ(f(x.eval()).to_vector<float>().size(), n);
  };
  for (size_t n = 2; n < kept + 102; ++n)
    call(n);
  EXPECT_EQ(f.traces(), kept + 100);
  // Of the function and of the argument: for the first size, and for all.
  EXPECT_EQ(compile_stats().compilations, 4u);
  before = f.traces();
  call(kept + 101); // the newest, and one of the oldest that are kept
  call(kept / 2);
  EXPECT_EQ(f.traces(), before);
  call(3); // gone
  EXPECT_EQ(f.traces(), before + 1);
}

TEST(Jit, FindsAShapeAmongManyAtOnce) {
  auto f = jit([](const Tensor &x) { return x + 1; });
  std::vector<Tensor> xs;
  for (int64_t n = 2; n < 902; ++n)
    xs.push_back(Tensor(ones({n})).eval());
  // Processor time of this thread: what else runs does not count.
  auto cost = [&](size_t count) {
    for (size_t i = 0; i < count; ++i)
      f(xs[i]);
    int64_t best = INT64_MAX;
    for (int round = 0; round < 5; ++round) {
      int64_t begin = threadNanoseconds();
      for (size_t i = 0; i < 1800; ++i)
        f(xs[i * 7 % count]);
      best = std::min(best, threadNanoseconds() - begin);
    }
    return best;
  };
  int64_t few = cost(9), many = cost(900);
  // A search through all of them takes 40 times as long.
  EXPECT_LT(many, 12 * few);
}

TEST(Jit, ThreadsShareOneTrace) {
  std::atomic<int> traced{0};
  auto f = jit([&](const Tensor &x) {
    ++traced;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    return x * 3;
  });
  Tensor x = Tensor(ones({5})).eval();
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (int i = 0; i < 6; ++i)
    threads.emplace_back([&] { right += f(x).to_vector<float>()[4] == 3; });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(right, 6);
  EXPECT_EQ(traced, 1);
  EXPECT_EQ(f.traces(), 1u);
}

TEST(Jit, FunctionsThatCallEachOtherDoNotWaitForEachOther) {
  Tensor x = Tensor(ones({4})).eval();
  std::atomic<int> inside{0};
  auto meet = [&] {
    ++inside;
    for (int i = 0; inside < 2 && i < 200; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  };
  std::function<Tensor(const Tensor &)> callF, callG;
  auto f = jit([&](const Tensor &y) {
    meet();
    return inside < 4 ? y + callG(x) : y + 1;
  });
  auto g = jit([&](const Tensor &y) {
    meet();
    return inside < 4 ? y + callF(x) : y + 1;
  });
  callF = f;
  callG = g;
  std::thread other([&] { g(x).eval(); });
  f(x).eval();
  other.join();
  // Itself, with the same shapes, while it is traced.
  int depth = 0;
  std::function<Tensor(const Tensor &)> callH;
  auto h = jit([&](const Tensor &y) { return ++depth < 3 ? y + callH(x) : y; });
  callH = h;
  EXPECT_EQ(h(x).to_vector<float>()[0], 3);
}

TEST(Jit, TracesAgainAfterAnError) {
  bool throws = true;
  auto f = jit([&](const Tensor &x) {
    if (throws)
      throw std::runtime_error("not yet");
    return x + 1;
  });
  Tensor x = ones({3});
  EXPECT_THROW(f(x), std::runtime_error);
  throws = false;
  EXPECT_EQ(f(x).to_vector<float>()[0], 2);
}

TEST(Jit, ListsWhatItCaptured) {
  unsigned line = __LINE__ + 1;
  Tensor w = tensor({1.0f, 2.0f});
  float rate = 0.25f;
  auto f = jit([&](const Tensor &x) { return x * w + rate; });
  EXPECT_TRUE(f.captures().empty());
  Tensor x = ones({2});
  EXPECT_EQ(f(x).to_vector<float>()[1], 2.25f);
  std::vector<Capture> captures = f.captures();
  ASSERT_EQ(captures.size(), 2u);
  for (const Capture &capture : captures) {
    EXPECT_EQ(capture.file, __FILE__);
    EXPECT_EQ(capture.line, capture.tensor.defined() ? line : line + 2);
    if (capture.tensor.defined())
      EXPECT_EQ(capture.tensor.to_vector<float>(), (std::vector<float>{1, 2}));
    else
      EXPECT_EQ(capture.number, 0.25);
  }
  rate = 4; // too late
  w = w * 100;
  EXPECT_EQ(f(x).to_vector<float>()[1], 2.25f);
  auto pure = jit([](const Tensor &x, const Tensor &y) { return x * y; });
  pure(x, x);
  EXPECT_TRUE(pure.captures().empty());
}

static bool areClose(const Tensor &a, const Tensor &b) {
  return static_cast<bool>(max(abs(a - b)) < 1e-6f);
}

TEST(Jit, NamedSizesAreTracedOnce) {
  Tensor w = Tensor(sin(arange(0, 40, 1, f32)).reshape({8, 5})).eval();
  int calls = 0;
  auto model = [&](const Tensor &x, const Tensor &y) {
    ++calls;
    return std::pair{softmax(matmul(x, w)), concatenate({mean(y, 0), y[0]}, 0)};
  };
  auto f = jit(model, Input(f32, {"n", 8}), Input(f32, {"n", "m"}));
  int traced = calls;
  Device device = current_device();
  for (auto [n, m] : {std::pair{1, 1}, {2, 3}, {7, 64}, {100, 5}}) {
    Tensor x = sin(arange(0, 8 * n, 1, f32)).reshape({n, 8});
    Tensor y = cos(arange(0, n * m, 1, f32)).reshape({n, m});
    calls = traced;
    auto [a, b] = f(x, y);
    EXPECT_EQ(calls, traced);
    auto [c, d] = model(x, y);
    EXPECT_EQ(a.shape(), (Shape{n, 5}));
    EXPECT_EQ(b.shape(), (Shape{2 * m}));
    if (device.name != "reference") {
      EXPECT_EQ(a.to_bytes(), c.to_bytes());
      EXPECT_EQ(b.to_bytes(), d.to_bytes());
    }
    EXPECT_TRUE(areClose(a, c) && areClose(b, d));
  }
  Tensor x = ones({2, 8}), y = ones({2, 3});
  Tensor before = f(x, y).first, other = Tensor(w * 2).eval();
  f.rebind(w, other);
  EXPECT_TRUE(areClose(f(x, y).first, softmax(matmul(x, other))));
  EXPECT_TRUE(areClose(before, softmax(matmul(x, w))));
  EXPECT_ERROR("jit: argument 0: the tensor is undefined", f(Tensor(), y));
  Tensor gone = y * 1;
  const int call = __LINE__ + 1;
  f(x, std::move(gone));
  EXPECT_ERROR(
      "jit: argument 1: the tensor was given up to the call at " +
          std::string(__FILE__) + ":" + std::to_string(call) +
          ", and has no value any more: use what that call returned, or "
          "call it without std::move",
      f(x, gone));
  Device elsewhere = device.type() == "sim" ? "cpu" : "sim:0";
  EXPECT_ERROR_WITH("jit: argument 1 is on " + elsewhere.type() + ":0, not on ",
                    f(x, y.to(elsewhere)));
  EXPECT_ERROR_WITH(": move it with to()  at ", f(x, y.to(elsewhere)));
  auto error = [&](const Tensor &a, const Tensor &b) {
    std::string text = errorOf([&] { f(a, b); });
    return text.substr(0, text.find("  at "));
  };
  EXPECT_EQ(error(ones({2, 7}), y),
            "jit: argument 0 is f32[2,7], not f32[n,8]");
  EXPECT_EQ(error(x, ones({3, 3})),
            "jit: argument 1 is f32[3,3], not f32[n,m] where n is 2");
  EXPECT_EQ(error(x, ones({2, 3}, i32)),
            "jit: argument 1 is i32[2,3], not f32[n,m] where n is 2");
}

TEST(Jit, WithinATraceMayCaptureWhatIsTraced) {
  Tensor one = tensor({1.0f, 2.0f});
  auto outer = jit([&](const Tensor &x) {
    auto inner = jit([&](const Tensor &y) { return x * y; });
    return inner(one) + 1;
  });
  EXPECT_EQ(outer(tensor({3.0f, 4.0f})).to_vector<float>(),
            (std::vector<float>{4, 9}));
  EXPECT_EQ(outer(tensor({5.0f, 6.0f})).to_vector<float>(),
            (std::vector<float>{6, 13}));
}

/// What the function cannot do with an undefined tensor is the caller's fault.
TEST(Jit, UndefinedArgumentsNameTheCall) {
  auto f = jit([](const Tensor &x, const Tensor &y) { return x + y; });
  auto at = [](int line) {
    return std::string(__FILE__) + ":" + std::to_string(line);
  };
  const int made = __LINE__ - 4;
  Tensor x = ones({2}), none;
  const int line = __LINE__ + 1;
  std::string error = errorOf([&] { f(x, none); });
  EXPECT_EQ(error, "add: an operand is an undefined tensor  at " + at(made) +
                       "; argument 1 of the call at " + at(line) +
                       " is undefined");
  // The standard library is not where the user called it.
  std::function<Tensor(const Tensor &, const Tensor &)> held = f;
  EXPECT_ERROR_WITH("argument 0 of the call at " + at(made) + " is undefined",
                    held(none, x));
  EXPECT_EQ(held(x, x).to_vector<float>(), (std::vector<float>{2, 2}));
  // What is wrong inside of the function is not.
  auto inside = jit([](const Tensor &y) { return y + Tensor(); });
  const int within = __LINE__ - 1;
  EXPECT_EQ(errorOf([&] { inside(x); }),
            "add: an operand is an undefined tensor  at " + at(within));
  auto many = jit([](const auto &...each) { return (... + each); });
  EXPECT_EQ(many(x, x, x, x, x, x).to_vector<float>()[0], 6);
  EXPECT_EQ(many(x, x, x, x, x, x, x, x).to_vector<float>()[0], 8);
  EXPECT_ERROR_WITH("; argument 7 of the call at ",
                    many(x, x, x, x, x, x, x, none));
  static_assert(!std::is_invocable_v<decltype(f), const Tensor &>);
  static_assert(std::is_invocable_v<decltype(f), Tensor, Tensor &>);
}

/// A capture has one name: the tensor that the function captured, in traces
/// that exist and in new ones, whatever stands for it.
static void expectRebindsByCapture(bool isSized) {
  Tensor w1 = full({2}, 1).eval(), w2 = full({2}, 2).eval();
  auto body = [=](const Tensor &x) { return x * w1 + w2 * 10; };
  using Values = std::vector<float>;
  // Rebinds in order; then each value of the function is `expected`.
  using Steps = std::vector<std::pair<Tensor, Tensor>>;
  auto expectAll = [&](const auto &f, const Steps &steps, float expected) {
    f(ones({1, 2})); // a trace that exists; all sizes are one where isSized
    for (auto &[captured, value] : steps)
      f.rebind(captured, value);
    for (int64_t n : {1, 2, 3}) {
      Tensor y = f(ones({n, 2}));
      EXPECT_EQ(y.to_vector<float>(),
                Values(static_cast<size_t>(n) * 2, expected));
    }
  };
  auto expectRebound = [&](const Steps &steps, float expected) {
    SCOPED_TRACE(expected);
    if (isSized)
      expectAll(jit(body, Input(f32, {"n", 2})), steps, expected);
    else
      expectAll(jit(body), steps, expected);
  };
  auto stored = [](float value) { return full({2}, value).eval(); };
  Tensor five = stored(5);
  expectRebound({}, 21);
  expectRebound({{w1, w2}, {w2, w1}}, 12); // a swap
  expectRebound({{w2, w1}, {w1, w2}}, 12);
  expectRebound({{w1, w2}, {w2, five}}, 52); // a network and its target
  expectRebound({{w1, five}, {w2, five}, {w1, stored(7)}}, 57);
  expectRebound({{w1, five}, {w2, five}, {w2, stored(7)}}, 75);
  expectRebound({{w1, five}, {w2, w1}, {w1, w1}}, 11); // and back
  expectRebound({{w1, w1}}, 21);
  // By the value that stands for one capture alone.
  expectRebound({{w1, five}, {five, stored(7)}}, 27);
  expectRebound({{w1, five}, {five, w2}, {w2, stored(7)}}, 72);
  expectRebound({{w1, five}, {five, five}, {five, stored(7)}}, 27);
}

TEST(Jit, RebindsByWhatWasCaptured) { expectRebindsByCapture(false); }

TEST(Jit, RebindsByWhatWasCapturedForAllSizes) { expectRebindsByCapture(true); }

TEST(Jit, RefusesToRebindWhatStandsForTwo) {
  Tensor w1 = full({2}, 1).eval(), w2 = full({2}, 2).eval();
  Tensor five = full({2}, 5).eval(), x = ones({1, 2});
  unsigned made = __LINE__ - 1;
  auto body = [=](const Tensor &x) { return x * w1 + w2 * 10; };
  auto refuses = [&](const auto &f) {
    Tensor y = f(x);
    f.rebind(w1, five);
    f.rebind(w2, five);
    EXPECT_ERROR_WITH("rebind: what was given stands for 2 captured values; "
                      "name the one that the function captured",
                      f.rebind(five, w1));
    y = f(x);
    EXPECT_EQ(y.to_vector<float>(), (std::vector<float>{55, 55}));
    f.rebind(w2, w2); // then it stands for one
    f.rebind(five, w2);
    y = f(x);
    EXPECT_EQ(y.to_vector<float>(), (std::vector<float>{22, 22}));
    EXPECT_ERROR_WITH("rebind: no trace has captured what was made at " +
                          std::string(__FILE__) + ":" + std::to_string(made),
                      f.rebind(five, w1));
    EXPECT_ERROR("rebind: the tensor is undefined", f.rebind(Tensor(), w1));
    EXPECT_ERROR("rebind: the tensor is undefined", f.rebind(w1, Tensor()));
  };
  refuses(jit(body));
  refuses(jit(body, Input(f32, {"n", 2})));
}

TEST(Jit, ListsTheOriginalOfWhatWasRebound) {
  Tensor w = full({2}, 1).eval(), other = full({2}, 2).eval();
  auto f = jit([=](const Tensor &x) { return std::tuple{x + w, x, w}; });
  f(ones({2}));
  f.rebind(w, other);
  ASSERT_EQ(f.captures().size(), 1u);
  EXPECT_EQ(f.captures()[0].tensor.raw(), w.raw());
  // An argument is itself, also where it is the tensor that was captured.
  auto [sum, argument, captured] = f(w);
  EXPECT_EQ(sum.to_vector<float>(), (std::vector<float>{3, 3}));
  EXPECT_EQ(argument.raw(), w.raw());
  EXPECT_EQ(captured.raw(), other.raw());
}
