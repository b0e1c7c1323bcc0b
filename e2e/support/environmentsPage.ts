// The page of environments as a person finds it.

import { expect, type Holdfast } from "./app";

export class EnvironmentsPage {
  readonly #holdfast: Holdfast;

  constructor(holdfast: Holdfast) {
    this.#holdfast = holdfast;
  }

  get #page() {
    return this.#holdfast.page;
  }

  /** In the sidebar, with what is worth knowing in its name. */
  get entry() {
    return this.#holdfast.sidebar.getByRole("button", { name: /^Environments/ });
  }

  get list() {
    return this.#page.getByRole("listbox", { name: "Environments" });
  }

  row(name: string) {
    return this.list.getByRole("option", { name: new RegExp(`^${name}, `) });
  }

  /** How the one that is shown stands. */
  get state() {
    return this.#page.getByRole("status", { name: "Environment" });
  }

  get dialog() {
    return this.#page.getByRole("dialog");
  }

  get question() {
    return this.#page.getByRole("alertdialog");
  }

  section(name: string) {
    return this.#page.getByRole("region", { name, exact: true });
  }

  tab(name: "Overview" | "Files" | "Terminal") {
    return this.#page.getByRole("tablist", { name: "Environment" }).getByRole("tab", { name });
  }

  get files() {
    return this.#page.getByRole("listbox", { name: "Files" });
  }

  file(name: string) {
    return this.files.getByRole("option", { name: new RegExp(`^${name}, `) });
  }

  get fileText() {
    return this.#page.getByRole("group", { name: "Text of the file" });
  }

  button(name: string) {
    return this.#page.getByRole("button", { name, exact: true });
  }

  async open(): Promise<void> {
    await expect(this.#holdfast.session).toContainText(/^connected/);
    await this.entry.click();
    await expect(this.#page).toHaveTitle(/Environments - Holdfast$/);
  }

  /** By its address; nothing is connected to yet. */
  async add(name: string, url: string): Promise<void> {
    // Where there is none yet, the page itself offers it.
    if ((await this.list.count()) === 0) await this.button("Add by address, file or command…").click();
    else {
      await this.button("New environment").click();
      await this.#page.getByRole("menuitem", { name: "Add by address…" }).click();
    }
    await this.dialog.getByRole("textbox", { name: "Name", exact: true }).fill(name);
    await this.dialog.getByRole("textbox", { name: "Address" }).fill(url);
    await this.dialog.getByRole("button", { name: "Add", exact: true }).click();
    await expect(this.row(name)).toHaveAttribute("aria-selected", "true");
  }

  /** Of the row of an entry, which the list names while the keyboard is on it. */
  async idOf(entry: string): Promise<string> {
    return (await this.file(entry).getAttribute("id")) ?? "";
  }
}
