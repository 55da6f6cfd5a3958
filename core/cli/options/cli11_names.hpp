// Declares CLI11's classes. A source file that includes CLI11 itself constructs its validators when
// the program starts, so only files that use CLI11 include it.
#pragma once

// The library's name. NOLINTNEXTLINE(readability-identifier-naming)
namespace CLI {

class App;
class Option;
class ParseError;

}  // namespace CLI
