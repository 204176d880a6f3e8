//===- AttentionRoute.cpp - How an attention is computed, if at all -------===//

#include "codegen/emitters/simt/attention/AttentionRoute.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace tensorc::codegen::simt {

/// With fewer queries the scores are small, and a block would be mostly idle.
static constexpr int64_t leastRows = 8;
/// Sums of a block's columns stay in registers.
static constexpr int64_t mostColumns = 256;
/// Of a tile that an instruction takes.
static constexpr int64_t tileSide = 16;

static std::string typeName(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

static bool hasFewRows(const AttentionPattern &pattern) {
  tx::DotGeneralOp result = pattern.result;
  auto shape =
      result.getType().getShape().drop_front(result.getXBatch().size());
  int64_t rows = 1;
  for (int64_t size : shape.drop_back())
    rows = ShapedType::isDynamic(size) ? leastRows : rows * size;
  return rows < leastRows;
}

/// Q and K or V, the scores, and the weights as operands. A slice is stored in
/// either direction.
static int64_t tileBytes(int64_t rows, int64_t keys, int64_t depth,
                         int64_t columns) {
  auto slice = [](int64_t x, int64_t y) {
    return 2 * std::max(x * (y + tilePadding), y * (x + tilePadding));
  };
  int64_t row = 4 * rows;
  int64_t patch = 4 * rows * (columns + tilePadding);
  int64_t slices =
      slice(rows, depth) + std::max(slice(keys, depth), slice(keys, columns)) +
      4 * rows * (keys + sumPadding) + 2 * rows * (keys + tilePadding);
  return row + std::max(patch, slices);
}

static AttentionRoute tileRoute(const AttentionPattern &pattern,
                                const TargetInfo &target) {
  int64_t depth = llvm::alignTo(*pattern.depth(), tileSide);
  // Few wide rows: two subgroups share them.
  bool wide = depth > 128 || *pattern.columns() > 128;
  int64_t across = wide ? 2 : 1;
  AttentionRoute route;
  route.onTiles = true;
  route.columns = llvm::alignTo(*pattern.columns(), across * tileSide);
  int64_t rows = tileSide * tileSubgroups / across;
  int64_t most = pattern.keys() && *pattern.keys() <= 32 ? 32 : 64;
  for (int64_t keys = most; keys >= 32; keys /= 2)
    if (tileBytes(rows, keys, depth, route.columns) <=
        target.getSharedMemoryBytes()) {
      route.rows = rows;
      route.keys = keys;
      break;
    }
  return route;
}

static int64_t plainBytes(const AttentionRoute &route, int64_t depth,
                          int64_t elementBytes) {
  int64_t k = depth * (route.keys + sumPadding);
  int64_t v = route.keys * (route.columns + sumPadding);
  int64_t patch = route.rows * (route.columns + sumPadding);
  int64_t slices = depth * (route.rows + sumPadding) + std::max(k, v) +
                   route.rows * (route.keys + sumPadding);
  return elementBytes * (route.rows + std::max(patch, slices));
}

static AttentionRoute plainRoute(const AttentionPattern &pattern,
                                 const TargetInfo &target) {
  int64_t bytes = pattern.accumulator.getIntOrFloatBitWidth() / 8;
  int64_t wanted = llvm::PowerOf2Ceil(*pattern.columns());
  for (auto [rows, keys] :
       {std::pair<int64_t, int64_t>{64, 32}, {32, 32}, {32, 16}, {16, 16}}) {
    // A thread has four columns of one to four rows.
    int64_t columns = std::max(wanted, 4 * plainThreads / rows);
    AttentionRoute route{rows, keys, columns, false, {}};
    if (rows * columns <= 16 * plainThreads &&
        plainBytes(route, *pattern.depth(), bytes) <=
            target.getSharedMemoryBytes())
      return route;
  }
  return {};
}

AttentionRoute chooseRoute(const AttentionPattern &pattern,
                           const TargetInfo &target) {
  auto refuse = [](std::string why) {
    AttentionRoute route;
    route.why = std::move(why);
    return route;
  };
  if (!target.isSimt())
    return refuse("this target has no kernel for a whole attention");
  if (!pattern.depth() || !pattern.columns())
    return refuse("an attention's head size has a name");
  if (hasFewRows(pattern))
    return refuse("an attention of few queries runs faster as contractions");
  tx::DotGeneralOp products = pattern.products, result = pattern.result;
  Type element = products.getType().getElementType();
  bool onTiles = target.multipliesTiles(element) &&
                 element == result.getType().getElementType();
  AttentionRoute route;
  if (*pattern.columns() <= mostColumns)
    route = onTiles ? tileRoute(pattern, target) : plainRoute(pattern, target);
  if (!route.fits())
    return refuse("heads of " + std::to_string(*pattern.depth()) + " and " +
                  std::to_string(*pattern.columns()) +
                  " elements leave an attention no room in shared memory");
  std::string name = typeName(element);
  route.why = onTiles ? "tiles of " + name
                      : "one by one: no matrix instructions for " + name;
  return route;
}

} // namespace tensorc::codegen::simt
