/* small.bc: clang-19 -g -O0 -emit-llvm -c small.c */
struct node { int value; struct node *next; };
struct node *head;
int sum(struct node *list) {
    int total = 0;
    for (struct node *at = list; at; at = at->next) total += at->value;
    return total;
}
