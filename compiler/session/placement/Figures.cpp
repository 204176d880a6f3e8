//===- Figures.cpp - Performance figures of devices as text ---------------===//

#include "compiler/session/placement/Figures.h"
#include "compiler/output/pipelines/Pipelines.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

#include <cmath>
#include <sys/utsname.h>

namespace tensorc::placement {

static llvm::Error refuse(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

namespace {
/// A member of `Figures` as it is written in text, in multiples of `unit`.
struct Member {
  const char *name;
  double Figures::*value;
  double unit;
  bool isNeeded; // also required for the host
};
} // namespace

static constexpr Member members[] = {
    {"launch_us", &Figures::launch, 1e-6, true},
    {"memory_gb_s", &Figures::memory, 1e9, true},
    {"copy_us", &Figures::copy, 1e-6, false},
    {"to_device_gb_s", &Figures::toDevice, 1e9, false},
    {"from_device_gb_s", &Figures::fromDevice, 1e9, false},
};
static constexpr const char *ratesName = "gop_s";

llvm::json::Object toJson(const Figures &figures) {
  llvm::json::Object object;
  for (const Member &member : members)
    if (member.isNeeded || figures.toDevice > 0)
      object[member.name] = figures.*member.value / member.unit;
  llvm::json::Object rates;
  for (auto [name, rate] : llvm::zip_equal(rateNames, figures.rates))
    rates[name] = rate * 1e-9;
  object[ratesName] = std::move(rates);
  return object;
}

/// Reads a number that must be finite and positive (a latency may be 0).
static llvm::Error readNumber(const llvm::json::Object &object,
                              llvm::StringRef name, bool mayBeZero,
                              double &out) {
  std::optional<double> number = object.getNumber(name);
  if (!number)
    return refuse("'" + name + "' is not a number");
  if (!std::isfinite(*number) || *number < 0 || (*number == 0 && !mayBeZero))
    return refuse("'" + name + "' is out of range");
  out = *number;
  return llvm::Error::success();
}

static llvm::Expected<Figures> parseOne(const llvm::json::Object &object) {
  for (auto &[name, value] : object)
    if (llvm::StringRef(name) != ratesName &&
        llvm::none_of(members, [&](const Member &member) {
          return llvm::StringRef(name) == member.name;
        }))
      return refuse("unknown member '" + llvm::StringRef(name) + "'");
  Figures figures;
  bool copies = object.get("to_device_gb_s") || object.get("from_device_gb_s");
  for (const Member &member : members) {
    if (!member.isNeeded && !copies)
      continue;
    bool mayBeZero = llvm::StringRef(member.name).ends_with("_us");
    if (llvm::Error error =
            readNumber(object, member.name, mayBeZero, figures.*member.value))
      return std::move(error);
    figures.*member.value *= member.unit;
  }
  const llvm::json::Object *rates = object.getObject(ratesName);
  if (!rates)
    return refuse(llvm::Twine("'") + ratesName + "' is not an object");
  for (auto [name, rate] : llvm::zip_equal(rateNames, figures.rates)) {
    if (llvm::Error error = readNumber(*rates, name, false, rate))
      return std::move(error);
    rate *= 1e9;
  }
  return figures;
}

/// Completes a device name: "cpu" becomes "cpu:0".
static std::string fullName(llvm::StringRef name) {
  bool isIndexed = !name.rsplit(':').second.empty() &&
                   llvm::all_of(name.rsplit(':').second, llvm::isDigit);
  return isIndexed ? name.str() : (name + ":0").str();
}

llvm::Expected<llvm::StringMap<Figures>> parseFigures(llvm::StringRef text) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value)
    return value.takeError();
  const llvm::json::Object *object = value->getAsObject();
  if (!object)
    return refuse("not an object of devices");
  llvm::StringMap<Figures> result;
  for (auto &[name, entry] : *object) {
    const llvm::json::Object *device = entry.getAsObject();
    llvm::Expected<Figures> figures =
        device ? parseOne(*device) : refuse("not an object");
    if (!figures)
      return refuse("device '" + llvm::StringRef(name) +
                    "': " + llvm::toString(figures.takeError()));
    result[fullName(name)] = *figures;
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// Returns the version of the device's driver, or of the OS kernel if the device
/// does not tell.
static std::string driverVersion(const tensorc_rt_device_properties &device) {
  if (*device.driver)
    return device.driver;
  utsname system;
  return uname(&system) == 0 ? system.release : "";
}

std::string figuresKey(const tensorc_rt_device *device,
                       llvm::StringRef compiler) {
  tensorc_rt_device_properties p;
  tensorc_rt_device_get_properties(device, &p);
  // Drops the device's index, as GPUs of one kind have equal figures.
  llvm::StringRef kind = llvm::StringRef(p.name).rsplit(':').first;
  // The linker's build ID may contain any bytes, but the key is text in a file.
  return llvm::formatv(
             "{0}; {1}; {2}; {3} threads; driver {4}; tensorc {5}", kind,
             p.description,
             codegen::getTargetIdentity(codegen::getLocalTarget(p.target)),
             p.threads, driverVersion(p), llvm::toHex(compiler))
      .str();
}

static std::string pathIn(llvm::StringRef folder, llvm::StringRef key) {
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(
      path, llvm::formatv("figures-{0:x-16}.json", llvm::xxh3_64bits(key)));
  return path.str().str();
}

static std::optional<Figures> loadFrom(const std::string &path,
                                       llvm::StringRef key) {
  constexpr uint64_t maxBytes = 1 << 16;
  llvm::sys::fs::file_status status;
  if (llvm::sys::fs::status(path, status, /*follow=*/false) ||
      status.type() != llvm::sys::fs::file_type::regular_file ||
      status.getSize() > maxBytes)
    return std::nullopt;
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return std::nullopt;
  llvm::Expected<llvm::json::Value> value =
      llvm::json::parse((*file)->getBuffer());
  if (!value) {
    llvm::consumeError(value.takeError());
    return std::nullopt;
  }
  const llvm::json::Object *object = value->getAsObject();
  const llvm::json::Object *figures = object && object->getString("key") == key
                                          ? object->getObject("figures")
                                          : nullptr;
  if (!figures)
    return std::nullopt;
  llvm::Expected<Figures> result = parseOne(*figures);
  if (result)
    return *result;
  llvm::consumeError(result.takeError());
  return std::nullopt;
}

std::optional<Figures> loadFigures(const FiguresFolders &folders,
                                   llvm::StringRef key) {
  for (const std::string &folder : {folders.writable, folders.readOnly})
    if (!folder.empty())
      if (auto figures = loadFrom(pathIn(folder, key), key))
        return figures;
  return std::nullopt;
}

void storeFigures(const FiguresFolders &folders, llvm::StringRef key,
                  const Figures &figures) {
  if (folders.writable.empty())
    return;
  // Writes to a temporary file and renames it, so that readers never see a
  // partial file.
  std::string path = pathIn(folders.writable, key);
  auto temporary = llvm::sys::fs::TempFile::create(
      folders.writable + "/.tmp-%%%%%%%%%%%%%%%%",
      llvm::sys::fs::owner_read | llvm::sys::fs::owner_write);
  if (!temporary)
    return llvm::consumeError(temporary.takeError());
  llvm::json::Value text =
      llvm::json::Object{{"key", key}, {"figures", toJson(figures)}};
  {
    llvm::raw_fd_ostream os(temporary->FD, /*shouldClose=*/false);
    os << llvm::formatv("{0:2}\n", text);
    os.flush();
    if (os.has_error()) {
      os.clear_error();
      return llvm::consumeError(temporary->discard());
    }
  }
  llvm::consumeError(temporary->keep(path));
}

} // namespace tensorc::placement
