
/* Threads take turns, as the path has it: each goes on where the next turn is its own, when the one that ran before gets to
 * a scheduling point or ends. */

#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t turns = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static unsigned turn, created;
/* Which threads are at a point, how many that is, and how many have not ended. */
static unsigned char is_waiting[256];
static unsigned waiting, living = 1;
/* The number of the thread that runs, or none. */
static unsigned running = 1;
static __thread unsigned self = 1;

enum { STARTS = -1, YIELDS = -2 };
/* EBUSY and ETIMEDOUT: their header is not there for all targets. */
enum { IS_BUSY = 16, TIME_IS_UP = 110 };
extern int *__errno_location(void);

/* Is this the end of the path? */
static void look(void) {
  if (running != 0 || turn < path->turn_count)
    return;
  const unsigned *racing = path->racing;
  if (!path->ends_with_threads)
    end("other-turn", "");
  if (racing[0] ? is_waiting[racing[0]] && is_waiting[racing[1]] : waiting == living)
    end("reached", "the threads are there");
}

/* A thread that was created gets to its first point while another one runs. */
static void stop_running(void) {
  if (running == self)
    running = 0;
}

static void leave(void *unused) {
  pthread_mutex_lock(&turns);
  living--;
  stop_running();
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&turns);
}

void beeline_point(int point) {
  pthread_mutex_lock(&turns);
  stop_running();
  is_waiting[self & 255] = 1;
  waiting++;
  pthread_cond_broadcast(&changed);
  for (;;) {
    look();
    if (running == 0 && turn < path->turn_count && path->turns[turn].thread == self)
      break;
    pthread_cond_wait(&changed, &turns);
  }
  if (path->turns[turn].point != point)
    end("other-turn", "");
  turn++;
  running = self;
  is_waiting[self & 255] = 0;
  waiting--;
  pthread_mutex_unlock(&turns);
}

struct beginning {
  unsigned number;
  void *(*posix)(void *);
  int (*c11)(void *);
  void *given;
};
static void *begin_thread(void *at) {
  struct beginning beginning = *(struct beginning *)at;
  void *result;
  self = beginning.number;
  pthread_cleanup_push(leave, NULL);
  beeline_point(STARTS);
  if (beginning.posix)
    result = beginning.posix(beginning.given);
  else
    result = (void *)(long)beginning.c11(beginning.given);
  pthread_cleanup_pop(1);
  return result;
}
static int create(pthread_t *thread, const pthread_attr_t *attr, struct beginning beginning) {
  static struct beginning all[64];
  if (created >= path->created_count)
    end("other-turn", "");
  beginning.number = path->created[created];
  all[created] = beginning;
  living++;
  /* The stack of the first thread is larger than many threads have room for. */
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 16 << 20);
  int failed = pthread_create(thread, attr ? attr : &small, begin_thread, &all[created++]);
  if (failed)
    end("no-thread", "");
  return 0;
}
int beeline_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*function)(void *), void *given) {
  return create(thread, attr, (struct beginning){0, function, NULL, given});
}
int beeline_thrd_create(pthread_t *thread, int (*function)(void *), void *given) {
  return create(thread, NULL, (struct beginning){0, NULL, function, given});
}

int beeline_pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex) {
  pthread_mutex_unlock(mutex);
  beeline_point(YIELDS);
  beeline_point(YIELDS);
  pthread_mutex_lock(mutex);
  return 0;
}
int beeline_cnd_wait(pthread_cond_t *cond, pthread_mutex_t *mutex) { return beeline_pthread_cond_wait(cond, mutex); }
/* The model asks whether time was up. */
static int is_late(void) { return take("time_is_up")[0] != 0; }
int beeline_pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex, const void *until) {
  pthread_mutex_unlock(mutex);
  beeline_point(YIELDS);
  pthread_mutex_lock(mutex);
  return is_late() ? TIME_IS_UP : 0;
}
int beeline_cnd_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex, const void *until) {
  return beeline_pthread_cond_timedwait(cond, mutex, until) ? 4 : 0;
}
/* Who need not wait is never late. */
int beeline_pthread_mutex_timedlock(pthread_mutex_t *mutex, const void *until) {
  int failed = pthread_mutex_trylock(mutex);
  if (failed != IS_BUSY)
    return failed;
  return is_late() ? TIME_IS_UP : pthread_mutex_lock(mutex);
}
int beeline_mtx_timedlock(pthread_mutex_t *mutex, const void *until) {
  int failed = beeline_pthread_mutex_timedlock(mutex, until);
  return failed == TIME_IS_UP ? 4 : failed ? 2 : 0;
}
int beeline_sem_timedwait(sem_t *sem, const void *until) {
  if (sem_trywait(sem) == 0)
    return 0;
  if (!is_late())
    return sem_wait(sem);
  *__errno_location() = TIME_IS_UP;
  return -1;
}

/* Other threads have what ends them see to it. */
__attribute__((noreturn)) void beeline_pthread_exit(void *result) {
  if (self == 1)
    leave(NULL);
  pthread_exit(result);
}
__attribute__((noreturn)) void beeline_thrd_exit(int result) { beeline_pthread_exit((void *)(long)result); }

/* Time does not matter: threads wait for their turns. */
__attribute__((weak)) unsigned sleep(unsigned seconds) { return 0; }
__attribute__((weak)) int usleep(unsigned microseconds) { return 0; }
__attribute__((weak)) int nanosleep(const struct timespec *wanted, struct timespec *left) { return 0; }

/* As the model has them. */
struct barrier {
  unsigned count, arrived, round;
};
int beeline_pthread_barrier_init(struct barrier *barrier, const void *attr, unsigned count) {
  *barrier = (struct barrier){count, 0, 0};
  return count == 0 ? 22 : 0;
}
int beeline_pthread_barrier_wait(struct barrier *barrier) {
  if (++barrier->arrived == barrier->count) {
    barrier->arrived = 0;
    barrier->round++;
    return -1;
  }
  beeline_point(YIELDS);
  return 0;
}
