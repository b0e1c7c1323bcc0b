import { send } from "../../state/signals";
import { places } from "./place";

/**
 * The person has just put something at the end of this conversation, which they are to see wherever they have been reading.
 * Also for a conversation that is not on screen right now: it is opened at its end then.
 */
export function goToLatest(threadKey: string): void {
  places.forget(threadKey);
  send("show-latest");
}
