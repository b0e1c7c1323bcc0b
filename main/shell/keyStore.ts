// The platform's key store, through Electron.

import { app, safeStorage } from "electron";
import type { KeyStore } from "../environments/tokens/keyStore";

/**
 * On Linux Electron falls back to a password that is the same everywhere when there is no key store: what is sealed with that
 * is as good as in clear, so it counts as none.
 */
export const platformKeyStore: KeyStore = {
  get ready() {
    return app.whenReady();
  },
  get isAvailable() {
    if (!safeStorage.isEncryptionAvailable()) return false;
    return process.platform !== "linux" || safeStorage.getSelectedStorageBackend() !== "basic_text";
  },
  seal: (text) => safeStorage.encryptString(text),
  unseal: (sealed) => safeStorage.decryptString(Buffer.from(sealed)),
};
