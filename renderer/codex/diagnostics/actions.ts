import { call } from "../../state/connection";
import { attempt, toast } from "../../state/toasts";

/** As one text in Markdown, without secrets. */
export async function copyDiagnostics(): Promise<void> {
  const taken = await attempt(call("diagnostics.text", {}));
  if (!taken || !(await attempt(call("shell.copy", { text: taken.text })))) return;
  toast("Diagnostics copied", { tone: "ok", hint: "Secrets, addresses and your name were taken out." });
}

export async function saveDiagnostics(): Promise<void> {
  const saved = await attempt(call("diagnostics.save", {}));
  if (!saved?.path) return;
  const { path } = saved;
  toast("Diagnostics saved", {
    tone: "ok",
    actions: [{ label: "Show file", run: () => void attempt(call("shell.reveal", { path })) }],
  });
}
