/* What contracts of functions ask of memory. Where a contract is taken for true, a predicate makes what it says: the pointer is
 * led to a new object, to a place in a range, or to where another one leads. Where a contract is checked, it only looks. */

/* Is a function at work whose contract is checked? */
__attribute__((weak)) _Bool beeline_checking;
/* Any byte of an object, which such a function must leave as it is, unless its contract says that it may assign it: a word, and
 * the number of the byte in it. The word is as wide as the type of the object is aligned, and one of four pointers leads to it: so
 * the program's memory can still be taken for the words that the program has there. */
struct beeline_watched {
  const unsigned char *in_1;
  const unsigned short *in_2;
  const unsigned int *in_4;
  const unsigned long long *in_8;
  __SIZE_TYPE__ byte;
};
/* That of the variables with static lifetime. Objects that a contract asks for have others. */
__attribute__((weak)) struct beeline_watched beeline_watched_static;
/* Any memory that the condition at hand has said to be fresh, and its size, which is 0 where there is none. */
__attribute__((weak)) __PTRDIFF_TYPE__ beeline_seen;
__attribute__((weak)) __SIZE_TYPE__ beeline_seen_size;

/* The place of a byte, as its distance from an object: pointers that are compared or kept in one variable might lead to the same
 * objects, so these could not be told apart. */
__attribute__((weak)) char beeline_origin;
#define BEELINE_PLACE(pointer) ((const char *)(pointer) - &beeline_origin)

/* Operations on these, which are right as they are. */
#define BEELINE_OURS                                                                                \
  static __attribute__((unused, no_sanitize("undefined", "integer", "implicit-conversion")))

/* Does a byte of a word lie in a range? */
BEELINE_OURS _Bool beeline_lies(__PTRDIFF_TYPE__ word, __SIZE_TYPE__ byte, __PTRDIFF_TYPE__ start,
                                __SIZE_TYPE__ size) {
  __SIZE_TYPE__ at = (__SIZE_TYPE__)word + byte - (__SIZE_TYPE__)start;
  return (__PTRDIFF_TYPE__)at >= 0 && at < size;
}

/* Have two ranges no byte in common? */
BEELINE_OURS _Bool beeline_are_apart(__PTRDIFF_TYPE__ one, __SIZE_TYPE__ size, __PTRDIFF_TYPE__ other,
                                     __SIZE_TYPE__ its_size) {
  return size == 0 || its_size == 0 ||
         (one <= other ? (__SIZE_TYPE__)other - (__SIZE_TYPE__)one >= size
                       : (__SIZE_TYPE__)one - (__SIZE_TYPE__)other >= its_size);
}

BEELINE_OURS unsigned long long beeline_byte_of(unsigned long long word, __SIZE_TYPE__ byte) {
  return word & 0xffULL << (byte & 7) * 8;
}

_Bool __VERIFIER_nondet_bool(void);
void __VERIFIER_nondet_memory(void *to, __SIZE_TYPE__ size);
/* Allocates as malloc does, which the proof may define itself. */
void *__kmalloc(__SIZE_TYPE__ size, int flags);

/* Are there words of a width in an object, and nothing else? Only what the compiler knows counts. */
#define BEELINE_HAS_WORDS(width, size, align)                                                       \
  (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && (align) % (width) == 0 &&                           \
   __builtin_choose_expr(__builtin_constant_p(size), (size), 1) % (width) == 0)

/* Has any byte of an object be watched, or what is watched so far. */
#define BEELINE_WATCH(watched, object, size, align)                                                 \
  do {                                                                                              \
    __SIZE_TYPE__ beeline_word = __VERIFIER_nondet_ulong(), beeline_byte = __VERIFIER_nondet_ulong(); \
    if (BEELINE_HAS_WORDS(8, size, align))                                                          \
      BEELINE_WATCH_IN(8, watched, object, size);                                                   \
    else if (BEELINE_HAS_WORDS(4, size, align))                                                     \
      BEELINE_WATCH_IN(4, watched, object, size);                                                   \
    else if (BEELINE_HAS_WORDS(2, size, align))                                                     \
      BEELINE_WATCH_IN(2, watched, object, size);                                                   \
    else                                                                                            \
      BEELINE_WATCH_IN(1, watched, object, size);                                                   \
  } while (0)
#define BEELINE_WATCH_IN(width, watched, object, size)                                              \
  do {                                                                                              \
    if (!beeline_checking && beeline_word < (size) / (width) && beeline_byte < (width)) {           \
      (watched).in_##width = (__typeof__((watched).in_##width))(object) + beeline_word;             \
      (watched).byte = beeline_byte;                                                                \
    }                                                                                               \
  } while (0)

/* What is to be said of the pointer that leads to the watched word; what to say where none does. */
#define BEELINE_OF_WORD(watched, what, none)                                                        \
  ((watched).in_8   ? what((watched).in_8)                                                          \
   : (watched).in_4 ? what((watched).in_4)                                                          \
   : (watched).in_2 ? what((watched).in_2)                                                          \
   : (watched).in_1 ? what((watched).in_1)                                                          \
                    : (none))
#define BEELINE_CONTENTS(pointer) (unsigned long long)*(pointer)
#define BEELINE_LIVES(pointer) (__CPROVER_r_ok)(pointer, 1)

/* Is a byte watched, what does it hold, and is it still there? */
#define BEELINE_IS(pointer) 1
#define BEELINE_WATCHES(watched) BEELINE_OF_WORD(watched, BEELINE_IS, 0)
#define BEELINE_HELD(watched)                                                                       \
  beeline_byte_of(BEELINE_OF_WORD(watched, BEELINE_CONTENTS, 0), (watched).byte)
#define BEELINE_IS_THERE(watched) BEELINE_OF_WORD(watched, BEELINE_LIVES, 0)
/* Does it lie in a range, or in the object that a pointer leads to? */
#define BEELINE_LIES(watched, start, size)                                                          \
  beeline_lies(BEELINE_OF_WORD(watched, BEELINE_PLACE, 0), (watched).byte, BEELINE_PLACE(start), size)
#define BEELINE_IS_PART(watched, object)                                                            \
  ((watched).in_8   ? __CPROVER_same_object((watched).in_8, object)                                 \
   : (watched).in_4 ? __CPROVER_same_object((watched).in_4, object)                                 \
   : (watched).in_2 ? __CPROVER_same_object((watched).in_2, object)                                 \
                    : __CPROVER_same_object((watched).in_1, object))
#define BEELINE_WATCH_NONE(watched)                                                                 \
  do {                                                                                              \
    (watched).in_8 = 0;                                                                             \
    (watched).in_4 = 0;                                                                             \
    (watched).in_2 = 0;                                                                             \
    (watched).in_1 = 0;                                                                             \
  } while (0)

/* Is told of each variable with static lifetime. */
__attribute__((weak)) void beeline_watch(const void *object, __SIZE_TYPE__ size) {
  BEELINE_WATCH(beeline_watched_static, object, size, 1);
}

/* A predicate that must hold does; any other one may also not hold, and makes nothing then. */
#define BEELINE_MAKES(must) ((must) || __VERIFIER_nondet_bool())

#define beeline_make_fresh(pointer, size, align, must, watched)                                     \
  __extension__({                                                                                   \
    _Bool beeline_makes = BEELINE_MAKES(must);                                                      \
    if (beeline_makes) {                                                                            \
      __SIZE_TYPE__ beeline_size = (size);                                                          \
      void *beeline_object = __kmalloc(beeline_size, 0);                                                \
      __CPROVER_assume(beeline_object != 0);                                                        \
      *(pointer) = beeline_object;                                                                  \
      BEELINE_WATCH(watched, beeline_object, size, align);                                          \
    }                                                                                               \
    beeline_makes;                                                                                  \
  })

#define beeline_make_equal(pointer, other, must)                                                    \
  __extension__({                                                                                   \
    _Bool beeline_makes = BEELINE_MAKES(must);                                                      \
    if (beeline_makes)                                                                              \
      *(pointer) = (void *)(other);                                                                 \
    beeline_makes;                                                                                  \
  })

#define beeline_make_in_range(from, pointer, to, must)                                              \
  __extension__({                                                                                   \
    const char *beeline_from = (const void *)(from), *beeline_to = (const void *)(to);              \
    _Bool beeline_makes = BEELINE_MAKES(must) && beeline_is_range(beeline_from, beeline_to);        \
    if (beeline_makes) {                                                                            \
      __SIZE_TYPE__ beeline_at = __VERIFIER_nondet_ulong();                                         \
      __CPROVER_assume(beeline_at <= (__SIZE_TYPE__)(beeline_to - beeline_from));                   \
      *(pointer) = (void *)(beeline_from + beeline_at);                                             \
    }                                                                                               \
    beeline_makes;                                                                                  \
  })

/* Writes anything to what a pointer leads to. */
#define BEELINE_ANY(pointer)                                                                        \
  do {                                                                                              \
    __typeof__(*(pointer)) beeline_any;                                                             \
    __builtin_memcpy((void *)(pointer), (const void *)&beeline_any, sizeof(beeline_any));           \
  } while (0)

static __attribute__((unused)) _Bool beeline_is_range(const void *from, const void *to) {
  return from != 0 && __CPROVER_same_object(from, to) &&
         __CPROVER_POINTER_OFFSET(from) <= __CPROVER_POINTER_OFFSET(to);
}

/* What is said to be fresh has no byte in common: this has none with any that came before. It may be a part of the same object, as
 * the function whose contract says so was checked for objects of their own. */
#define __CPROVER_is_fresh(pointer, size)                                                           \
  __extension__({                                                                                   \
    const void *beeline_fresh = (pointer);                                                          \
    __SIZE_TYPE__ beeline_size = (size);                                                            \
    __PTRDIFF_TYPE__ beeline_place = BEELINE_PLACE(beeline_fresh);                                  \
    _Bool beeline_is =                                                                              \
        beeline_fresh != 0 && (__CPROVER_r_ok)(beeline_fresh, beeline_size) &&                      \
        beeline_are_apart(beeline_place, beeline_size, beeline_seen, beeline_seen_size);            \
    if (beeline_is && __VERIFIER_nondet_bool()) {                                                   \
      beeline_seen = beeline_place;                                                                 \
      beeline_seen_size = beeline_size;                                                             \
    }                                                                                               \
    beeline_is;                                                                                     \
  })

static __attribute__((unused)) _Bool __CPROVER_pointer_equals(const void *pointer, const void *other) {
  return pointer == other;
}

static __attribute__((unused)) _Bool __CPROVER_pointer_in_range_dfcc(const void *from, const void *pointer,
                                                                     const void *to) {
  return beeline_is_range(from, pointer) && beeline_is_range(pointer, to);
}
