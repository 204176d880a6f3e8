//===- AttentionOps.cpp - ONNX's attention and related ops ----------------===//
//
// Attention ops of ONNX and com.microsoft. Attention becomes tx.attention,
// which fuses. It is expanded into simpler ops if it has a soft cap or lengths,
// or if the scores are a result.
//
//===----------------------------------------------------------------------===//

#include "compiler/frontends/onnx/NodeImport.h"

#include <cmath>

namespace tensorc::onnx {

static constexpr double infinity = std::numeric_limits<double>::infinity();

/// Reshapes [batch, length, heads * size] to [batch, heads, length, size].
static Value splitHeads(NodeImport &n, Value x, int64_t heads) {
  if (n.isRefused())
    return Value();
  if (rankOf(x) != 3 || heads < 1)
    return n.refuse("an input has a rank other than 3, or there are no heads");
  SmallVector<Dim> dims(dimsOf(x));
  SmallVector<Dim> split{dims[0], dims[1], Dim(heads),
                         shape::floorDiv(dims[2], heads)};
  return n.transpose(n.reshape(x, split), {0, 2, 1, 3});
}

static Value mergeHeads(NodeImport &n, Value x) {
  if (n.isRefused())
    return Value();
  Value y = n.transpose(x, {0, 2, 1, 3});
  SmallVector<Dim> dims(dimsOf(y));
  SmallVector<Dim> merged{dims[0], dims[1], dims[2] * dims[3]};
  return n.reshape(y, merged);
}

/// Converts a boolean mask, in which true selects a key, to an additive mask.
static Value additive(NodeImport &n, Value mask, DType dtype) {
  if (n.isRefused() || dtypeOf(mask) != DType::I1)
    return mask;
  return n.select(mask, n.full(0, dtype), n.full(-infinity, dtype));
}

/// Pads a mask that is shorter than the number of keys, so that no query
/// attends to the remaining keys.
static Value padMask(NodeImport &n, Value mask, Dim keys) {
  if (n.isRefused() || dimsOf(mask).empty())
    return mask;
  Dim last = dimsOf(mask).back();
  if (last == keys || last == 1)
    return mask;
  SmallVector<int64_t> low(rankOf(mask), 0), high(low);
  high.back() = n.numberOf(keys - last, "the keys that a mask does not name");
  bool isBool = !n.isRefused() && dtypeOf(mask) == DType::I1;
  return n.pad(
      mask, low, high,
      isBool ? n.full(0, DType::I1)
             : n.full(-infinity, n.isRefused() ? DType::F32 : dtypeOf(mask)));
}

static Value repeatHeads(NodeImport &n, Value x, int64_t times) {
  if (n.isRefused() || times == 1)
    return x;
  SmallVector<Dim> dims(dimsOf(x));
  SmallVector<Dim> one{dims[0], dims[1], Dim(1), dims[2], dims[3]}, wide(one),
      flat(dims);
  wide[2] = times;
  flat[1] = dims[1] * Dim(times);
  return n.reshape(n.broadcast(n.reshape(x, one), wide), flat);
}

namespace {
struct Attention {
  Value q, k, v, mask;
  double scale = 0, softcap = 0;
  bool causal = false;
  /// Extents of a sliding window to the left and to the right; -1 means
  /// unbounded.
  int64_t left = -1, right = -1;
  /// Number of keys before the first query: a scalar, or one number per batch
  /// element.
  Value offset;
  Dim past = 0;
  /// Number of valid keys of each batch element.
  Value lengths;
  DType precision = DType::F32;
  /// Which scores are returned: raw, capped, masked, or after the softmax.
  int64_t scoresMode = -1;
};
} // namespace

static std::pair<Value, Value> attend(NodeImport &n, Attention a) {
  if (n.isRefused())
    return {};
  DType dtype = dtypeOf(a.q);
  int64_t heads = n.numberOf(dimsOf(a.q)[1], "the number of heads"),
          keyHeads = n.numberOf(dimsOf(a.k)[1], "the number of heads");
  if (n.isRefused() || keyHeads < 1 || heads % keyHeads)
    return n.refuse(
               "the heads of the queries are not a multiple of those of the "
               "keys"),
           std::pair<Value, Value>();
  bool isPlain = a.softcap == 0 && a.scoresMode < 0 && !a.lengths &&
                 !a.offset && a.left < 0 && a.right < 0 &&
                 (!a.causal || a.past == 0) && a.precision != DType::F64;
  if (isPlain) {
    Value mask = a.mask;
    if (mask && dtypeOf(mask) != DType::I1)
      mask = n.convert(mask, dtype);
    return {n.make<tx::AttentionOp>(dtype, a.q, a.k, a.v,
                                    n.full(a.scale, DType::F32), mask,
                                    heads / keyHeads, a.causal),
            Value()};
  }
  Value k = repeatHeads(n, a.k, heads / keyHeads),
        v = repeatHeads(n, a.v, heads / keyHeads);
  DType wide = a.precision;
  Value root = n.full(std::sqrt(a.scale), dtype);
  Value scores = n.matmul(
      n.mul(a.q, root),
      n.isRefused() ? Value() : n.transpose(n.mul(k, root), {0, 1, 3, 2}));
  Value raw = scores;
  if (a.softcap != 0) {
    scores = n.mul(n.tanh(n.div(scores, a.softcap)), a.softcap);
    if (a.scoresMode == 1)
      raw = scores;
  }
  if (n.isRefused())
    return {};
  SmallVector<Dim> dims(dimsOf(scores));
  Value allowed; // true where a query attends to a key
  auto restrict = [&](Value more) {
    allowed = allowed ? n.logicalAnd(allowed, more) : more;
  };
  SmallVector<Dim> plane{dims[0], Dim(1), dims[2], dims[3]};
  Value key = n.iota(DType::I64, plane, 3);
  if (a.causal || a.left >= 0 || a.right >= 0) {
    Value query = n.add(n.iota(DType::I64, plane, 2),
                        a.offset ? a.offset : n.scalar(a.past, DType::I64));
    if (a.causal)
      restrict(n.lessOrEqual(key, query));
    if (a.left >= 0)
      restrict(n.lessOrEqual(n.sub(query, key), a.left));
    if (a.right >= 0)
      restrict(n.lessOrEqual(n.sub(key, query), a.right));
  }
  if (a.lengths)
    restrict(n.less(key, a.lengths));
  Value bias;
  if (a.mask)
    bias = n.convert(additive(n, a.mask, dtype), dtype);
  if (allowed) {
    Value limit = additive(n, allowed, dtype);
    bias = bias ? n.add(bias, limit) : limit;
  }
  if (bias)
    scores = n.add(scores, bias);
  if (a.scoresMode == 2)
    raw = scores;
  scores = n.convert(scores, wide);
  if (n.isRefused())
    return {};
  Value shares = n.make<tx::SoftmaxOp>(wide, scores, 3);
  if (bias) {
    // A query that attends to no key returns zeros.
    Value largest =
        n.reduce<tx::ReduceMaxOp>(n.broadcast(bias, dims), {3}, true);
    shares = n.select(n.equal(largest, -infinity), n.full(0, wide), shares);
  }
  shares = n.convert(shares, dtype);
  if (a.scoresMode == 3)
    raw = shares;
  return {n.matmul(shares, v), raw};
}

static Value joined(NodeImport &n, Value past, Value now, int64_t dim) {
  return past && !n.isRefused() ? n.concatenate({past, now}, dim) : now;
}

static void attention(NodeImport &n) {
  Attention a;
  a.q = n.in(0), a.k = n.in(1), a.v = n.in(2), a.mask = n.optional(3);
  Value pastKey = n.optional(4), pastValue = n.optional(5),
        lengths = n.optional(6);
  if (n.isRefused())
    return;
  bool isFlat = rankOf(a.q) == 3;
  if (isFlat) {
    int64_t heads = n.integer("q_num_heads", 0),
            keyHeads = n.integer("kv_num_heads", 0);
    a.q = splitHeads(n, a.q, heads);
    a.k = splitHeads(n, a.k, keyHeads);
    a.v = splitHeads(n, a.v, keyHeads);
  }
  if (n.isRefused() || rankOf(a.q) != 4 || rankOf(a.k) != 4 ||
      rankOf(a.v) != 4) {
    n.refuse("the queries, keys and values have ranks other than 3 and 4");
    return;
  }
  if (pastKey)
    a.past = dimsOf(pastKey)[2];
  a.k = joined(n, pastKey, a.k, 2), a.v = joined(n, pastValue, a.v, 2);
  n.set(1, a.k), n.set(2, a.v);
  if (n.isRefused())
    return;
  if (n.attribute("scale"))
    a.scale = n.real("scale", 0);
  else
    a.scale = 1 / std::sqrt(static_cast<double>(
                      n.numberOf(dimsOf(a.q)[3], "the size of a head")));
  a.softcap = n.real("softcap", 0);
  a.causal = n.flag("is_causal");
  a.left = n.integer("left_window_size", -1);
  a.right = n.integer("right_window_size", -1);
  DType dtype = dtypeOf(a.q);
  a.precision = dtypeFrom(n.integer("softmax_precision", 0)).value_or(dtype);
  a.scoresMode = n.wants(3) ? n.integer("qk_matmul_output_mode", 0) : -1;
  if (a.mask)
    a.mask = padMask(n, a.mask, dimsOf(a.k)[2]);
  if (lengths) {
    SmallVector<Dim> along{dimsOf(a.q)[0], Dim(1), Dim(1), Dim(1)};
    a.lengths = n.reshape(n.convert(lengths, DType::I64), along);
    a.offset = n.sub(a.lengths, n.scalar(dimsOf(a.q)[2], DType::I64));
  }
  auto [y, scores] = attend(n, a);
  n.set(0, isFlat ? mergeHeads(n, y) : y);
  n.set(3, scores);
}

//===----------------------------------------------------------------------===//
// Rotary embeddings
//===----------------------------------------------------------------------===//

/// Returns x of shape [batch, length, heads, size], rotated by the angles of
/// its positions. `cos` and `sin` have the shape [batch or 1, length, 1, half].
static Value rotated(NodeImport &n, Value x, Value cos, Value sin,
                     int64_t width, bool interleaved) {
  if (n.isRefused())
    return Value();
  int64_t size = n.numberOf(dimsOf(x)[3], "the size of a head");
  if (width == 0)
    width = size;
  if (n.isRefused() || width > size || width % 2)
    return n.refuse("what is rotated is wider than a head, or odd");
  Value rotatedPart = n.part(x, 3, 0, width), a, b;
  SmallVector<Dim> dims(dimsOf(rotatedPart));
  SmallVector<Dim> pairs(dims);
  pairs[3] = width / 2;
  if (interleaved) {
    SmallVector<int64_t> even(4, 0), odd{0, 0, 0, 1}, strides{1, 1, 1, 2};
    a = n.slice(rotatedPart, even, strides, pairs);
    b = n.slice(rotatedPart, odd, strides, pairs);
  } else {
    a = n.part(rotatedPart, 3, 0, width / 2);
    b = n.part(rotatedPart, 3, width / 2, width / 2);
  }
  Value real = n.sub(n.mul(cos, a), n.mul(sin, b)),
        imaginary = n.add(n.mul(sin, a), n.mul(cos, b));
  if (interleaved) {
    SmallVector<Dim> one(pairs);
    one.push_back(1);
    rotatedPart = n.reshape(
        n.concatenate({n.reshape(real, one), n.reshape(imaginary, one)}, 4),
        dims);
  } else {
    rotatedPart = n.concatenate({real, imaginary}, 3);
  }
  if (width == size || n.isRefused())
    return rotatedPart;
  return n.concatenate({rotatedPart, n.part(x, 3, width, size - width)}, 3);
}

/// Returns the cosines or sines for the positions, or for the first positions
/// if `positions` is null, in the shape that `rotated` takes.
static Value anglesOf(NodeImport &n, Value cache, Value positions) {
  if (n.isRefused())
    return Value();
  Value angles = positions ? n.take(cache, positions, 0) : cache;
  if (n.isRefused())
    return Value();
  if (rankOf(angles) == 2)
    angles = n.unsqueeze(angles, {0});
  return n.unsqueeze(angles, {2});
}

static void rotate(NodeImport &n, Value x, Value cos, Value sin,
                   Value positions) {
  if (n.isRefused())
    return;
  int64_t rank = rankOf(x), heads = n.integer("num_heads", 0);
  SmallVector<Dim> dims(dimsOf(x));
  if (rank == 4)
    x = n.transpose(x, {0, 2, 1, 3});
  else if (rank == 3 && heads == 0 && !n.integer("rotary_embedding_dim", 0)) {
    // The size of a head is twice the number of angles.
    Dim size = dimsOf(cos).back() * 2;
    x = n.reshape(x, SmallVector<Dim>{dims[0], dims[1],
                                      shape::floorDiv(dims[2], size), size});
  } else if (rank == 3 && heads > 0)
    x = n.reshape(x, SmallVector<Dim>{dims[0], dims[1], Dim(heads),
                                      shape::floorDiv(dims[2], heads)});
  else
    n.refuse("the rank is neither 3 nor 4, or num_heads is missing");
  Value y =
      rotated(n, x, anglesOf(n, cos, positions), anglesOf(n, sin, positions),
              n.integer("rotary_embedding_dim", 0), n.flag("interleaved"));
  if (rank == 4)
    n.set(n.isRefused() ? Value() : n.transpose(y, {0, 2, 1, 3}));
  else
    n.set(n.reshape(y, dims));
}

static void rotaryEmbedding(NodeImport &n) {
  Value x = n.in(0), cos = n.in(1), sin = n.in(2), positions = n.optional(3);
  rotate(n, x, cos, sin, positions);
}

/// Like ONNX's op, but the second input contains the positions: one per token,
/// or only that of the first token.
static void microsoftRotary(NodeImport &n) {
  Value x = n.in(0), positions = n.in(1), cos = n.in(2), sin = n.in(3);
  if (n.isRefused())
    return;
  if (rankOf(x) != 3 && rankOf(x) != 4) {
    n.refuse("takes an input of rank 3 or 4");
    return;
  }
  if (rankOf(positions) == 1) {
    int64_t length = rankOf(x) == 4 ? 2 : 1;
    SmallVector<Dim> row{Dim(1), dimsOf(x)[length]};
    positions =
        n.add(n.iota(dtypeOf(positions), row, 1), n.reshape(positions, {}));
    positions = n.broadcast(positions, {dimsOf(x)[0], row[1]});
  }
  rotate(n, x, cos, sin, positions);
}

//===----------------------------------------------------------------------===//
// com.microsoft
//===----------------------------------------------------------------------===//

/// The product x w + b is the concatenation of queries, keys and values.
static void microsoftAttention(NodeImport &n) {
  Value x = n.in(0), w = n.in(1), bias = n.optional(2), mask = n.optional(3);
  int64_t heads = n.integer("num_heads", 0);
  if (n.has(4) || n.has(5) || n.has(6) || n.integers("qkv_hidden_sizes") ||
      n.flag("do_rotary"))
    n.refuse("is supported without a cache, bias of scores, own sizes and "
             "rotation");
  if (n.isRefused())
    return;
  if (rankOf(x) != 3 || rankOf(w) != 2) {
    n.refuse("takes an input of rank 3 and weights of rank 2");
    return;
  }
  Value all = n.dot(x, w, {{}, {}, rankOf(x) - 1, int64_t(0)});
  if (bias)
    all = n.add(all, bias);
  if (n.isRefused())
    return;
  int64_t width = n.numberOf(dimsOf(all)[2], "the width of the weights") / 3;
  Attention a;
  a.q = splitHeads(n, n.part(all, 2, 0, width), heads);
  a.k = splitHeads(n, n.part(all, 2, width, width), heads);
  a.v = splitHeads(n, n.part(all, 2, 2 * width, width), heads);
  a.causal = n.flag("unidirectional");
  if (n.isRefused())
    return;
  a.scale = n.real("scale", 0);
  if (a.scale == 0)
    a.scale = 1 / std::sqrt(static_cast<double>(width) / heads);
  if (mask) {
    SmallVector<Dim> dims(dimsOf(mask));
    if (dims.size() == 2) // 1 selects a key
      a.mask = n.unsqueeze(n.convert(mask, DType::I1), {1, 2});
    else if (dims.size() == 3)
      a.mask = n.unsqueeze(n.convert(mask, DType::I1), {1});
    else
      n.refuse("a mask of rank " + llvm::Twine(dims.size()) +
               " is not supported");
  }
  n.set(mergeHeads(n, attend(n, a).first));
}

static void multiHeadAttention(NodeImport &n) {
  Attention a;
  a.q = n.in(0), a.k = n.in(1), a.v = n.in(2);
  Value bias = n.optional(3), keep = n.optional(4), added = n.optional(5);
  int64_t heads = n.integer("num_heads", 0);
  if (n.has(6) || n.has(7))
    n.refuse("is supported without a cache");
  if (n.isRefused())
    return;
  if (bias) {
    int64_t width = n.numberOf(dimsOf(a.q).back(), "the hidden size");
    a.q = n.add(a.q, n.part(bias, 0, 0, width));
    a.k = n.add(a.k, n.part(bias, 0, width, width));
    a.v = n.isRefused() ? Value()
                        : n.add(a.v, n.part(bias, 0, 2 * width,
                                            n.numberOf(dimsOf(a.v).back(),
                                                       "the hidden size")));
  }
  a.q = splitHeads(n, a.q, heads);
  if (!n.isRefused() && rankOf(a.k) == 3)
    a.k = splitHeads(n, a.k, heads), a.v = splitHeads(n, a.v, heads);
  a.causal = n.flag("unidirectional");
  if (n.isRefused())
    return;
  a.scale = n.real("scale", 0);
  if (a.scale == 0)
    a.scale = 1 / std::sqrt(static_cast<double>(
                      n.numberOf(dimsOf(a.q)[3], "the size of a head")));
  if (keep && rankOf(keep) == 2)
    a.mask = additive(n, n.unsqueeze(n.convert(keep, DType::I1), {1, 2}),
                      dtypeOf(a.q));
  else if (keep)
    n.refuse("a mask of this rank is not supported");
  if (added)
    a.mask = a.mask ? n.add(a.mask, added) : added;
  n.set(mergeHeads(n, attend(n, a).first));
}

/// Several queries share keys. The lengths determine which part of the cache is
/// valid.
static void groupQueryAttention(NodeImport &n) {
  Attention a;
  a.q = n.in(0), a.k = n.optional(1), a.v = n.optional(2);
  Value pastKey = n.optional(3), pastValue = n.optional(4), last = n.in(5);
  int64_t heads = n.integer("num_heads", 0),
          keyHeads = n.integer("kv_num_heads", 0);
  if (!a.k || !a.v)
    n.refuse("packed queries, keys and values are not supported");
  if (n.isRefused())
    return;
  Value cos = n.optional(7), sin = n.optional(8);
  Dim past = 0;
  if (pastKey)
    past = dimsOf(pastKey)[2];
  a.q = splitHeads(n, a.q, heads), a.k = splitHeads(n, a.k, keyHeads),
  a.v = splitHeads(n, a.v, keyHeads);
  if (n.flag("do_rotary") && !n.isRefused()) {
    SmallVector<Dim> row{dimsOf(a.q)[0], dimsOf(a.q)[2]};
    Value positions =
        n.add(n.iota(DType::I64, row, 1), n.scalar(past, DType::I64));
    if (!cos || !sin)
      n.refuse("the angles are missing");
    Value c = anglesOf(n, cos, positions), s = anglesOf(n, sin, positions);
    auto turn = [&](Value x) {
      Value y = n.isRefused() ? Value() : n.transpose(x, {0, 2, 1, 3});
      y = rotated(n, y, c, s, 0, n.flag("rotary_interleaved"));
      return n.isRefused() ? Value() : n.transpose(y, {0, 2, 1, 3});
    };
    a.q = turn(a.q), a.k = turn(a.k);
  }
  a.k = joined(n, pastKey, a.k, 2), a.v = joined(n, pastValue, a.v, 2);
  n.set(1, a.k), n.set(2, a.v);
  if (n.isRefused())
    return;
  a.causal = true, a.past = past;
  a.softcap = n.real("softcap", 0);
  int64_t window = n.integer("local_window_size", -1);
  a.left = window > 0 ? window - 1 : -1;
  a.scale = n.real("scale", 0);
  if (a.scale == 0)
    a.scale = 1 / std::sqrt(static_cast<double>(
                      n.numberOf(dimsOf(a.q)[3], "the size of a head")));
  // `last` contains the position of the last valid key of each sequence.
  SmallVector<Dim> along{dimsOf(a.q)[0], Dim(1), Dim(1), Dim(1)};
  a.lengths = n.reshape(n.add(n.convert(last, DType::I64), 1), along);
  n.set(0, mergeHeads(n, attend(n, a).first));
}

static void skipLayerNorm(NodeImport &n) {
  bool isSimple = n.node.op.starts_with("SkipSimplified");
  Value x = n.in(0), skip = n.in(1), scale = n.in(2),
        bias = isSimple ? Value() : n.optional(3),
        shift = n.optional(isSimple ? 3 : 4);
  Value sum = n.add(x, skip);
  if (shift)
    sum = n.add(sum, shift);
  if (n.isRefused())
    return;
  DType dtype = dtypeOf(sum), wide = builder::wideOf(dtype);
  Value epsilon = n.full(n.real("epsilon", 1e-12f), wide);
  n.set(0, isSimple
               ? n.make<tx::RmsNormOp>(dtype, sum, epsilon, scale)
               : n.make<tx::LayerNormOp>(dtype, sum, epsilon, scale, bias));
  n.set(3, sum);
}

/// Normalizes the last dims, whatever the axis is.
static void simplifiedLayerNorm(NodeImport &n) {
  Value x = n.in(0), scale = n.in(1);
  if (n.isRefused())
    return;
  int64_t axis = n.axis(n.integer("axis", -1), rankOf(x));
  if (axis != rankOf(x) - 1) {
    n.refuse("is supported along the last axis");
    return;
  }
  Value epsilon = n.full(n.real("epsilon", 1e-5f), builder::wideOf(dtypeOf(x)));
  n.set(n.make<tx::RmsNormOp>(dtypeOf(x), x, epsilon, scale));
}

static void fusedMatmul(NodeImport &n) {
  Value a = n.in(0), b = n.in(1);
  auto flipped = [&](Value x, bool flips) {
    if (n.isRefused() || !flips || rankOf(x) < 2)
      return x;
    SmallVector<int64_t> order;
    for (int64_t d = 0; d < rankOf(x); ++d)
      order.push_back(d);
    std::swap(order[order.size() - 1], order[order.size() - 2]);
    return n.transpose(x, order);
  };
  if (n.flag("transBatchA") || n.flag("transBatchB"))
    n.refuse("transBatchA and transBatchB are not supported");
  Value y =
      n.matmul(flipped(a, n.flag("transA")), flipped(b, n.flag("transB")));
  n.set(n.mul(y, n.real("alpha", 1)));
}

static void microsoftGelu(NodeImport &n) {
  Value x = n.in(0);
  if (!n.isRefused())
    n.set(n.make<tx::GeluOp>(dtypeOf(x), x, n.node.op == "FastGelu"));
}

static void biasGelu(NodeImport &n) {
  Value x = n.in(0), bias = n.optional(1);
  if (bias)
    x = n.add(x, bias);
  if (!n.isRefused())
    n.set(n.make<tx::GeluOp>(dtypeOf(x), x, n.node.op == "FastGelu"));
}

static void quickGelu(NodeImport &n) {
  Value x = n.in(0);
  if (!n.isRefused())
    n.set(n.mul(x, n.sigmoid(n.mul(x, n.real("alpha", 1.702f)))));
}

/// Computes swish(a) b.
static void swiGlu(NodeImport &n) {
  Value a = n.in(0), b = n.in(1);
  if (n.isRefused())
    return;
  double alpha = n.real("alpha", 1);
  n.set(n.mul(n.mul(a, n.sigmoid(alpha == 1 ? a : n.mul(a, alpha))), b));
}

ArrayRef<OpVersion> attentionOps() {
  static constexpr OpVersion ops[] = {
      {"Attention", 23, attention},
      {"LinearAttention", 27, linearAttention},
      {"RotaryEmbedding", 23, rotaryEmbedding},
      {"SwiGLU", 28, swiGlu},
      {"SimplifiedLayerNormalization", 1, simplifiedLayerNorm},
      {"com.microsoft.Attention", 1, microsoftAttention},
      {"com.microsoft.BiasGelu", 1, biasGelu},
      {"com.microsoft.FastGelu", 1, biasGelu},
      {"com.microsoft.FusedMatMul", 1, fusedMatmul},
      {"com.microsoft.Gelu", 1, microsoftGelu},
      {"com.microsoft.GroupQueryAttention", 1, groupQueryAttention},
      {"com.microsoft.MultiHeadAttention", 1, multiHeadAttention},
      {"com.microsoft.QuickGelu", 1, quickGelu},
      {"com.microsoft.RotaryEmbedding", 1, microsoftRotary},
      {"com.microsoft.SkipLayerNormalization", 1, skipLayerNorm},
      {"com.microsoft.SkipSimplifiedLayerNormalization", 1, skipLayerNorm},
  };
  return ops;
}

} // namespace tensorc::onnx
