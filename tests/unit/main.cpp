// The entry point that all unit test programs share.
#define BOOST_TEST_MODULE slipway
#include <boost/test/unit_test.hpp>
