import type { ScriptRow } from "../../../preload/contract/cells";
import { RenameField } from "../../sidebar/RenameField";
import { renameScript } from "../actions";
import { cellsStore } from "../cellsStore";

export function ScriptRowView({ script }: { script: ScriptRow }) {
  const renaming = cellsStore(
    ({ renaming }) => renaming?.where === "list" && renaming.scriptId === script.scriptId,
  );
  return (
    <div className="flex h-full items-center px-2.5">
      {renaming ? (
        <RenameField
          label="Name of the script"
          name={script.name}
          onRename={(name) => void renameScript(script.scriptId, name)}
          onDone={() => cellsStore.setState({ renaming: null })}
          className="-mx-1"
        />
      ) : (
        <span className="truncate">{script.name}</span>
      )}
    </div>
  );
}
