import { Palette } from "../palette/Palette";
import { SettingsDialog } from "../settings/SettingsDialog";
import { confirmStore } from "../state/confirm";
import { showDialog, uiStore } from "../state/uiStore";
import { AlertDialog } from "../ui/AlertDialog";
import { LogDialog } from "./LogDialog";
import { ShortcutSheet } from "./ShortcutSheet";

const close = () => showDialog(null);

/** Whatever lies over the window. */
export function Dialogs() {
  const dialog = uiStore((store) => store.dialog);
  return (
    <>
      <Palette open={dialog?.kind === "palette"} onClose={close} />
      <SettingsDialog
        open={dialog?.kind === "settings"}
        section={dialog?.kind === "settings" ? dialog.section : "general"}
        onClose={close}
      />
      <ShortcutSheet open={dialog?.kind === "shortcuts"} onClose={close} />
      {dialog?.kind === "log" && <LogDialog log={dialog.log} title={dialog.title} onClose={close} />}
      <Confirm />
    </>
  );
}

function Confirm() {
  const open = confirmStore((store) => store.open);
  return (
    <AlertDialog
      open={open !== null}
      title={open?.title ?? ""}
      confirmLabel={open?.confirmLabel ?? ""}
      tone={open?.tone}
      onConfirm={() => open?.answer(true)}
      onCancel={() => open?.answer(false)}
    >
      {open?.text}
    </AlertDialog>
  );
}
