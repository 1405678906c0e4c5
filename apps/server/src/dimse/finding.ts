import { setImmediate as turn } from "node:timers/promises";
import { answerTo, type Command, type Status } from "./command.ts";
import { fragmentPdu } from "./pdu.ts";

/** A search request as received from the peer. */
export interface Search {
  identifier: Buffer;
  transferSyntax: string;
  callingTitle: string;
}
/** Returns the results of a search, each as the data set that is sent. */
export type Find = (search: Search) => Promise<readonly Buffer[]>;

/** A search that is refused; the users of the peer may see the comment. */
export class FindRefused extends Error {
  override name = "FindRefused";
  readonly status: Status;
  constructor(status: Status, comment: string) {
    super(comment);
    this.status = status;
  }
}

/** A search in progress. */
export interface Finding {
  message: number;
  cancelled: boolean;
  over: Promise<void>;
}
interface Line {
  context: number;
  /** The longest PDU that the peer accepts; 0: any. */
  mostBytes: number;
  write(bytes: Buffer): void;
}

/** Sends the results of a search one by one, until it is cancelled. */
export function beginFinding(find: Find, command: Command, search: Search, line: Line): Finding {
  const finding: Finding = { message: command.message, cancelled: false, over: Promise.resolve() };
  const say = (status: Status, comment?: string): void =>
    line.write(fragmentPdu(line.context, answerTo(command, status, comment), { isCommand: true, isLast: true }));
  const answer = async (): Promise<void> => {
    for (const found of await find(search)) {
      // Messages from the peer, such as a cancellation, are processed between two responses.
      await turn();
      if (finding.cancelled) break;
      say("pending");
      for (const unit of dataUnits(found, line)) line.write(unit);
    }
    say(finding.cancelled ? "cancelled" : "success");
  };
  finding.over = answer().catch((error: unknown) =>
    error instanceof FindRefused ? say(error.status, error.message) : say("cannotProcess"),
  );
  return finding;
}

const fragmentHead = 6;
const pieceUsual = 16_384;

function* dataUnits(bytes: Buffer, { context, mostBytes }: Line): Generator<Buffer> {
  const most = Math.max((mostBytes || pieceUsual) - fragmentHead, 128);
  for (let at = 0; at === 0 || at < bytes.length; at += most)
    yield fragmentPdu(context, bytes.subarray(at, at + most), { isCommand: false, isLast: at + most >= bytes.length });
}
