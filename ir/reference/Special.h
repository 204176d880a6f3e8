//===- Special.h - Reference special functions ------------------*- C++ -*-===//
//
// These functions compute in long double by the simplest formulas that are
// accurate. Tests compare the polynomials of the kernels with them.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_IR_REFERENCE_SPECIAL_H
#define TENSORC_IR_REFERENCE_SPECIAL_H

namespace tensorc::reference {

double erfcx(double x);
double erfinv(double x);
double ndtr(double x);
double logNdtr(double x);
double ndtri(double x);
double lgamma(double x);
double digamma(double x);
double zeta(double s, double q);
double polygamma(double n, double x);
double gammainc(double a, double x);
double gammaincc(double a, double x);
double betainc(double a, double b, double x);
/// Returns the Bessel function of order 0 or 1, multiplied by e^-|x| if
/// `scaled`.
double bessel(int order, double x, bool scaled);
double sinc(double x);
double xlogy(double x, double y);
double xlog1py(double x, double y);
double log1mexp(double x);
double logit(double x);
double entr(double x);

} // namespace tensorc::reference

#endif // TENSORC_IR_REFERENCE_SPECIAL_H
