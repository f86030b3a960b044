// Program: words that are quoted where needed, joined by spaces and split again are the same words.
// BUG 1: a word is quoted for a space in it, but not for being empty.
// BUG 2: a quotation mark within a word is not escaped when it is the last byte.
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

#ifndef SIZE
#define SIZE 4
#endif

#define WORDS 2
#define LONGEST (SIZE / 2)

extern unsigned char __VERIFIER_nondet_uchar(void);

struct text {
  unsigned char bytes[(2 * LONGEST + 3) * WORDS];
  size_t length;
};

struct word {
  unsigned char bytes[LONGEST];
  size_t length;
};

static void put(struct text *text, unsigned char byte) {
  text->bytes[text->length++] = byte;
}

static bool needs_quotes(const struct word *word) {
  for (size_t i = 0; i < word->length; i++)
    if (word->bytes[i] == ' ' || word->bytes[i] == '"' || word->bytes[i] == '\\')
      return true;
#if BUG == 1
  return false;
#else
  return word->length == 0;
#endif
}

static void join(struct text *text, const struct word *words, size_t count) {
  text->length = 0;
  for (const struct word *word = words; word < words + count; word++) {
    bool quoted = needs_quotes(word);
    if (word > words)
      put(text, ' ');
    if (quoted)
      put(text, '"');
    for (size_t i = 0; i < word->length; i++) {
#if BUG == 2
      if (word->bytes[i] == '\\' || (word->bytes[i] == '"' && i + 1 < word->length))
#else
      if (word->bytes[i] == '\\' || word->bytes[i] == '"')
#endif
        put(text, '\\');
      put(text, word->bytes[i]);
    }
    if (quoted)
      put(text, '"');
  }
}

static size_t split(const struct text *text, struct word *words, size_t room) {
  size_t count = 0, at = 0;
  while (at < text->length && count < room) {
    struct word *word = &words[count];
    bool quoted = text->bytes[at] == '"';
    word->length = 0;
    for (at += quoted; at < text->length; at++) {
      if (text->bytes[at] == (quoted ? '"' : ' '))
        break;
      if (quoted && text->bytes[at] == '\\' && at + 1 < text->length)
        at++;
      if (word->length == LONGEST)
        return count;
      word->bytes[word->length++] = text->bytes[at];
    }
    count++;
    at += quoted ? 2 : 1;
  }
  return count;
}

int main(void) {
  struct word words[WORDS], back[WORDS];
  struct text text;
  for (size_t i = 0; i < WORDS; i++) {
    words[i].length = __VERIFIER_nondet_uchar() % (LONGEST + 1);
    for (size_t j = 0; j < words[i].length; j++)
      words[i].bytes[j] = __VERIFIER_nondet_uchar();
  }

  join(&text, words, WORDS);
  size_t count = split(&text, back, WORDS);

  assert(count == WORDS);
  for (size_t i = 0; i < WORDS; i++) {
    assert(back[i].length == words[i].length);
    for (size_t j = 0; j < words[i].length; j++)
      assert(back[i].bytes[j] == words[i].bytes[j]);
  }
  return 0;
}
