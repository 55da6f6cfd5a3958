// The Runner as the other parts of Slipway see it: the public header, with the classes complete
// that it only names.
#pragma once

#include "core/registry/plugin_host.hpp"
#include "core/resources/resource_book.hpp"
#include "slipway/runner.hpp"
