//===- RandomOps.cpp - Random numbers of the C interface ------------------===//

#include "compiler/api/Api.h"
#include "compiler/graph/random/Random.h"
#include "tensorc/random.h"

using namespace tensorc;
using namespace tensorc::api;
using graph::DType;
using graph::Ints;
using graph::NodeRef;
using graph::Recorder;

/// Records by `fn(Recorder &, Ints shape)` what has a dtype.
template <typename Fn>
static tensorc_status *draw(const char *op, tensorc_dtype dtype, int32_t rank,
                            const int64_t *dims, tensorc_location at,
                            tensorc_tensor **out, Fn fn) {
  return record(
      at, out,
      [&](Recorder &r) -> NodeRef {
        if (dtypeOf(dtype) == DType::None)
          return r.fail(op, "unknown dtype " +
                                llvm::Twine(static_cast<int>(dtype)));
        Ints shape = intsOf(r, "dims", rank, dims);
        return r.error.empty() ? fn(r, shape) : NodeRef();
      },
      op);
}

tensorc_status *tensorc_random_key(tensorc_arg seed, tensorc_location at,
                                   tensorc_tensor **out) {
  return record(
      at, out,
      [&](Recorder &r) { return graph::randomKey(r, operandOf(r, seed)); },
      "random_key");
}

tensorc_status *tensorc_random_split(const tensorc_tensor *key, int64_t count,
                                     tensorc_location at,
                                     tensorc_tensor **out) {
  return record(
      at, out,
      [&](Recorder &r) { return graph::splitKey(r, refOf(key), count); },
      "split");
}

tensorc_status *tensorc_random_fold_in(const tensorc_tensor *key,
                                       tensorc_arg data, tensorc_location at,
                                       tensorc_tensor **out) {
  return record(
      at, out,
      [&](Recorder &r) {
        return graph::foldIn(r, refOf(key), operandOf(r, data));
      },
      "fold_in");
}

tensorc_status *tensorc_random_bits(const tensorc_tensor *key,
                                    tensorc_random_algorithm algorithm,
                                    tensorc_dtype dtype, int32_t rank,
                                    const int64_t *dims, tensorc_location at,
                                    tensorc_tensor **out) {
  return draw("random_bits", dtype, rank, dims, at, out,
              [&](Recorder &r, Ints shape) -> NodeRef {
                if (algorithm != TENSORC_PHILOX4X32_10 &&
                    algorithm != TENSORC_THREEFRY2X32)
                  return r.fail("random_bits", "unknown algorithm");
                return graph::randomBits(
                    r, refOf(key), dtypeOf(dtype), shape,
                    static_cast<graph::RandomAlgorithm>(algorithm));
              });
}

tensorc_status *tensorc_random_uniform(const tensorc_tensor *key,
                                       tensorc_dtype dtype, int32_t rank,
                                       const int64_t *dims, double low,
                                       double high, tensorc_location at,
                                       tensorc_tensor **out) {
  return draw(
      "uniform", dtype, rank, dims, at, out, [&](Recorder &r, Ints shape) {
        return graph::uniform(r, refOf(key), dtypeOf(dtype), shape, low, high);
      });
}

tensorc_status *tensorc_random_normal(const tensorc_tensor *key,
                                      tensorc_dtype dtype, int32_t rank,
                                      const int64_t *dims, tensorc_location at,
                                      tensorc_tensor **out) {
  return draw("randn", dtype, rank, dims, at, out,
              [&](Recorder &r, Ints shape) {
                return graph::randn(r, refOf(key), dtypeOf(dtype), shape);
              });
}

tensorc_status *tensorc_random_integers(const tensorc_tensor *key,
                                        tensorc_dtype dtype, int32_t rank,
                                        const int64_t *dims, tensorc_arg low,
                                        tensorc_arg high, tensorc_location at,
                                        tensorc_tensor **out) {
  return draw("randint", dtype, rank, dims, at, out,
              [&](Recorder &r, Ints shape) -> NodeRef {
                if (!checkKind(r, low) || !checkKind(r, high))
                  return {};
                if (low.kind == TENSORC_ARG_TENSOR ||
                    high.kind == TENSORC_ARG_TENSOR)
                  return r.fail("randint", "the bounds must be numbers");
                return graph::randint(r, refOf(key), dtypeOf(dtype), shape,
                                      scalarOf(low), scalarOf(high));
              });
}

tensorc_status *tensorc_random_bernoulli(const tensorc_tensor *key,
                                         int32_t rank, const int64_t *dims,
                                         tensorc_arg p, tensorc_location at,
                                         tensorc_tensor **out) {
  return draw("bernoulli", TENSORC_I1, rank, dims, at, out,
              [&](Recorder &r, Ints shape) {
                return graph::bernoulli(r, refOf(key), shape, operandOf(r, p));
              });
}

tensorc_status *tensorc_random_permutation(const tensorc_tensor *key,
                                           int64_t count, tensorc_location at,
                                           tensorc_tensor **out) {
  return record(
      at, out,
      [&](Recorder &r) { return graph::permutation(r, refOf(key), count); },
      "permutation");
}

tensorc_status *tensorc_dropout(const tensorc_tensor *x,
                                const tensorc_tensor *key, double rate,
                                tensorc_location at, tensorc_tensor **out) {
  return record(
      at, out,
      [&](Recorder &r) {
        return graph::dropout(r, refOf(x), refOf(key), rate);
      },
      "dropout");
}
