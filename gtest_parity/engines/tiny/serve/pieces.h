// A rendered text as tokens, from any byte of it on.
#ifndef GTEST_PARITY_ENGINES_TINY_SERVE_PIECES_H_
#define GTEST_PARITY_ENGINES_TINY_SERVE_PIECES_H_

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gtest_parity/engines/tiny/tokens/tokenizer.h"

namespace parity::tiny {

// A token and the bytes of the text that it stands for.
struct Piece {
  std::int32_t id = 0;
  std::string text;
};

// Control markers are tokens of their own. An attachment, "<image:", 40 hexadecimal digits and ">",
// is 12 rows of 4 bytes each, whose ids are made of those bytes: wherever a text is cut, what lies
// before the cut says which rows they are.
class Pieces {
 public:
  Pieces(Tokenizer& tokenizer, std::uint64_t vocabulary);

  std::vector<Piece> Of(const std::string& text, std::size_t from) const;
  // Of tokens that make up `text`, where each one's bytes end.
  std::vector<std::size_t> EndsIn(const std::string& text,
                                  const std::vector<std::int32_t>& tokens) const;
  std::string TextOf(std::int32_t id) const;

  static std::string Attachment(const std::string& digest);
  static bool HasAttachment(std::string_view text);
  // Throws EngineError (PARITY_INVALID) where a text from outside spells a marker.
  void CheckPlain(const std::string& text, const std::string& where) const;
  const std::string& bos() const { return bos_; }
  const std::string& eos() const { return eos_; }
  // Whether a sequence is over where the model chooses it.
  bool Ends(std::int32_t id) const { return id == bos_id_ || id == eos_id_; }

 private:
  std::int32_t RowId(std::string_view row) const;
  void AppendPlain(std::string_view text, std::vector<Piece>& pieces) const;

  Tokenizer& tokenizer_;
  std::uint64_t vocabulary_;
  std::int32_t bos_id_ = -1, eos_id_ = -1;
  std::string bos_, eos_;
  std::array<std::int32_t, 256> id_of_byte_{};
};

}  // namespace parity::tiny

#endif  // GTEST_PARITY_ENGINES_TINY_SERVE_PIECES_H_
