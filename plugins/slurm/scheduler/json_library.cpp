// Boost.JSON compiled into the plug-in: its static library is not position independent, and a shared one would have to
// be there wherever the plug-in is.
#include <boost/json/src.hpp>
