// What the page says while there is no environment: what one is for, and the ways to have one.

import { Network, Play, Plus, Server } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "../ui/Button";
import { connectToAnotherMachine, newEnvironment, runOneHere } from "./actions";

export function Start() {
  const [starting, setStarting] = useState(false);
  const run = async () => {
    setStarting(true);
    await runOneHere();
    setStarting(false);
  };
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto grid w-full max-w-160 gap-5 px-6 py-[max(24px,10vh)]">
        <div className="grid justify-items-start gap-2">
          <Server aria-hidden size={28} strokeWidth={1.5} className="text-ink-3" />
          <h2 className="text-xl font-semibold text-balance">Let commands run somewhere else</h2>
          <p className="text-l text-pretty text-ink-2">
            An environment is a place where the commands of a thread run: another machine, a container, or a
            process of its own on this one. The thread itself stays here, with everything that was said in it.
            The program that runs them there, a codex exec-server, is its executor; when that is replaced, the
            environment goes over to the new one and its threads go on there.
          </p>
        </div>
        <ul aria-label="Ways to have one" className="grid gap-2">
          <Way
            title="On this machine"
            text="One press, nothing to set. Holdfast starts an executor here, and ends it when you stop it."
          >
            <Button
              tone="primary"
              data-keyboard-stop
              icon={<Play aria-hidden size={13} />}
              busy={starting}
              onClick={() => void run()}
            >
              Run one on this machine
            </Button>
          </Way>
          <Way
            title="On another machine, over ssh"
            text="Step by step: what to run there, what to run here, and a check of each step on the way."
          >
            <Button icon={<Network aria-hidden size={14} />} onClick={connectToAnotherMachine}>
              Connect to another machine…
            </Button>
          </Way>
          <Way
            title="Wherever one listens already"
            text="At an address that stays, or one that a file or a command names whenever it is asked."
          >
            <Button icon={<Plus aria-hidden size={14} />} onClick={() => newEnvironment(null)}>
              Add by address, file or command…
            </Button>
          </Way>
        </ul>
      </div>
    </div>
  );
}

function Way({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-m border border-line bg-raised px-4 py-3">
      <div className="grid min-w-56 flex-1 gap-0.5">
        <h3 className="font-medium">{title}</h3>
        <p className="text-pretty text-ink-2">{text}</p>
      </div>
      {children}
    </li>
  );
}
