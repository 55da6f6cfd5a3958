#include "plugins/local/engine/state_view.hpp"

#include <cstring>

#include "sdk/support/utf8.hpp"

namespace slipway::local {

void StateView::look_at(char* bytes) {
  header_ = reinterpret_cast<StateHeader*>(bytes);
  heads_ = reinterpret_cast<ReplicaHead*>(bytes + header_->fixed.entries_offset);
  tails_ = reinterpret_cast<ReplicaTail*>(bytes + tails_offset(header_->fixed));
}

void StateView::set_message(std::string_view text) {
  text = utf8_prefix(text, kMessageBytes);
  header_->message_length.store(0, std::memory_order_release);
  std::memcpy(header_->message, text.data(), text.size());
  header_->message_length.store(static_cast<std::uint32_t>(text.size()), std::memory_order_release);
}

std::string StateView::log_dir() const {
  const StringRef ref = header_->fixed.log_dir;
  return std::string(bytes() + ref.offset, ref.length);
}

std::string StateView::replica_name(std::uint32_t index) const {
  const StateFixed& fixed = header_->fixed;
  for (std::uint32_t i = 0; i < fixed.role_count; ++i) {
    const auto role = value_at<RoleEntry>(bytes(), fixed.roles_offset + i * sizeof(RoleEntry));
    if (index - role.first_entry < role.count) {
      return std::string(bytes() + role.name.offset, role.name.length) + '/' +
             std::to_string(index - role.first_entry);
    }
  }
  return std::to_string(index);
}

}  // namespace slipway::local
