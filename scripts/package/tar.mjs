// The archive: one folder that runs from wherever it is unpacked.

import path from "node:path";
import { run } from "../setup/command.mjs";
import { SetupError } from "../setup/report.mjs";

const packTimeoutMs = 20 * 60_000;

/** @param {import("./folder.mjs").PackOptions} options */
export async function packTar({ folder, target, version, isFast }) {
  const name = path.basename(folder);
  const { code, output } = await run(
    "tar",
    [
      "--create",
      `--file=${target}`,
      `--use-compress-program=gzip -${isFast ? 1 : 9}`,
      "--owner=0",
      "--group=0",
      "--sort=name",
      `--transform=s,^${name},holdfast-${version},`,
      `--directory=${path.dirname(folder)}`,
      name,
    ],
    { timeoutMs: packTimeoutMs },
  );
  if (code !== 0) throw new SetupError("The archive could not be made.", { detail: output });
}
