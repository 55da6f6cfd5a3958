// The places of a table and of the values in it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/spec/node.hpp"
#include "core/spec/problem.hpp"

namespace slipway::spec {

struct TableMarks {
  /// The places of one value.
  struct Value {
    std::string key;
    Mark at;
    std::vector<Mark> items;  ///< places of the items of a list, or of the keys of a table
  };

  Mark table;                 ///< place of the table, or of its key; line 0 if it has none
  std::vector<Value> values;  ///< the values that the table sets, in order

  /// Adds the place of an entry's value and returns it. The reference is valid until the next call.
  Value& add(const NodeEntry& entry) {
    return values.emplace_back(Value{entry.key, entry.value.at, {}});
  }

  /// Returns the value's places, or nullptr if the table does not set it.
  const Value* find(std::string_view key) const {
    for (const Value& value : values) {
      if (value.key == key) return &value;
    }
    return nullptr;
  }

  /// Returns the place of a value, or the table's place if the table does not set it.
  Mark at(std::string_view key) const {
    const Value* value = find(key);
    return value != nullptr ? value->at : table;
  }

  /// Returns the place of an item of a value, or a mark without a line if it is unknown.
  Mark item(std::string_view key, std::size_t index) const {
    const Value* value = find(key);
    return value != nullptr && index < value->items.size() ? value->items[index] : Mark{};
  }
};

}  // namespace slipway::spec
