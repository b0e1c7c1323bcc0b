import { ChevronUp } from "lucide-react";
import { useState } from "react";
import { call } from "../../state/connection";
import { useHead, useThreadKey } from "../../state/threadStore";
import { attempt } from "../../state/toasts";
import { Button } from "../../ui/Button";

/** At the top while there are turns before the first one. They come by themselves; this is for when they did not. */
export function OlderRow() {
  const threadKey = useThreadKey();
  const loading = useHead((head) => head.loadingOlder);
  const [asked, setAsked] = useState(false);
  const load = async () => {
    setAsked(true);
    await attempt(call("threads.loadOlder", { threadKey }));
    setAsked(false);
  };
  return (
    <div className="flex justify-center">
      <Button
        size="s"
        tone="quiet"
        busy={loading || asked}
        icon={<ChevronUp aria-hidden size={13} />}
        onClick={() => void load()}
      >
        Load earlier turns
      </Button>
    </div>
  );
}
