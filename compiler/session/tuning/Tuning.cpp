//===- Tuning.cpp - Tuning files with measured schedules ------------------===//

#include "compiler/session/tuning/Tuning.h"

#include "codegen/kernel/CpuModel.h"
#include "compiler/frontends/files/InputFile.h"
#include "compiler/frontends/files/Json.h"
#include "tensorc/runtime.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cmath>

using namespace llvm;

namespace tensorc::tuning {

static constexpr int64_t version = 1;
static constexpr StringLiteral versionKey = "tensorc_tuning";
static constexpr StringLiteral kernelsKey = "kernels";
/// Maximum size of a tuning file.
static constexpr uint64_t maxBytes = uint64_t(64) << 20;

static Error refuse(const Twine &why) {
  return createStringError(inconvertibleErrorCode(), why);
}

Machine Machine::here(StringRef target) {
  Machine machine;
  machine.target = target.str();
  machine.threads = tensorc_rt_num_threads();
  if (auto host = codegen::getCpuModel("cpu"))
    machine.cpu = host->cpu;
  else
    consumeError(host.takeError());
  return machine;
}

std::string Machine::toString() const {
  return formatv("{0} on {1} with {2} thread{3}", target, cpu, threads,
                 threads == 1 ? "" : "s");
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// Returns true for texts such as "panel rows=7 vectors=4", which consist of a
/// skeleton and its parameters.
static bool isSchedule(StringRef text) {
  auto isName = [](StringRef word) {
    return !word.empty() &&
           all_of(word, [](char c) { return isAlnum(c) || c == '_'; });
  };
  SmallVector<StringRef> words;
  text.split(words, ' ');
  int64_t number = 0;
  return isName(words.front()) &&
         all_of(drop_begin(words), [&](StringRef word) {
           auto [name, value] = word.split('=');
           return isName(name) && !value.getAsInteger(10, number);
         });
}

static bool isKey(StringRef text) {
  return text.size() == 32 && all_of(text, isHexDigit);
}

static Expected<Record> parseRecord(const json::Object &object) {
  Record record;
  struct {
    StringLiteral name;
    std::string &out;
  } const texts[] = {
      {"kernel", record.kernel},         {"key", record.key},
      {"target", record.machine.target}, {"cpu", record.machine.cpu},
      {"schedule", record.schedule},     {"usual", record.usual}};
  for (auto &[name, out] : texts) {
    auto value = object.getString(name);
    if (!value)
      return refuse("'" + name + "' is not a string");
    out = value->str();
  }
  if (!isKey(record.key))
    return refuse("'key' is not 32 hexadecimal digits");
  for (StringRef name : {"schedule", "usual"})
    if (!isSchedule(*object.getString(name)))
      return refuse("'" + name + "' is not SKELETON NAME=NUMBER ...");
  auto threads = object.getInteger("threads");
  auto gain = object.getNumber("gain");
  if (!threads || *threads < 1)
    return refuse("'threads' is not a count above 0");
  if (!gain || !(*gain > 0) || !std::isfinite(*gain))
    return refuse("'gain' is not a number above 0");
  record.machine.threads = *threads;
  record.gain = *gain;
  return record;
}

Expected<Tuning> Tuning::parse(StringRef text) {
  Expected<json::Value> value = files::parseJson(text);
  if (!value)
    return value.takeError();
  const json::Object *object = value->getAsObject();
  const json::Value *number = object ? object->get(versionKey) : nullptr;
  if (!number)
    return refuse("is not a tuning file: it has no '" + versionKey + "'");
  if (number->getAsInteger() != version)
    return refuse(
        formatv("has version {0}; this compiler reads {1}", *number, version));
  const json::Array *array = object->getArray(kernelsKey);
  if (!array)
    return refuse("'" + kernelsKey + "' is not a list");
  Tuning tuning;
  for (auto [i, element] : enumerate(*array)) {
    const json::Object *each = element.getAsObject();
    Expected<Record> record =
        each ? parseRecord(*each) : Expected<Record>(refuse("not an object"));
    if (!record)
      return refuse(kernelsKey + "[" + Twine(i) +
                    "]: " + toString(record.takeError()));
    tuning.add(std::move(*record));
  }
  return tuning;
}

Expected<Tuning> Tuning::read(StringRef path) {
  if (Error error = files::checkInputFile(path))
    return std::move(error);
  auto file = MemoryBuffer::getFile(path);
  if (!file)
    return refuse("cannot read " + path + ": " + file.getError().message());
  if ((*file)->getBufferSize() > maxBytes)
    return refuse(path + ": is too large for a tuning file");
  Expected<Tuning> tuning = parse((*file)->getBuffer());
  if (!tuning)
    return refuse(path + ": " + toString(tuning.takeError()));
  return tuning;
}

std::string Tuning::text() const {
  std::string text =
      formatv("{{\"{0}\": {1},\n \"{2}\": [", versionKey, version, kernelsKey);
  for (auto [i, record] : enumerate(records)) {
    // Writes one member per line in a fixed order, so that diffs are readable.
    std::pair<StringLiteral, json::Value> members[] = {
        {"kernel", json::fixUTF8(record.kernel)},
        {"key", record.key},
        {"target", record.machine.target},
        {"cpu", record.machine.cpu},
        {"threads", record.machine.threads},
        {"schedule", record.schedule},
        {"usual", record.usual}};
    text += i ? ",\n  {" : "\n  {";
    for (auto &[name, value] : members)
      text += formatv("\"{0}\": {1}, ", name, value);
    text += formatv("\"gain\": {0:F3}}", record.gain);
  }
  return text + (records.empty() ? "]}\n" : "\n ]}\n");
}

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

void Tuning::remove(StringRef key, const Machine &machine) {
  erase_if(records, [&](const Record &each) {
    return each.key == key && each.machine == machine;
  });
}

void Tuning::add(Record record) {
  remove(record.key, record.machine);
  records.push_back(std::move(record));
}

std::vector<std::string> Tuning::schedules() const {
  std::vector<std::string> texts;
  for (const Record &record : records) {
    if (record.machine != Machine::here(record.machine.target))
      continue;
    auto [skeleton, numbers] = StringRef(record.schedule).split(' ');
    std::string text = formatv("@{0}:target={1},skeleton={2}", record.key,
                               record.machine.target, skeleton);
    for (StringRef number : split(numbers, ' '))
      if (!number.empty())
        text += "," + number.str();
    texts.push_back(std::move(text));
  }
  return texts;
}

std::string Tuning::whyNone() const {
  if (records.empty() || !schedules().empty())
    return "";
  return "was measured for " + records.front().machine.toString() +
         ", and this is " +
         Machine::here(records.front().machine.target).toString() +
         ": it is ignored";
}

} // namespace tensorc::tuning
