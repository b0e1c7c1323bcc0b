// Loaded into a Holdfast under test: the desktop's notifications, the menu of the tray and whether a window has the keyboard,
// held where the test can see them, and written into the file that the test names. What Holdfast does with them is its own; only what the desktop would draw
// is kept here instead.

const { renameSync, writeFileSync } = require("node:fs");
const { app, Notification, Tray } = require("electron");

const file = String(process.env.HOLDFAST_TEST_NOTIFICATIONS);
/** @type {{ shown: any[], menu: Electron.Menu | null, isFocused: boolean }} */
const centre = { shown: [], menu: null, isFocused: false };
Object.assign(globalThis, { notificationCentre: centre });

function write() {
  const shown = centre.shown.map(({ title, body, isThere }) => ({ title, body, isThere }));
  const labels = (centre.menu?.items ?? []).filter(({ type }) => type !== "separator");
  const text = JSON.stringify({ shown, tray: labels.map(({ label }) => label), isFocused: centre.isFocused });
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

Notification.isSupported = () => true;
Notification.prototype.show = function show() {
  centre.shown.push({ notification: this, title: this.title, body: this.body, isThere: true });
  write();
};
Notification.prototype.close = function close() {
  const entry = centre.shown.find(({ notification }) => notification === this);
  if (entry) entry.isThere = false;
  write();
};

const { setContextMenu } = Tray.prototype;
Tray.prototype.setContextMenu = function keepMenu(menu) {
  centre.menu = menu;
  setContextMenu.call(this, menu);
  write();
};

for (const name of ["focus", "blur"]) {
  app.on(/** @type {any} */ (`browser-window-${name}`), () => {
    centre.isFocused = name === "focus";
    write();
  });
}
