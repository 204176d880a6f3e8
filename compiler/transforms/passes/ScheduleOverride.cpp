//===- ScheduleOverride.cpp - Schedules set by hand or by tuning ----------===//

#include "compiler/transforms/passes/ScheduleOverride.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace tensorc::compiler {

static Error refuse(const Twine &why) {
  return createStringError("--schedule: " + why);
}

Expected<ScheduleOverride> ScheduleOverride::parse(StringRef text) {
  auto [kernel, list] = text.split(':');
  if (kernel.empty() || list.empty())
    return refuse("'" + text + "' is not KERNEL:NAME=NUMBER,...");
  ScheduleOverride result;
  result.kernel = kernel.str();
  if (kernel.consume_front("@"))
    result.key = kernel.str();
  for (StringRef item : split(list, ',')) {
    auto [name, value] = item.split('=');
    int64_t number = 0;
    if (name == "skeleton" && !value.empty())
      result.skeleton = value.str();
    else if (name == "target" && result.isTuned() && !value.empty())
      result.target = value.str();
    else if (name.empty() || value.getAsInteger(10, number))
      return refuse("'" + item + "' of '" + text + "' is not NAME=NUMBER");
    else
      result.numbers.push_back({name.str(), number});
  }
  return result;
}

/// Returns a list such as "1, 2 or 4".
static std::string listOf(ArrayRef<std::string> words) {
  std::string text;
  for (auto [i, word] : enumerate(words))
    text += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + word;
  return text;
}

/// Removes the schedules that do not have the wanted value. Returns an error if
/// none remains.
static Error keep(SmallVectorImpl<tx::ScheduleAttr> &remaining,
                  StringRef kernel, StringRef name, StringRef wanted,
                  function_ref<std::string(tx::ScheduleAttr)> valueOf) {
  std::vector<std::string> values;
  for (tx::ScheduleAttr each : remaining)
    if (std::string value = valueOf(each);
        !value.empty() && !is_contained(values, value))
      values.push_back(value);
  if (values.empty())
    return refuse(kernel + ": the skeleton \"" +
                  remaining.front().getSkeleton() + "\" has no " + name +
                  ": its schedule is \"" + remaining.front().toString() + "\"");
  if (!is_contained(values, wanted.str()))
    return refuse(kernel + ": " + name + "=" + wanted +
                  " is not offered here, only " + listOf(values));
  erase_if(remaining,
           [&](tx::ScheduleAttr each) { return valueOf(each) != wanted; });
  return Error::success();
}

Expected<tx::ScheduleAttr>
ScheduleOverride::pick(ArrayRef<tx::ScheduleAttr> offered) const {
  SmallVector<tx::ScheduleAttr> remaining(offered);
  if (!skeleton.empty())
    if (Error error = keep(
            remaining, kernel, "skeleton", skeleton,
            [](tx::ScheduleAttr each) { return each.getSkeleton().str(); }))
      return error;
  for (const auto &[name, number] : numbers)
    if (Error error = keep(remaining, kernel, name, std::to_string(number),
                           [&](tx::ScheduleAttr each) -> std::string {
                             auto value = each.get(name);
                             return value ? std::to_string(*value) : "";
                           }))
      return error;
  return remaining.front();
}

} // namespace tensorc::compiler
