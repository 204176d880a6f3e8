#ifndef TENSORC_TESTS_UNIT_EXPORTS_C_INDEXING_TEST_H
#define TENSORC_TESTS_UNIT_EXPORTS_C_INDEXING_TEST_H
/* How many checks failed. */
int test_indexing(void);
#endif
