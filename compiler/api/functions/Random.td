//===- Random.td - Random numbers and distributions -----------------------===//
//
// Included by Api.td. The place of the include matters, because headers declare
// functions in the order of their definitions.
//
//===----------------------------------------------------------------------===//

//===--- Random numbers ---------------------------------------------------===//

let section = "Random numbers" in {
let header = "random" in {
def RandomKey : Function<"random_key", (params Number<>:$seed)> {
  let examples = ["random_key(5) == ui32([5, 0])"];
  let comment = "The key of an integer: a number, or a tensor of rank 0.";
  let builder = "graph::randomKey";
  let result = "RandomKey";
}
def RandomSplit : Function<"random_split", (params Key:$key, Int<>:$count)> {
  let examples = ["random_split(key(0), 2) == ui32[2, 2]"];
  let comment = "ui32[count, 2]: each row is a key.";
  let builder = "graph::splitKey";
  let called = "split";
  let wrapperByHand = 1;
}
def RandomFoldIn : Function<"random_fold_in", (params Key:$key, Number<>:$data)> {
  let examples = ["random_fold_in(key(0), 0) == ui32([1797259609, 2579123966])"];
  let comment = "The key made from a key and an integer: a number, or a tensor of rank 0. With the integer i, it is row i of a split.";
  let builder = "graph::foldIn";
  let called = "fold_in";
  let wrappers = [Wrapper<"fold_in", (params Key:$key, Number<>:$data)>];
  let result = "RandomKey";
}
def RandomBits : Function<"random_bits",
    (params Key:$key, Choice<RandomAlgorithmEnum>:$algorithm, DType<>:$dtype, Shape:$dims)> {
  let examples = ["random_bits(key(0), philox4x32_10, ui32, [2]) == ui32([1713891541, 3781805453])"];
  let comment = "Random bits as ui32 or ui64.";
  let builder = "graph::randomBits";
  let builderArguments = "key, dtype, dims, algorithm";
  let wrapperByHand = 1;
}
def RandomUniform : Function<"random_uniform",
    (params Key:$key, DType<>:$dtype, Shape:$dims, Real<>:$low, Real<>:$high)> {
  let examples = ["random_uniform(key(0), f32, [2], 2.5, 2.5) == [2.5, 2.5]"];
  let comment = "Floats, evenly distributed in [low, high) and rounded to the dtype.";
  let builder = "graph::uniform";
  let called = "uniform";
  let wrappers = [Wrapper<"uniform",
      (params Key:$key, Shape:$shape, Real<"0">:$low, Real<"1">:$high, DType<"default_dtype()">:$dtype),
      ["key", "dtype", "shape", "low", "high"]>];
}
def RandomNormal : Function<"random_normal", (params Key:$key, DType<>:$dtype, Shape:$dims)> {
  let examples = ["random_normal(key(0), f64, [2, 3]) == f64[2, 3]"];
  let comment = "Floats of mean 0 and variance 1.";
  let builder = "graph::randn";
  let called = "randn";
  let wrappers = [Wrapper<"randn", (params Key:$key, Shape:$shape, DType<"default_dtype()">:$dtype),
                          ["key", "dtype", "shape"]>];
}
def RandomIntegers : Function<"random_integers",
    (params Key:$key, DType<>:$dtype, Shape:$dims, Bound:$low, Bound:$high)> {
  let examples = ["random_integers(key(0), i64, [2], 5, 6) == i64([5, 5])"];
  let comment = "Integers in [low, high); the bounds are numbers.";
  let builder = "graph::randint";
  let called = "randint";
  let wrapperByHand = 1;
}
def RandomBernoulli : Function<"random_bernoulli", (params Key:$key, Shape:$dims, Number<>:$p)> {
  let examples = ["random_bernoulli(key(0), [2], 1.0) == [True, True]"];
  let comment = "i1, true with probability p. p is a number, or floats that broadcast to dims.";
  let builder = "graph::bernoulli";
  let called = "bernoulli";
  let wrappers = [Wrapper<"bernoulli", (params Key:$key, Shape:$shape, Number<>:$p)>];
}
def RandomPermutation : Function<"random_permutation", (params Key:$key, Int<>:$count)> {
  let examples = ["random_permutation(key(0), 1) == i64([0])"];
  let comment = "i64[count]: 0 to count - 1 in random order.";
  let builder = "graph::permutation";
  let called = "permutation";
  let wrappers = [Wrapper<"permutation", (params Key:$key, Int<>:$count)>];
}
def Dropout : Function<"dropout", (params Tensor:$x, Key:$key, Real<>:$rate)> {
  let examples = ["dropout([1, 2], key(0), 0) == [1, 2]", "dropout([1, 2], key(0), 1) == [0, 0]"];
  let comment = "0 with probability `rate`, else x / (1 - rate).";
}
} // header = "random"
} // section

//===--- Distributions ----------------------------------------------------===//

let section = "Distributions", header = "random" in {
def RandomExponential : Function<"random_exponential", (params Key:$key, Ints<"rank", "{}">:$dims, DType<"default_dtype()">:$dtype)> {
  let examples = ["random_exponential(key(0), [2], f32) == f32[2]"];
  let comment = "Floats above 0 with the density e^-x.";
  let builder = "graph::exponential";
}
def RandomGumbel : Function<"random_gumbel", (params Key:$key, Ints<"rank", "{}">:$dims, DType<"default_dtype()">:$dtype)> {
  let examples = ["random_gumbel(key(0), [2], f32) == f32[2]"];
  let comment = "Floats with the distribution function e^-e^-x.";
  let builder = "graph::gumbel";
}
def RandomLaplace : Function<"random_laplace", (params Key:$key, Ints<"rank", "{}">:$dims, DType<"default_dtype()">:$dtype)> {
  let examples = ["random_laplace(key(0), [2], f32) == f32[2]"];
  let comment = "Floats with the density e^-|x| / 2.";
  let builder = "graph::laplace";
}
def RandomLogistic : Function<"random_logistic", (params Key:$key, Ints<"rank", "{}">:$dims, DType<"default_dtype()">:$dtype)> {
  let examples = ["random_logistic(key(0), [2], f32) == f32[2]"];
  let comment = "Floats with the distribution function 1 / (1 + e^-x).";
  let builder = "graph::logistic";
}
def RandomCauchy : Function<"random_cauchy", (params Key:$key, Ints<"rank", "{}">:$dims, DType<"default_dtype()">:$dtype)> {
  let examples = ["random_cauchy(key(0), [2], f32) == f32[2]"];
  let comment = "Floats with the density 1 / (pi (1 + x^2)).";
  let builder = "graph::cauchy";
}
def RandomRademacher : Function<"random_rademacher", (params Key:$key, Ints<"rank", "{}">:$dims, DType<"i64">:$dtype)> {
  let examples = ["random_rademacher(key(0), [2], i64) == i64[2]"];
  let comment = "1 or -1 with the same probability.";
  let builder = "graph::rademacher";
}

// Parameters are broadcast to dims; without dims they determine the shape.
def RandomRayleigh : Function<"random_rayleigh", (params Key:$key, Number<>:$scale, Ints<"rank", "{}">:$dims, DType<"default_dtype()">:$dtype)> {
  let examples = ["random_rayleigh(key(0), 0.0, [2], f32) == [0, 0]"];
  let comment = "The length of a vector of two normal numbers with this deviation.";
  let builder = "graph::rayleigh";
}
def RandomWeibull : Function<"random_weibull",
    (params Key:$key, Number<>:$scale, Number<>:$concentration, Ints<"rank", "{}">:$dims, DType<"default_dtype()">:$dtype)> {
  let examples = ["random_weibull(key(0), 0.0, 1.0, [2], f32) == [0, 0]"];
  let comment = "Floats with the distribution function 1 - e^-((x / scale)^concentration).";
  let builder = "graph::weibull";
}
def RandomPareto : Function<"random_pareto", (params Key:$key, Number<>:$b, Ints<"rank", "{}">:$dims, DType<"default_dtype()">:$dtype)> {
  let examples = ["random_pareto(key(0), inf, [2], f32) == [1, 1]"];
  let comment = "Floats from 1 with the density b / x^(b + 1).";
  let builder = "graph::pareto";
}
def RandomLognormal : Function<"random_lognormal", (params Key:$key, Number<>:$sigma, Ints<"rank", "{}">:$dims, DType<"default_dtype()">:$dtype)> {
  let examples = ["random_lognormal(key(0), 0.0, [2], f32) == [1, 1]"];
  let comment = "e to the power of normal numbers with this deviation.";
  let builder = "graph::lognormal";
}
def RandomTruncatedNormal : Function<"random_truncated_normal",
    (params Key:$key, Number<>:$lower, Number<>:$upper, Ints<"rank", "{}">:$dims, DType<"default_dtype()">:$dtype)> {
  let examples = ["random_truncated_normal(key(0), 1.0, 1.0, [2], f32) == [1, 1]"];
  let comment = "Normal numbers of mean 0 and variance 1 that are in [lower, upper]; their last bits depend on the device.";
  let builder = "graph::truncatedNormal";
}
def RandomGamma : Function<"random_gamma", (params Key:$key, Number<>:$a, Ints<"rank", "{}">:$dims, DType<"default_dtype()">:$dtype)> {
  let examples = ["random_gamma(key(0), 0.0, [2], f32) == [0, 0]"];
  let comment = "Floats with the density x^(a - 1) e^-x / gamma(a). They have a derivative with respect to a, and so do functions of them.";
  let builder = "derive::gamma";
}
def RandomLoggamma : Function<"random_loggamma", (params Key:$key, Number<>:$a, Ints<"rank", "{}">:$dims, DType<"default_dtype()">:$dtype)> {
  let examples = ["random_loggamma(key(0), [2, 3], [], f32) == f32[2]"];
  let comment = "Logarithms of such numbers, which underflow if a is near 0.";
  let builder = "derive::logGamma";
}
def RandomChisquare : Function<"random_chisquare", (params Key:$key, Number<>:$df, Ints<"rank", "{}">:$dims, DType<"default_dtype()">:$dtype)> {
  let examples = ["random_chisquare(key(0), 0.0, [2], f32) == [0, 0]"];
  let comment = "The sum of the squares of df normal numbers.";
  let builder = "derive::chiSquare";
}
def RandomT : Function<"random_t", (params Key:$key, Number<>:$df, Ints<"rank", "{}">:$dims, DType<"default_dtype()">:$dtype)> {
  let examples = ["random_t(key(0), 1.0, [2], f32) == f32[2]"];
  let comment = "Student's distribution: a normal number divided by the root of the mean of the squares of df others.";
  let builder = "derive::studentT";
}
def RandomF : Function<"random_f", (params Key:$key, Number<>:$dfnum, Number<>:$dfden, Ints<"rank", "{}">:$dims, DType<"default_dtype()">:$dtype)> {
  let examples = ["random_f(key(0), 1.0, 1.0, [2], f32) == f32[2]"];
  let comment = "The quotient of the means of the squares of dfnum and dfden normal numbers.";
  let builder = "derive::fisherF";
}
def RandomBeta : Function<"random_beta", (params Key:$key, Number<>:$a, Number<>:$b, Ints<"rank", "{}">:$dims, DType<"default_dtype()">:$dtype)> {
  let examples = ["random_beta(key(0), 0.0, 1.0, [2], f32) == [0, 0]"];
  let comment = "Floats in [0, 1] with the density x^(a - 1) (1 - x)^(b - 1) / beta(a, b).";
  let builder = "derive::beta";
}
def RandomDirichlet : Function<"random_dirichlet", (params Key:$key, Tensor:$alpha, Ints<"rank", "{}">:$dims, DType<"default_dtype()">:$dtype)> {
  let examples = ["random_dirichlet(key(0), [2], [3], f32) == [[1], [1], [1]]"];
  let comment = "Positive floats along the last axis whose sum is 1: gamma numbers divided by their sum. dims are those of the other axes.";
  let builder = "derive::dirichlet";
}
def RandomPoisson : Function<"random_poisson", (params Key:$key, Number<>:$rate, Ints<"rank", "{}">:$dims, DType<"i64">:$dtype)> {
  let examples = ["random_poisson(key(0), 0.0, [2], i64) == i64([0, 0])"];
  let comment = "Integers k with the probability rate^k e^-rate / k!; -1 if the rate is below 0 or NaN.";
  let builder = "graph::poisson";
}
def RandomBinomial : Function<"random_binomial",
    (params Key:$key, Number<>:$n, Number<>:$p, Ints<"rank", "{}">:$dims, DType<"i64">:$dtype)> {
  let examples = ["random_binomial(key(0), 4, 1.0, [2], i64) == i64([4, 4])"];
  let comment = "How many of n independent events happen, each with the probability p; -1 if n is negative or p outside of [0, 1], and the largest number of the dtype if n is infinite and p above 0.";
  let builder = "graph::binomial";
}
def RandomGeometric : Function<"random_geometric", (params Key:$key, Number<>:$p, Ints<"rank", "{}">:$dims, DType<"i64">:$dtype)> {
  let examples = ["random_geometric(key(0), 1.0, [2], i64) == i64([1, 1])"];
  let comment = "The number of trials up to and including the first success, each with the probability p; -1 if p is not in (0, 1].";
  let builder = "graph::geometric";
}
def RandomMultinomial : Function<"random_multinomial", (params Key:$key, Number<>:$n, Tensor:$p, DType<"i64">:$dtype)> {
  let examples = ["random_multinomial(key(0), 5, [0, 1], i64) == i64([0, 5])"];
  let comment = [{
    How often each of the events along the last axis of p happens in n trials. The probability of the last one is 1
    minus the sum of the others; -1 if p are not probabilities, or if their sum is above 1.
  }];
  let builder = "derive::multinomial";
}
def RandomCategorical : Function<"random_categorical", (params Key:$key, Tensor:$logits, Int<"-1">:$axis, Ints<"rank", "{}">:$dims)> {
  let examples = ["random_categorical(key(0), [0, -inf], -1, [2]) == i64([0, 0])"];
  let comment = [{
    Positions along the axis, with probabilities in proportion to e^logits. dims is the shape of the result, to which
    the logits without the axis are broadcast; no dims: the shape of the logits without the axis.
  }];
  let builder = "graph::categorical";
}
def RandomChoice : Function<"random_choice",
    (params Key:$key, Int<>:$count, Ints<"rank", "{}">:$dims, Flag<"true">:$replace, OptionalTensor:$p)> {
  let examples = [
    "random_choice(key(0), 3, [2], 1, [0, 1, 0]) == i64([1, 1])",
    "random_choice(key(0), 1, [1], 0) == i64([0])"];
  let comment = [{
    Numbers from 0 to count - 1. The vector p has their probabilities, which are divided by their sum; without p they
    are equal. Without `replace` no number is chosen twice.
  }];
  let builder = "graph::choice";
}
def RandomMultivariateNormal : Function<"random_multivariate_normal",
    (params Key:$key, Tensor:$mean, Tensor:$covariances, Ints<"rank", "{}">:$dims, DType<"default_dtype()">:$dtype)> {
  let examples = ["random_multivariate_normal(key(0), [1, 2], [[0, 0], [0, 0]], [2], f32) == f32[2, 2]"];
  let comment = "Normal vectors along the last axis with this mean and these covariances; NaN if they are not positive definite. dims are those of the other axes.";
  let builder = "graph::multivariateNormal";
}
def RandomOrthogonal : Function<"random_orthogonal", (params Key:$key, Int<>:$n, Ints<"rank", "{}">:$dims, DType<"default_dtype()">:$dtype)> {
  let examples = ["random_orthogonal(key(0), 3, [2], f32) == f32[2, 3, 3]"];
  let comment = "Orthogonal matrices n x n, evenly distributed. dims are those of the other axes.";
  let builder = "graph::orthogonal";
}
} // section
