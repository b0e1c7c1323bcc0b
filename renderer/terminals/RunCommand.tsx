// A command line to be run in a terminal of its own, and the folder that it runs in.
//
// Race: whether the folder is there is known only when the terminal is listed already, and something else may be typed by then. The
// command comes back into the field only if nothing is in it; what is wrong with the folder is said until the folder is changed.

import { Folder, Play, SquareTerminal } from "lucide-react";
import { type FormEvent, useEffect, useId, useState } from "react";
import type { TerminalPlace, TerminalRow } from "../../preload/contract/terminals";
import { useApp } from "../state/appStore";
import { Button } from "../ui/Button";
import { TextField } from "../ui/TextField";
import { openTerminal } from "./actions";

export interface RunCommandProps {
  place: TerminalPlace;
  /** Where commands start, if nothing else is said; null: not known. */
  usualFolder: string | null;
}

export function RunCommand({ place, usualFolder }: RunCommandProps) {
  const [command, setCommand] = useState("");
  const [folder, setFolder] = useState("");
  const [opening, setOpening] = useState<"command" | "shell" | null>(null);
  const [asked, setAsked] = useState<{ terminalId: string; command: string | null } | null>(null);
  const [folderError, setFolderError] = useState<string | null>(null);
  const begun = useApp((app) => app.terminals.find(({ terminalId }) => terminalId === asked?.terminalId));
  const hint = useId();
  useEffect(() => {
    if (asked === null || begun === undefined || begun.state === "starting") return;
    const wrong = folderProblem(begun);
    setAsked(null);
    if (wrong === null) return;
    setFolderError(wrong);
    setCommand((typed) => (typed === "" ? (asked.command ?? "") : typed));
  }, [asked, begun]);
  const cwd = folder.trim() === "" ? null : folder.trim();
  const open = async (what: "command" | "shell") => {
    setOpening(what);
    const request = { command: what === "command" ? command : null, cwd };
    const terminalId = await openTerminal(place, request);
    setOpening(null);
    if (terminalId === null) return;
    setFolderError(null);
    setAsked({ terminalId, command: request.command });
    if (what === "command") setCommand("");
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (command.trim() !== "" && opening === null) void open("command");
  };
  return (
    <form
      aria-label="Run a command"
      onSubmit={submit}
      className="flex flex-wrap items-start gap-2 border-b border-line px-4 py-2"
    >
      <TextField
        label="Command"
        hideLabel
        mono
        value={command}
        onChange={setCommand}
        placeholder="Run a command…"
        aria-describedby={hint}
        data-keyboard-stop=""
        className="min-w-40 flex-[3] grid-cols-[minmax(0,1fr)]"
      />
      <TextField
        label="Folder"
        hideLabel
        mono
        value={folder}
        onChange={(text) => {
          setFolder(text);
          setFolderError(null);
        }}
        error={folderError}
        placeholder={usualFolder ?? "Folder: where it starts"}
        before={<Folder aria-hidden size={13} />}
        className="min-w-32 flex-[2] grid-cols-[minmax(0,1fr)]"
      />
      <span id={hint} className="sr-only">
        It is run by the shell of this environment, in a terminal of its own.
      </span>
      <Button
        type="submit"
        icon={<Play aria-hidden size={13} />}
        busy={opening === "command"}
        disabled={command.trim() === ""}
      >
        Run
      </Button>
      <Button
        icon={<SquareTerminal aria-hidden size={14} />}
        busy={opening === "shell"}
        onClick={() => void open("shell")}
      >
        New shell
      </Button>
    </form>
  );
}

/** Null: that is not why it has not started. */
function folderProblem({ state, fault }: TerminalRow): string | null {
  const isAbout = fault?.code === "folder_missing" || fault?.code === "path_not_absolute";
  return state === "failed" && isAbout ? fault.message : null;
}
