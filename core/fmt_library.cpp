// fmt, compiled once. Debian has only a shared library of it, which would load libstdc++.so at
// every start, and as headers alone it doubles the time that each file takes to compile.
#include <fmt/format-inl.h>

namespace fmt {
inline namespace v9 {
namespace detail {

// The header leaves these two to the library.
template auto thousands_sep_impl<char>(locale_ref) -> thousands_sep_result<char>;
template auto decimal_point_impl<char>(locale_ref) -> char;

}  // namespace detail
}  // namespace v9
}  // namespace fmt
