// Says what changed to those who cannot see it: a thread that needs the person, has ended or has failed. Politely, a
// short sentence each, and only about what is not said anyway by the place that changed.

import { useEffect, useState } from "react";
import { environmentInFront } from "../environments/actions";
import { appStore } from "../state/appStore";
import { announcementsOf } from "./announcements";

export function Announcer() {
  const [said, setSaid] = useState({ count: 0, text: "" });
  useEffect(
    () =>
      appStore.subscribe((now, before) => {
        if (now.shown.phase !== "shown" || before.shown.phase !== "shown") return;
        const sentences = announcementsOf(
          before.shown.copy,
          now.shown.copy,
          environmentInFront()?.environmentId ?? null,
        );
        if (sentences.length > 0) setSaid(({ count }) => ({ count: count + 1, text: sentences.join(" ") }));
      }),
    [],
  );
  return (
    <div aria-live="polite" className="sr-only">
      <p key={said.count}>{said.text}</p>
    </div>
  );
}
