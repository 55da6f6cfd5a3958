// slipway::Runner for the other parts of Slipway: the public header, with the definitions of the
// internal classes that it declares.
#pragma once

#include "core/registry/plugin_host.hpp"
#include "core/resources/resource_book.hpp"
#include "slipway/runner.hpp"
