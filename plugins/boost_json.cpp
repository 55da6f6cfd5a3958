// Boost.JSON for plug-ins, compiled once: Debian's static library is not position independent, and
// a shared one would have to exist wherever a plug-in is copied to.
#include <boost/json/src.hpp>
