#define TOML_IMPLEMENTATION
#include "sdk/check/toml.hpp"
