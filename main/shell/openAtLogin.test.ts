import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  autostartPath,
  desktopEntry,
  type LinuxLoginOptions,
  refreshLinuxLoginItem,
  setLinuxLoginItem,
} from "./openAtLogin";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "holdfast-login-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function options(change: Partial<LinuxLoginOptions> = {}): LinuxLoginOptions {
  return {
    environment: { HOME: folder },
    ownHome: null,
    item: { command: ["/opt/holdfast/holdfast", "--hidden"], variables: {} },
    ...change,
  };
}

const execOf = (entry: string) => /^Exec=(.*)$/m.exec(entry)?.[1];

describe("the file that starts Holdfast at login", () => {
  it("is written whole and taken away again, and nothing else is left", () => {
    setLinuxLoginItem(options(), true);
    const path = join(folder, ".config", "autostart", "holdfast.desktop");
    expect(execOf(readFileSync(path, "utf8"))).toBe("/opt/holdfast/holdfast --hidden");
    expect(readdirSync(join(folder, ".config", "autostart"))).toEqual(["holdfast.desktop"]);
    setLinuxLoginItem(options(), false);
    setLinuxLoginItem(options(), false);
    expect(readdirSync(join(folder, ".config", "autostart"))).toEqual([]);
  });

  it("is where the desktop looks, and one for each home", () => {
    const config = { environment: { HOME: folder, XDG_CONFIG_HOME: "/etc/mine" }, ownHome: null };
    expect(autostartPath(config)).toBe("/etc/mine/autostart/holdfast.desktop");
    const relative = { environment: { HOME: "/h", XDG_CONFIG_HOME: "here" }, ownHome: null };
    expect(autostartPath(relative)).toBe("/h/.config/autostart/holdfast.desktop");
    const [one, other] = ["/a", "/b"].map((ownHome) => autostartPath({ ...config, ownHome }));
    expect(one).not.toBe(other);
  });

  it("quotes what has a meaning there", () => {
    const entry = desktopEntry({
      command: ["/opt/my apps/hold`fast", '50%"\\$x', "--hidden"],
      variables: { HOLDFAST_HOME: "/a b" },
    });
    expect(execOf(entry)).toBe(
      'env "HOLDFAST_HOME=/a b" "/opt/my apps/hold\\\\`fast" "50%%\\\\"\\\\\\\\\\\\$x" --hidden',
    );
    expect(execOf(desktopEntry({ command: ["a\nExec=b"], variables: {} }))).toBe('"a\\nExec=b"');
  });

  it("follows Holdfast to where it lies now, but does not come back once deleted", () => {
    setLinuxLoginItem(options(), true);
    const moved = options({ item: { command: ["/new/holdfast"], variables: {} } });
    refreshLinuxLoginItem(moved);
    expect(execOf(readFileSync(autostartPath(moved), "utf8"))).toBe("/new/holdfast");
    rmSync(autostartPath(moved));
    refreshLinuxLoginItem(moved);
    expect(existsSync(autostartPath(moved))).toBe(false);
  });

  it("stays switched off where the desktop has switched it off, and follows all the same", () => {
    setLinuxLoginItem(options(), true);
    const path = autostartPath(options());
    const off = readFileSync(path, "utf8").replace("enabled=true", "enabled=false");
    writeFileSync(path, `${off}Hidden=true\n`);
    refreshLinuxLoginItem(options({ item: { command: ["/new/$&"], variables: {} } }));
    const written = readFileSync(path, "utf8");
    expect(execOf(written)).toBe('"/new/\\\\$&"');
    expect(written).toContain("enabled=false\nHidden=true\n");
  });

  it("that cannot be written says which", () => {
    mkdirSync(join(folder, ".config"));
    writeFileSync(join(folder, ".config", "autostart"), "in the way");
    expect(() => setLinuxLoginItem(options(), true)).toThrow(
      expect.objectContaining({
        code: "login_item_failed",
        hint: expect.stringContaining("holdfast.desktop"),
      }),
    );
  });
});
