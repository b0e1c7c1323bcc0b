import type { Handlers } from "./backend";
import type { Diagnostics } from "./diagnostics/diagnostics";

type DiagnosticsCall =
  | "diagnostics.read"
  | "diagnostics.text"
  | "diagnostics.measureFolders"
  | "diagnostics.checkLedger";

const done = { done: true } as const;

export function diagnosticsHandlers(
  diagnostics: Diagnostics,
  folders: { data: string; logs: string },
): Handlers<DiagnosticsCall> {
  return {
    async "diagnostics.read"() {
      return { ...(await diagnostics.read()), folders };
    },
    async "diagnostics.text"() {
      return { text: await diagnostics.text() };
    },
    async "diagnostics.measureFolders"() {
      await diagnostics.measureFolders();
      return done;
    },
    async "diagnostics.checkLedger"() {
      return { sound: diagnostics.checkLedger() };
    },
  };
}
