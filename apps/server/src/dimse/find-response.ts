import { setImmediate as turn } from "node:timers/promises";
import { buildResponse, type Command, type Status } from "./command-set.ts";
import { encodeFragment } from "./pdu.ts";

/** A search request as received from the peer. */
export interface FindRequest {
  identifier: Buffer;
  transferSyntax: string;
  callingTitle: string;
}
/** Returns the results of a search, each as the data set that is sent. */
export type FindHandler = (search: FindRequest) => Promise<readonly Buffer[]>;

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
export interface RunningFind {
  message: number;
  cancelled: boolean;
  over: Promise<void>;
}
interface FindConnection {
  context: number;
  /** The longest PDU that the peer accepts; 0: any. */
  mostBytes: number;
  write(bytes: Buffer): void;
}

/** Sends the results of a search one by one, until it is cancelled. */
export function startFind(
  find: FindHandler,
  command: Command,
  search: FindRequest,
  connection: FindConnection,
): RunningFind {
  const running: RunningFind = { message: command.message, cancelled: false, over: Promise.resolve() };
  const respond = (status: Status, comment?: string): void =>
    connection.write(
      encodeFragment(connection.context, buildResponse(command, status, comment), { isCommand: true, isLast: true }),
    );
  const sendResults = async (): Promise<void> => {
    for (const found of await find(search)) {
      // Messages from the peer, such as a cancellation, are processed between two responses.
      await turn();
      if (running.cancelled) break;
      respond("pending");
      for (const unit of splitIntoPdus(found, connection)) connection.write(unit);
    }
    respond(running.cancelled ? "cancelled" : "success");
  };
  running.over = sendResults().catch((error: unknown) =>
    error instanceof FindRefused ? respond(error.status, error.message) : respond("cannotProcess"),
  );
  return running;
}

const fragmentHead = 6;
const defaultPduBytes = 16_384;

function* splitIntoPdus(bytes: Buffer, { context, mostBytes }: FindConnection): Generator<Buffer> {
  const most = Math.max((mostBytes || defaultPduBytes) - fragmentHead, 128);
  for (let at = 0; at === 0 || at < bytes.length; at += most)
    yield encodeFragment(context, bytes.subarray(at, at + most), {
      isCommand: false,
      isLast: at + most >= bytes.length,
    });
}
