// Tests whose codex is the fake one. Each fake that a test makes is removed after it, and may not have complained.

import { test as base, expect, type Holdfast, type Sandbox } from "./app";
import { createFakeCodex, type FakeCodex, type FakeScenario } from "./fakeCodex/scenario";

export const test = base.extend<{ fake: (scenario: FakeScenario) => Promise<FakeCodex> }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern to see which fixtures are used.
  fake: async ({}, use) => {
    const fakes: FakeCodex[] = [];
    await use(async (scenario) => {
      const fake = await createFakeCodex(scenario);
      fakes.push(fake);
      return fake;
    });
    for (const fake of fakes) {
      expect(await fake.bugs()).toEqual([]);
      await fake.remove();
    }
  },
});

export function launchWith(sandbox: Sandbox, fake: FakeCodex): Promise<Holdfast> {
  const environment = { ...fake.environment, HOLDFAST_CODEX: fake.command, CODEX_HOME: fake.codexHome };
  return sandbox.launch({ environment });
}
