//===- Operations.cpp - A table of all operations: the C interface --------===//
//
// The table is generated from ir/tx by tools/opgen/op_table.py.
//
//===----------------------------------------------------------------------===//

#include "compiler/api/Api.h"

#include "tensorc/operations.h"
#include "tensorc/ops.h"

#include <set>

using namespace tensorc;
using namespace tensorc::api;

namespace {
/// An operation, and its C function for its number of operands, if there is
/// one.
struct Row {
  tensorc_op_info info;
  tensorc_status *(*unary)(const tensorc_arg *, tensorc_location,
                           tensorc_tensor **);
  tensorc_status *(*binary)(const tensorc_arg *, const tensorc_arg *,
                            tensorc_location, tensorc_tensor **);
  tensorc_status *(*ternary)(const tensorc_arg *, const tensorc_arg *,
                             const tensorc_arg *, tensorc_location,
                             tensorc_tensor **);
};
} // namespace

#include "compiler/api/OpTable.inc"

int32_t tensorc_op_count(void) { return std::size(table); }

static tensorc_status *unknown(const char *called, int32_t index) {
  return refusal(llvm::Twine(called) + ": there is no operation " +
                 llvm::Twine(index));
}

tensorc_status *tensorc_op_describe(int32_t index, tensorc_op_info *out) {
  if (auto *refused = checkOut("op_describe", out))
    return refused;
  if (index < 0 || index >= tensorc_op_count())
    return unknown("op_describe", index);
  fillVersioned(out, table[index].info);
  return nullptr;
}

int32_t tensorc_op_find(const char *name) {
  for (int32_t i = 0; name && i < tensorc_op_count(); ++i)
    if (std::strcmp(table[i].info.name, name) == 0)
      return i;
  return -1;
}

void tensorc_copy_location(const char *file, uint32_t line,
                           tensorc_location *out) {
  if (!out)
    return;
  // Never destroyed, because messages may contain these texts while the process
  // exits.
  static auto *texts = new std::set<std::string>;
  static std::mutex mutex;
  std::scoped_lock lock(mutex);
  *out = {file ? texts->insert(file).first->c_str() : nullptr, line};
}

tensorc_status *tensorc_apply(int32_t index, const tensorc_arg *arguments,
                              int32_t count, const tensorc_location *at,
                              tensorc_tensor **out) {
  if (auto *refused = checkOut("apply", out))
    return refused;
  *out = nullptr;
  if (index < 0 || index >= tensorc_op_count())
    return unknown("apply", index);
  const Row &row = table[index];
  tensorc_location place = {nullptr, 0};
  if (at)
    tensorc_copy_location(at->file, at->line, &place);
  graph::Recorder r(locationOf(place), "apply");
  if (!row.info.function)
    r.fail("apply",
           llvm::Twine("no function of C records ") + row.info.name + " alone");
  else if (count != row.info.operand_count)
    r.fail("apply", llvm::Twine(row.info.name) + " has " +
                        llvm::Twine(row.info.operand_count) +
                        " operands, not " + llvm::Twine(count));
  else if (!arguments)
    r.fail("apply", "the arguments are NULL");
  if (!r.error.empty())
    return refusal(r);
  if (row.unary)
    return row.unary(arguments, place, out);
  if (row.binary)
    return row.binary(arguments, arguments + 1, place, out);
  return row.ternary(arguments, arguments + 1, arguments + 2, place, out);
}
