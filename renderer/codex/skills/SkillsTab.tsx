// The skills that codex finds for the shown workspace. Switching one on or off has codex write one entry into the person's own
// configuration.

import { useId, useState } from "react";
import type { CallResult } from "../../../preload/contract";
import type { SkillView } from "../../../preload/contract/codexPage";
import { useApp } from "../../state/appStore";
import { call } from "../../state/connection";
import { reveal } from "../../state/threadActions";
import { attempt } from "../../state/toasts";
import { shortPath } from "../../state/words";
import { Button } from "../../ui/Button";
import { Notice } from "../../ui/Notice";
import { SwitchControl } from "../../ui/Switch";
import { TextField } from "../../ui/TextField";
import { AskedPart } from "../AskedPart";
import { load, useLoaded } from "../loaded";
import { type Shown, useNews } from "../shown";

type Skills = CallResult<"codex.skills">;

const scopeWords: Record<SkillView["scope"], string> = {
  repo: "This project",
  user: "Yours",
  admin: "Set by an administrator",
  system: "Comes with codex",
};

export function SkillsTab({ shown }: { shown: Shown }) {
  const { workspace, codex } = shown;
  const workspaceId = workspace.id;
  const key = `skills ${workspaceId}`;
  const [filter, setFilter] = useState("");
  const changes = useNews(workspaceId)?.skills ?? 0;
  const loaded = useLoaded<Skills>(
    key,
    () => call("codex.skills", { workspaceId, now: false }),
    `${codex} ${changes}`,
  );
  const readAnew = () => load(key, () => call("codex.skills", { workspaceId, now: true }));
  const { skills = [], errors = [] } = loaded.value ?? {};
  const wanted = filter.trim().toLowerCase();
  const listed = skills.filter(({ name, title, description }) =>
    `${name}\n${title}\n${description}`.toLowerCase().includes(wanted),
  );
  return (
    <div className="grid w-full max-w-190 grid-cols-1 content-start gap-6 px-5 py-5">
      <AskedPart title="Skills" loaded={loaded} onReload={() => void readAnew()}>
        {errors.map(({ path, message }) => (
          <Notice
            key={path}
            tone="warning"
            title="codex cannot use this skill's file."
            hint={message}
            detail={path}
            actions={
              <Button size="s" onClick={() => void reveal(path)}>
                Show file
              </Button>
            }
          />
        ))}
        {skills.length === 0 ? (
          <p className="max-w-140 text-m text-pretty text-ink-2">
            codex finds no skill here. A skill is a folder with a file SKILL.md, under “skills” in codex's
            home or under “.agents/skills” in a project.
          </p>
        ) : (
          <>
            {skills.length > 8 && (
              <TextField
                type="search"
                label="Filter skills"
                hideLabel
                placeholder="Filter skills"
                value={filter}
                onChange={setFilter}
                className="max-w-80"
              />
            )}
            <ul aria-label="Skills" className="grid grid-cols-1 divide-y divide-line">
              {listed.map((skill) => (
                <SkillRow
                  key={skill.path}
                  skill={skill}
                  workspaceId={workspaceId}
                  onChanged={loaded.reload}
                />
              ))}
            </ul>
            {listed.length === 0 && <p className="text-m text-ink-2">No skill fits “{filter}”.</p>}
          </>
        )}
      </AskedPart>
    </div>
  );
}

function SkillRow({
  skill,
  workspaceId,
  onChanged,
}: {
  skill: SkillView;
  workspaceId: string;
  onChanged: () => void;
}) {
  const { name, title, description, path, scope, plugin, enabled } = skill;
  const nameId = useId();
  const [wanted, setWanted] = useState<boolean | null>(null);
  const home = useApp((app) => app.home);
  const change = async (next: boolean) => {
    setWanted(next);
    await attempt(call("codex.setSkill", { workspaceId, path, enabled: next }));
    setWanted(null);
    onChanged();
  };
  return (
    <li aria-labelledby={nameId} className="grid grid-cols-1 gap-0.5 py-2">
      <div className="flex min-h-6 items-center gap-2">
        <span id={nameId} className="min-w-0 truncate font-medium">
          {title}
        </span>
        {title !== name && <span className="min-w-0 truncate font-mono text-s text-ink-3">{name}</span>}
        <span className="flex-1" />
        <Button
          size="s"
          tone="quiet"
          title={path}
          aria-describedby={nameId}
          onClick={() => void reveal(path)}
        >
          Show file
        </Button>
        <SwitchControl
          label={`Use ${title}`}
          checked={wanted ?? enabled}
          onChange={(next) => void change(next)}
        />
      </div>
      <p className="text-s text-pretty break-words text-ink-2 selectable">{description}</p>
      <p className="text-s break-words text-ink-3">
        {[scopeWords[scope], plugin === null ? null : `plugin ${plugin}`, enabled ? "on" : "off"]
          .filter(Boolean)
          .join(" · ")}{" "}
        · <span className="font-mono selectable">{shortPath(path, home)}</span>
      </p>
    </li>
  );
}
