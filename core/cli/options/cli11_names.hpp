// CLI11's classes by name. Each source file that includes CLI11 itself makes a set of its
// validators when the command starts, so only those do that parse.
#pragma once

// The library's name. NOLINTNEXTLINE(readability-identifier-naming)
namespace CLI {

class App;
class Option;
class ParseError;

}  // namespace CLI
