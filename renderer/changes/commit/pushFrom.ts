// Pushing from anywhere: how it goes is seen on the page of changes.

import { call } from "../../state/connection";
import { goToChanges } from "../../state/navigation";
import { attempt, toast } from "../../state/toasts";
import { push } from "./push";
import { whyNoPush } from "./pushWords";

/** Looks anew, since nothing is known of a folder that nobody looks at. Says why nothing is pushed; never throws. */
export async function pushFromAnywhere(workspaceId: string): Promise<void> {
  goToChanges(workspaceId, { source: "folder" });
  const listing = await attempt(call("changes.list", { workspaceId }));
  if (!listing) return;
  const why = listing.state === "repository" ? whyNoPush(listing.changes) : "The folder is in no repository.";
  if (why === null) await push(workspaceId);
  else toast("Nothing was pushed.", { hint: why });
}
