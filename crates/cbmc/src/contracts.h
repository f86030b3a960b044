/* What contracts of functions ask of memory. Where a contract is taken for true, a predicate makes what it says: the pointer is
 * led to a new object, to a place in a range, or to where another one leads. Where a contract is checked, it only looks. */

/* Is a function at work whose contract is checked? */
__attribute__((weak)) _Bool beeline_checking;
/* Any byte of a variable with static lifetime, which such a function must leave as it is, unless its contract says that it may
 * assign it. Objects that its contract asks for have others of this kind. */
__attribute__((weak)) const char *beeline_watched_static;
/* Any memory that the condition at hand has said to be fresh. */
__attribute__((weak)) const void *beeline_seen;
__attribute__((weak)) __SIZE_TYPE__ beeline_seen_size;

_Bool __VERIFIER_nondet_bool(void);
void __VERIFIER_nondet_memory(void *to, __SIZE_TYPE__ size);
/* Allocates as malloc does, which the proof may define itself. */
void *__kmalloc(__SIZE_TYPE__ size, int flags);

/* Has any byte of an object be watched, or what is watched so far. */
#define BEELINE_WATCH(watched, object, size)                                                        \
  do {                                                                                              \
    __SIZE_TYPE__ beeline_byte = __VERIFIER_nondet_ulong();                                         \
    if (!beeline_checking && beeline_byte < (size))                                                 \
      (watched) = (const char *)(object) + beeline_byte;                                            \
  } while (0)

/* Is told of each variable with static lifetime. */
__attribute__((weak)) void beeline_watch(const void *object, __SIZE_TYPE__ size) {
  BEELINE_WATCH(beeline_watched_static, object, size);
}

/* A predicate that must hold does; any other one may also not hold, and makes nothing then. */
#define BEELINE_MAKES(must) ((must) || __VERIFIER_nondet_bool())

#define beeline_make_fresh(pointer, size, must, watched)                                            \
  __extension__({                                                                                   \
    _Bool beeline_makes = BEELINE_MAKES(must);                                                      \
    if (beeline_makes) {                                                                            \
      __SIZE_TYPE__ beeline_size = (size);                                                          \
      void *beeline_object = __kmalloc(beeline_size, 0);                                                \
      __CPROVER_assume(beeline_object != 0);                                                        \
      *(pointer) = beeline_object;                                                                  \
      BEELINE_WATCH(watched, beeline_object, beeline_size);                                         \
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
static __attribute__((unused)) _Bool __CPROVER_is_fresh(const void *pointer, __SIZE_TYPE__ size) {
  if (pointer == 0 || !(__CPROVER_r_ok)(pointer, size))
    return 0;
  __SIZE_TYPE__ from = (__SIZE_TYPE__)pointer, seen = (__SIZE_TYPE__)beeline_seen;
  _Bool is_new = beeline_seen == 0 || from + size <= seen || seen + beeline_seen_size <= from;
  __CPROVER_assert(is_new, "__CPROVER_is_fresh: two pointers lead to the same memory");
  if (__VERIFIER_nondet_bool()) {
    beeline_seen = pointer;
    beeline_seen_size = size;
  }
  return 1;
}

static __attribute__((unused)) _Bool __CPROVER_pointer_equals(const void *pointer, const void *other) {
  return pointer == other;
}

static __attribute__((unused)) _Bool __CPROVER_pointer_in_range_dfcc(const void *from, const void *pointer,
                                                                     const void *to) {
  return beeline_is_range(from, pointer) && beeline_is_range(pointer, to);
}
