// Compiles fmt once for the whole program. Debian has fmt only as a shared library, which would
// load libstdc++.so at every start. Used as headers alone, fmt doubles the time to compile each
// file.
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
