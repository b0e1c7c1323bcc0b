// How one environment stands, in words: its connection, what the executor says of itself, where it is found, its tokens, and
// what uses it.

import type { EnvironmentView } from "../../../preload/contract/environments";
import { Connection } from "./Connection";
import { Executor } from "./Executor";
import { LocalServer } from "./LocalServer";
import { Tokens } from "./Tokens";
import { Trouble } from "./Trouble";
import { UsedBy } from "./UsedBy";
import { Where } from "./Where";

export function Overview({ environment }: { environment: EnvironmentView }) {
  return (
    <div className="grid w-full max-w-190 grid-cols-1 content-start gap-6 px-5 py-5">
      <Trouble environment={environment} />
      <Connection environment={environment} />
      {environment.server !== null && <LocalServer environment={environment} server={environment.server} />}
      <Executor environment={environment} />
      {environment.registry.kind !== "local" && (
        <>
          <Where environment={environment} />
          <Tokens environment={environment} />
        </>
      )}
      <UsedBy environmentId={environment.environmentId} />
    </div>
  );
}
