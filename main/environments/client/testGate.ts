/** Something that is held until the test lets it go, and that says when it has been reached. */
export class TestGate {
  readonly reached: Promise<void>;
  readonly opened: Promise<void>;
  #reach: () => void = () => {};
  #open: () => void = () => {};
  #fail: (error: Error) => void = () => {};

  constructor() {
    this.reached = new Promise((resolve) => {
      this.#reach = resolve;
    });
    this.opened = new Promise((resolve, reject) => {
      this.#open = resolve;
      this.#fail = reject;
    });
    // Nobody may have come to it.
    this.opened.catch(() => {});
  }

  pass(): Promise<void> {
    this.#reach();
    return this.opened;
  }

  open(): void {
    this.#open();
  }

  fail(error: Error): void {
    this.#fail(error);
  }
}
