//===- KernelTest.cpp - GPU kernels of the program as operations ----------===//

#include "tests/compiler/graph/ErrorOf.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace tensorc;

namespace {

bool isSimulated() {
  const char *device = std::getenv("TENSORC_DEVICE");
  return device && std::string(device).rfind("sim", 0) == 0;
}

/// out[i] = x[i] + row; the grid has a dim for the rows.
constexpr const char *addRow = R"(
gpu.module @texts {
  gpu.func @add_row(%x: memref<?xf32>, %out: memref<?xf32>, %m: i64) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %columns = arith.index_cast %m : i64 to index
    %j = gpu.global_id x
    %i = gpu.block_id y
    %inside = arith.cmpi ult, %j, %columns : index
    scf.if %inside {
      %row = arith.muli %i, %columns : index
      %at = arith.addi %row, %j : index
      %v = memref.load %x[%at] : memref<?xf32>
      %word = arith.index_cast %i : index to i32
      %number = arith.sitofp %word : i32 to f32
      %sum = arith.addf %v, %number : f32
      memref.store %sum, %out[%at] : memref<?xf32>
    }
    gpu.return
  }
}
)";

KernelOptions addRowOptions() {
  KernelOptions options;
  options.inputs = {{f32, "n, m"}};
  options.outputs = {{f32, "n, m"}};
  options.grid = "m ceildiv 32, n";
  options.scalars = "m";
  return options;
}

constexpr const char *cudaText = R"(
extern "C" __global__ void twice(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2 * x[i];
}
)";

KernelOptions twiceOptions() {
  KernelOptions options;
  options.inputs = {{f32, "n"}};
  options.outputs = {{f32, "n"}};
  options.grid = "n ceildiv 128";
  options.block = {128};
  options.scalars = "n";
  return options;
}

} // namespace

TEST(Kernels, AmongOtherOps) {
  if (!isSimulated())
    GTEST_SKIP() << "for simulated GPUs";
  Kernel kernel = gpu_kernel(addRow, "add_row", addRowOptions());
  Tensor x = arange(6, f32).reshape({2, 3});
  EXPECT_EQ((kernel({x * 2}) * 10).to_vector<float>(),
            (std::vector<float>{0, 20, 40, 70, 90, 110}));
  EXPECT_EQ(kernel({kernel({zeros({2, 2})})}).to_vector<float>(),
            (std::vector<float>{0, 0, 2, 2}));
  EXPECT_EQ(kernel({full({3, 1}, 1)}).to_vector<float>(),
            (std::vector<float>{1, 2, 3}));
  EXPECT_EQ(kernel({zeros({0, 3})}).shape(), (Shape{0, 3}));
  EXPECT_TRUE(kernel({zeros({3, 0})}).to_vector<float>().empty());
}

TEST(Kernels, SizesDoNotRecompile) {
  if (!isSimulated())
    GTEST_SKIP() << "for simulated GPUs";
  Kernel kernel = gpu_kernel(addRow, "add_row", addRowOptions());
  reset_compile_stats(true);
  for (int64_t n : {3, 4, 5, 70, 71}) {
    Tensor y = sum(kernel({ones({n, n + 1})}), {1});
    EXPECT_EQ(y.to_vector<float>()[n - 1], static_cast<float>(n * (n + 1)));
  }
  EXPECT_EQ(compile_stats().compilations, 2u);
  EXPECT_EQ(compile_stats().sizes_not_expressible, 0u);
  EXPECT_EQ(compile_stats().symbolic_failed, 0u);
}

TEST(Kernels, UnderJit) {
  if (!isSimulated())
    GTEST_SKIP() << "for simulated GPUs";
  Kernel kernel = gpu_kernel(addRow, "add_row", addRowOptions());
  auto f = jit([&](const Tensor &x) { return kernel({x + 1}) * x; });
  EXPECT_EQ(f(full({2, 1}, 3)).to_vector<float>(),
            (std::vector<float>{12, 15}));
  EXPECT_EQ(f(full({2, 1}, 4)).to_vector<float>(),
            (std::vector<float>{20, 24}));
  EXPECT_EQ(f.traces(), 1u);
}

TEST(Kernels, ShowTheirModule) {
  Kernel kernel = gpu_kernel(addRow, "add_row", addRowOptions());
  std::string text = kernel({ones({2, 40})}).to_mlir();
  EXPECT_NE(
      text.find("tx.kernel_call @add_row(%0) grid <[2, 2]> scalars <[40]> "
                ": (tensor<2x40xf32>) -> tensor<2x40xf32>"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("gpu.func @add_row"), std::string::npos) << text;
  text =
      cuda_kernel(cudaText, "twice", twiceOptions())({ones({200})}).to_mlir();
  EXPECT_NE(text.find("grid <[2]> block [128] scalars <[200]>"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("txp.kernel_source @twice \"cuda\" kernel \"twice\""),
            std::string::npos)
      << text;
}

constexpr const char *past = R"(gpu.module @texts {
  gpu.func @past(%x: memref<?xf32>, %out: memref<?xf32>) kernel {
    %i = gpu.thread_id x
    %v = memref.load %x[%i] : memref<?xf32>
    memref.store %v, %out[%i] : memref<?xf32>
    gpu.return
  }
}
)";

TEST(Kernels, GridsCoverTheirResults) {
  if (!isSimulated())
    GTEST_SKIP() << "for simulated GPUs";
  auto launched = [&](const char *grid, int64_t n) {
    KernelOptions options{{{f32, "n"}}, {{f32, "n"}}, grid, {64}};
    return gpu_kernel(past, "past", options)({zeros({n})});
  };
  auto message = [&](const char *grid) {
    Tensor y = launched(grid, 64);
    return errorOf([&] { y.to_vector<float>(); });
  };
  EXPECT_NE(message("n - 64").find("'past': a grid of no blocks leaves its "
                                   "results unwritten"),
            std::string::npos)
      << message("n - 64");
  EXPECT_NE(message("n - 65").find("'past': a size of the grid is negative"),
            std::string::npos)
      << message("n - 65");
  EXPECT_TRUE(launched("n", 0).to_vector<float>().empty());
}

TEST(Kernels, MistakesAreReportedInTheText) {
  if (!isSimulated())
    GTEST_SKIP() << "for simulated GPUs";
  KernelOptions options{{{f32, "n"}}, {{f32, "n"}}, "1", {64}};
  auto mistake = [&](Location at) {
    Tensor y = gpu_kernel(past, "past", options, at)({zeros({63})});
    return errorOf([&] { y.to_vector<float>(); });
  };
  std::string message = mistake({"nowhere.cpp", 7});
  EXPECT_NE(message.find("thread 63 reads 4 bytes at byte 252 of argument 0, "
                         "which has 252"),
            std::string::npos)
      << message;
  EXPECT_NE(message.find("at past.mlir:4:"), std::string::npos) << message;
  // A file that holds the text, as this one does where it can be found.
  std::string path = testing::TempDir() + "tensorc-kernel-test-" +
                     std::to_string(getpid()) + ".cpp";
  std::ofstream(path) << "one\ntwo\nauto text = R\"(" << past << ")\";\n";
  message = mistake({path.c_str(), 9});
  EXPECT_NE(message.find("at " + path + ":6:"), std::string::npos) << message;
  std::remove(path.c_str());
}

TEST(Kernels, CudaRunsOnCudaOnly) {
  unsigned line = __LINE__ + 1;
  Tensor y = cuda_kernel(cudaText, "twice", twiceOptions())({ones({200})});
  std::string message = errorOf([&] { y.to_vector<float>(); });
  EXPECT_EQ(message.find("twice: "), 0u) << message;
  EXPECT_NE(message.find("  at " + std::string(__FILE__) + ":" +
                         std::to_string(line)),
            std::string::npos)
      << message;
  // What was not asked for is not compiled.
  EXPECT_EQ((ones({2}) + 1).to_vector<float>(), (std::vector<float>{2, 2}));
}

TEST(Kernels, RefusedWhenMade) {
  auto make = [&](auto change, const char *text = addRow) {
    KernelOptions options = addRowOptions();
    change(options);
    return errorOf([&] { gpu_kernel(text, "add_row", options); });
  };
  auto starts = [](const std::string &message, const std::string &with) {
    EXPECT_EQ(message.find(with), 0u) << message;
    EXPECT_NE(message.find("  at "), std::string::npos) << message;
  };
  using O = KernelOptions;
  starts(make([](O &o) { o.grid = "k"; }),
         "add_row: grid 'k': no input has the size k");
  starts(make([](O &o) { o.grid = "n +"; }), "add_row: grid 'n +': expected");
  starts(make([](O &o) { o.grid = ""; }),
         "add_row: the grid has 0 dims, not 1 to 3");
  starts(make([](O &o) { o.grid = "1, 1, 1, 1"; }),
         "add_row: the grid has 4 dims, not 1 to 3");
  starts(make([](O &o) { o.outputs.clear(); }), "add_row: has no output");
  starts(make([](O &o) { o.outputs[0].dims = "q"; }),
         "add_row: output 0 'q': no input has the size q");
  starts(make([](O &o) { o.inputs[0].dims = "n * 2, m"; }),
         "add_row: input 0 'n * 2, m': no input has the size n");
  starts(make([](O &o) { o.block = {1024, 2}; }),
         "add_row: a block has at most 1024 threads");
  starts(make([](O &o) { o.block = {-1}; }),
         "add_row: the block has a dim of -1");
  starts(make([](O &o) { o.flags = {"-O3"}; }),
         "add_row: flags are for CUDA C++");
  starts(make([](O &o) { o.shared = "64"; }),
         "add_row: shared is for CUDA C++");
  starts(make([](O &) {}, "gpu.module @x {}"), "add_row: its gpu.module does");
  starts(make([](O &) {}, "func.func @f() { return }"),
         "add_row: is not a single gpu.module");
  EXPECT_NE(
      make([](O &) {}, "gpu.module @x {\n  oops\n}").find("KernelTest.cpp:"),
      std::string::npos);
  // What would overflow the parser's stack.
  std::string open(100000, '('), close(100000, ')'), modules;
  for (int i = 0; i < 50000; ++i)
    modules += "module {";
  starts(make([&](O &o) { o.grid = (open + "n" + close).c_str(); }),
         "add_row: grid '((");
  EXPECT_NE(make([&](O &o) {
              o.grid = (open + "n" + close).c_str();
            }).find("brackets nest more than 256 deep"),
            std::string::npos);
  EXPECT_NE(make([](O &) {}, modules.c_str())
                .find("brackets nest more than 256 deep"),
            std::string::npos);
  starts(errorOf([] { gpu_kernel(addRow, "other", addRowOptions()); }),
         "other: its gpu.func is called 'add_row'");
}

TEST(Kernels, RefusedWhenCalled) {
  KernelOptions options;
  options.inputs = {{f32, "n, k"}, {f32, "k, 4"}};
  options.outputs = {{f32, "n"}};
  options.grid = "n";
  options.block = {32};
  Kernel kernel = cuda_kernel(cudaText, "product", options);
  Tensor x = ones({2, 3}), y = ones({3, 4}), empty;
  EXPECT_ERROR("product: takes 2 inputs, not 1", kernel({x}));
  EXPECT_ERROR("product: input 1 is an undefined tensor", kernel({x, empty}));
  EXPECT_ERROR("product: input 0 is i32, declared as f32",
               kernel({zeros({2, 3}, i32), y}));
  EXPECT_ERROR("product: input 1 is [3], declared as [k, 4]",
               kernel({x, ones({3})}));
  EXPECT_ERROR("product: input 1 is [2, 4], declared as [k, 4], where k is 3",
               kernel({x, ones({2, 4})}));
  EXPECT_ERROR("product: input 1 is [3, 5], declared as [k, 4], where k is 3",
               kernel({x, ones({3, 5})}));
}
