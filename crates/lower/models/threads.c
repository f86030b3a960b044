/* POSIX threads and those of C11, as C compiled into programs that use them.
 *
 * What runs between two scheduling points is one step. The lowering puts a point before each call of a function here,
 * so that what stands in a body is one step as well, up to __beeline_yield(). __beeline_wait(c) is passed by a thread
 * only where c holds. A thread's number is its handle; the entry function runs in thread 1. */

typedef __SIZE_TYPE__ size_t;
typedef unsigned long pthread_t;

void __beeline_wait(int holds);
void __beeline_yield(void);
void __beeline_atomic_begin(void);
void __beeline_atomic_end(void);
void __beeline_thread_exit(void);
pthread_t __beeline_self(void);
int __beeline_any_ended(pthread_t thread);
int __beeline_any_spurious(void);
int __beeline_input_time_is_up(void);
int __beeline_any_int(void);
void __VERIFIER_assume(int holds);
void exit(int status);
int *__errno_location(void);

enum { EAGAIN = 11, EBUSY = 16, EPERM = 1, EINVAL = 22, EDEADLK = 35, ETIMEDOUT = 110 };
enum { THREADS = 64 };

/* What threads return: where one ends, the lowering puts its result there. */
void *__beeline_results[THREADS];

pthread_t pthread_self(void) { return __beeline_self(); }
int pthread_equal(pthread_t a, pthread_t b) { return a == b; }
static _Bool detached[THREADS];
int pthread_detach(pthread_t thread) {
  if (detached[thread % THREADS])
    return EINVAL;
  detached[thread % THREADS] = 1;
  return 0;
}
int pthread_join(pthread_t thread, void **result) {
  if (thread == __beeline_self())
    return EDEADLK;
  __beeline_wait(__beeline_any_ended(thread));
  if (result)
    *result = __beeline_results[thread % THREADS];
  return 0;
}
/* The program ends with its last thread: what follows the end of the first thread happens then, in one step. */
void pthread_exit(void *result) {
  __beeline_results[__beeline_self() % THREADS] = result;
  __beeline_thread_exit();
  __beeline_atomic_begin();
  exit(0);
}

/* Mutexes. Who holds one is in lock; a kind of 1 is recursive, 2 checks errors. */

struct mutex {
  int lock;
  unsigned count;
  int owner;
#if __SIZEOF_POINTER__ == 8
  unsigned users;
#endif
  int kind;
};
enum { RECURSIVE = 1, CHECKING = 2 };

int pthread_mutex_init(struct mutex *mutex, const int *kind) {
  mutex->lock = 0;
  mutex->count = 0;
  mutex->kind = kind ? *kind & 3 : 0;
  return 0;
}
int pthread_mutex_destroy(struct mutex *mutex) { return mutex->lock ? EBUSY : 0; }
int pthread_mutexattr_init(int *kind) { return *kind = 0; }
int pthread_mutexattr_destroy(int *kind) { return 0; }
int pthread_mutexattr_settype(int *kind, int wanted) {
  *kind = wanted;
  return 0;
}
void __beeline_not_modelled_pthread_mutexattr_setrobust(void);
int pthread_mutexattr_setrobust(int *kind, int robust) {
  if (robust)
    __beeline_not_modelled_pthread_mutexattr_setrobust();
  return 0;
}
int pthread_mutex_lock(struct mutex *mutex) {
  int self = __beeline_self();
  if (mutex->lock == self && mutex->kind == CHECKING)
    return EDEADLK;
  if (mutex->lock == self && mutex->kind == RECURSIVE) {
    mutex->count++;
    return 0;
  }
  __beeline_wait(mutex->lock == 0);
  mutex->lock = self;
  return 0;
}
int pthread_mutex_trylock(struct mutex *mutex) {
  int self = __beeline_self();
  if (mutex->lock == self && mutex->kind == RECURSIVE) {
    mutex->count++;
    return 0;
  }
  if (mutex->lock)
    return EBUSY;
  mutex->lock = self;
  return 0;
}
/* Time is up only for who has to wait. */
int pthread_mutex_timedlock(struct mutex *mutex, const void *until) {
  int knows_holder = mutex->kind == CHECKING || mutex->kind == RECURSIVE;
  if (mutex->lock == 0 || (mutex->lock == (int)__beeline_self() && knows_holder))
    return pthread_mutex_lock(mutex);
  return __beeline_input_time_is_up() ? ETIMEDOUT : pthread_mutex_lock(mutex);
}
int pthread_mutex_unlock(struct mutex *mutex) {
  if ((mutex->kind == CHECKING || mutex->kind == RECURSIVE) && mutex->lock != (int)__beeline_self())
    return EPERM;
  if (mutex->count) {
    mutex->count--;
    return 0;
  }
  mutex->lock = 0;
  return 0;
}

/* Condition variables: a wait may end without a signal, but nobody may count on that where deadlocks are looked for. There,
 * a signal is for a thread that waits already: each has a number. Of the threads below `later`, `woken` may go on, and of those
 * below `last`, which waited at later signals, `more`. */

struct cond {
  unsigned waiting, next, woken, later, more, last;
};
int pthread_cond_init(struct cond *cond, const void *attr) {
  *cond = (struct cond){0, 0, 0, 0, 0, 0};
  return 0;
}
int pthread_cond_destroy(struct cond *cond) { return 0; }
void __beeline_not_modelled_pthread_cond_signal(void);
int pthread_cond_signal(struct cond *cond) {
  if (cond->woken + cond->more == cond->waiting)
    return 0;
  if (cond->woken == 0 || cond->later == cond->next) {
    cond->woken++;
    cond->later = cond->next;
  } else {
    if (cond->more && cond->last != cond->next)
      __beeline_not_modelled_pthread_cond_signal();
    cond->more++;
    cond->last = cond->next;
  }
  return 0;
}
int pthread_cond_broadcast(struct cond *cond) {
  cond->woken = cond->waiting;
  cond->later = cond->next;
  cond->more = cond->last = 0;
  return 0;
}
/* A thread begins to wait, and gets its number. */
static unsigned begin_wait(struct cond *cond) {
  cond->waiting++;
  return __beeline_any_spurious() ? 0 : cond->next++;
}
static void end_wait(struct cond *cond, unsigned number) {
  if (cond->woken > 0 && number < cond->later)
    cond->woken--;
  else if (cond->more > 0 && number < cond->last)
    cond->more--;
  if (cond->woken == 0) {
    cond->woken = cond->more;
    cond->later = cond->last;
    cond->more = cond->last = 0;
  }
  if (--cond->waiting == 0)
    cond->next = cond->later = 0;
  // Who may go on without a signal takes none.
  if (cond->woken + cond->more > cond->waiting)
    cond->woken = cond->waiting - cond->more;
}
int pthread_cond_wait(struct cond *cond, struct mutex *mutex) {
  unsigned number = begin_wait(cond);
  pthread_mutex_unlock(mutex);
  __beeline_yield();
  __beeline_wait((cond->woken > 0 && number < cond->later) || (cond->more > 0 && number < cond->last) ||
                 __beeline_any_spurious());
  end_wait(cond, number);
  __beeline_yield();
  return pthread_mutex_lock(mutex);
}
int pthread_cond_timedwait(struct cond *cond, struct mutex *mutex, const void *until) {
  unsigned number = begin_wait(cond);
  pthread_mutex_unlock(mutex);
  __beeline_yield();
  end_wait(cond, number);
  pthread_mutex_lock(mutex);
  return __beeline_input_time_is_up() ? ETIMEDOUT : 0;
}

/* Locks of many readers or one writer. */

struct rwlock {
  unsigned readers;
  int writer;
  unsigned unused[4];
#if __SIZEOF_POINTER__ == 8
  unsigned more[6];
  unsigned kind;
#else
  unsigned char kind;
#endif
};

void __beeline_not_modelled_pthread_rwlock_kinds(void);
int pthread_rwlock_init(struct rwlock *lock, const void *attr) {
  lock->readers = 0;
  lock->writer = 0;
  lock->kind = 0;
  return 0;
}
int pthread_rwlock_destroy(struct rwlock *lock) { return 0; }
int pthread_rwlock_rdlock(struct rwlock *lock) {
  if (lock->writer == (int)__beeline_self())
    return EDEADLK;
  if (lock->kind)
    __beeline_not_modelled_pthread_rwlock_kinds();
  __beeline_wait(lock->writer == 0);
  lock->readers++;
  return 0;
}
int pthread_rwlock_tryrdlock(struct rwlock *lock) {
  if (lock->writer)
    return EBUSY;
  lock->readers++;
  return 0;
}
int pthread_rwlock_wrlock(struct rwlock *lock) {
  if (lock->writer == (int)__beeline_self())
    return EDEADLK;
  __beeline_wait(lock->writer == 0 && lock->readers == 0);
  lock->writer = __beeline_self();
  return 0;
}
int pthread_rwlock_trywrlock(struct rwlock *lock) {
  if (lock->writer || lock->readers)
    return EBUSY;
  lock->writer = __beeline_self();
  return 0;
}
int pthread_rwlock_unlock(struct rwlock *lock) {
  if (lock->writer)
    lock->writer = 0;
  else
    lock->readers--;
  return 0;
}

/* Spin locks. */

int pthread_spin_init(int *lock, int shared) { return *lock = 0; }
int pthread_spin_destroy(int *lock) { return 0; }
int pthread_spin_lock(int *lock) {
  __beeline_wait(*lock == 0);
  *lock = 1;
  return 0;
}
int pthread_spin_trylock(int *lock) {
  if (*lock)
    return EBUSY;
  *lock = 1;
  return 0;
}
int pthread_spin_unlock(int *lock) {
  *lock = 0;
  return 0;
}

/* Barriers. */

struct barrier {
  unsigned count, arrived, round;
};
int pthread_barrier_init(struct barrier *barrier, const void *attr, unsigned count) {
  if (count == 0)
    return EINVAL;
  barrier->count = count;
  barrier->arrived = 0;
  barrier->round = 0;
  return 0;
}
int pthread_barrier_destroy(struct barrier *barrier) { return 0; }
int pthread_barrier_wait(struct barrier *barrier) {
  unsigned round = barrier->round;
  if (++barrier->arrived == barrier->count) {
    barrier->arrived = 0;
    barrier->round++;
    return -1;
  }
  __beeline_yield();
  __beeline_wait(barrier->round != round);
  return 0;
}

/* Semaphores. */

int sem_init(unsigned *sem, int shared, unsigned value) {
  *sem = value;
  return 0;
}
int sem_destroy(unsigned *sem) { return 0; }
int sem_wait(unsigned *sem) {
  __beeline_wait(*sem > 0);
  --*sem;
  return 0;
}
int sem_trywait(unsigned *sem) {
  if (*sem == 0) {
    *__errno_location() = EAGAIN;
    return -1;
  }
  --*sem;
  return 0;
}
int sem_timedwait(unsigned *sem, const void *until) {
  if (*sem == 0 && __beeline_input_time_is_up()) {
    *__errno_location() = ETIMEDOUT;
    return -1;
  }
  return sem_wait(sem);
}
int sem_post(unsigned *sem) {
  ++*sem;
  return 0;
}
int sem_getvalue(unsigned *sem, int *value) {
  *value = *sem;
  return 0;
}

/* What is done once. */

int pthread_once(int *once, void (*function)(void)) {
  __beeline_wait(*once != 1);
  if (*once == 0) {
    *once = 1;
    function();
    *once = 2;
  }
  return 0;
}
void call_once(int *once, void (*function)(void)) { pthread_once(once, function); }

/* Keys: different numbers, of which the library decides; that of a key that was deleted may be one again. Each thread has its
 * own value of each. A function that destroys values runs where a thread ends, which has no model: the execution ends where it is given, and it is called here for
 * what follows. */

enum { KEYS = 4 };
static unsigned created;
static unsigned keys[KEYS];
static _Bool gone[KEYS];
static __thread const void *values[KEYS];

/* The position of a key, or KEYS. */
static unsigned known(unsigned key) {
  unsigned at = 0;
  while (at < created && (keys[at] != key || gone[at]))
    at++;
  return at < created ? at : KEYS;
}
void __beeline_not_modelled_pthread_key_create(void);
int pthread_key_create(unsigned *key, void (*destroy)(void *)) {
  if (destroy || created == KEYS)
    __beeline_not_modelled_pthread_key_create();
  if (destroy)
    destroy(0);
  unsigned number = __beeline_any_int();
  __VERIFIER_assume(known(number) == KEYS);
  keys[created++] = *key = number;
  return 0;
}
int pthread_key_delete(unsigned key) {
  unsigned at = known(key);
  if (at == KEYS)
    return EINVAL;
  gone[at] = 1;
  return 0;
}
void *pthread_getspecific(unsigned key) {
  unsigned at = known(key);
  return at < KEYS ? (void *)values[at] : 0;
}
int pthread_setspecific(unsigned key, const void *value) {
  unsigned at = known(key);
  if (at == KEYS)
    return EINVAL;
  values[at] = value;
  return 0;
}

/* C11. */

int tss_create(unsigned *key, void (*destroy)(void *)) { return pthread_key_create(key, destroy); }
void tss_delete(unsigned key) { pthread_key_delete(key); }
void *tss_get(unsigned key) { return pthread_getspecific(key); }
int tss_set(unsigned key, void *value) { return pthread_setspecific(key, value) ? 2 : 0; }

int thrd_equal(pthread_t a, pthread_t b) { return a == b; }
pthread_t thrd_current(void) { return __beeline_self(); }
int thrd_detach(pthread_t thread) { return pthread_detach(thread) ? 2 : 0; }
int thrd_join(pthread_t thread, int *result) {
  void *given;
  int failed = pthread_join(thread, &given);
  if (result)
    *result = (int)(size_t)given;
  return failed ? 2 : 0;
}
void thrd_exit(int result) { pthread_exit((void *)(size_t)result); }
int mtx_init(struct mutex *mutex, int kind) {
  int wanted = kind & 1 ? RECURSIVE : 0;
  return pthread_mutex_init(mutex, &wanted);
}
void mtx_destroy(struct mutex *mutex) {}
int mtx_lock(struct mutex *mutex) { return pthread_mutex_lock(mutex) ? 2 : 0; }
int mtx_trylock(struct mutex *mutex) { return pthread_mutex_trylock(mutex) ? 1 : 0; }
/* The numbers of results are glibc's. */
int mtx_timedlock(struct mutex *mutex, const void *until) {
  int failed = pthread_mutex_timedlock(mutex, until);
  return failed == ETIMEDOUT ? 4 : failed ? 2 : 0;
}
int mtx_unlock(struct mutex *mutex) { return pthread_mutex_unlock(mutex) ? 2 : 0; }
int cnd_init(struct cond *cond) { return pthread_cond_init(cond, 0); }
void cnd_destroy(void *cond) {}
int cnd_signal(struct cond *cond) { return pthread_cond_signal(cond); }
int cnd_broadcast(struct cond *cond) { return pthread_cond_broadcast(cond); }
int cnd_wait(struct cond *cond, struct mutex *mutex) { return pthread_cond_wait(cond, mutex); }
int cnd_timedwait(struct cond *cond, struct mutex *mutex, const void *until) {
  return pthread_cond_timedwait(cond, mutex, until) ? 4 : 0;
}

/* What verifiers know. */

void __VERIFIER_atomic_begin(void) { __beeline_atomic_begin(); }
void __VERIFIER_atomic_end(void) { __beeline_atomic_end(); }
