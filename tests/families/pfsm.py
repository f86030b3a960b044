"""Programs with threads (PFSM): the kinds of errors of the paper's six programs, with as many threads as one likes.

An error needs one or two preemptions at the right place. All threads but one or two do the same, and most orders of these lead nowhere.
"""

from family import Family

HEAD = """#include <assert.h>
#include <pthread.h>
"""


def mutexes(*names):
    return "".join(f"static pthread_mutex_t {name} = PTHREAD_MUTEX_INITIALIZER;\n" for name in names)


def held(mutex, body):
    """Statements while a mutex is held."""
    return f"  pthread_mutex_lock(&{mutex});\n  {body}\n  pthread_mutex_unlock(&{mutex});\n"


def thread(name, body):
    return f"static void *{name}(void *unused) {{\n{body}  return 0;\n}}\n"


def program(state, threads, start, end=""):
    """A program that starts so many threads of each function, waits for all, and ends."""
    count = sum(number for _, number in start)
    text = HEAD + state + "".join(threads) + f"int main(void) {{\n  pthread_t all[{count}];\n"
    functions = [name for name, number in start for _ in range(number)]
    text += "".join(f"  pthread_create(&all[{at}], 0, {name}, 0);\n" for at, name in enumerate(functions))
    text += "".join(f"  pthread_join(all[{at}], 0);\n" for at in range(count))
    return text + end + "  return 0;\n}\n"


def twostage(size, wrong=True):
    """Writers set one value and then another one that belongs to it; a reader in between sees what does not fit."""
    both = "first = 1;" if wrong else "first = 1;\n  second = 2;"
    write = held("on_first", both) + (held("on_second", "second = 2;") if wrong else "")
    read = "  int one, two;\n" + held("on_first", "one = first;\n  two = second;" if not wrong else "one = first;")
    read += held("on_second", "two = second;") if wrong else ""
    read += "  assert(one == 0 || two == 2);\n"
    state = "static int first, second;\n" + mutexes("on_first", "on_second")
    return program(state, [thread("write", write), thread("read", read)], [("write", size), ("read", 1)])


def reorder(size, wrong=True):
    """Setters set two values without a mutex, and a checker expects both or none."""
    body = "a = 1;\n  b = -1;"
    check = "int sum = a + b;"
    setter = f"  {body}\n" if wrong else held("mutex", body)
    checker = f"  {check}\n  assert(sum == 0);\n" if wrong else held("mutex", check + "\n  assert(sum == 0);")
    state = "static int a, b;\n" + mutexes("mutex")
    return program(state, [thread("set", setter), thread("look", checker)], [("set", size), ("look", 1)])


def wronglock(size, wrong=True):
    """One thread takes two mutexes in another order than the others."""
    inner = lambda first, second: held(first, held(second, "data++;").strip())
    order = ("right", "left") if wrong else ("left", "right")
    state = "static int data;\n" + mutexes("left", "right")
    threads = [thread("usual", inner("left", "right")), thread("other", inner(*order))]
    return program(state, threads, [("other", 1), ("usual", size)])


def airline(size, wrong=True):
    """Agents look whether a seat is left and sell it, which are two steps."""
    sell = f"if (sold < {size - 1})\n    sold++;"
    body = held("mutex", sell)
    if wrong:
        body = "  int left;\n" + held("mutex", f"left = sold < {size - 1};") + "  if (left) {\n" + held("mutex", "sold++;") + "  }\n"
    end = f"  assert(sold <= {size - 1});\n"
    return program("static int sold;\n" + mutexes("mutex"), [thread("agent", body)], [("agent", size)], end)


def arylist(size, wrong=True):
    """Threads add to a list of fixed room; one takes the last element, if it sees one, in another step."""
    add = held("mutex", f"if (length < {size})\n    elements[length++] = 1;")
    take = held("mutex", "if (length > 0)\n    elements[--length] = 0;")
    if wrong:
        take = "  int some;\n" + held("mutex", "some = length > 0;") + "  if (some) {\n" + held("mutex", "length--;\n  assert(length >= 0);") + "  }\n"
    state = f"static int elements[{size}], length;\n" + mutexes("mutex")
    return program(state, [thread("add", add), thread("take", take)], [("add", size), ("take", 2)])


def abslist(size, wrong=True):
    """One thread compares a list with itself element by element, while others shorten it."""
    shorten = held("mutex", "if (length > 0)\n    length--;")
    walk = f"for (int at = 0; at < length; at++)\n    assert(at < length && at < {size + 1});"
    look = held("mutex", walk)
    if wrong:
        look = "  int count;\n" + held("mutex", "count = length;")
        look += "  for (int at = 0; at < count; at++) {\n" + held("mutex", "assert(at < length);") + "  }\n"
    state = f"static int length = {size};\n" + mutexes("mutex")
    return program(state, [thread("shorten", shorten), thread("walk", look)], [("walk", 1), ("shorten", size)])


FAMILIES = {
    "twostage": Family(twostage, "one preemption, between the two steps of any writer, with all of the reader behind it"),
    "reorder": Family(reorder, "one preemption between two writes, or two reads"),
    "wronglock": Family(wronglock, "one preemption where the unusual thread holds one mutex"),
    "airline": Family(airline, "the last agents look before the others have sold"),
    "arylist": Family(arylist, "both takers look while one element is there"),
    "abslist": Family(abslist, "the list is shortened while it is walked"),
}
