/** An answer that says no: what codex calls an invalid request, unless another code is given. */
export class RpcError extends Error {
  /** @param {string} message */
  constructor(message, code = -32600) {
    super(message);
    this.code = code;
  }
}
