// The compiled code of toml++ (see toml.hpp).
#define TOML_IMPLEMENTATION
#include "core/spec/toml.hpp"
