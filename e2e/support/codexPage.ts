// The page about codex as a person finds it.

import { expect, type Holdfast } from "./app";

type Tab = "MCP servers" | "Skills" | "Models" | "Usage" | "Diagnostics";

export class CodexPage {
  readonly #holdfast: Holdfast;

  constructor(holdfast: Holdfast) {
    this.#holdfast = holdfast;
  }

  get #page() {
    return this.#holdfast.page;
  }

  tab(name: Tab) {
    return this.#page.getByRole("tablist", { name: "codex" }).getByRole("tab", { name });
  }

  panel(name: Tab) {
    return this.#page.getByRole("tabpanel", { name });
  }

  row(list: "MCP servers" | "Skills" | "Models", name: string) {
    return this.#page
      .getByRole("list", { name: list, exact: true })
      .getByRole("listitem", { name, exact: true });
  }

  section(name: string) {
    return this.#page.getByRole("region", { name, exact: true });
  }

  /** In the status bar. */
  get limit() {
    return this.#page.getByRole("status", { name: "Limit" });
  }

  async open(tab: Tab): Promise<void> {
    await this.#holdfast.sidebar.getByRole("button", { name: /^codex:/ }).click();
    await this.tab(tab).click();
    await expect(this.#page).toHaveTitle(/codex - Holdfast$/);
  }
}
