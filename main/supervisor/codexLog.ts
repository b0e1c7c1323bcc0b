/** Says of a line what goes over it, word for word. */
const wordForWord = ["tungstenite", "tungstenite::protocol", "tungstenite::handshake::client"];

/**
 * What codex writes in its log: what the person has wished, or what is usual. Never what goes over its lines, which it would write
 * at "trace": there are the tokens of environments in it.
 */
export function codexLog(wished: string | undefined, usual: string): string {
  return [wished ?? usual, ...wordForWord.map((target) => `${target}=info`)].join(",");
}
