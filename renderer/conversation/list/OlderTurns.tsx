import { ChevronUp } from "lucide-react";
import { useState } from "react";
import { call } from "../../state/connection";
import { useHead, useThreadKey } from "../../state/threadStore";
import { attempt } from "../../state/toasts";
import { Button } from "../../ui/Button";

/**
 * Above the first row while there are turns before it. They come by themselves; this is for when they did not. It is no row:
 * the list keeps the row at the top of the view in its place when others are put before it, and this would be that row.
 */
export function OlderTurns() {
  const threadKey = useThreadKey();
  const hasOlder = useHead((head) => head.hasOlder);
  const loading = useHead((head) => head.loadingOlder);
  const [asked, setAsked] = useState(false);
  if (!hasOlder) return null;
  const load = async () => {
    setAsked(true);
    await attempt(call("threads.loadOlder", { threadKey }));
    setAsked(false);
  };
  return (
    <Button
      size="s"
      tone="quiet"
      busy={loading || asked}
      icon={<ChevronUp aria-hidden size={13} />}
      onClick={() => void load()}
    >
      Load older turns
    </Button>
  );
}
