// The follow-ups of the shown thread, as a person finds them in the inspector, and what the model was asked for them.

import { expect, type Holdfast } from "./app";
import type { ModelServer } from "./modelServer";

export class FollowUpsTab {
  readonly #holdfast: Holdfast;

  constructor(holdfast: Holdfast) {
    this.#holdfast = holdfast;
  }

  get panel() {
    return this.#holdfast.page.getByRole("tabpanel", { name: "Follow-ups" });
  }

  get list() {
    return this.panel.getByRole("list", { name: "Follow-ups", exact: true });
  }

  get newField() {
    return this.panel.getByRole("textbox", { name: "New follow-up" });
  }

  get editField() {
    return this.panel.getByRole("textbox", { name: "Edit follow-up" });
  }

  /** The line above the composer. */
  get strip() {
    return this.#holdfast.page.getByRole("group", { name: "Waiting follow-ups" });
  }

  /** By its whole text. */
  row(text: string) {
    return this.list.getByRole("listitem", { name: new RegExp(`^${text}, \\d+ of \\d+$`) });
  }

  async open(): Promise<void> {
    await this.#holdfast.tab("Follow-ups").click();
    await expect(this.panel).toBeVisible();
  }

  /** Through the composer, while a turn runs. */
  async queue(...texts: string[]): Promise<void> {
    for (const text of texts) {
      await this.#holdfast.message.fill(text);
      await this.#holdfast.button("Queue").click();
      await expect(this.#holdfast.message).toHaveValue("");
    }
  }

  /** Those and no others wait, in this order, and nothing is being done with them. */
  async expectOrder(...texts: string[]): Promise<void> {
    const names = texts.map((text, index) => `${text}, ${index + 1} of ${texts.length}`);
    const shown = () =>
      this.list
        .getByRole("listitem")
        .evaluateAll((rows) => rows.map((row) => (row as NamedElement).getAttribute("aria-label")));
    await expect.poll(shown, "the follow-ups").toEqual(names);
  }

  async expectNone(): Promise<void> {
    await expect(this.panel).toContainText("No follow-ups");
    await expect(this.strip).toHaveCount(0);
  }
}

/** What is needed of the page's world, whose types the tests of Node do not have. */
interface NamedElement {
  getAttribute(name: string): string | null;
}

/** The last thing that the person had said in each request to the model, in order. */
export function asked(model: ModelServer): string[] {
  return model.requests.map(({ lastUserText }) => lastUserText);
}
