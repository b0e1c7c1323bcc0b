// The page of changes, as a person finds what is on it.

import { expect, type Locator, type Page } from "@playwright/test";

export class ChangesPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async open(): Promise<void> {
    // The folder that Holdfast was started with is shown a moment after the window, and until then there is nothing to go to.
    await expect(async () => {
      await this.page.keyboard.press("ControlOrMeta+Alt+G");
      await expect(this.page.getByRole("heading", { name: "Changes", exact: true })).toBeVisible({
        timeout: 1_000,
      });
    }).toPass({ timeout: 15_000 });
  }

  get list(): Locator {
    return this.page.getByRole("tree", { name: "Changed files" });
  }

  group(name: RegExp): Locator {
    return this.list.getByRole("treeitem", { name, level: 1 });
  }

  file(name: RegExp): Locator {
    return this.list.getByRole("treeitem", { name });
  }

  grid(file: string): Locator {
    return this.page.getByRole("grid", { name: `Changes in ${file}` });
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole("button", { name });
  }
}
