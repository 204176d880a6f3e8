//===- ImagesTest.cpp - where kernels are placed --------------------------===//
#include "tests/runtime/core/Fixture.h"

#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tensorc::rt;
using namespace tensorc::rt::test;

static constexpr const char *fileName = "memfd:tensorc-kernels";

/// The permissions of each mapping of kernels.
static std::vector<std::string> mappings() {
  std::ifstream maps("/proc/self/maps");
  std::vector<std::string> found;
  for (std::string line; std::getline(maps, line);)
    if (line.find(fileName) != std::string::npos)
      found.push_back(line.substr(line.find(' ') + 1, 4));
  return found;
}

/// The descriptors of files of kernels.
static std::vector<int> descriptors() {
  std::vector<int> found;
  for (const auto &entry :
       std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code error;
    auto target = std::filesystem::read_symlink(entry.path(), error).string();
    if (target.find(fileName) != std::string::npos)
      found.push_back(std::stoi(entry.path().filename()));
  }
  return found;
}

TEST(Images, ShareARegionThatNobodyCanWriteTo) {
  std::vector<tensorc_rt_module *> modules;
  for (int i = 0; i < 8; ++i)
    modules.push_back(loaded(busyPackage()));
  EXPECT_EQ(mappings(), std::vector<std::string>{"r-xs"});
  for (tensorc_rt_module *module : modules) {
    EXPECT_EQ(runBusy(module, nullptr), "");
    tensorc_rt_module_release(module);
  }
  EXPECT_TRUE(mappings().empty());
  EXPECT_TRUE(descriptors().empty());
}

TEST(Images, FullRegionsKeepNoFileOpen) {
  std::vector<tensorc_rt_module *> modules;
  while (mappings().size() < 3)
    modules.push_back(loaded(busyPackage()));
  EXPECT_EQ(descriptors().size(), 1u);
  for (tensorc_rt_module *module : {modules.front(), modules.back()})
    EXPECT_EQ(runBusy(module, nullptr), "");
  for (tensorc_rt_module *module : modules)
    tensorc_rt_module_release(module);
  EXPECT_TRUE(mappings().empty());
}

// A program that becomes a daemon closes all it finds.
TEST(Images, AClosedFileIsNotMistakenForAnother) {
  tensorc_rt_module *first = loaded(busyPackage());
  ASSERT_EQ(descriptors().size(), 1u);
  int number = descriptors().front();
  char name[] = "/tmp/tensorc-images-XXXXXX";
  int other = mkstemp(name);
  ASSERT_EQ(dup2(other, number), number);
  tensorc_rt_module *second = loaded(busyPackage());
  EXPECT_EQ(runBusy(first, nullptr), "");
  EXPECT_EQ(runBusy(second, nullptr), "");
  tensorc_rt_module_release(first);
  tensorc_rt_module_release(second);
  struct stat info;
  EXPECT_EQ(fstat(number, &info), 0);
  EXPECT_EQ(info.st_size, 0);
  EXPECT_TRUE(mappings().empty());
  close(number), close(other), unlink(name);
}

TEST(Images, AChildWritesToARegionOfItsOwn) {
  tensorc_rt_module *module = loaded(busyPackage());
  pid_t child = fork();
  if (child == 0) {
    tensorc_rt_module *own = loaded(busyPackage());
    bool isRight = mappings().size() == 2 && descriptors().size() == 1 &&
                   runBusy(module, nullptr).empty() &&
                   runBusy(own, nullptr).empty();
    tensorc_rt_module_release(module);
    tensorc_rt_module_release(own);
    _exit(isRight && mappings().empty() ? 0 : 1);
  }
  int state = -1;
  ASSERT_EQ(waitpid(child, &state, 0), child);
  EXPECT_EQ(state, 0);
  EXPECT_EQ(runBusy(module, nullptr), "");
  tensorc_rt_module_release(module);
}
