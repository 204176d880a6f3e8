# Prints what bash offers for command lines, with the function of a script of tensorc --print-completion=bash.
source "$1"
compopt() { echo "compopt $*"; }
offer() {
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
  _tensorc
  echo "$*: ${COMPREPLY[*]}"
}
offer tensorc d
offer tensorc --print-completion = f
offer tensorc compile --stop
offer tensorc compile --emit = pac
offer tensorc compile --stop-after =
offer tensorc compile -O
offer tensorc compile y
offer tensorc run --input = y
offer tensorc inspect --max
