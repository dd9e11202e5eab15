// SPDX-License-Identifier: Apache-2.0
// Writes and reads the parts of a query log's records. LogWriter and LogReader have the same
// functions, so that one description of a record (log_records.h) serves both.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

#include "../../../core/printable.h"
#include "../../../core/vec.h"
#include "../../../levels/block_type.h"
#include "../../../query/fields.h"
#include "../../internal/byte_reader.h"
#include "../../internal/little_endian.h"

namespace fractalray::internal {

// Returns a number as the integer whose bytes a log has.
template <class Number>
constexpr auto asInteger(Number number) {
  if constexpr (std::is_same_v<Number, double>) {
    return std::bit_cast<std::uint64_t>(number);
  } else if constexpr (std::is_enum_v<Number>) {
    return static_cast<std::underlying_type_t<Number>>(number);
  } else {
    return number;
  }
}

// Says whether a log has members of this type: those that are plain, and budgets, by their numbers.
template <class Member>
constexpr bool isLogged() {
  return isPlain<Member>() || std::is_same_v<Member, BudgetId>;
}

// Appends to bytes what it is given. Types and channels are those of a table; one that the table
// lacks has an empty name.
class LogWriter {
 public:
  explicit LogWriter(std::string& bytes) : bytes_(bytes) {}
  LogWriter(std::string& bytes, const BlockTypeTable& types, ChannelId channel)
      : bytes_(bytes), types_(&types), channel_(channel) {}

  // From now on, all lists are written as empty ones.
  void leaveOutLists() { leaves_out_lists_ = true; }

  // A number, or those of a vector, in as many bytes as the type has.
  template <class Number>
  void value(const Number& number) {
    appendLittle(bytes_, asInteger(number));
  }
  template <class T, int N, class Tag>
  void value(const Vec<T, N, Tag>& vector) {
    for (const T& component : vector.values)
      value(component);
  }
  // A reader sets what a description has computed from values before, and requires what is not
  // certain.
  template <class T>
  void set(const T& /*object*/, const std::type_identity_t<T>& /*value*/) {}
  template <class... Values>
  void require(bool /*is_right*/, std::string_view /*what*/, const Values&... /*values*/) {}
  // The value of an optional, of which a flag says that it has one.
  template <class T>
  const T& present(const std::optional<T>& optional) {
    return *optional;
  }
  void name(std::string_view /*what*/, BlockTypeId type) {
    text(types_->contains(type) ? std::string_view(types_->name(type)) : std::string_view());
  }
  void name(std::string_view /*what*/, ChannelId channel) {
    text(hasChannel(channel) ? std::string_view(types_->channelName(channel)) : std::string_view());
  }
  // All bytes to the record's end.
  void rest(std::string_view bytes) { bytes_ += bytes; }
  // The number of items, at most `most`, in as many bytes as `Count` has, and the items by a call
  // of `each`. A list may also be an object whose forEach() passes its items on.
  template <class Count, class List, class Each>
  void list(std::string_view /*what*/, std::size_t /*most*/, const List& list, const Each& each) {
    if (leaves_out_lists_) {
      value(Count{0});
    } else if constexpr (requires { list.size(); }) {
      value(static_cast<Count>(list.size()));
      for (const auto& item : list)
        each(item);
    } else {
      const std::size_t count_at = bytes_.size();
      Count count = 0;
      value(count);
      list.forEach([&](const auto& item) {
        each(item);
        ++count;
      });
      putLittle(bytes_, count_at, count);
    }
  }
  // The plain members of a struct (query/fields.h) that differ from their defaults: their number,
  // and for each its name and its value, integers in 8 bytes. A flag has no bytes: it differs, or
  // it is not there.
  template <class T>
  void fields(std::string_view /*what*/, const T& object) {
    static const T kUsual;
    const std::size_t count_at = bytes_.size();
    std::uint8_t count = 0;
    value(count);
    forEachField(
        [&]<class Member>(std::string_view name, const Member& member, const Member& usual) {
          if constexpr (isLogged<Member>()) {
            if (member == usual) return;
            ++count;
            value(static_cast<std::uint8_t>(name.size()));
            bytes_ += name;
            if constexpr (!std::is_integral_v<Member>) {
              value(member);
            } else if constexpr (!std::is_same_v<Member, bool>) {
              value(std::uint64_t{member});
            }
          }
        },
        object, kUsual);
    putLittle(bytes_, count_at, count);
  }

  // Says whether a block of this type ends a shot by itself.
  bool isSolid(BlockTypeId type) const {
    return types_->contains(type) && hasChannel(channel_) &&
           types_->kind(type, channel_) == BlockKind::kSolid;
  }

 private:
  bool hasChannel(ChannelId channel) const {
    return static_cast<std::size_t>(channel) < types_->channels();
  }
  void text(std::string_view text) {
    value(static_cast<std::uint32_t>(text.size()));
    bytes_ += text;
  }

  std::string& bytes_;
  const BlockTypeTable* types_ = nullptr;
  ChannelId channel_{};
  bool leaves_out_lists_ = false;
};

// Reads what a LogWriter wrote into what it is given, which has its defaults. The first thing found
// wrong stays as the error; what is read after it has no meaning. Numbers of items reserve nothing.
class LogReader {
 public:
  // `subject` begins the errors: "it".
  LogReader(std::string_view bytes, std::string_view subject)
      : bytes_({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}),
        subject_(subject) {}

  // Returns the first error as DATA_LOSS, also if the bytes ended too early or are not all read:
  // then they are not as long as `whole`.
  absl::Status finish(std::string_view whole) const {
    const std::size_t left = bytes_.rest().size();
    if (!error_.empty()) return absl::DataLossError(error_);
    if (bytes_.ok() && left == 0) return absl::OkStatus();
    return absl::DataLossError(
        absl::StrCat(subject_, " is not as long as ", std::string(whole),
                     bytes_.ok() ? absl::StrCat(": there are ", left, " bytes too many") : ""));
  }

  template <class Number>
  void value(Number& number) {
    number = std::bit_cast<Number>(bytes_.little<decltype(asInteger(number))>());
  }
  template <class T, int N, class Tag>
  void value(Vec<T, N, Tag>& vector) {
    for (T& component : vector.values)
      value(component);
  }
  template <class T>
  void set(T& object, const std::type_identity_t<T>& value) {
    object = value;
  }
  // The error has the subject, what is wrong, and the values.
  template <class... Values>
  void require(bool is_right, std::string_view what, const Values&... values) {
    if (is_right || !ok()) return;
    error_ = absl::StrCat(subject_, " has ", std::string(what), values...);
  }
  template <class T>
  T& present(std::optional<T>& optional) {
    optional = T();
    return *optional;
  }
  void name(std::string_view what, std::string& name) {
    std::uint32_t size = 0;
    value(size);
    name = bytes_.text(size);
    const absl::Status status = checkName(what, name);
    if (!status.ok() && ok()) error_ = std::string(status.message());
  }
  void rest(std::string& bytes) { bytes = bytes_.text(bytes_.rest().size()); }
  template <class Count, class List, class Each>
  void list(std::string_view what, std::size_t most, List& list, const Each& each) {
    Count count = 0;
    value(count);
    require(count <= most, what, count, "; at most ", most, " is possible");
    for (; count > 0 && ok(); --count)
      each(list.emplace_back());
  }
  template <class T>
  void fields(std::string_view what, T& object) {
    for (int count = bytes_.u8(); count > 0 && ok(); --count) {
      const std::string_view wanted = bytes_.text(bytes_.u8());
      const char* problem = ", which this program does not know";
      forEachField(
          [&]<class Member>(std::string_view name, Member& member) {
            if constexpr (isLogged<Member>()) {
              if (name != wanted) return;
              problem = readMember(member) ? nullptr : " with a value that it cannot have";
            }
          },
          object);
      if (problem == nullptr || !ok()) continue;
      error_ =
          absl::StrCat(subject_, " has the ", std::string(what), " ", quotedText(wanted), problem);
    }
  }

 private:
  bool ok() const { return bytes_.ok() && error_.empty(); }
  // Returns false for a value that no member of this type has.
  template <class Member>
  bool readMember(Member& member) {
    if constexpr (std::is_same_v<Member, bool>) {
      member = !member;
    } else if constexpr (std::is_integral_v<Member>) {
      const auto number = bytes_.little<std::uint64_t>();
      member = static_cast<Member>(number);
      return member == number;
    } else {
      value(member);
      if constexpr (HasWords<Member>) return !wordOf(member).empty();
    }
    return true;
  }

  ByteReader bytes_;
  std::string subject_;
  std::string error_;
};

// A number in one byte, at most `most`.
template <class Archive, class Number>
void upTo(Archive& archive, std::string_view what, Number& number, std::size_t most) {
  auto byte = static_cast<std::uint8_t>(number);
  archive.value(byte);
  archive.require(byte <= most, what, int{byte}, "; at most ", most, " is possible");
  archive.set(number, static_cast<Number>(byte));
}

// One of the values, by its index in one byte; the first in place of any other.
template <class Archive, class T, std::size_t N>
void oneOf(Archive& archive, std::string_view what, T& value,
           const std::array<std::remove_const_t<T>, N>& values) {
  std::size_t index = N - 1;
  while (index > 0 && !(values[index] == value))
    --index;
  upTo(archive, what, index, N - 1);
  archive.set(value, values[index < N ? index : 0]);
}

// Up to eight flags in the bits of a byte, from the lowest on.
template <class Archive, class... Flags>
void flags(Archive& archive, Flags&... each) {
  static_assert(sizeof...(Flags) <= 8);
  std::uint8_t bits = 0;
  int bit = 0;
  ((bits = static_cast<std::uint8_t>(bits | int{each} << bit++)), ...);
  archive.value(bits);
  archive.require(bits >> sizeof...(Flags) == 0, "unknown flags of ", int{bits});
  bit = 0;
  (archive.set(each, (bits >> bit++ & 1) != 0), ...);
}

// Items, each by a call of `each`, after their number, in four bytes or, of at most `most`, in one.
template <class Archive, class List, class Each>
void list(Archive& archive, List& items, const Each& each) {
  archive.template list<std::uint32_t>("", std::numeric_limits<std::uint32_t>::max(), items, each);
}
template <class Archive, class List, class Each>
void shortList(Archive& archive, std::string_view what, std::size_t most, List& items,
               const Each& each) {
  archive.template list<std::uint8_t>(what, most, items, each);
}

}  // namespace fractalray::internal
