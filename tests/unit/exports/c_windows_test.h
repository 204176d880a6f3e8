#ifndef TENSORC_TESTS_UNIT_EXPORTS_C_WINDOWS_TEST_H
#define TENSORC_TESTS_UNIT_EXPORTS_C_WINDOWS_TEST_H
/* How many checks failed. */
int test_windows(void);
int test_random(void);
#endif
