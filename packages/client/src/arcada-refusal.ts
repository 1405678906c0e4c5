/** The server refused a call. The message is in the language of the client; the code never changes its meaning. */
export class ArcadaRefusal extends Error {
  /** The HTTP status. */
  readonly status: number;
  /** The code of the refusal; 0 if the answer did not come from Arcada. */
  readonly code: number;
  /** Details of the refusal, such as the messages of fields. */
  readonly data: unknown;
  constructor(status: number, { code, msg, data }: { code: number; msg: string; data: unknown }) {
    super(msg);
    this.name = "ArcadaRefusal";
    this.status = status;
    this.code = code;
    this.data = data;
  }
}
