// The preload, sandboxed: hands the port from main to the page, and gives the page nothing else but the place of a
// dropped file and a way to say that it begins.
//
// Races, and what settles each:
// - The port comes before the page's scripts listen: it is kept until DOMContentLoaded, which comes after them. Nothing
//   says "loaded" more reliably here: `readyState` is "interactive" already while they have yet to run.
// - The page is loaded again: this file runs anew and asks anew; main closes the old port.

import { contextBridge, ipcRenderer, webUtils } from "electron";
import {
  type HoldfastGlobal,
  pageBeginsChannel,
  portChannel,
  portOfferType,
  portRequestChannel,
} from "./contract/port";

let pageListens = false;
let waiting: MessagePort | null = null;

function offer(port: MessagePort): void {
  window.postMessage({ type: portOfferType }, window.location.origin, [port]);
}

ipcRenderer.on(portChannel, (event) => {
  const [port] = event.ports;
  if (!port) return;
  if (pageListens) offer(port);
  else waiting = port;
});

window.addEventListener("DOMContentLoaded", () => {
  pageListens = true;
  if (waiting) offer(waiting);
  waiting = null;
});

const holdfast: HoldfastGlobal = {
  begins: () => ipcRenderer.send(pageBeginsChannel),
  pathOfFile: (file) => (file instanceof File ? webUtils.getPathForFile(file) : ""),
};
contextBridge.exposeInMainWorld("holdfast", holdfast);

// A window has an empty page before its first one, and for a moment after a crash. That one needs no port.
if (window.location.href !== "about:blank") ipcRenderer.send(portRequestChannel);
