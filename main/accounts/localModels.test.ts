import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { ManualClock } from "../clock";
import { findLocalModels, localModelEnvironment, localModelOverrides, serverAddress } from "./localModels";

const servers: http.Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function serve(handle: http.RequestListener): Promise<number> {
  const server = http.createServer(handle);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

/** A port at which nothing listens: it was free a moment ago. */
async function closedPort(): Promise<number> {
  const server = http.createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const json = (body: unknown): http.RequestListener => {
  return (_request, response) => response.end(JSON.stringify(body));
};

/** Both providers are looked for at `port`, so that no real server of this machine is asked. */
const find = (port: number, clock = new ManualClock()) =>
  findLocalModels({ environment: { CODEX_OSS_PORT: String(port) }, clock });

describe("looking for servers", () => {
  it("finds Ollama by its tags", async () => {
    const port = await serve((request, response) => {
      if (request.url !== "/api/tags") return response.writeHead(404).end();
      response.end(
        JSON.stringify({ models: [{ name: "llama3:latest" }, { name: "nomic-embed-text" }, {}, 7] }),
      );
    });
    expect(await find(port)).toEqual([{ provider: "ollama", models: ["llama3:latest"] }]);
  });

  it("finds LM Studio by its models", async () => {
    const port = await serve((request, response) => {
      if (request.url !== "/v1/models") return response.writeHead(404).end();
      const data = [{ id: "qwen" }, { id: "qwen" }, { id: "text-embedding-x" }, { id: "bad\u0000name" }];
      response.end(JSON.stringify({ object: "list", data }));
    });
    expect(await find(port)).toEqual([{ provider: "lmstudio", models: ["qwen"] }]);
  });

  it("a server without models is there all the same", async () => {
    expect(await find(await serve(json({ models: [] })))).toEqual([{ provider: "ollama", models: [] }]);
  });

  it("none is asked when codex has been told to use another machine", async () => {
    const environment = { CODEX_OSS_BASE_URL: "http://192.0.2.1:1/v1" };
    expect(await findLocalModels({ environment, clock: new ManualClock() })).toEqual([]);
  });

  it("nothing there is nothing found", async () => {
    expect(await find(await closedPort())).toEqual([]);
  });

  it.each([
    ["no JSON", (_request: http.IncomingMessage, response: http.ServerResponse) => response.end("<html>")],
    ["another shape", json({ models: "none", data: { id: 1 } })],
    [
      "an error",
      (_request: http.IncomingMessage, response: http.ServerResponse) => response.writeHead(500).end("{}"),
    ],
    [
      "a redirect",
      (_request: http.IncomingMessage, response: http.ServerResponse) =>
        response.writeHead(302, { location: "http://127.0.0.1:1/" }).end(),
    ],
    [
      "a broken answer",
      (_request: http.IncomingMessage, response: http.ServerResponse) => {
        response.writeHead(200, { "content-length": "1000" });
        response.write("{", () => response.destroy());
      },
    ],
  ] as [string, http.RequestListener][])("some other program at the port: %s", async (_name, handle) => {
    expect(await find(await serve(handle))).toEqual([]);
  });

  it("an answer without end is not read to its end", async () => {
    let sent = 0;
    const port = await serve((_request, response) => {
      const more = () => {
        const block = Buffer.alloc(64 * 1024, 0x20);
        while (!response.destroyed && response.write(block)) sent += block.length;
      };
      response.on("drain", more);
      response.on("error", () => undefined);
      more();
    });
    expect(await find(port)).toEqual([]);
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });

  it("a server that does not answer is given up at the deadline, and leaves no timer", async () => {
    const clock = new ManualClock();
    let asked = 0;
    let bothAsked: () => void = () => undefined;
    const both = new Promise<void>((resolve) => {
      bothAsked = resolve;
    });
    const port = await serve(() => {
      asked += 1;
      if (asked === 2) bothAsked();
    });
    const found = find(port, clock);
    await both;
    expect(clock.pendingCount).toBe(2);
    clock.advance(600);
    expect(await found).toEqual([]);
    expect(clock.pendingCount).toBe(0);
  });
});

describe("where a server is looked for", () => {
  it.each([
    [undefined, "http://127.0.0.1:11434"],
    ["", "http://127.0.0.1:11434"],
    ["127.0.0.1:5000", "http://127.0.0.1:5000"],
    ["localhost", "http://localhost:11434"],
    [":5000", "http://127.0.0.1:5000"],
    ["0.0.0.0", "http://127.0.0.1:11434"],
    ["0.0.0.0:5000", "http://127.0.0.1:5000"],
    ["http://127.0.0.1:5000/", "http://127.0.0.1:5000"],
    ["http://localhost", "http://localhost:80"],
    ["[::1]:5000", "http://[::1]:5000"],
    // Anything that is not this machine, or no address at all, leaves the usual place.
    ["example.com:5000", "http://127.0.0.1:11434"],
    ["127.0.0.1.example.com", "http://127.0.0.1:11434"],
    ["https://127.0.0.1:5000", "http://127.0.0.1:11434"],
    ["http://me:secret@127.0.0.1:5000", "http://127.0.0.1:11434"],
    ["192.168.0.2", "http://127.0.0.1:11434"],
    ["%%%", "http://127.0.0.1:11434"],
  ])("OLLAMA_HOST=%s: %s", (host, address) => {
    expect(serverAddress("ollama", { OLLAMA_HOST: host })).toBe(address);
    expect(serverAddress("lmstudio", { OLLAMA_HOST: host })).toBe("http://127.0.0.1:1234");
  });

  it("codex's own variables win, for both", () => {
    const environment = { CODEX_OSS_BASE_URL: "http://127.0.0.1:7000/v1", OLLAMA_HOST: ":5000" };
    expect(serverAddress("ollama", environment)).toBe("http://127.0.0.1:7000");
    expect(serverAddress("lmstudio", environment)).toBe("http://127.0.0.1:7000");
    expect(serverAddress("ollama", { CODEX_OSS_PORT: "7001" })).toBe("http://127.0.0.1:7001");
    expect(serverAddress("ollama", { CODEX_OSS_PORT: "70000" })).toBe("http://127.0.0.1:11434");
    expect(serverAddress("ollama", { CODEX_OSS_BASE_URL: "http://example.com/v1" })).toBeNull();
  });
});

describe("telling codex", () => {
  it("by the names of its built-in providers", () => {
    expect(localModelOverrides({ provider: "ollama", model: "llama3:latest" })).toEqual([
      "-c",
      'model_provider="ollama"',
      "-c",
      'model="llama3:latest"',
    ]);
  });

  it("a name cannot break out of its value", () => {
    const [, , , model] = localModelOverrides({ provider: "lmstudio", model: 'a"\nb\\\u007f' });
    expect(model).toBe('model="a\\"\\nb\\\\\\u007f"');
  });

  it("where the server is, when it is not at its usual place", () => {
    expect(localModelEnvironment("ollama", {})).toEqual({});
    expect(localModelEnvironment("ollama", { OLLAMA_HOST: ":5000" })).toEqual({
      CODEX_OSS_BASE_URL: "http://127.0.0.1:5000/v1",
    });
    expect(localModelEnvironment("lmstudio", { OLLAMA_HOST: ":5000" })).toEqual({});
    expect(localModelEnvironment("ollama", { OLLAMA_HOST: ":5000", CODEX_OSS_PORT: "7001" })).toEqual({});
  });
});
