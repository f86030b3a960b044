// Signals that the program raises, blocks, asks for, ignores, and handles, in random order.
#include <signal.h>
#include <stddef.h>
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

static const int signals[] = {SIGUSR1, SIGHUP, SIGUSR2};
static unsigned seen = 1;

static void note(unsigned what) { seen = seen * 31 + what; }

static void handle(int number) { note(number); }

static void handle_and_raise(int number) {
  note(100 + number);
  raise(SIGHUP);
  raise(SIGUSR2);
  note(200 + number);
}

static void ask(void) {
  sigset_t set;
  sigemptyset(&set);
  sigpending(&set);
  for (int i = 0; i < 3; i++)
    note(sigismember(&set, signals[i]));
  sigprocmask(SIG_BLOCK, NULL, &set);
  for (int i = 0; i < 3; i++)
    note(sigismember(&set, signals[i]));
}

int main(void) {
  sigset_t set, old;
  for (int i = 0; i < 3; i++)
    signal(signals[i], handle);
  sigemptyset(&old);
  for (int turn = 0; turn < 6; turn++) {
    unsigned char choice = __VERIFIER_nondet_uchar();
    int number = signals[choice / 8 % 3];
    sigemptyset(&set);
    sigaddset(&set, number);
    if (choice & 128)
      sigaddset(&set, SIGUSR2);
    struct sigaction action = {0};
    switch (choice % 8) {
    case 0:
      raise(number);
      break;
    case 1:
      sigprocmask(SIG_BLOCK, &set, &old);
      break;
    case 2:
      note(sigprocmask(SIG_UNBLOCK, &set, NULL));
      break;
    case 3:
      sigprocmask(SIG_SETMASK, &old, &set);
      note(sigismember(&set, number));
      break;
    case 4:
      signal(number, SIG_IGN);
      signal(number, handle);
      break;
    case 5:
      action.sa_handler = handle_and_raise;
      action.sa_mask = set;
      sigaction(SIGUSR1, &action, NULL);
      raise(SIGUSR1);
      break;
    case 6:
      sigfillset(&set);
      sigprocmask(SIG_BLOCK, &set, NULL);
      raise(SIGUSR2);
      raise(SIGUSR1);
      raise(SIGHUP);
      sigemptyset(&set);
      sigprocmask(SIG_SETMASK, &set, &old);
      break;
    default:
      note(sigprocmask(7, &set, NULL) == -1 ? 1 : 2);
      ask();
    }
  }
  if (seen % 7 == 0)
    reach_error();
  return seen % 199;
}
