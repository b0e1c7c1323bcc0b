// The arrows of the source tree. A layer may import itself, the layers below it, and what all of main shares.
//
//   shell, bridge -> threads, attention, accounts, cells, environments, terminals, workspaces, demo -> supervisor -> codex, ledger
//
// main/app.ts and main/startServices.ts wire everything; the renderer knows only the contract; electron stays in main/shell
// and main/bridge, so that the rest of main runs in plain Node.

const layers = [
  ["shell", "bridge"],
  ["threads", "attention", "accounts", "cells", "environments", "terminals", "workspaces", "demo"],
  ["supervisor"],
  ["codex", "ledger"],
];

/** Any of main may use these: time, expected failures, the log. */
const shared = "main/(clock|fault|faultView|log|plainText|redact|sealedSpawn)[.]ts$";
const contract = "preload/contract([.]ts$|/)";
const testFile = "[.]test[.]tsx?$";
/** Files that only tests use are named test...: testData.ts, testTopics.ts. */
const testOrItsTools = `${testFile}|/test[A-Z][A-Za-z]*[.]tsx?$`;

/** @param {string[]} folders */
const inMain = (folders) => `^main/(${folders.join("|")})/`;

const layerRules = layers.slice(1).flatMap((layer, index) => {
  const above = inMain(layers.slice(0, index + 1).flat());
  const name = `${layer.join("-")}-imports-nothing-above-it`;
  return [
    { name, severity: "error", from: { path: inMain(layer), pathNot: testFile }, to: { path: above } },
    {
      // A test may stage its races with the scripted model server of the demo, whatever layer it tests.
      name: `tests-of-${name}-but-the-demo`,
      severity: "error",
      from: { path: `${inMain(layer)}.*${testFile}` },
      to: { path: above, pathNot: inMain(["demo"]) },
    },
  ];
});

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    { name: "no-unresolvable-import", severity: "error", from: {}, to: { couldNotResolve: true } },
    {
      name: "no-import-of-tests",
      severity: "error",
      from: { pathNot: [testOrItsTools, "^(e2e|bench)/"] },
      to: { path: testOrItsTools },
    },
    ...layerRules,
    {
      name: "main-has-the-folders-of-the-layout",
      severity: "error",
      from: {
        path: "^main/",
        pathNot: [
          `^${shared}`,
          "^main/(index|app|startServices|clock|fault|faultView|log|plainText|redact|sealedSpawn)([.]test)?[.]ts$",
          inMain(layers.flat()),
        ],
      },
      to: {},
    },
    {
      name: "only-index-wires",
      comment:
        "main/index.ts is the file that nobody imports; main/app.ts and main/startServices.ts, the halves of the wiring, are loaded by it.",
      severity: "error",
      from: { pathNot: "^main/(index|app)[.]ts$" },
      to: { path: "^main/(index|app|startServices)[.]ts$" },
    },
    {
      name: "shared-files-know-no-part",
      severity: "error",
      from: { path: `^${shared}` },
      to: { path: "^(main|preload|renderer)/", pathNot: [`^${shared}`, `^${contract}`] },
    },
    {
      name: "terminals-know-no-place",
      comment: "Environments, and what else can run a terminal, implement its interface.",
      severity: "error",
      from: { path: inMain(["terminals"]), pathNot: testFile },
      to: { path: "^main/", pathNot: [`^${shared}`, inMain(["terminals"])] },
    },
    {
      name: "demo-is-used-by-the-shell-only",
      comment:
        "The demo is a model server that drives the real codex; no part of the real path may depend on it.",
      severity: "error",
      from: {
        path: "^main/",
        pathNot: [inMain(["shell", "bridge", "demo"]), "^main/(index|app|startServices)[.]ts$", testFile],
      },
      to: { path: inMain(["demo"]) },
    },
    {
      name: "electron-only-in-shell-and-bridge",
      severity: "error",
      from: {
        path: "^main/",
        pathNot: [inMain(["shell", "bridge"]), "^main/(index|app|startServices)[.]ts$"],
      },
      to: { path: "^electron$|node_modules/electron/" },
    },
    {
      name: "main-knows-only-the-contract-of-the-window",
      severity: "error",
      from: { path: "^main/" },
      to: { path: "^(preload|renderer)/", pathNot: `^${contract}` },
    },
    {
      name: "preload-knows-only-the-contract",
      severity: "error",
      from: { path: "^preload/" },
      to: { path: "^(main|renderer)/" },
    },
    {
      name: "contract-runs-anywhere",
      comment: "Both sides load it, so it does not import electron; other rules keep Node out.",
      severity: "error",
      from: { path: `^${contract}`, pathNot: testFile },
      to: { path: "^electron$|node_modules/electron/" },
    },
    {
      name: "renderer-knows-only-the-contract",
      severity: "error",
      from: { path: "^renderer/" },
      to: { path: "^(main|preload|e2e|bench)/", pathNot: `^${contract}` },
    },
    {
      name: "window-side-has-no-node",
      comment: "The renderer and the preload script are sandboxed.",
      severity: "error",
      from: { path: "^(renderer|preload)/", pathNot: testFile },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "renderer-has-no-electron",
      severity: "error",
      from: { path: "^renderer/" },
      to: { path: "^electron$|node_modules/electron/" },
    },
    {
      name: "app-knows-no-test-or-measurement",
      comment: "Its tests may: the scripted model server is shared by all that run the real codex.",
      severity: "error",
      from: { path: "^(main|preload|renderer)/", pathNot: testFile },
      to: { path: "^(e2e|bench|scripts)/" },
    },
  ],
  options: {
    tsConfig: { fileName: "tsconfig.base.json" },
    // Types are arrows too.
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules|^main/codex/protocol/" },
    enhancedResolveOptions: {
      extensions: [".ts", ".tsx", ".mjs", ".js", ".cjs", ".json", ".css"],
      exportsFields: ["exports"],
      conditionNames: ["import", "types", "default"],
    },
  },
};
