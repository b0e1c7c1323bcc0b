// The way to an exec-server as it was found, step by step.

import { CircleAlert, CircleCheck, CircleDashed, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { WayStep } from "../../../preload/contract/environments";

const titles: Record<WayStep["step"], string> = {
  address: "The address",
  port: "Something listens there",
  server: "It is an exec-server",
  token: "It takes the token",
  handshake: "It answers",
  version: "Its version",
};

const outcomes: Record<WayStep["outcome"], { words: string; icon: ReactNode; tone: string }> = {
  ok: { words: "ok", icon: <CircleCheck size={15} />, tone: "text-ok" },
  failed: { words: "failed", icon: <CircleAlert size={15} />, tone: "text-bad" },
  warning: { words: "look at this", icon: <TriangleAlert size={15} />, tone: "text-warn" },
  "not tried": { words: "not tried", icon: <CircleDashed size={15} />, tone: "text-ink-3" },
};

export function WaySteps({ steps }: { steps: readonly WayStep[] }) {
  return (
    <ol aria-label="What was found" className="grid gap-2">
      {steps.map(({ step, outcome, text, hint }) => {
        const look = outcomes[outcome];
        return (
          <li
            key={step}
            aria-label={`${titles[step]}: ${look.words}`}
            className="grid grid-cols-[16px_minmax(0,1fr)] gap-x-2"
          >
            <span aria-hidden className={`mt-0.5 ${look.tone}`}>
              {look.icon}
            </span>
            <span className="flex flex-wrap items-baseline gap-x-2">
              <span className="font-medium">{titles[step]}</span>
              <span className={`text-s ${look.tone}`}>{look.words}</span>
            </span>
            {outcome !== "not tried" && text !== "" && (
              <span className="col-start-2 text-pretty break-words text-ink-2 selectable">{text}</span>
            )}
            {hint !== null && (
              <span className="col-start-2 text-s text-pretty break-words text-ink-2 selectable">{hint}</span>
            )}
          </li>
        );
      })}
    </ol>
  );
}
