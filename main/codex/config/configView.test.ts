import { describe, expect, test } from "vitest";
import type { ConfigReadResponse } from "../protocol/v2/ConfigReadResponse";
import { keyPathOf, viewConfig } from "./configView";

const user = { type: "user", file: "/home/me/.codex/config.toml", profile: null } as const;

function answer(parts: Record<string, unknown>): ConfigReadResponse {
  return { config: {}, origins: {}, layers: [], ...parts } as unknown as ConfigReadResponse;
}

function entry(view: ReturnType<typeof viewConfig>, key: string) {
  return view.entries.find((each) => each.key === key);
}

describe("codex's configuration", () => {
  test("is one entry a key, each with the layer that says it; a list is one value", () => {
    const view = viewConfig(
      answer({
        config: {
          model: "gpt-5",
          notify: ["a", "b"],
          features: { apps: false, memories: true },
          tools: null,
        },
        origins: {
          model: { name: user, version: "1" },
          "notify.0": { name: { type: "project", dotCodexFolder: "/p/.codex" }, version: "2" },
          "features.apps": { name: { type: "sessionFlags" }, version: "3" },
        },
        layers: [{ name: user, version: "sha256:1", config: {}, disabledReason: null }],
      }),
    );
    expect(view).toMatchObject({ file: user.file, version: "sha256:1" });
    expect(view.entries.map(({ key }) => key)).toEqual([
      "features.apps",
      "features.memories",
      "model",
      "notify",
      "tools",
    ]);
    expect(entry(view, "model")?.source).toEqual({
      kind: "user",
      words: "your config.toml",
      place: user.file,
    });
    expect(entry(view, "notify")).toMatchObject({ value: ["a", "b"], source: { kind: "project" } });
    expect(entry(view, "features.apps")?.source.kind).toBe("flags");
    expect(entry(view, "features.memories")?.source.kind).toBe("default");
  });

  test("says of a token only that it is set", () => {
    const view = viewConfig(
      answer({
        config: {
          model_providers: {
            a: { experimental_bearer_token: "sk-1", env_key: "KEY", http_headers: { "X-Me": "s" } },
          },
          mcp_servers: { b: { env: { PASS: "p" }, bearer_token: null } },
          tool_output_token_limit: 5,
        },
      }),
    );
    expect(JSON.stringify(view)).not.toMatch(/sk-1|"s"|"p"/);
    expect(entry(view, "model_providers.a.experimental_bearer_token")).toMatchObject({
      secret: true,
      value: null,
    });
    expect(entry(view, "mcp_servers.b.env.PASS")?.secret).toBe(true);
    expect(entry(view, "mcp_servers.b.bearer_token")?.secret).toBe(false);
    expect(entry(view, "model_providers.a.env_key")).toMatchObject({ secret: false, value: "KEY" });
    expect(entry(view, "tool_output_token_limit")).toMatchObject({ secret: false, value: 5 });
  });

  test("has what codex does not know, and quotes names that TOML would not take bare", () => {
    const view = viewConfig(
      answer({
        config: { projects: { "/a b": { trust_level: "trusted" } } },
        origins: { "projects./a b.trust_level": { name: user, version: "1" } },
        layers: [{ name: user, version: "1", config: { misspelt: 3 }, disabledReason: null }],
      }),
    );
    expect(entry(view, 'projects."/a b".trust_level')?.source.kind).toBe("user");
    expect(entry(view, "misspelt")?.value).toBe(3);
    expect(keyPathOf(["a", "b.c", 'd"e\\f\tg'])).toBe('a."b.c"."d\\"e\\\\f\tg"');
  });

  test("lists layers that codex does not use, and knows no file where there is none", () => {
    const view = viewConfig(
      answer({
        layers: [
          {
            name: { type: "project", dotCodexFolder: "/p/.codex" },
            version: "1",
            config: {},
            disabledReason: "not trusted",
          },
        ],
      }),
    );
    expect(view.disabled).toMatchObject([{ reason: "not trusted", source: { place: "/p/.codex" } }]);
    expect(view).toMatchObject({ file: null, version: null });
  });
});
