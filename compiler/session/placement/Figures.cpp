//===- Figures.cpp - Performance figures of devices as text ---------------===//

#include "compiler/session/placement/Figures.h"
#include "compiler/output/pipelines/Pipelines.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

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
  bool isNeeded; // whether the host must have it, too
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

/// Returns the version of the device's driver, or that of the OS kernel if the
/// device reports none.
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
  // The linker's build ID may contain any bytes, but the key is stored in a
  // text file.
  return llvm::formatv(
             "{0}; {1}; {2}; {3} threads; driver {4}; tensorc {5}", kind,
             p.description,
             codegen::getTargetIdentity(codegen::getLocalTarget(p.target)),
             p.threads, driverVersion(p), llvm::toHex(compiler))
      .str();
}

static constexpr const char *figuresFile = "figures";

std::optional<Figures> loadFigures(const FactFolders &folders,
                                   llvm::StringRef key) {
  std::optional<llvm::json::Value> value = loadKeyed(folders, figuresFile, key);
  const llvm::json::Object *object = value ? value->getAsObject() : nullptr;
  if (!object)
    return std::nullopt;
  llvm::Expected<Figures> result = parseOne(*object);
  if (result)
    return *result;
  llvm::consumeError(result.takeError());
  return std::nullopt;
}

void storeFigures(const FactFolders &folders, llvm::StringRef key,
                  const Figures &figures) {
  storeKeyed(folders, figuresFile, key, toJson(figures));
}

} // namespace tensorc::placement
