import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: [
      "main/**/*.test.ts",
      "preload/**/*.test.ts",
      "renderer/**/*.test.{ts,tsx}",
      "scripts/**/*.test.mjs",
      "e2e/support/**/*.test.ts",
    ],
    // A test that was left out by hand, or that alone was left in, does not pass unseen.
    allowOnly: false,
    // Vitest leaves one core free; with two that is half of the machine.
    maxWorkers: "100%",
    // Some start real processes, and some play many random histories, on machines that may be busy. It only bounds a test that hangs.
    testTimeout: 120_000,
    // What is made ready before a test starts processes and bundles scripts, too.
    hookTimeout: 120_000,
    // The same for what is waited for, whose usual bound is a second.
    expect: { poll: { timeout: 30_000 } },
    restoreMocks: true,
    unstubEnvs: true,
  },
});
