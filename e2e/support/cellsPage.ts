// The page of scripts and runs as a person finds it, and what the ledger keeps of runs.

import { expect, type Holdfast } from "./app";

export class CellsPage {
  readonly #holdfast: Holdfast;

  constructor(holdfast: Holdfast) {
    this.#holdfast = holdfast;
  }

  get #page() {
    return this.#holdfast.page;
  }

  get scripts() {
    return this.#page.getByRole("listbox", { name: "Scripts" });
  }

  get runs() {
    return this.#page.getByRole("listbox", { name: "Runs" });
  }

  get text() {
    return this.#page.getByRole("textbox", { name: "Script", exact: true });
  }

  get saving() {
    return this.#page.getByRole("status", { name: "Saving" });
  }

  get offered() {
    return this.#page.getByRole("listbox", { name: "Completions" });
  }

  script(name: string) {
    return this.scripts.getByRole("option", { name, exact: true });
  }

  get shownRun() {
    return this.#page.getByRole("region", { name: "Run", exact: true });
  }

  get output() {
    return this.shownRun.getByRole("log", { name: "Output" });
  }

  get activity() {
    return this.shownRun.getByRole("log", { name: "Activity" });
  }

  get error() {
    return this.shownRun.getByRole("region", { name: "Error" });
  }

  get question() {
    return this.shownRun.getByRole("group", { name: "Question" });
  }

  /** The newest one of a script, by its state. */
  run(scriptName: string, state: string) {
    return this.runs.getByRole("option", { name: `${scriptName}, ${state}, in `, exact: false }).first();
  }

  async open(): Promise<void> {
    await this.#holdfast.sidebar.getByRole("button", { name: /^Cells/ }).click();
    await expect(this.scripts).toBeVisible();
  }

  async begin(scriptName: string): Promise<void> {
    await this.scripts.getByRole("option", { name: scriptName, exact: true }).click();
    await this.#holdfast.button("Run").click();
    await expect(this.shownRun).toBeVisible();
  }

  /** A new script of the person's own with this text. */
  async write(source: string, name?: string): Promise<void> {
    await this.#holdfast.button("New script").first().click();
    // Its name can be given at once.
    const field = this.#page.getByRole("textbox", { name: "Name of the script" });
    if (name !== undefined) await field.fill(name);
    await field.press("Enter");
    await expect(this.text).toBeFocused();
    await this.#page.keyboard.press("ControlOrMeta+a");
    await this.#page.keyboard.insertText(source);
  }

  /** A script of the person's own, typed and run. */
  async beginOwn(source: string): Promise<void> {
    await this.write(source);
    await this.#holdfast.button("Run").click();
    await expect(this.shownRun).toBeVisible();
  }

  async answer(question: string | RegExp, answer: string): Promise<void> {
    await expect(this.question).toContainText(question);
    await this.question.getByRole("textbox", { name: "Your answer" }).fill(answer);
    await this.question.getByRole("button", { name: "Answer" }).click();
  }
}
