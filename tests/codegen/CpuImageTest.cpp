//===- CpuImageTest.cpp - Text kernel to right numbers --------------------===//

#include "tests/codegen/KernelRunner.h"

#include "codegen/native/Shards.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FormatVariadic.h"
#include <gtest/gtest.h>
#include <numeric>
#include <thread>

using namespace tensorc;
using namespace tensorc::test;

namespace {

class CpuImage : public testing::TestWithParam<const char *> {
protected:
  KernelRunner runner;
  codegen::CodegenOptions options{GetParam(), 2};
};

const char *const kScaleAdd = R"(
  func.func @scale_add(%x: memref<?xf32> {llvm.noalias},
                       %y: memref<?xf32> {llvm.noalias}, %a: f32, %n: i64,
                       %begin: index, %end: index, %scratch: memref<?xi8>)
      attributes {txk.kernel} {
    %c16 = arith.constant 16 : index
    %zero = arith.constant dense<0.0> : vector<16xf32>
    %av = vector.broadcast %a : f32 to vector<16xf32>
    scf.for %i = %begin to %end step %c16 {
      %left = arith.subi %end, %i : index
      %mask = vector.create_mask %left : vector<16xi1>
      %v = vector.maskedload %x[%i], %mask, %zero : memref<?xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
      %m = arith.mulf %v, %av : vector<16xf32>
      %s = arith.addf %m, %av : vector<16xf32>
      vector.maskedstore %y[%i], %mask, %s : memref<?xf32>, vector<16xi1>, vector<16xf32>
    }
    return
  })";

TEST_P(CpuImage, MaskedLoopWithScalars) {
  auto image = runner.compile(kScaleAdd, options);
  std::vector<float> x(100), y(100, -1.0f);
  std::iota(x.begin(), x.end(), 0.0f);
  Words words;
  words.buffer(x.data()).buffer(y.data()).scalar(2.5f).scalar(int64_t(100));
  image->find("scale_add")(words.data(), 3, 77, nullptr);
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(y[i], i < 3 || i >= 77 ? -1.0f : x[i] * 2.5f + 2.5f) << i;
}

TEST_P(CpuImage, ScalarOfEveryDtype) {
  auto image = runner.compile(R"(
    func.func @k(%z: memref<?xf64>, %p: i1, %h: f16, %b: bf16, %s: f32, %d: f64,
                 %i8: i8, %i16: i16, %i32: i32, %i64: i64, %begin: index,
                 %end: index, %scratch: memref<?xi8>) attributes {txk.kernel} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %t = memref.view %scratch[%c0][%end] : memref<?xi8> to memref<?xf64>
      %0 = arith.uitofp %p : i1 to f64
      %1 = arith.extf %h : f16 to f64
      %2 = arith.extf %b : bf16 to f64
      %3 = arith.extf %s : f32 to f64
      %5 = arith.sitofp %i8 : i8 to f64
      %6 = arith.sitofp %i16 : i16 to f64
      %7 = arith.sitofp %i32 : i32 to f64
      %8 = arith.sitofp %i64 : i64 to f64
      %v = vector.from_elements %0, %1, %2, %3, %d, %5, %6, %7 : vector<8xf64>
      vector.store %v, %t[%c1] : memref<?xf64>, vector<8xf64>
      %w = vector.load %t[%c1] : memref<?xf64>, vector<8xf64>
      vector.store %w, %z[%c0] : memref<?xf64>, vector<8xf64>
      %c8 = arith.constant 8 : index
      memref.store %8, %z[%c8] : memref<?xf64>
      return
    })",
                              options);
  std::vector<double> z(9), scratch(9);
  Words words;
  words.buffer(z.data()).scalar(true).scalar(uint16_t(0x3e00));
  words.scalar(uint16_t(0xc040)).scalar(0.25f).scalar(1e300);
  words.scalar(int8_t(-8)).scalar(int16_t(-16)).scalar(int32_t(-32));
  words.scalar(int64_t(-64));
  image->find("k")(words.data(), 0, 1, scratch.data());
  EXPECT_EQ(z,
            (std::vector<double>{1, 1.5, -3, 0.25, 1e300, -8, -16, -32, -64}));
}

TEST_P(CpuImage, BoolsAreBytes) {
  auto image = runner.compile(R"(
    func.func @k(%x: memref<?xi1>, %y: memref<?xi1>, %begin: index, %end: index,
                 %scratch: memref<?xi8>) attributes {txk.kernel} {
      %true = arith.constant dense<true> : vector<16xi1>
      %v = vector.load %x[%begin] : memref<?xi1>, vector<16xi1>
      %not = arith.xori %v, %true : vector<16xi1>
      vector.store %not, %y[%begin] : memref<?xi1>, vector<16xi1>
      %c16 = arith.constant 16 : index
      %s = memref.load %x[%c16] : memref<?xi1>
      memref.store %s, %y[%c16] : memref<?xi1>
      return
    })",
                              options);
  std::vector<uint8_t> x(17), y(17, 9);
  for (int i = 0; i < 17; ++i)
    x[i] = i % 3 == 1;
  x[16] = 1;
  Words words;
  image->find("k")(words.buffer(x.data()).buffer(y.data()).data(), 0, 16,
                   nullptr);
  for (int i = 0; i < 16; ++i)
    EXPECT_EQ(y[i], !x[i]);
  EXPECT_EQ(y[16], 1);
}

TEST_P(CpuImage, GatherAndScatter) {
  auto image = runner.compile(R"(
    func.func @k(%x: memref<?xi32>, %y: memref<?xi32>, %begin: index,
                 %end: index, %scratch: memref<?xi8>) attributes {txk.kernel} {
      %mask = vector.create_mask %end : vector<8xi1>
      %none = arith.constant dense<-1> : vector<8xi32>
      %step = vector.step : vector<8xindex>
      %c7 = arith.constant dense<7> : vector<8xindex>
      %reversed = arith.subi %c7, %step : vector<8xindex>
      %v = vector.gather %x[%begin][%reversed], %mask, %none : memref<?xi32>, vector<8xindex>, vector<8xi1>, vector<8xi32> into vector<8xi32>
      vector.scatter %y[%begin][%step], %mask, %v : memref<?xi32>, vector<8xindex>, vector<8xi1>, vector<8xi32>
      return
    })",
                              options);
  std::vector<int32_t> x(8), y(8, -5);
  std::iota(x.begin(), x.end(), 0);
  Words words;
  image->find("k")(words.buffer(x.data()).buffer(y.data()).data(), 0, 5,
                   nullptr);
  EXPECT_EQ(y, (std::vector<int32_t>{7, 6, 5, 4, 3, -5, -5, -5}));
}

/// The image needs nothing but its own bytes: no libraries, no thread-local
/// storage, relocations by its base address only.
TEST_P(CpuImage, IsSelfContained) {
  auto bytes = runner.compileToBytes(kScaleAdd, options);
  ASSERT_TRUE(bool(bytes));
  llvm::StringRef text(bytes->data(), bytes->size());
  auto file = llvm::object::ELFFile<llvm::object::ELF64LE>::create(text);
  ASSERT_TRUE(bool(file));
  for (auto &header : cantFail(file->program_headers()))
    EXPECT_NE(header.p_type, llvm::ELF::PT_TLS);
  for (auto &entry : cantFail(file->dynamicEntries()))
    EXPECT_NE(entry.getTag(), llvm::ELF::DT_NEEDED);
  for (auto &section : cantFail(file->sections()))
    if (section.sh_type == llvm::ELF::SHT_RELA)
      for (auto &relocation : cantFail(file->relas(section)))
        EXPECT_EQ(relocation.getType(false), llvm::ELF::R_X86_64_RELATIVE);
}

INSTANTIATE_TEST_SUITE_P(Targets, CpuImage,
                         testing::Values("cpu", "cpu:x86-64-v2",
                                         "cpu:x86-64-v3"));

mlir::OwningOpRef<mlir::ModuleOp> lower(mlir::MLIRContext &context,
                                        llvm::StringRef text,
                                        codegen::NativeOptions options) {
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  mlir::PassManager passes(&context);
  cantFail(
      codegen::addCpuLowerPasses(passes, {options.target, options.optLevel}));
  EXPECT_TRUE(succeeded(passes.run(*module)));
  return module;
}

TEST(CpuTarget, UsesWideRegistersAndAliasScopes) {
  KernelRunner runner;
  codegen::NativeOptions options{"cpu:x86-64-v4", 2};
  auto module = lower(runner.getContext(), kScaleAdd, options);
  std::string text = cantFail(codegen::emitAsm(*module, options));
  EXPECT_NE(text.find("zmm"), std::string::npos);
  // A product and a sum never become one rounding.
  EXPECT_EQ(text.find("vfmadd"), std::string::npos);
  text = cantFail(codegen::emitLLVM(*module, options));
  EXPECT_NE(text.find("!alias.scope"), std::string::npos);
}

/// 24 kernels that add their number to each element, by 200 additions.
std::string manyKernels() {
  std::string text;
  for (int i = 0; i < 24; ++i) {
    text += llvm::formatv(R"(
      func.func @k{0}(%x: memref<?xf32>, %begin: index, %end: index,
                      %scratch: memref<?xi8>) attributes {{txk.kernel} {{
        %c = arith.constant {0}.0 : f32
        %v0 = memref.load %x[%begin] : memref<?xf32>)",
                          i);
    for (int j = 0; j < 200; ++j)
      text += llvm::formatv("%v{1} = arith.addf %v{0}, %c : f32\n", j, j + 1);
    text += R"(
        memref.store %v200, %x[%begin] : memref<?xf32>
        return
      })";
  }
  return text;
}

// The parts hold all kernels once, in their order, except for what others call,
// which is in the first; the image is the same for any number of threads.
TEST(CpuTarget, DividesManyKernels) {
  KernelRunner runner;
  codegen::NativeOptions options{"cpu", 2};
  auto module = lower(runner.getContext(), manyKernels(), options);
  auto parts = codegen::splitKernels(*module);
  EXPECT_GT(parts.size(), 1u);
  std::vector<std::string> names;
  for (auto &part : parts)
    for (auto function : part->getOps<mlir::LLVM::LLVMFuncOp>())
      names.push_back(function.getName().str());
  EXPECT_EQ(names.size(), 24u);
  EXPECT_EQ(names.front(), "k0");
  EXPECT_EQ(names.back(), "k23");

  auto one = cantFail(codegen::compileToImage(*module, options));
  unsigned kernels = 0;
  auto caller = std::this_thread::get_id();
  options.threads = 4;
  options.onKernel = [&] {
    ++kernels;
    EXPECT_EQ(std::this_thread::get_id(), caller);
    return true;
  };
  auto several = cantFail(codegen::compileToImage(*module, options));
  EXPECT_EQ(llvm::ArrayRef(one), llvm::ArrayRef(several));
  EXPECT_EQ(kernels, 24u);

  options.onKernel = [&] { return --kernels > 20; };
  auto cancelled = codegen::compileToImage(*module, options);
  EXPECT_NE(toString(cancelled.takeError()).find("cancelled"),
            std::string::npos);

  // The last kernel calls the one before.
  auto last = module->lookupSymbol<mlir::LLVM::LLVMFuncOp>("k23");
  auto b = mlir::OpBuilder::atBlockBegin(&last.getBody().front());
  mlir::LLVM::CallOp::create(
      b, last.getLoc(), module->lookupSymbol<mlir::LLVM::LLVMFuncOp>("k22"),
      last.getArguments());
  parts = codegen::splitKernels(*module);
  EXPECT_TRUE(parts.front()->lookupSymbol("k22"));
  EXPECT_TRUE(parts.front()->lookupSymbol("k23"));
}

TEST(CpuTarget, KeepsNontemporalStores) {
  KernelRunner runner;
  codegen::NativeOptions options{"cpu:x86-64-v4", 2};
  auto module = lower(runner.getContext(), R"(
    func.func @k(%x: memref<?xf32>, %begin: index, %end: index,
                 %scratch: memref<?xi8>) attributes {txk.kernel} {
      %v = arith.constant dense<1.0> : vector<16xf32>
      vector.store %v, %x[%begin] {alignment = 64, nontemporal = true} : memref<?xf32>, vector<16xf32>
      return
    })",
                      options);
  std::string text = cantFail(codegen::emitAsm(*module, options));
  EXPECT_NE(text.find("vmovntps"), std::string::npos);
}

TEST(CpuTarget, ReturnsErrors) {
  KernelRunner runner;
  auto bytes = runner.compileToBytes(kScaleAdd, {"cpu:z80", 2});
  std::string message = toString(bytes.takeError());
  EXPECT_NE(message.find("unknown target 'cpu:z80'"), std::string::npos);
  EXPECT_NE(message.find("cpu:x86-64-v4"), std::string::npos);

  bytes = runner.compileToBytes(R"(
    llvm.func @outside()
    llvm.func @k(%args: !llvm.ptr) {
      llvm.call @outside() : () -> ()
      llvm.return
    })",
                                {"cpu", 2});
  message = toString(bytes.takeError());
  EXPECT_NE(message.find("undefined symbol: outside"), std::string::npos);

  bytes = codegen::linkImage(llvm::ArrayRef<char>("no object", 9));
  EXPECT_FALSE(bool(bytes));
  consumeError(bytes.takeError());
}

// A thread uses the passes that write objects again: what it compiled before,
// failed ones and cancelled ones included, changes no byte.
TEST(CpuTarget, CompilesTheSameAgain) {
  KernelRunner runner;
  codegen::NativeOptions options{"cpu", 2};
  auto module = lower(runner.getContext(), kScaleAdd, options);
  auto compile = [&] { return codegen::compileToImage(*module, options); };
  auto first = cantFail(compile());
  EXPECT_EQ(first, cantFail(compile()));
  options.onKernel = [] { return false; };
  auto cancelled = compile();
  EXPECT_NE(toString(cancelled.takeError()).find("cancelled"),
            std::string::npos);
  options.onKernel = nullptr;
  EXPECT_EQ(first, cantFail(compile()));
  // Of many kernels, and of another instruction set.
  auto many = lower(runner.getContext(), manyKernels(), options);
  EXPECT_TRUE(bool(codegen::compileToImage(*many, options)));
  EXPECT_TRUE(bool(runner.compileToBytes(kScaleAdd, {"cpu:x86-64-v2", 2})));
  EXPECT_EQ(first, cantFail(compile()));
  std::thread([&] { EXPECT_EQ(first, cantFail(compile())); }).join();
}

TEST(CpuTarget, CompilesOnSeveralThreads) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([] {
      KernelRunner runner;
      for (int j = 0; j < 8; ++j) {
        auto bytes = runner.compileToBytes(kScaleAdd, {"cpu", 2});
        EXPECT_TRUE(bool(bytes));
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}

} // namespace
