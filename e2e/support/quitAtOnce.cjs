// Loaded before the app: quits as soon as there is a window, and answers the question at quit. What was asked is written into
// the folder for temporary files.

const { writeFileSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");
const { app, dialog } = require("electron");

/** @param {any[]} given */
async function answer(...given) {
  const { message, detail, buttons } = given.at(-1);
  writeFileSync(join(tmpdir(), "asked.txt"), `${message}\n${detail}`);
  return { response: buttons.indexOf("Keep Running"), checkboxChecked: false };
}
dialog.showMessageBox = answer;
app.once("browser-window-created", () => setImmediate(() => app.quit()));
