/* What CBMC knows by itself and a macro or a declaration can say. The rest is changed in the files. */

#pragma clang system_header

#define __CPROVER_size_t __SIZE_TYPE__
#define __CPROVER_ssize_t __PTRDIFF_TYPE__
#define __CPROVER_bool _Bool
#define __CPROVER_bitvector(width) _BitInt(width)
#define __CPROVER_thread_local __thread
#define __CPROVER_max_malloc_size ((__SIZE_TYPE__)1 << 47)

void __CPROVER_assume(_Bool holds);
void __CPROVER_assert(_Bool holds, const char *what);
void __CPROVER_precondition(_Bool holds, const char *what);
void __CPROVER_postcondition(_Bool holds, const char *what);
void __CPROVER_cover(_Bool holds);
void __CPROVER_input(const char *name, ...);
void __CPROVER_output(const char *name, ...);
void __CPROVER_atomic_begin(void);
void __CPROVER_atomic_end(void);

/* What may be accessed: in one object that lives. Without a size that of what the pointer leads to is meant. */
_Bool __CPROVER_r_ok(const void *from, __SIZE_TYPE__ size, ...);
_Bool __CPROVER_w_ok(const void *to, __SIZE_TYPE__ size, ...);
_Bool __CPROVER_rw_ok(const void *at, __SIZE_TYPE__ size, ...);
#define __CPROVER_r_ok(...) BEELINE_ASKED(__CPROVER_r_ok, __VA_ARGS__)
#define __CPROVER_w_ok(...) BEELINE_ASKED(__CPROVER_w_ok, __VA_ARGS__)
#define __CPROVER_rw_ok(...) BEELINE_ASKED(__CPROVER_rw_ok, __VA_ARGS__)
#define BEELINE_OF(at, ...) sizeof(*(at))
#define BEELINE_SIZE(at, size, ...) (size)
#define BEELINE_VALUE(at, ...) (at)
#define BEELINE_TYPE(at, ...) __typeof__((at) + 0)

/* A pointer about whose object something is asked is null or leads to one, if that is to be checked. */
#ifdef BEELINE_PRIMITIVES
#define BEELINE_PRIMITIVE(at)                                                                       \
  __CPROVER_assert((at) == 0 || (__CPROVER_r_ok)((at), sizeof(*(at))), "pointer primitive")
#define BEELINE_ASKED(ok, ...)                                                                      \
  __extension__({                                                                                   \
    BEELINE_TYPE(__VA_ARGS__, 0) beeline_at = BEELINE_VALUE(__VA_ARGS__, 0);                        \
    BEELINE_PRIMITIVE(beeline_at);                                                                  \
    (ok)(beeline_at, BEELINE_SIZE(__VA_ARGS__, BEELINE_OF(__VA_ARGS__)));                           \
  })
#else
#define BEELINE_ASKED(ok, ...)                                                                      \
  (ok)(BEELINE_VALUE(__VA_ARGS__, 0), BEELINE_SIZE(__VA_ARGS__, BEELINE_OF(__VA_ARGS__)))
#endif

_Bool __CPROVER_same_object(const void *one, const void *other);
__SIZE_TYPE__ __CPROVER_POINTER_OBJECT(const void *to);
__SIZE_TYPE__ __CPROVER_OBJECT_SIZE(const void *to);
#ifdef BEELINE_PRIMITIVES
#define __CPROVER_OBJECT_SIZE(to)                                                                   \
  __extension__({                                                                                   \
    BEELINE_TYPE(to, 0) beeline_to = (to);                                                          \
    BEELINE_PRIMITIVE(beeline_to);                                                                  \
    (__CPROVER_OBJECT_SIZE)(beeline_to);                                                            \
  })
#endif
__SIZE_TYPE__ __CPROVER_POINTER_OFFSET(const void *to);
void __CPROVER_havoc_object(void *object);
void __VERIFIER_nondet_memory(void *to, __SIZE_TYPE__ size);
#define __CPROVER_havoc_slice(to, size) __VERIFIER_nondet_memory((void *)(to), (size))

#define __CPROVER_overflow_plus(a, b) BEELINE_OVERFLOW(__builtin_add_overflow, a, b, (a) + (b))
#define __CPROVER_overflow_minus(a, b) BEELINE_OVERFLOW(__builtin_sub_overflow, a, b, (a) - (b))
#define __CPROVER_overflow_mult(a, b) BEELINE_OVERFLOW(__builtin_mul_overflow, a, b, (a) * (b))
#define __CPROVER_overflow_unary_minus(a) BEELINE_OVERFLOW(__builtin_sub_overflow, 0, a, -(a))
#define BEELINE_OVERFLOW(with, a, b, result)                                                        \
  __extension__({                                                                                   \
    __typeof__(result) beeline_result;                                                              \
    with((__typeof__(result))(a), (__typeof__(result))(b), &beeline_result);                        \
  })

unsigned long __VERIFIER_nondet_ulong(void);

/* What loops for quantifiers ask of a type and a bound: is the comparison of both one of numbers with a sign, or has the
 * type none itself; and the first number of the type that is not below the bound. */
#define BEELINE_SIGNED(type, bound)                                                                 \
  ((type)-1 > 0 || (__typeof__((type)0 + (bound)))-1 < 0)
#define BEELINE_LEAST(type) ((type)-1 > 0 ? (type)0 : (type)(1ULL << (sizeof(type) * 8 - 1)))
#define BEELINE_FIRST(type, bound) (BEELINE_LEAST(type) > (bound) ? BEELINE_LEAST(type) : (type)(bound))

/* Compares two places, byte by byte where they are structures. */
struct beeline_no_record {
  char none;
};
#define BEELINE_SAME(a, b)                                                                          \
  __builtin_choose_expr(BEELINE_IS_RECORD(a),                                                       \
                        __builtin_memcmp(BEELINE_RECORD(a), BEELINE_RECORD(b),                      \
                                         sizeof(*BEELINE_RECORD(a))) == 0,                          \
                        BEELINE_NO_RECORD(a) == BEELINE_NO_RECORD(b))
#define BEELINE_IS_RECORD(a) (__builtin_classify_type(a) == 12 || __builtin_classify_type(a) == 13)
#define BEELINE_RECORD(a)                                                                           \
  (&__builtin_choose_expr(BEELINE_IS_RECORD(a), (a), *(struct beeline_no_record *)0))
#define BEELINE_NO_RECORD(a) __builtin_choose_expr(BEELINE_IS_RECORD(a), 0, (a))
