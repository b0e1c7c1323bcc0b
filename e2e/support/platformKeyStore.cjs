// Playwright has Chromium seal with a password that is known to all; this takes that back, for a test with a key store of its own.

const { app } = require("electron");

app.commandLine.removeSwitch("password-store");
