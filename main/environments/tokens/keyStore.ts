// What seals tokens: the platform's key store, which main/shell brings.

export interface KeyStore {
  /** Before this resolves nothing else of it may be asked. */
  readonly ready: Promise<void>;
  /** False: this machine has none that keeps anything secret; nothing is to be written down then. */
  readonly isAvailable: boolean;
  seal(text: string): Uint8Array;
  /** Throws when it cannot be read: by another person, on another machine, or after the store was made anew. */
  unseal(sealed: Uint8Array): string;
}
