import { memo } from "react";
import { ItemView } from "../items/ItemView";
import { RunRow } from "../RunRow";
import { SubmissionRow } from "../SubmissionRow";
import { TurnEnd } from "../TurnEnd";
import type { Row } from "./rows";

export const RowView = memo(function RowView({ row }: { row: Row }) {
  switch (row.kind) {
    case "item":
      return <ItemView itemId={row.itemId} />;
    case "turnEnd":
      return <TurnEnd turnId={row.turnId} last={row.last} />;
    case "submission":
      return <SubmissionRow clientId={row.clientId} />;
    case "run":
      return <RunRow />;
    default: {
      const unknown: never = row;
      return unknown;
    }
  }
}, sameRow);

/** Rows are made anew whenever one of them changes; most say the same as before. */
function sameRow({ row: a }: { row: Row }, { row: b }: { row: Row }): boolean {
  return (
    a.key === b.key &&
    a.kind === b.kind &&
    (a.kind !== "turnEnd" || b.kind !== "turnEnd" || a.last === b.last) &&
    idOf(a) === idOf(b)
  );
}

function idOf(row: Row): string {
  if (row.kind === "item") return row.itemId;
  return row.key;
}
