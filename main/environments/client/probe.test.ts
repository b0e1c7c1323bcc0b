import { expect, it } from "vitest";
import { controlledClient } from "./testExecutor";

it("an executor that is silent when it is asked whether it is there: the environment is said not to answer", async () => {
  const { client, clock } = controlledClient();
  const session = await client.get();
  const probed = session.calls.probe().catch((error: unknown) => error);
  clock.advance(10_000);
  expect(await probed).toMatchObject({
    code: "deadline",
    message: "The environment did not answer within 10 s.",
    hint: undefined,
  });
  client.close();
  expect(clock.pendingCount).toBe(0);
});
