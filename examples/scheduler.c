// A scheduler with a bug deep in its calls: the last task that sleeps leaves the queue empty, and
// `next_task` takes one from it all the same.
// Shows: an error path through several functions, with the inputs that lead there.
#include <assert.h>
#include <stdbool.h>

extern int __VERIFIER_nondet_int(void);

enum { TASKS = 3 };

static int queue[TASKS];
static int waiting;

static void enqueue(int task) {
  assert(waiting < TASKS);
  queue[waiting++] = task;
}

static int next_task(void) {
  assert(waiting > 0);
  int task = queue[0];
  for (int i = 1; i < waiting; i++)
    queue[i - 1] = queue[i];
  waiting--;
  return task;
}

/* Runs a task for a while; tells whether it wants to go on. */
static bool run(int task) {
  (void)task;
  return __VERIFIER_nondet_int() != 0;
}

static void reschedule(int task, bool goes_on) {
  if (goes_on)
    enqueue(task);
}

static void tick(void) {
  int task = next_task();
  reschedule(task, run(task));
}

int main(void) {
  for (int task = 0; task < TASKS; task++)
    enqueue(task);
  for (int time = 0; time < 6; time++)
    tick();
  return 0;
}
