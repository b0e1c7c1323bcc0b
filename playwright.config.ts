// The built app, the real codex and a scripted model server. Each test starts an app of its own, which needs the keyboard of
// its display to itself: as many at a time as there are displays.

import { defineConfig } from "@playwright/test";
import { displays } from "./e2e/support/displays";

export default defineConfig({
  testDir: "e2e",
  testMatch: "**/*.spec.ts",
  globalSetup: "./e2e/support/wholeSuite.ts",
  outputDir: "test-results",
  workers: Math.max(1, displays.length),
  fullyParallel: false,
  forbidOnly: true,
  retries: 0,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  reporter: [["list"]],
  use: { trace: "retain-on-failure", screenshot: "only-on-failure" },
});
