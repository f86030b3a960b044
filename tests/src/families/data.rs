//! Data: arrays and linked structures.

/// The bug: turning the array around may leave out the pair at the depth.
pub(super) fn arrays(size: u32, bug: Option<u32>) -> String {
    let skipped =
        bug.map_or("0".into(), |depth| format!("i == {} && __VERIFIER_nondet_int() == 7", depth - 1));
    let template = "static int a[$cells];
static unsigned noise;

static void fill(void) {
  for (int i = 0; i < $cells; i++)
    a[i] = 2 * i;
}

static void turn(void) {
  for (int i = 0; i < $size; i++) {
    if ($skipped)
      continue;
    int x = a[i];
    a[i] = a[$last - i];
    a[$last - i] = x;
  }
}

int main(void) {
  fill();
  while (__VERIFIER_nondet_bool())
    noise++;
  turn();
  for (int i = 0; i < $cells; i++)
    if (a[i] != 2 * ($last - i))
      reach_error();
  return 0;
}
";
    template
        .replace("$skipped", &skipped)
        .replace("$cells", &(2 * size).to_string())
        .replace("$last", &(2 * size - 1).to_string())
        .replace("$size", &size.to_string())
}

/// The bug: putting a node in front loses the rest, once there are as many as the depth.
pub(super) fn lists(size: u32, bug: Option<u32>) -> String {
    let rest = bug.map_or("list".into(), |depth| format!("number == {} ? 0 : list", depth + 1));
    let template = "struct node {
  int number;
  struct node *next;
};

static struct node pool[$nodes];
static struct node *list;

static void put_in_front(struct node *node, int number) {
  node->next = $rest;
  list = node;
}

static void put_behind(struct node *node) {
  struct node **end = &list;
  while (*end)
    end = &(*end)->next;
  node->next = 0;
  *end = node;
}

static int count(void) {
  int nodes = 0;
  for (struct node *node = list; node; node = node->next)
    nodes++;
  return nodes;
}

int main(void) {
  for (int number = 1; number <= $nodes; number++) {
    struct node *node = &pool[number - 1];
    node->number = number;
    if (__VERIFIER_nondet_bool())
      put_in_front(node, number);
    else
      put_behind(node);
  }
  if (count() != $nodes)
    reach_error();
  return 0;
}
";
    template.replace("$rest", &rest).replace("$nodes", &(size + 1).to_string())
}
