// Boost.JSON compiled into the plug-in: its static library is not position independent.
#include <boost/json/src.hpp>
