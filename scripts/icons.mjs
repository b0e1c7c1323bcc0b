// `node scripts/icons.mjs`: draws packaging/icon.svg in the sizes that systems ask for, into packaging/icons/. To be run when
// the drawing has changed; what it makes is kept with the sources, so that a package can be made without a display.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { run } from "./setup/command.mjs";
import { hasDisplay, openDisplay } from "./setup/display.mjs";
import { electronExecutable } from "./setup/electron.mjs";
import { chromiumSwitches, environmentForElectron } from "./setup/environment.mjs";
import { inProject } from "./setup/project.mjs";
import { runScript, SetupError } from "./setup/report.mjs";
import { setUp } from "./setup/setup.mjs";

const sizes = [16, 24, 32, 48, 64, 128, 256, 512, 1024];
const timeoutMs = 60_000;

const program = `
  const { app, BrowserWindow } = require("electron");
  const { readFileSync, writeFileSync } = require("node:fs");
  const { drawing, folder, sizes } = JSON.parse(process.env.HOLDFAST_ICONS);
  app.commandLine.appendSwitch("force-device-scale-factor", "1");
  app.disableHardwareAcceleration();
  app.whenReady().then(async () => {
    const svg = Buffer.from(readFileSync(drawing)).toString("base64");
    for (const size of sizes) {
      const window = new BrowserWindow({
        width: size, height: size, useContentSize: true, show: false, frame: false, transparent: true,
        webPreferences: { offscreen: true, sandbox: true },
      });
      const page = "<style>*{margin:0}img{display:block;width:" + size + "px;height:" + size + "px}</style>" +
        "<img src='data:image/svg+xml;base64," + svg + "'>";
      const painted = new Promise((resolve) => {
        window.webContents.on("paint", (_event, _dirty, image) => { if (!image.isEmpty()) resolve(); });
      });
      await window.loadURL("data:text/html;base64," + Buffer.from(page).toString("base64"));
      await painted;
      const image = await window.webContents.capturePage({ x: 0, y: 0, width: size, height: size });
      const found = image.getSize();
      if (found.width !== size || found.height !== size) throw new Error("drawn as " + JSON.stringify(found) + ", not " + size);
      writeFileSync(folder + "/" + size + "x" + size + ".png", image.toPNG());
      window.destroy();
    }
    app.exit(0);
  }).catch((error) => { console.error(error); app.exit(1); });
  app.on("window-all-closed", () => {});
`;

await runScript(async () => {
  await setUp("electron");
  const folder = inProject("packaging", "icons");
  mkdirSync(folder, { recursive: true });
  const appFolder = mkdtempSync(path.join(tmpdir(), "holdfast-icons-"));
  writeFileSync(path.join(appFolder, "package.json"), JSON.stringify({ name: "icons", main: "main.cjs" }));
  writeFileSync(path.join(appFolder, "main.cjs"), program);
  const display = hasDisplay() ? undefined : await openDisplay();
  try {
    const env = environmentForElectron({
      ...process.env,
      ...display?.env,
      HOLDFAST_ICONS: JSON.stringify({ drawing: inProject("packaging", "icon.svg"), folder, sizes }),
    });
    const executable = /** @type {string} */ (electronExecutable());
    const { code, output } = await run(executable, [...chromiumSwitches(env).switches, appFolder], {
      env,
      timeoutMs,
    });
    if (code !== 0) throw new SetupError("The icons could not be drawn.", { detail: output });
  } finally {
    await display?.close();
    rmSync(appFolder, { recursive: true, force: true });
  }
  return 0;
});
