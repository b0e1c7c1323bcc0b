// The rules of .dependency-cruiser.cjs are only as good as what they catch: each of them is shown one wrong import.

import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { inProject } from "../setup/project.mjs";

const config = inProject(".dependency-cruiser.cjs");
const rules = createRequire(import.meta.url)(config).forbidden.map(
  (/** @type {{ name: string }} */ rule) => rule.name,
);

/** The rule, the file that breaks it, and how. @type {[rule: string, file: string, text: string][]} */
const wrong = [
  ["no-cycles", "main/ledger/a.ts", 'import type { B } from "./b";\nexport type A = B | 1;\n'],
  ["no-unresolvable-import", "main/codex/lost.ts", 'import "./nowhere";\n'],
  [
    "no-import-of-tests",
    "main/codex/cheat.ts",
    'import { fixture } from "./rpc.test";\nexport const cheat = fixture;\n',
  ],
  [
    "threads-attention-accounts-cells-environments-terminals-workspaces-demo-imports-nothing-above-it",
    "main/threads/up.ts",
    'import type { Window } from "../bridge/door";\nexport type Up = Window;\n',
  ],
  [
    "supervisor-imports-nothing-above-it",
    "main/supervisor/up.ts",
    'export { list } from "../threads/list";\n',
  ],
  ["codex-ledger-imports-nothing-above-it", "main/codex/up.ts", 'export * from "../supervisor/good";\n'],
  [
    "tests-of-threads-attention-accounts-cells-environments-terminals-workspaces-demo-imports-nothing-above-it-but-the-demo",
    "main/threads/up.test.ts",
    'import "../bridge/door";\n',
  ],
  [
    "tests-of-supervisor-imports-nothing-above-it-but-the-demo",
    "main/supervisor/up.test.ts",
    'import "../threads/list";\n',
  ],
  [
    "tests-of-codex-ledger-imports-nothing-above-it-but-the-demo",
    "main/codex/up.test.ts",
    'import "../supervisor/good";\n',
  ],
  ["main-has-the-folders-of-the-layout", "main/utils/things.ts", 'import "../clock";\n'],
  ["only-index-wires", "main/bridge/wires.ts", 'import "../index";\n'],
  ["shared-files-know-no-part", "main/log.ts", 'import "./codex/rpc";\n'],
  ["terminals-know-no-place", "main/terminals/near.ts", 'import "../supervisor/good";\n'],
  ["demo-is-used-by-the-shell-only", "main/workspaces/demo.ts", 'import "../demo/server";\n'],
  [
    "electron-only-in-shell-and-bridge",
    "main/threads/native.ts",
    'import { app } from "electron";\nexport { app };\n',
  ],
  [
    "main-knows-only-the-contract-of-the-window",
    "main/bridge/peek.ts",
    'import "../../renderer/state/store";\n',
  ],
  ["preload-knows-only-the-contract", "preload/index.ts", 'import "../main/clock";\n'],
  [
    "contract-runs-anywhere",
    "preload/contract.ts",
    'import { ipcRenderer } from "electron";\nexport { ipcRenderer };\n',
  ],
  ["renderer-knows-only-the-contract", "renderer/state/store.ts", 'import "../../preload/index";\n'],
  ["window-side-has-no-node", "renderer/state/disk.ts", 'import "node:fs";\n'],
  [
    "renderer-has-no-electron",
    "renderer/state/shell.ts",
    'import { shell } from "electron";\nexport { shell };\n',
  ],
  ["app-knows-no-test-or-measurement", "main/ledger/rigged.ts", 'import "../../e2e/server";\n'],
];

/** @type {Record<string, string>} */
const right = {
  "main/clock.ts": "export const now = 1;\n",
  "main/index.ts":
    'import { app } from "electron";\nimport "./shell/window";\nimport "./demo/server";\nexport { app };\n',
  "main/shell/window.ts": 'import { app } from "electron";\nimport "../threads/list";\nexport { app };\n',
  "main/bridge/door.ts":
    'import type { Call } from "../../preload/contract/call";\nexport type Window = Call;\n',
  "main/threads/list.ts": 'import { good } from "../supervisor/good";\nexport const list = [good];\n',
  "main/threads/list.test.ts": 'import "../demo/server";\nimport { list } from "./list";\nexport { list };\n',
  "main/supervisor/good.ts":
    'import { rpc } from "../codex/rpc";\nimport { now } from "../clock";\nexport const good = [rpc, now];\n',
  "main/codex/rpc.ts": 'import type { Item } from "./protocol/Item";\nexport const rpc: Item = 1;\n',
  "main/codex/rpc.test.ts": "export const fixture = 1;\n",
  "main/codex/protocol/Item.ts": "export type Item = number;\n",
  "main/ledger/b.ts": 'import type { A } from "./a";\nexport type B = A | 2;\n',
  "main/demo/server.ts": "export const server = 1;\n",
  "preload/contract/call.ts": "export type Call = string;\n",
  "e2e/server.ts": 'import "../main/demo/server";\n',
  "node_modules/electron/package.json": '{ "name": "electron", "version": "1.0.0", "main": "index.js" }',
  "node_modules/electron/index.js": "module.exports = '';\n",
  "package.json": '{ "type": "module", "devDependencies": { "electron": "1.0.0" } }',
  "tsconfig.base.json": "{}",
};

test("every rule catches the import that it is about, and the right imports pass", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "holdfast-imports-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const files = [
    ...Object.entries(right),
    ...wrong.map(([, file, text]) => /** @type {const} */ ([file, text])),
  ];
  for (const [file, text] of files) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  const cruiser = inProject("node_modules", "dependency-cruiser", "bin", "dependency-cruise.mjs");
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [cruiser, "main", "preload", "renderer", "e2e", "--config", config, "--output-type", "json"],
    { cwd: folder },
  ).catch((/** @type {{ stdout: string }} */ failed) => failed);

  /** @type {{ from: string, rule: { name: string } }[]} */
  const violations = JSON.parse(stdout).summary.violations;
  const found = violations.map(({ from, rule }) => `${rule.name}: ${from}`);
  for (const [rule, file] of wrong) expect(found).toContain(`${rule}: ${file}`);
  expect([...new Set(wrong.map(([rule]) => rule))].sort()).toEqual([...rules].sort());
  const guilty = new Set([...wrong.map(([, file]) => file), "main/ledger/b.ts"]);
  expect(violations.filter(({ from }) => !guilty.has(from))).toEqual([]);
});
