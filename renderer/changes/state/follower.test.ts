import { expect, test } from "vitest";
import { ChangesFollower, type ChangesMain, type Listing } from "./follower";

function listing(revision: number): Listing {
  return { state: "none", revision, fault: { code: "no_repository", message: "None.", retryable: false } };
}

class Main implements ChangesMain {
  readonly lists: { resolve(listing: Listing): void; reject(error: Error): void }[] = [];
  readonly questions: { revision: number; answer(revision: number | null): void }[] = [];
  readonly timers: (() => void)[] = [];

  list() {
    return new Promise<Listing>((resolve, reject) => this.lists.push({ resolve, reject }));
  }

  next(_: string, revision: number) {
    return new Promise<number | null>((answer) => this.questions.push({ revision, answer }));
  }

  after(_: number, run: () => void) {
    this.timers.push(run);
    return () => {};
  }
}

async function settle(): Promise<void> {
  for (let at = 0; at < 20; at += 1) await Promise.resolve();
}

function start() {
  const main = new Main();
  const follower = new ChangesFollower("w", main, () => {});
  follower.follow();
  return { main, follower };
}

test("reasons to look that come during a look are one more look", async () => {
  const { main, follower } = start();
  follower.look();
  follower.look();
  expect(main.lists).toHaveLength(1);
  main.lists[0]?.resolve(listing(1));
  await settle();
  expect(main.lists).toHaveLength(2);
  main.lists[1]?.resolve(listing(1));
  await settle();
  expect(main.lists).toHaveLength(2);
  expect(follower.view).toMatchObject({ looks: 2, looking: false });
});

test("news is looked at, and asked for from what was seen", async () => {
  const { main, follower } = start();
  main.lists[0]?.resolve(listing(1));
  await settle();
  main.questions[0]?.answer(4);
  await settle();
  main.lists[1]?.resolve(listing(4));
  await settle();
  expect(follower.view.listing?.revision).toBe(4);
  expect(main.questions.at(-1)?.revision).toBe(4);
  main.questions.at(-1)?.answer(null);
  await settle();
  expect(main.lists).toHaveLength(2);
  expect(main.questions).toHaveLength(3);
});

test("a look that fails keeps what was known, and news that cannot be looked at waits", async () => {
  const { main, follower } = start();
  main.lists[0]?.resolve(listing(1));
  await settle();
  main.questions[0]?.answer(2);
  await settle();
  main.lists[1]?.reject(new Error("git is busy"));
  await settle();
  expect(follower.view).toMatchObject({ listing: { revision: 1 }, fault: { message: "git is busy" } });
  expect(main.questions).toHaveLength(1);
  main.timers[0]?.();
  await settle();
  expect(main.questions).toHaveLength(2);
});

test("nobody shows it any more: no further question", async () => {
  const { main, follower } = start();
  main.lists[0]?.resolve(listing(1));
  await settle();
  follower.unfollow();
  main.questions[0]?.answer(null);
  await settle();
  expect(main.questions).toHaveLength(1);
});
