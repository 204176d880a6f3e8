//===- HostCostsTest.cpp - Costs measured on the machine ------------------===//
//
// A fake probe stands for the machine.
//
//===----------------------------------------------------------------------===//

#include "compiler/session/placement/HostCosts.h"

#include "codegen/targets/Target.h"
#include "compiler/output/pipelines/Pipelines.h"
#include "compiler/output/pipelines/Register.h"
#include "compiler/session/placement/CompileText.h"

#include "mlir/Parser/Parser.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

using namespace tensorc;
using namespace tensorc::placement;
using codegen::CostSource;
using codegen::CpuCosts;

namespace {

/// A machine whose times follow rules.
struct FakeProbe : CostProbe {
  /// Output size from which streaming stores take half of the time.
  int64_t streamingBytes = INT64_MAX;
  /// Distance of the fastest prefetch, and the gain of each prefetch.
  int64_t bestDistance = 0;
  double gain = 0.5;
  int64_t wayBytes = 0, secondBytes = 0;
  double scale = 1e-4;
  double spent = 0;

  double take(double seconds) {
    spent += seconds * scale;
    return seconds * scale;
  }
  double store(int64_t bytes, bool streaming) override {
    return take(streaming && bytes >= streamingBytes ? 0.5 : 1);
  }
  double read(int64_t distance, bool) override {
    return take(distance && distance == bestDistance ? 1 - gain : 1);
  }
  int64_t l1WayBytes() override { return wayBytes; }
  int64_t l2Bytes() override { return secondBytes; }
};

const CpuCosts &generic() { return codegen::listCpuCosts().front(); }

/// An empty folder for the file of costs.
class HostCosts : public ::testing::Test {
protected:
  HostCosts() {
    (void)llvm::sys::fs::createUniqueDirectory("tensorc-costs", folder);
  }
  ~HostCosts() override { (void)llvm::sys::fs::remove_directories(folder); }
  FactFolders folders() { return {folder.str().str(), ""}; }

  /// Replaces the text of the only file.
  void write(llvm::StringRef text) {
    std::error_code error;
    llvm::sys::fs::directory_iterator file(folder, error);
    ASSERT_FALSE(error);
    llvm::raw_fd_ostream os(file->path(), error);
    os << text;
  }

  llvm::SmallString<128> folder;
  FakeProbe probe;
};

} // namespace

TEST_F(HostCosts, StreamingStoresBeginWhereTheyGain) {
  EXPECT_EQ(measureCosts(probe).streamingStoreBytes, 60 << 20);
  probe.streamingBytes = 16 << 20;
  CpuCosts costs = measureCosts(probe);
  EXPECT_EQ(costs.streamingStoreBytes, 15 << 20);
  EXPECT_EQ(costs.streamingStoreBytes.source, CostSource::Measured);
  EXPECT_EQ(costs.streamingStoreBytes.origin, "this machine");
  probe.streamingBytes = 0;
  EXPECT_EQ(measureCosts(probe).streamingStoreBytes, (4 << 20) / 16 * 15);
}

TEST_F(HostCosts, PrefetchesThatGainAreChosen) {
  probe.bestDistance = 8192;
  CpuCosts costs = measureCosts(probe);
  EXPECT_EQ(costs.streamPrefetchBytes, 8192);
  EXPECT_EQ(costs.rowPrefetchBytes, 8192);
  EXPECT_EQ(costs.prefetchesAcrossPages, 0);
  // Noise does not count.
  probe.gain = 0.02;
  costs = measureCosts(probe);
  EXPECT_EQ(costs.streamPrefetchBytes, generic().streamPrefetchBytes);
  // No prefetch gains: the hardware prefetcher is as good.
  probe.bestDistance = 0;
  EXPECT_EQ(measureCosts(probe).prefetchesAcrossPages, 1);
}

TEST_F(HostCosts, CachesAreThoseOfTheMachine) {
  CpuCosts costs = measureCosts(probe);
  EXPECT_EQ(costs.l1WayBytes, generic().l1WayBytes);
  EXPECT_EQ(costs.residentBytes, generic().residentBytes);
  probe.wayBytes = 8192;
  probe.secondBytes = 256 << 10;
  costs = measureCosts(probe);
  EXPECT_EQ(costs.l1WayBytes, 8192);
  EXPECT_EQ(costs.residentBytes, 256 << 10);
  probe.wayBytes = 3000; // no size of a cache
  EXPECT_EQ(measureCosts(probe).l1WayBytes, generic().l1WayBytes);
}

TEST_F(HostCosts, ASlowMachineKeepsAssumedCosts) {
  probe.streamingBytes = 0;
  probe.scale = 2 * maxProbeSeconds;
  CpuCosts costs = measureCosts(probe);
  for (const codegen::CostColumn &column : codegen::listCostColumns())
    EXPECT_EQ(costs.*column.cost, generic().*column.cost) << column.name.str();
  EXPECT_EQ(probe.spent, probe.scale) << "one experiment";
}

TEST_F(HostCosts, AreMeasuredOnceAndStored) {
  probe.bestDistance = 2048;
  auto costs = findCosts(probe, folders(), "key");
  ASSERT_TRUE(costs);
  EXPECT_GT(probe.spent, 0);
  // Another process, to which the machine would look different.
  FakeProbe other;
  auto stored = findCosts(other, folders(), "key");
  ASSERT_TRUE(stored);
  EXPECT_EQ(other.spent, 0);
  for (const codegen::CostColumn &column : codegen::listCostColumns()) {
    const codegen::Cost &before = (*costs).*column.cost,
                        &after = (*stored).*column.cost;
    EXPECT_EQ(after, before) << column.name.str();
    EXPECT_EQ(after.origin, before.origin) << column.name.str();
  }
  // A folder that is only read.
  EXPECT_TRUE(findCosts(other, {"", folder.str().str()}, "key"));
  EXPECT_EQ(other.spent, 0);
  // Another processor or compiler.
  EXPECT_TRUE(findCosts(other, folders(), "other"));
  EXPECT_GT(other.spent, 0);
}

TEST_F(HostCosts, TwoFirstProcessesUseOneResult) {
  // Stores other costs while the experiments run.
  struct Rival : FakeProbe {
    double read(int64_t distance, bool intoL1) override {
      if (!isStored) {
        isStored = true;
        FakeProbe first;
        first.bestDistance = 8192;
        findCosts(first, where, "key");
      }
      return FakeProbe::read(distance, intoL1);
    }
    placement::FactFolders where;
    bool isStored = false;
  } rival;
  rival.where = folders();
  rival.bestDistance = 2048;
  auto costs = findCosts(rival, folders(), "key");
  ASSERT_TRUE(costs);
  EXPECT_TRUE(rival.isStored);
  EXPECT_EQ(costs->streamPrefetchBytes, 8192);
}

TEST_F(HostCosts, WithoutAFolderNothingIsMeasured) {
  EXPECT_FALSE(findCosts(probe, {}, "key"));
  EXPECT_FALSE(findCosts(probe, {"", folder.str().str()}, "key"));
  EXPECT_EQ(probe.spent, 0);
}

TEST_F(HostCosts, InvalidFilesAreReplaced) {
  for (const char *text :
       {"", "{\"key\": \"key\", \"costs\": {\"streamingStoreBytes\": 1}}",
        "{\"key\": \"key\", \"costs\": {\"rowPrefetchBytes\": \"far\"}}",
        "{\"key\": \"key\", \"costs\": 3}"}) {
    ASSERT_TRUE(findCosts(probe, folders(), "key"));
    write(text);
    probe.spent = 0;
    EXPECT_TRUE(findCosts(probe, folders(), "key"));
    EXPECT_GT(probe.spent, 0) << text;
  }
}

//===----------------------------------------------------------------------===//
// What depends on the costs
//===----------------------------------------------------------------------===//

namespace {

/// Sets the costs of the host for a scope.
struct CostScope {
  explicit CostScope(const CpuCosts *costs) { codegen::setHostCosts(costs); }
  ~CostScope() { codegen::setHostCosts(nullptr); }
};

/// Costs at the limits of what a file may contain.
CpuCosts extremeCosts() {
  CpuCosts costs = generic();
  costs.l1WayBytes.value = 1 << 10;
  costs.residentBytes.value = 1 << 16;
  costs.streamingStoreBytes.value = 1 << 20;
  costs.streamPrefetchBytes.value = 64;
  costs.prefetchesAcrossPages.value = !costs.prefetchesAcrossPages;
  costs.rowPrefetchBytes.value = 1 << 16;
  return costs;
}

/// Its results are larger than the smallest size of streaming stores.
const std::string program = R"(
func.func @main(%x: tensor<601x1100xf32>, %w: tensor<601x1100xf32>)
    -> (tensor<601x1100xf32>, tensor<1100x601xf32>, tensor<601x601xf32>,
        tensor<1100x1100xf32>, tensor<1100xf32>, tensor<601xf32>) {
  %0 = tx.softmax %x dim = 1 : tensor<601x1100xf32>
  %1 = tx.transpose %w permutation = [1, 0]
      : tensor<601x1100xf32> -> tensor<1100x601xf32>
  %2 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [1]
      : (tensor<601x1100xf32>, tensor<601x1100xf32>) -> tensor<601x601xf32>
  %3 = tx.dot_general %x, %w batch = [] x [] contracting = [0] x [0]
      : (tensor<601x1100xf32>, tensor<601x1100xf32>) -> tensor<1100x1100xf32>
  %4 = tx.sum %w dims = [0]
      : tensor<601x1100xf32> -> tensor<1100xf32>
  %5 = tx.sum %w dims = [1]
      : tensor<601x1100xf32> -> tensor<601xf32>
  return %0, %1, %2, %3, %4, %5
      : tensor<601x1100xf32>, tensor<1100x601xf32>, tensor<601x601xf32>,
        tensor<1100x1100xf32>, tensor<1100xf32>, tensor<601xf32>
})";

/// The program after the stage `fuse`.
std::string fuse() {
  mlir::DialectRegistry registry;
  compiler::registerAllTensorcDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(program, &context);
  EXPECT_TRUE(module);
  EXPECT_TRUE(mlir::succeeded(
      compiler::runStages(*module, {}, std::nullopt, compiler::Stage::Fuse)));
  std::string text;
  llvm::raw_string_ostream(text) << *module;
  return text;
}

/// The orders of additions, in the order of the kernels.
std::vector<std::string> orders() {
  std::string text = fuse();
  std::vector<std::string> result;
  llvm::SmallVector<llvm::StringRef> parts;
  llvm::StringRef(text).split(parts, "#tx.order<");
  for (llvm::StringRef part : llvm::ArrayRef(parts).drop_front())
    result.push_back(part.take_until([](char c) { return c == '>'; }).str());
  return result;
}

/// The bytes of the results on the host.
std::vector<std::string> run() {
  tensorc_rt_device *cpu = nullptr;
  llvm::cantFail(takeStatus(tensorc_rt_device_find("cpu", &cpu)));
  std::string package = llvm::cantFail(compileText("cpu", program));
  const tensorc_rt_entry *entry = nullptr;
  tensorc_rt_module *module = llvm::cantFail(loadText(cpu, package, entry));
  constexpr int64_t dims[] = {601, 1100};
  std::vector<float> values(dims[0] * dims[1]);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<float>(i * 2654435761u % 1000003) / 1000003 - 0.4f;
  tensorc_rt_buffer *buffer = nullptr;
  size_t bytes = values.size() * sizeof(float);
  llvm::cantFail(takeStatus(tensorc_rt_buffer_allocate(cpu, bytes, &buffer)));
  llvm::cantFail(takeStatus(
      tensorc_rt_buffer_write(buffer, 0, values.data(), bytes, nullptr)));
  tensorc_rt_arg argument{buffer, 0, dims, 2, TENSORC_RT_F32};
  const tensorc_rt_arg arguments[] = {argument, argument};
  tensorc_rt_output outputs[6] = {};
  llvm::cantFail(
      takeStatus(tensorc_rt_run(entry, arguments, 2, outputs, 6, nullptr)));
  llvm::cantFail(takeStatus(tensorc_rt_device_synchronize(cpu)));
  std::vector<std::string> results;
  for (tensorc_rt_output &output : outputs) {
    results.emplace_back(
        static_cast<const char *>(tensorc_rt_buffer_data(output.buffer)),
        tensorc_rt_buffer_size(output.buffer));
    tensorc_rt_buffer_release(output.buffer);
  }
  tensorc_rt_buffer_release(buffer);
  tensorc_rt_module_release(module);
  return results;
}

} // namespace

TEST(CostsOfTheHost, BelongToCpuAndItsIdentity) {
  std::string identity = codegen::getTargetIdentity("cpu"),
              level = codegen::getTargetIdentity("cpu:x86-64-v3");
  CpuCosts extreme = extremeCosts();
  {
    CostScope scope(&extreme);
    EXPECT_EQ(&codegen::getCpuCosts(cantFail(codegen::getTargetInfo("cpu"))),
              &extreme);
    EXPECT_EQ(&codegen::getCpuCosts(
                  cantFail(codegen::getTargetInfo("cpu:x86-64-v3"))),
              &generic());
    EXPECT_NE(codegen::getTargetIdentity("cpu").find(" residentBytes=65536"),
              std::string::npos);
    EXPECT_EQ(codegen::getTargetIdentity("cpu:x86-64-v3"), level);
  }
  EXPECT_EQ(codegen::getTargetIdentity("cpu"), identity);
}

TEST(CostsOfTheHost, NoBitDependsOnThem) {
  auto expected = run();
  auto expectedOrders = orders();
  EXPECT_GE(expectedOrders.size(), 4u);
  ASSERT_EQ(expected.size(), 6u);
  CpuCosts extreme = extremeCosts();
  CostScope scope(&extreme);
  EXPECT_EQ(orders(), expectedOrders);
  auto results = run();
  for (size_t i = 0; i < expected.size(); ++i)
    EXPECT_TRUE(results[i] == expected[i]) << "result " << i;
}
