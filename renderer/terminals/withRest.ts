// A flood of output would keep the window at nothing else: after what takes longer than a frame, it does something else for as
// long. Meanwhile main merges what comes.

const frameMs = 16;
const longestRestMs = 200;

export async function withRest(
  work: () => Promise<void>,
  nowMs = () => performance.now(),
  rest = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
): Promise<void> {
  const beganMs = nowMs();
  await work();
  const tookMs = nowMs() - beganMs;
  if (tookMs > frameMs) await rest(Math.min(tookMs, longestRestMs));
}
