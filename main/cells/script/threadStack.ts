// Two stacks that must fit each other: the script's calls are counted by QuickJS, and each of them takes some of the stack of
// the thread that QuickJS itself runs on.

/** Deep enough for any sane script, and so shallow that the thread's own stack never overflows first. */
export const scriptStackBytes = 256 * 1024;
/** With 4 the parser of QuickJS overflows it, which leaves QuickJS in pieces. */
export const threadStackMb = 8;
