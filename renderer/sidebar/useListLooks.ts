import { useEffect } from "react";
import { faultOf } from "../state/callFault";
import { call } from "../state/connection";

/** Threads that other programs have made are looked for when the list comes on screen, and when one comes to its window. */
export function useListLooks(): void {
  useEffect(() => {
    look();
    window.addEventListener("focus", look);
    return () => window.removeEventListener("focus", look);
  }, []);
}

function look(): void {
  // Nobody asked for it by hand; the next look may succeed.
  call("threads.lookAgain", {}).catch((error: unknown) => {
    console.warn("The threads could not be looked at again", faultOf(error).message);
  });
}
