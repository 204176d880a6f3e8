//===- DiskCacheTest.cpp - Compilations kept in a folder ------------------===//
//
// Forgetting the kernels in memory stands for a new process here;
// processes_test.py starts real ones.
//
//===----------------------------------------------------------------------===//

#include "tensorc/tune.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sys/stat.h>
#include <unistd.h>

using namespace tensorc;
namespace fs = std::filesystem;

namespace {

class Disk : public testing::Test {
protected:
  void SetUp() override {
    set_default_device("cpu");
    std::string pattern = (fs::temp_directory_path() / "tcXXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder = pattern;
    cache = folder / "cache";
    set_disk_cache({cache});
    newProcess();
  }
  void TearDown() override {
    set_disk_cache({""});
    fs::permissions(folder, fs::perms::owner_all);
    fs::remove_all(folder);
  }
  static void newProcess() { reset_compile_stats(/*forget_kernels=*/true); }
  static uint64_t compilations() { return compile_stats().compilations; }
  static uint64_t hits() { return compile_stats().disk_hits; }

  std::vector<fs::path> entries() const {
    std::vector<fs::path> files;
    for (auto &file : fs::directory_iterator(cache))
      files.push_back(file.path());
    std::sort(files.begin(), files.end());
    return files;
  }

  fs::path folder, cache;
};

Tensor ramp(Shape shape) {
  int64_t count = 1;
  for (int64_t dim : shape)
    count *= dim;
  std::vector<float> values(count);
  for (int64_t i = 0; i < count; ++i)
    values[i] = static_cast<float>(i);
  return from_data(values.data(), shape);
}

std::string read(const fs::path &path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
void write(const fs::path &path, const std::string &bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}
void age(const fs::path &path, int hours) {
  fs::last_write_time(path, fs::file_time_type::clock::now() -
                                std::chrono::hours(hours));
}

/// The fastest schedules compute the same bits, and are entries of their own.
TEST_F(Disk, Tuned) {
  Tensor x = ramp({96, 70}), y = ramp({70, 41});
  auto forward = [](const Tensor &a, const Tensor &b) {
    return softmax(matmul(a, b), 1);
  };
  auto before = forward(x, y).to_vector<float>();
  std::string path = folder / "net.tctune";
  Tuned tuned = tune(forward, std::tie(x, y), {0.2, path});
  EXPECT_EQ(tuned.kernels, 2);
  EXPECT_LE(tuned.faster, 2);
  EXPECT_GT(tuned.usual_seconds, 0);
  uint64_t known = compilations();
  EXPECT_EQ(forward(x, y).to_vector<float>(), before);
  // Compiled again only where something was found.
  EXPECT_EQ(compilations() - known, tuned.faster ? 1 : 0);
  set_tuning("");
  EXPECT_EQ(forward(x, y).to_vector<float>(), before);
  set_tuning(path);
  EXPECT_EQ(forward(x, y).to_vector<float>(), before);
  EXPECT_THROW(set_tuning(folder / "none"), Error);
  set_tuning("");
  // What has a value needs no kernel.
  EXPECT_EQ(tune(x).kernels, 0);
}

} // namespace

TEST_F(Disk, IsOffUnlessAskedFor) {
  set_disk_cache({""});
  EXPECT_EQ(disk_cache_folder(), "");
  (ramp({3}) + 1).eval();
  EXPECT_EQ(compile_stats().disk_misses, 0u);
}

TEST_F(Disk, ServesTheNextProcess) {
  EXPECT_EQ(disk_cache_folder(), cache);
  auto run = [] {
    return softmax(matmul(ramp({4, 5}), ramp({5, 6})) * 0.01).to_string() +
           (gelu(ramp({7})) + arange(7, f32)).to_string();
  };
  std::string first = run();
  CompileStats cold = compile_stats();
  EXPECT_EQ(cold.compilations, 2u);
  EXPECT_EQ(cold.disk_misses, 2u);
  newProcess();
  EXPECT_EQ(run(), first);
  CompileStats warm = compile_stats();
  EXPECT_EQ(warm.compilations, 0u);
  EXPECT_EQ(warm.seconds, 0);
  EXPECT_EQ(warm.disk_hits, 2u);
  EXPECT_FALSE(last_kernels().empty());
  // What was loaded is in memory now.
  EXPECT_EQ(run(), first);
  EXPECT_EQ(compile_stats().disk_hits, 2u);
  EXPECT_EQ(compile_stats().hits, 2u);
}

TEST_F(Disk, ChangingNumbersHitTheSameEntry) {
  for (float number : {1.0f, 2.0f, 3.0f}) {
    newProcess();
    EXPECT_EQ((ramp({3}) * number).to_vector<float>()[2], 2 * number);
    EXPECT_EQ(compilations(), number == 1.0f ? 1u : 0u);
  }
}

TEST_F(Disk, KernelsForAllSizesServeAnySize) {
  Tensor b = ramp({4});
  for (int n : {5, 6})
    (ramp({n, 4}) * b).eval();
  EXPECT_EQ(compilations(), 2u);
  newProcess();
  for (int n : {6, 5, 9, 100}) {
    EXPECT_EQ((ramp({n, 4}) * b).to_vector<float>()[n * 4 - 1],
              3.0f * (n * 4 - 1));
    EXPECT_EQ(compilations(), 0u) << n;
  }
}

TEST_F(Disk, RemembersThatSizesCannotBeNamed) {
  // 2a = 3b has no solution in whole names: compiled for single sizes.
  auto run = [](int n) {
    Tensor a = ramp({3 * n}), b = ramp({2 * n});
    return (concatenate({a, a}) + concatenate({b, b, b})).to_string();
  };
  std::string two = run(2), four = run(4);
  CompileStats cold = compile_stats();
  EXPECT_EQ(cold.compilations, 2u);
  EXPECT_EQ(cold.sizes_not_expressible, 1u);
  newProcess();
  EXPECT_EQ(run(2), two);
  EXPECT_EQ(run(4), four);
  EXPECT_EQ(compilations(), 0u);
}

TEST_F(Disk, KeysTellApart) {
  Tensor x = ramp({3, 3}), y = ramp({3, 3});
  const std::vector<std::function<Tensor()>> expressions = {
      [&] { return sum(x, 0); },
      [&] { return sum(x, 1); },
      [&] { return x - y; },
      [&] { return x - x; },
      [&] { return softmax(x, 0); },
      [&] { return softmax(x, 1); },
      [&] { return relu(x); },
      [&] { return silu(x); },
      [&] { return gelu(x); },
      [&] { return gelu(x, true); },
      [&] { return sum(x.astype(f64)); }};
  std::vector<std::string> results;
  for (auto &expression : expressions)
    results.push_back(expression().to_string());
  EXPECT_EQ(compilations(), expressions.size());
  newProcess();
  for (size_t i = 0; i < expressions.size(); ++i)
    EXPECT_EQ(expressions[i]().to_string(), results[i]) << i;
  EXPECT_EQ(compilations(), 0u);
}

TEST_F(Disk, RecompilesWhatIsDamaged) {
  auto run = [] { return (exp(ramp({5})) * 2).to_string(); };
  std::string result = run();
  ASSERT_EQ(entries().size(), 1u);
  fs::path entry = entries()[0];
  std::string good = read(entry);
  auto expectRecompiled = [&](const std::string &bytes,
                              const std::string &what) {
    write(entry, bytes);
    newProcess();
    EXPECT_EQ(run(), result) << what;
    EXPECT_EQ(compilations(), 1u) << what;
    newProcess();
    EXPECT_EQ(run(), result) << what;
    EXPECT_EQ(hits(), 1u) << what;
  };
  // Every byte of the header, and some of the key, the names, the padding, the
  // package's header, its image and its table.
  for (size_t at = 0; at < good.size(); at += at < 64 ? 7 : 601) {
    std::string bytes = good;
    bytes[at] ^= 0x40;
    expectRecompiled(bytes, "byte " + std::to_string(at));
  }
  for (size_t size :
       {size_t(0), size_t(1), size_t(47), good.size() / 2, good.size() - 1})
    expectRecompiled(good.substr(0, size), "size " + std::to_string(size));
  expectRecompiled(good + "x", "a byte more");
  expectRecompiled(std::string(good.size(), '\0'), "zeros");
}

TEST_F(Disk, AnotherLayoutVersionIsAMiss) {
  (ramp({5}) * 2).eval();
  fs::path entry = entries()[0];
  std::string bytes = read(entry);
  ++bytes[8];
  write(entry, bytes);
  newProcess();
  (ramp({5}) * 2).eval();
  EXPECT_EQ(compilations(), 1u);
}

TEST_F(Disk, AnEntryUnderAnotherNameIsAMiss) {
  (ramp({5}) * 2).eval();
  fs::path first = entries()[0];
  std::string bytes = read(first);
  fs::remove(first);
  (exp(ramp({5})) * 2).eval();
  fs::path second = entries()[0];
  write(second, bytes);
  newProcess();
  EXPECT_EQ((exp(ramp({5})) * 2).to_vector<float>()[0], 2);
  EXPECT_EQ(hits(), 0u);
}

TEST_F(Disk, LeastRecentlyUsedGoesFirst) {
  // Not more of the same ops each time, as in an expression of a loop.
  std::vector<std::function<void()>> expressions = {
      [] { (ramp({5}) * 2).eval(); },  [] { exp(ramp({5})).eval(); },
      [] { sqrt(ramp({5})).eval(); },  [] { tanh(ramp({5})).eval(); },
      [] { floor(ramp({5})).eval(); }, [] { (-ramp({5})).eval(); }};
  std::vector<fs::path> names;
  uint64_t bytes = 0;
  for (auto &expression : expressions) {
    auto before = entries();
    expression();
    for (const fs::path &path : entries())
      if (std::find(before.begin(), before.end(), path) == before.end())
        names.push_back(path);
    bytes += fs::file_size(names.back());
  }
  ASSERT_EQ(names.size(), 6u);
  for (int i = 0; i < 6; ++i)
    age(names[i], 10 - i);
  newProcess();
  expressions[0](); // used now
  ASSERT_EQ(hits(), 1u);
  set_disk_cache({cache, "", bytes});
  (exp(ramp({5})) + 1).eval(); // one more than fits
  EXPECT_TRUE(fs::exists(names[0]));
  EXPECT_FALSE(fs::exists(names[1]));
  EXPECT_TRUE(fs::exists(names[5]));
  EXPECT_LE(entries().size(), 6u);
}

TEST_F(Disk, SweepsOnlyItsOwnOldFiles) {
  fs::create_directory(cache / "folder");
  write(cache / "notes.txt", "mine");
  write(cache / ".tmp-1-2", "old");
  write(cache / ".tmp-1-3", "new");
  for (auto name : {"notes.txt", ".tmp-1-2"})
    age(cache / name, 48);
  set_disk_cache({cache, "", 1 << 20});
  (ramp({5}) * 2).eval();
  EXPECT_TRUE(fs::exists(cache / "notes.txt"));
  EXPECT_TRUE(fs::exists(cache / "folder"));
  EXPECT_FALSE(fs::exists(cache / ".tmp-1-2"));
  EXPECT_TRUE(fs::exists(cache / ".tmp-1-3"));
}

TEST_F(Disk, ALimitBelowOneEntryKeepsNothing) {
  set_disk_cache({cache, "", 1000});
  (ramp({5}) * 2).eval();
  EXPECT_TRUE(entries().empty());
}

TEST_F(Disk, WorksWithoutAUsableFolder) {
  write(folder / "file", "");
  for (const std::string &path :
       {(folder / "file").string(), (folder / "file" / "below").string(),
        std::string("/proc/nothing/here"), std::string(5000, 'x')}) {
    set_disk_cache({path});
    newProcess();
    EXPECT_EQ((ramp({5}) * 2).to_vector<float>()[1], 2) << path;
    EXPECT_EQ(compilations(), 1u);
    EXPECT_EQ(disk_cache_folder(), "");
  }
}

TEST_F(Disk, RefusesAFolderThatOthersCanWriteTo) {
  fs::create_directory(folder / "shared");
  chmod((folder / "shared").c_str(), 0777);
  set_disk_cache({folder / "shared"});
  EXPECT_EQ(disk_cache_folder(), "");
  set_disk_cache({"", folder / "shared"});
  (ramp({5}) * 2).eval();
  EXPECT_EQ(compile_stats().disk_misses, 0u);
  // What it makes itself only the user can look into.
  struct stat info;
  ASSERT_EQ(stat(cache.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700u);
}

TEST_F(Disk, ReadOnlyFolder) {
  (ramp({5}) * 2).eval();
  fs::path shipped = folder / "shipped";
  fs::rename(cache, shipped);
  set_disk_cache({cache, shipped});
  newProcess();
  (ramp({5}) * 2).eval();
  EXPECT_EQ(compilations(), 0u);
  EXPECT_TRUE(entries().empty()); // not copied
  (ramp({5}) * 3 + 1).eval();
  EXPECT_EQ(entries().size(), 1u);
  // Damage there is a miss, and is left alone.
  fs::path entry = fs::directory_iterator(shipped)->path();
  std::string bytes = read(entry);
  bytes[100] ^= 1;
  write(entry, bytes);
  newProcess();
  (ramp({5}) * 2).eval();
  EXPECT_EQ(compilations(), 1u);
  EXPECT_EQ(read(entry), bytes);
}

TEST_F(Disk, LinksAndPipesAreNotFollowed) {
  (ramp({5}) * 2).eval();
  fs::path entry = entries()[0];
  fs::rename(entry, folder / "elsewhere");
  fs::create_symlink(folder / "elsewhere", entry);
  newProcess();
  (ramp({5}) * 2).eval();
  EXPECT_EQ(compilations(), 1u);
  EXPECT_FALSE(fs::is_symlink(entry)); // replaced
  fs::remove(entry);
  ASSERT_EQ(mkfifo(entry.c_str(), 0600), 0);
  newProcess();
  (ramp({5}) * 2).eval();
  EXPECT_EQ(compilations(), 1u);
}

TEST_F(Disk, TheInterpreterNeedsNone) {
  set_default_device("reference");
  newProcess();
  (ramp({5}) * 2).eval();
  EXPECT_TRUE(entries().empty());
  EXPECT_EQ(compile_stats().disk_misses, 0u);
}

TEST_F(Disk, StatsOfAnOlderCaller) {
  (ramp({5}) * 2).eval();
  tensorc_compile_stats stats{};
  stats.struct_size = offsetof(tensorc_compile_stats, hits);
  stats.hits = 77;
  tensorc_get_compile_stats(&stats);
  EXPECT_EQ(stats.compilations, 1u);
  EXPECT_EQ(stats.hits, 77u);
}

TEST_F(Disk, EntriesThatOthersMayWriteAreIgnored) {
  (ramp({3}) + 1).eval();
  ASSERT_EQ(entries().size(), 1u);
  for (mode_t mode : {0666, 0620, 0602}) {
    chmod(entries()[0].c_str(), mode);
    newProcess();
    (ramp({3}) + 1).eval();
    EXPECT_EQ(compilations(), 1u) << mode;
    // The new entry took its place.
    newProcess();
    (ramp({3}) + 1).eval();
    EXPECT_EQ(hits(), 1u) << mode;
  }
}

TEST_F(Disk, AReadOnlyFolderIsOursOrTheAdministrators) {
  (ramp({3}) + 1).eval();
  fs::path shipped = folder / "shipped";
  fs::rename(cache, shipped);
  auto isUsed = [&] {
    set_disk_cache({"", shipped});
    newProcess();
    (ramp({3}) + 1).eval();
    return hits() == 1;
  };
  EXPECT_TRUE(isUsed());
  for (mode_t mode : {0777, 0770, 0757, 01777}) {
    chmod(shipped.c_str(), mode);
    EXPECT_FALSE(isUsed()) << mode;
  }
  chmod(shipped.c_str(), 0755);
  fs::path entry = fs::directory_iterator(shipped)->path();
  chmod(entry.c_str(), 0664);
  EXPECT_FALSE(isUsed());
  chmod(entry.c_str(), 0644);
  EXPECT_TRUE(isUsed());
  // A link to an entry is none.
  fs::rename(entry, folder / "elsewhere");
  fs::create_symlink(folder / "elsewhere", entry);
  EXPECT_FALSE(isUsed());
  fs::remove(entry);
  fs::rename(folder / "elsewhere", entry);
  EXPECT_TRUE(isUsed());
  if (geteuid() != 0)
    return; // Nobody else can give files away.
  ASSERT_EQ(chown(entry.c_str(), 65534, 65534), 0);
  EXPECT_FALSE(isUsed());
  ASSERT_EQ(chown(entry.c_str(), 0, 0), 0);
  ASSERT_EQ(chown(shipped.c_str(), 65534, 65534), 0);
  EXPECT_FALSE(isUsed());
}

TEST_F(Disk, WithoutALimitTheFolderIsScannedOnce) {
  set_disk_cache({.folder = cache, .size_limit = UINT64_MAX});
  fs::path left = cache / ".tmp-left";
  write(left, "");
  age(left, 2);
  (ramp({3}) + 1).eval();
  EXPECT_FALSE(fs::exists(left));
  write(left, "");
  age(left, 2);
  for (int n = 2; n < 70; ++n)
    (sum(ramp({n}) * static_cast<float>(n % 2), 0) + ramp({1, n})).eval();
  EXPECT_TRUE(fs::exists(left));
}

TEST_F(Disk, IsNotUsedWhereOnlySomePackagesAreTrusted) {
  (ramp({3}) + 1).eval();
  trust_only({});
  newProcess();
  (ramp({3}) + 1).eval();
  EXPECT_EQ(compilations(), 1u);
  trust_all();
  newProcess();
  (ramp({3}) + 1).eval();
  EXPECT_EQ(hits(), 1u);
}
