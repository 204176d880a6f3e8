//===- CostModelTest.cpp - Sums and figures -------------------------------===//

#include "compiler/session/placement/Figures.h"
#include "compiler/session/placement/Measure.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

using namespace tensorc::placement;

namespace {
tensorc_rt_device *device(int index) {
  return reinterpret_cast<tensorc_rt_device *>(uintptr_t(index) * 64);
}

/// A host, and two devices 100 times as fast behind copies.
std::vector<Candidate> candidates() {
  Figures slow{1e-6, 0, 0, 0, 1e10, {1e10, 1e10, 1e10, 1e10}};
  Figures fast{5e-6, 1e-5, 1e10, 5e9, 1e12, {1e12, 1e12, 8e12, 1e12}};
  return {{"cpu:0", device(1), true, slow},
          {"a:0", device(2), false, fast},
          {"a:1", device(3), false, fast}};
}

KernelWork kernel(double bytes, double operations,
                  RateClass rate = RateClass::F32) {
  KernelWork work;
  work.bytes = bytes;
  work.operations[static_cast<unsigned>(rate)] = operations;
  return work;
}

std::string errorOf(llvm::StringRef text) {
  auto figures = parseFigures(text);
  return figures ? "no error" : llvm::toString(figures.takeError());
}
} // namespace

TEST(CostModel, KernelsAreBoundByMemoryOrArithmetic) {
  auto all = candidates();
  Sum sum = sumOfKernels(all[0], {kernel(1e6, 1), kernel(1, 1e7)});
  EXPECT_DOUBLE_EQ(sum.launches, 2e-6);
  EXPECT_NEAR(sum.kernels, 1e-4 + 1e-3, 1e-9);
  EXPECT_NEAR(sum.memory, 1e-4, 1e-9);
  EXPECT_NEAR(sum.arithmetic, 1e-3, 1e-9);
  EXPECT_NEAR(sumOfKernels(all[1], {kernel(0, 8e6, RateClass::F16)}).kernels,
              1e-6, 1e-12);
}

TEST(CostModel, OperandsComeFromTheNearestPlace) {
  auto all = candidates();
  Work work;
  work.operands = {{1e6, {device(1)}}};
  EXPECT_EQ(sumOf(all, all[0], work).total(), 0);
  EXPECT_NEAR(sumOf(all, all[1], work).operands.seconds, 1e-5 + 1e-4, 1e-12);
  // From device to device through the host.
  work.operands[0].places = {device(3)};
  EXPECT_NEAR(sumOf(all, all[1], work).operands.seconds, 2e-5 + 1e-4 + 2e-4,
              1e-12);
  EXPECT_NEAR(sumOf(all, all[0], work).operands.seconds, 1e-5 + 2e-4, 1e-12);
  // On both: the host's is nearer.
  work.operands[0].places = {device(3), device(1)};
  Sum sum = sumOf(all, all[1], work);
  EXPECT_NEAR(sum.operands.seconds, 1e-5 + 1e-4, 1e-12);
  EXPECT_EQ(sum.operands.count, 1u);
  EXPECT_EQ(sum.operands.bytes, 1e6);
}

TEST(CostModel, ResultsGoHome) {
  auto all = candidates();
  Work work;
  work.results = {1e6};
  EXPECT_EQ(sumOf(all, all[0], work).results.seconds, 0);
  EXPECT_NEAR(sumOf(all, all[1], work).results.seconds, 1e-5 + 2e-4, 1e-12);
  work.home = device(2);
  EXPECT_EQ(sumOf(all, all[1], work).results.seconds, 0);
  EXPECT_NEAR(sumOf(all, all[0], work).results.seconds, 1e-5 + 1e-4, 1e-12);
}

TEST(CostModel, TheFirstOfEqualSumsIsChosen) {
  Sum large, small;
  large.kernels = 2;
  small.kernels = 1;
  EXPECT_EQ(rank({large, small, small}),
            (llvm::SmallVector<unsigned, 4>{1, 2, 0}));
  EXPECT_TRUE(rank({}).empty());
}

TEST(CostModel, RatesFollowTheDtype) {
  using tensorc::tx::DType;
  EXPECT_EQ(rateClassOf(DType::F64, true), RateClass::F64);
  EXPECT_EQ(rateClassOf(DType::BF16, true), RateClass::F16);
  EXPECT_EQ(rateClassOf(DType::BF16, false), RateClass::F32);
  EXPECT_EQ(rateClassOf(DType::F32, true), RateClass::F32);
  EXPECT_EQ(rateClassOf(DType::I1, false), RateClass::Integer);
}

TEST(Figures, SurviveText) {
  auto all = candidates();
  for (const Candidate &candidate : all) {
    llvm::json::Value text =
        llvm::json::Object{{candidate.name, toJson(candidate.figures)}};
    std::string printed;
    llvm::raw_string_ostream(printed) << text;
    auto parsed = parseFigures(printed);
    ASSERT_TRUE(bool(parsed)) << llvm::toString(parsed.takeError());
    const Figures &copy = parsed->at(candidate.name);
    EXPECT_NEAR(copy.launch, candidate.figures.launch, 1e-15);
    EXPECT_NEAR(copy.fromDevice, candidate.figures.fromDevice, 1);
    EXPECT_NEAR(copy.rates[2], candidate.figures.rates[2], 1);
  }
}

TEST(Figures, ErrorsNameTheMember) {
  EXPECT_NE(errorOf("{"), "no error");
  EXPECT_EQ(errorOf("[]"), "not an object of devices");
  EXPECT_EQ(errorOf(R"({"cpu": 1})"), "device 'cpu': not an object");
  EXPECT_EQ(errorOf(R"({"cpu": {}})"),
            "device 'cpu': 'launch_us' is not a number");
  EXPECT_EQ(errorOf(R"({"cpu": {"speed": 1}})"),
            "device 'cpu': unknown member 'speed'");
  std::string ok = R"("launch_us": 0, "memory_gb_s": 1, "gop_s":)";
  EXPECT_EQ(errorOf("{\"cpu\": {" + ok + R"({"f64": 1, "f32": -1}}})"),
            "device 'cpu': 'f32' is out of range");
  EXPECT_EQ(errorOf("{\"cpu\": {" + ok + R"({"f64": 0}}})"),
            "device 'cpu': 'f64' is out of range");
  EXPECT_EQ(errorOf("{\"cuda\": {\"to_device_gb_s\": 1, " + ok + "1}}"),
            "device 'cuda': 'copy_us' is not a number");
  auto good = parseFigures("{\"cpu\": {" + ok +
                           R"({"f64": 1, "f32": 1, "f16": 1, "integer": 1}}})");
  ASSERT_TRUE(bool(good));
  EXPECT_TRUE(good->contains("cpu:0"));
}

TEST(Figures, AreKeptByKey) {
  llvm::SmallString<128> folder;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("figures", folder));
  FactFolders folders{folder.str().str(), ""};
  Figures figures = candidates()[1].figures;
  EXPECT_FALSE(loadFigures(folders, "a key"));
  storeFigures(folders, "a key", figures);
  auto found = loadFigures(folders, "a key");
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->memory, figures.memory, 1);
  EXPECT_FALSE(loadFigures(folders, "another key"));
  EXPECT_TRUE(loadFigures({"", folders.writable}, "a key"));
  // Whatever is in the file, it is measured again.
  std::error_code error;
  for (llvm::sys::fs::directory_iterator file(folder, error), end;
       file != end && !error; file.increment(error)) {
    for (llvm::StringRef text :
         {"", "{", "[1]", "{\"key\": \"a key\"}",
          "{\"key\": \"a key\", \"figures\": {\"launch_us\": \"x\"}}",
          "{\"key\": \"other\", \"figures\": {}}"}) {
      llvm::raw_fd_ostream(file->path(), error) << text;
      EXPECT_FALSE(loadFigures(folders, "a key")) << text.str();
    }
  }
  storeFigures(folders, "a key", figures);
  EXPECT_TRUE(loadFigures(folders, "a key"));
  storeFigures({"/nowhere/at/all", ""}, "a key", figures);
  llvm::sys::fs::remove_directories(folder);
}

TEST(Figures, AreMeasured) {
  for (const char *name : {"cpu", "sim"}) {
    tensorc_rt_device *device = nullptr;
    ASSERT_EQ(tensorc_rt_device_find(name, &device), nullptr);
    auto figures = measureFigures(device);
    ASSERT_TRUE(bool(figures)) << llvm::toString(figures.takeError());
    EXPECT_GT(figures->launch, 0);
    EXPECT_GT(figures->memory, 0);
    for (double rate : figures->rates)
      EXPECT_GT(rate, 0);
    bool isHost = name == std::string("cpu");
    EXPECT_EQ(figures->toDevice == 0, isHost);
    EXPECT_EQ(figures->fromDevice == 0, isHost);
    EXPECT_NE(figuresKey(device, "x"), figuresKey(device, "y"));
  }
}

TEST(Figures, AreKeptWhateverTheBuildIsCalled) {
  tensorc_rt_device *device = nullptr;
  ASSERT_EQ(tensorc_rt_device_find("cpu", &device), nullptr);
  llvm::SmallString<128> folder;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("figures", folder));
  FactFolders folders{folder.str().str(), ""};
  std::string key = figuresKey(device, llvm::StringRef("\xff\0\x80", 3));
  EXPECT_FALSE(loadFigures(folders, key));
  Figures figures;
  figures.launch = 1e-6;
  figures.memory = 1e9;
  for (double &rate : figures.rates)
    rate = 2e9;
  storeFigures(folders, key, figures);
  auto kept = loadFigures(folders, key);
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->memory, 1e9);
  llvm::sys::fs::remove_directories(folder);
}
