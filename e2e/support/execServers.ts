// Exec-servers that a test starts itself, as somebody else would on another machine; all of them are gone when it ends.

import { writeFile } from "node:fs/promises";
import { connect, createServer, type Server, type Socket } from "node:net";
import path from "node:path";
import { startExecServer, type TestExecServer } from "../../main/environments/client/testExecServer";
import { test as base } from "./app";

export interface ExecServers {
  start(args?: string[]): Promise<TestExecServer>;
  /** One that takes this token and no other. */
  startWithToken(token: string): Promise<TestExecServer>;
  /** As `ssh -L` has it: connections to a port of this machine go on to that server, while it is open. */
  tunnel(): Promise<Tunnel>;
}

export interface Tunnel {
  port: number;
  open(to: string): Promise<void>;
  close(): Promise<void>;
}

export const test = base.extend<{ servers: ExecServers }>({
  servers: async ({ sandbox }, use) => {
    const endings: (() => Promise<void>)[] = [];
    const start = async (args: string[] = []) => {
      const server = await startExecServer(args);
      endings.push(() => server.stop());
      return server;
    };
    await use({
      start,
      async startWithToken(token) {
        const file = path.join(sandbox.temporary, `token-${endings.length}`);
        await writeFile(file, token, { mode: 0o600 });
        return start(["--ws-auth", "capability-token", "--ws-token-file", file]);
      },
      async tunnel() {
        const tunnel = await makeTunnel();
        endings.push(() => tunnel.close());
        return tunnel;
      },
    });
    await sandbox.endAll();
    for (const end of endings) await end();
  },
});

/** The port is known before anything listens at it. */
async function makeTunnel(): Promise<Tunnel> {
  const port = await listening(createServer(), 0).then(async (server) => {
    const address = server.address();
    await closed(server);
    if (address === null || typeof address === "string") throw new Error("There is no port.");
    return address.port;
  });
  const sockets = new Set<Socket>();
  let server: Server | null = null;
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    if (server) await closed(server);
    server = null;
  };
  return {
    port,
    async open(to) {
      const { hostname, port: targetPort } = new URL(to);
      const passing = createServer((near) => {
        const far = connect(Number(targetPort), hostname);
        for (const socket of [near, far]) {
          sockets.add(socket);
          // Each end learns of the other's end by its own close.
          socket.on("error", () => {});
          socket.on("close", () => {
            sockets.delete(socket);
            near.destroy();
            far.destroy();
          });
        }
        near.pipe(far).pipe(near);
      });
      server = await listening(passing, port);
    },
    close,
  };
}

function listening(server: Server, port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve(server));
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}
