// What the scripts of a workspace keep for later ones, on record: it outlives Holdfast.

import type { CellValuesLedger } from "../../ledger/cellValuesLedger";
import { storedBytes, storedSize } from "../runtime/limits";
import type { StoredValues } from "../runtime/storedValues";

export function ledgerValues(ledger: CellValuesLedger, workspaceId: string): StoredValues {
  return {
    all: () => ledger.all(workspaceId),
    keep: (values) => ledger.keep(workspaceId, values, { most: storedBytes, sizeOf: storedSize }),
  };
}
