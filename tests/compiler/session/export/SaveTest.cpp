//===- SaveTest.cpp - From C++ to a package, an object, text --------------===//

#include "tests/compiler/graph/ErrorOf.h"

#include "tensorc/tensorc.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace tensorc;
namespace fs = std::filesystem;

namespace {
/// A folder that goes with the test.
class Save : public ::testing::Test {
protected:
  void SetUp() override {
    char name[] = "/tmp/tensorc-save-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    folder = name;
  }
  void TearDown() override { fs::remove_all(folder); }

  std::string at(const std::string &name) const {
    return (folder / name).string();
  }
  size_t files() const {
    return static_cast<size_t>(std::distance(fs::directory_iterator(folder),
                                             fs::directory_iterator()));
  }

  fs::path folder;
  Tensor w = Tensor(sin(arange(40, f32)).reshape({8, 5})).eval();
  Tensor b = Tensor(cos(arange(5, f32))).eval();
};
} // namespace

static std::string read(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// f32, as NumPy saves it.
static void writeNpy(const std::string &path, const Tensor &x) {
  std::string shape;
  for (int64_t dim : x.shape())
    shape += std::to_string(dim) + ",";
  std::string header =
      "{'descr': '<f4', 'fortran_order': False, 'shape': (" + shape + "), }";
  header.resize(118, ' ');
  std::ofstream file(path, std::ios::binary);
  file << std::string("\x93NUMPY\1\0", 8) << std::string("\x76\0", 2) << header;
  std::vector<uint8_t> bytes = x.to_bytes();
  file.write(reinterpret_cast<const char *>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
}

static int run(const std::string &command) {
  return std::system(("exec >/dev/null 2>&1; " + command).c_str());
}

static std::vector<uint8_t> bytesOf(const Array &array) {
  return to_tensor(array).to_bytes();
}

TEST_F(Save, PackageOfAnExample) {
  auto model = [&](const Tensor &x) { return softmax(matmul(x, w) + b); };
  Tensor x = Tensor(sin(arange(24, f32)).reshape({3, 8})).eval();
  compile(model, x).save(at("m.tcpkg"), {.names = {{"x"}, {"y"}}});
  std::vector<uint8_t> expected = model(x).to_bytes();
  Module module = load(at("m.tcpkg"), "cpu");
  ASSERT_EQ(module.entry().inputs().size(), 1u);
  EXPECT_EQ(module.entry().inputs()[0].name, "x");
  EXPECT_EQ(module.entry().outputs()[0].name, "y");
  Array y = module(x);
  EXPECT_EQ(bytesOf(y), expected);
  // The tool reads it, too.
  writeNpy(at("x.npy"), x);
  ASSERT_EQ(run(TENSORC_TOOL " run " + at("m.tcpkg") +
                " --device=cpu --input=x=" + at("x.npy") +
                " --output-dir=" + at("out")),
            0);
  std::string npy = read(at("out/y.npy"));
  ASSERT_GT(npy.size(), expected.size());
  EXPECT_EQ(npy.substr(npy.size() - expected.size()),
            std::string(expected.begin(), expected.end()));
}

namespace {
struct Scores {
  Tensor best;
  std::map<std::string, std::vector<Tensor>> of;
};
TENSORC_STRUCT(Scores, best, of)
} // namespace

/// Members and keys are the names; where they are none, there are numbers.
TEST_F(Save, NamesOfStructsAndMaps) {
  auto names = [&](auto function, const SaveOptions &options = {}) {
    compile(function, ones({3})).save(at("m.tcpkg"), options);
    std::vector<std::string> result;
    Module module = load(at("m.tcpkg"), "cpu");
    for (const auto &output : module.entry().outputs())
      result.push_back(output.name);
    return result;
  };
  using Names = std::vector<std::string>;
  using Map = std::map<std::string, Tensor>;
  auto map = [](const Tensor &x) {
    return Map{{"twice", x * 2}, {"half", x / 2}};
  };
  EXPECT_EQ(names(map), (Names{"half", "twice"}));
  EXPECT_EQ(names(jit(map)), (Names{"half", "twice"}));
  EXPECT_EQ(names(map, {.names = {{}, {"a", "b"}}}), (Names{"a", "b"}));
  EXPECT_EQ(names([](const Tensor &x) {
              return Scores{max(x), {{"all", {x + 1, x - 1}}}};
            }),
            (Names{"best", "of.all.0", "of.all.1"}));
  EXPECT_EQ(names([](const Tensor &x) { return std::pair{x + 1, x - 1}; }),
            (Names{"out0", "out1"}));
  EXPECT_EQ(
      names([](const Tensor &x) { return Map{{"", x + 1}, {"b", x - 1}}; }),
      (Names{"out0", "out1"}));
  // C has names that are like them.
  compile(map, ones({3})).save(at("m.h"));
  EXPECT_NE(read(at("m.h")).find("twice"), std::string::npos);
}

TEST_F(Save, ErrorsOfCallsNameTheirLine) {
  compile([&](const Tensor &x) { return matmul(x, w); }, ones({2, 8}))
      .save(at("m.tcpkg"));
  Module module = load(at("m.tcpkg"), "cpu");
  auto here = [](int line) {
    return "  at " __FILE__ ":" + std::to_string(line);
  };
  EXPECT_ERROR_WITH(here(__LINE__), module(ones({2, 7})));
  EXPECT_ERROR_WITH(here(__LINE__), module());
  EXPECT_ERROR_WITH(here(__LINE__), module(0.5));
  EXPECT_ERROR_WITH(here(__LINE__), module.entry("other"));
  EXPECT_ERROR_WITH(here(__LINE__), load(at("missing.tcpkg"), "cpu"));
  std::ofstream(at("empty.tcpkg"));
  EXPECT_ERROR_WITH("truncated: it has 0 bytes",
                    load(at("empty.tcpkg"), "cpu"));
  // An undefined tensor, and one whose computation fails where it was recorded.
  EXPECT_ERROR_WITH(here(__LINE__), module(Tensor()));
}

/// No name could be given to a size by mistake.
TEST_F(Save, RefusesEmptyNamesOfSizes) {
  auto same = [](const Tensor &x) { return x + 1; };
  EXPECT_ERROR_WITH("compile: the name of a size is empty",
                    compile(same, Input(f32, {""})));
}

/// What begins at a named size reads nothing where that is 0.
TEST_F(Save, SlicesOfSizesThatAreZero) {
  auto halves = [](const Tensor &x, const Tensor &y) {
    int64_t n = x.size(0);
    Tensor both = concatenate({x, y}, 0);
    return std::pair{Tensor(both(Slice(n))), Tensor(x(Slice(n)))};
  };
  compile(halves, Input(f32, {"n", 2}), Input(f32, {"m", 2}))
      .save(at("m.tcpkg"));
  Module module = load(at("m.tcpkg"), "cpu");
  for (auto [n, m] : {std::pair{0, 0}, {0, 3}, {3, 0}, {2, 3}}) {
    Tensor x = ones({n, 2}), y = arange(2 * m, f32).reshape({m, 2});
    Results results = module(x, y);
    EXPECT_EQ(results[0].shape(), (Shape{m, 2}));
    EXPECT_EQ(bytesOf(results[0]), y.to_bytes()) << n << " " << m;
    EXPECT_EQ(results[1].shape(), (Shape{0, 2}));
  }
}

TEST_F(Save, NamedSizesServeEverySize) {
  auto model = [&](const Tensor &x, const Tensor &y) {
    Tensor z = matmul(x, w) + b;
    return std::tuple{softmax(z), mean(z, {0}), concatenate({z, y}, 0)};
  };
  compile(model, Input(f32, {"n", 8}, "x"), Input(f32, {"m", 5}, "y"))
      .save(at("m.tcpkg"));
  Module module = load(at("m.tcpkg"), "cpu");
  for (int64_t n : {1, 2, 7, 64}) {
    Tensor x = Tensor(sin(arange(8 * n, f32)).reshape({n, 8})).eval();
    Tensor y = Tensor(ones({n + 3, 5}) * 2).eval();
    Results results = module(x, y);
    auto [a, c, d] = model(x, y);
    EXPECT_EQ(bytesOf(results[0]), a.to_bytes()) << n;
    EXPECT_EQ(bytesOf(results[1]), c.to_bytes()) << n;
    EXPECT_EQ(bytesOf(results[2]), d.to_bytes()) << n;
    EXPECT_EQ(results[2].shape(), (Shape{2 * n + 3, 5}));
  }
}

TEST_F(Save, WhatFollowsFromANamedSize) {
  // The end of a slice, a flip, a size of its own, a number, a flat shape.
  auto model = [](const Tensor &x) {
    int64_t n = x.size(0);
    Tensor last = slice(x, {{n - 2, n}, {}});
    Tensor own = ones({n + 1, n}) * 3;
    Tensor flat = reshape(x, {n * 4}) / static_cast<float>(n);
    return std::tuple{last, flip(x, {0}), sum(own, {0}), flat,
                      slice(x, {{0, n / 2}, {}})};
  };
  Program program = compile(model, Input(f32, {Size("n", 2), 4}));
  program.save(at("m.tcpkg"));
  Module module = load(at("m.tcpkg"), "cpu");
  for (int64_t n : {2, 6, 100}) {
    Tensor x = Tensor(arange(4 * n, f32).reshape({n, 4})).eval();
    Results results = module(x);
    auto [a, b, c, d, e] = model(x);
    int i = 0;
    for (const Tensor &expected : {a, b, c, d, e})
      EXPECT_EQ(bytesOf(results[i++]), expected.to_bytes()) << n << " " << i;
  }
  EXPECT_THROW(module(ones({3, 4})), Error); // no multiple of 2
}

TEST_F(Save, PositionsFromTheEndNeedSoManyElements) {
  auto model = [](const Tensor &x) {
    return std::pair{Tensor(x(Slice(-3, None))), Tensor(x(-2))};
  };
  compile(model, Input(f32, {"n"})).save(at("m.tcpkg"));
  Module module = load(at("m.tcpkg"), "cpu");
  for (int64_t n : {3, 5}) {
    Tensor x = Tensor(arange(n, f32) + 10).eval();
    Results results = module(x);
    auto [a, b] = model(x);
    EXPECT_EQ(bytesOf(results[0]), a.to_bytes()) << n;
    EXPECT_EQ(bytesOf(results[1]), b.to_bytes()) << n;
  }
  // Not the first element once more.
  EXPECT_ERROR_WITH("n is below 3", module(ones({2})));
}

TEST_F(Save, WeightsStayArguments) {
  Tensor bias = b * 2; // not evaluated, and captured all the same
  auto model = [&](const Tensor &x) { return matmul(x, w) + bias; };
  Program program = compile(model, Input(f32, {"n", 8}, "x"));
  program.save(at("m.tcpkg"), {.weights = {{"w", w}, {"bias", bias}}});
  Module module = load(at("m.tcpkg"), "cpu");
  ASSERT_EQ(module.entry().inputs().size(), 3u);
  EXPECT_EQ(module.entry().inputs()[1].name, "w");
  EXPECT_EQ(module.entry().inputs()[2].name, "bias");
  Tensor x = ones({2, 8}), other = Tensor(w * 3).eval();
  Array y = module(x, other, bias);
  EXPECT_EQ(bytesOf(y), (matmul(x, other) + bias).to_bytes());
  // The same program with constants: no arguments but x.
  program.save(at("c.tcpkg"), {.constants = "c.weights"});
  EXPECT_TRUE(fs::exists(at("c.weights")));
  Array z = load(at("c.tcpkg"), "cpu")(x);
  EXPECT_EQ(bytesOf(z), model(x).to_bytes());
  EXPECT_ERROR_WITH(
      "'v' is not a value that the function captures",
      program.save(at("v.tcpkg"), {.weights = {{"v", ones({2})}}}));
  EXPECT_ERROR_WITH("an argument is called 'x', and so is another",
                    program.save(at("v.tcpkg"), {.weights = {{"x", w}}}));
  // Of a constant the product may have a packed copy.
  Tensor v = constant(w);
  auto both = [&](const Tensor &x) { return matmul(x, v) + sum(v); };
  EXPECT_ERROR_WITH(
      "'v' is a constant, of which products hold packed copies: it cannot be "
      "an argument",
      compile(both, x).save(at("v.tcpkg"), {.weights = {{"v", v}}}));
  EXPECT_FALSE(fs::exists(at("v.tcpkg")));
}

TEST_F(Save, FromAJitFunction) {
  auto step = jit([&](const Tensor &x) { return tanh(matmul(x, w)); });
  Tensor x = Tensor(ones({4, 8})).eval();
  std::vector<uint8_t> expected = step(x).to_bytes();
  compile(step, x).save(at("m.tcpkg"));
  Array y = load(at("m.tcpkg"), "cpu")(x);
  EXPECT_EQ(bytesOf(y), expected);
}

TEST_F(Save, ObjectsAndHeaders) {
  auto model = [&](const Tensor &x) { return x * 2 + b; };
  Program program = compile(model, Input(f32, {5}, "x"));
  program.save(at("twice.o"), {.names = {{}, {"y"}}});
  program.save(at("twice.h"), {.names = {{}, {"y"}}});
  std::string header = read(at("twice.h"));
  EXPECT_NE(header.find("twice_inputs"), std::string::npos) << header;
  std::ofstream(at("main.c")) << "#include \"twice.h\"\n"
                                 "int main(void) { return sizeof(twice_inputs) "
                                 "== 0; }\n";
  EXPECT_EQ(run("cd " + folder.string() +
                " && " TENSORC_C_COMPILER " main.c twice.o -o main && ./main"),
            0);
}

TEST_F(Save, Text) {
  Program program =
      compile([](const Tensor &x) { return exp(x); }, Input(f32, {"n"}, "x"));
  EXPECT_NE(program.to_mlir().find("tensor<?xf32, #tx.dims<[n]>>"),
            std::string::npos)
      << program.to_mlir();
  program.save(at("m.mlir"));
  EXPECT_EQ(read(at("m.mlir")), program.to_mlir());
}

TEST_F(Save, SeveralTargets) {
  compile([](const Tensor &x) { return x + 1; }, Input(f32, {"n"}))
      .save(at("m.tcpkg"), {.target = "cpu,cuda:sm_90"});
  Array y = load(at("m.tcpkg"), "cpu")(ones({3}));
  EXPECT_EQ(y.to_vector<float>(), (std::vector<float>{2, 2, 2}));
}

TEST_F(Save, StaticLibraryHasItsHeaderBeside) {
  compile([](const Tensor &x) { return x + 1; }, ones({3})).save(at("m.a"));
  EXPECT_EQ(files(), 2u);
  EXPECT_TRUE(std::filesystem::exists(at("m.h")));
}

TEST_F(Save, RefusalsLeaveNothing) {
  auto f = [](const Tensor &x, const Tensor &y) { return x + y; };
  Program program = compile(f, ones({3}), ones({3}));
  EXPECT_ERROR_WITH("cannot write " + at("none/m.tcpkg"),
                    program.save(at("none/m.tcpkg")));
  EXPECT_ERROR_WITH("unknown target 'cuda:sm_1'",
                    program.save(at("m.tcpkg"), {.target = "cuda:sm_1"}));
  EXPECT_ERROR_WITH("an argument is called 'x', and so is another",
                    program.save(at("m.tcpkg"), {.names = {{"x", "x"}, {}}}));
  EXPECT_ERROR_WITH("the function has 2 arguments, and names are given for 1",
                    program.save(at("m.tcpkg"), {.names = {{"x"}, {}}}));
  EXPECT_ERROR_WITH("the suffix of '" + at("m.txt") +
                        "' says nothing of its kind: .tcpkg, ",
                    program.save(at("m.txt")));
  EXPECT_ERROR_WITH(".spv, .metal, .mlir; or give a kind",
                    program.save(at("m.txt")));
  EXPECT_ERROR_WITH("unknown kind 'pakage'",
                    program.save(at("m.tcpkg"), {.kind = "pakage"}));
  EXPECT_ERROR_WITH("the kind is header, but",
                    program.save(at("m.tcpkg"), {.kind = "header"}));
  EXPECT_ERROR_WITH("only a package is for several targets",
                    program.save(at("m.o"), {.target = "cpu,cpu:x86-64-v2"}));
  EXPECT_EQ(files(), 0u);
}

TEST_F(Save, WritesAReport) {
  Program program =
      compile([](Tensor x) { return exp(x) * 2.0f; }, Input(f32, {"n", 4}));
  program.save(at("page.html"), {.target = "cuda:sm_80"});
  std::ifstream file(at("page.html"));
  std::string page{std::istreambuf_iterator<char>(file), {}};
  EXPECT_TRUE(page.starts_with("<!doctype html>"));
  EXPECT_NE(page.find("data-encoding=\"deflate\""), std::string::npos);
  EXPECT_ERROR_WITH("the kind is report, but",
                    program.save(at("m.tcpkg"), {.kind = "report"}));
}

TEST_F(Save, RefusalsOfFunctions) {
  int line = __LINE__ + 1;
  EXPECT_ERROR_WITH("add: shapes",
                    compile([](auto &x, auto &y) { return x + y; },
                            Input(f32, {"n"}), Input(f32, {"m"})));
  std::string where = "SaveTest.cpp:" + std::to_string(line);
  EXPECT_ERROR_WITH("(recorded with n = ",
                    compile([](auto &x, auto &y) { return x + y; },
                            Input(f32, {"n"}), Input(f32, {"m"})));
  EXPECT_ERROR_WITH(
      "the function records other operations",
      compile([](auto &x) { return x.size(0) % 3 == 1 ? exp(x) : sin(x); },
              Input(f32, {"n"}))
          .to_mlir());
  EXPECT_ERROR_WITH(
      "a number depends on a named size",
      compile([](auto &x) { return x * (1.0f / x.size(0)); }, Input(f32, {"n"}))
          .save(at("m.tcpkg")));
  EXPECT_ERROR_WITH("'2n' is not a name of a size",
                    compile([](auto &x) { return x; }, Input(f32, {"2n"})));
  EXPECT_ERROR_WITH("SaveTest.cpp:",
                    compile([](auto &x) { return x; }, Input(f32, {"2n"})));
  // What is not an error of tensorc passes through.
  EXPECT_THROW(compile(
                   [](auto &x) {
                     if (x.rank() == 1)
                       throw std::out_of_range("mine");
                     return x;
                   },
                   ones({2})),
               std::out_of_range);
  EXPECT_EQ(files(), 0u);
}
