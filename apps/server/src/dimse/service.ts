import { buildResponse, type Command, type ResponseContent, type Status } from "./command-set.ts";
import type { MessageChannel } from "./message-channel.ts";

/** A request for a service other than storing, as received from the peer. */
export interface ServiceRequest {
  command: Command;
  identifier: Buffer;
  transferSyntax: string;
  callingTitle: string;
}

/** A request that is being answered. */
export interface Operation {
  request: ServiceRequest;
  /** True once the peer has cancelled it, or is gone. */
  isCancelled: () => boolean;
  respond: (status: Status, content?: ResponseContent, data?: Uint8Array) => Promise<void>;
  /** The association itself: for the objects of a C-GET, and for reports. */
  channel: MessageChannel;
  /** The presentation context of the request. */
  context: number;
}

/** A service that an admitted peer may use, besides storing: one command of one information model. */
export interface DimseService {
  field: number;
  abstractSyntax: string;
  run(operation: Operation): Promise<void>;
}

/** A request that is refused; the users of the peer may see the comment. */
export class ServiceRefused extends Error {
  override name = "ServiceRefused";
  readonly status: Status;
  constructor(status: Status, comment: string) {
    super(comment);
    this.status = status;
  }
}

/** An operation in progress. */
export interface RunningOperation {
  message: number;
  cancelled: boolean;
  over: Promise<void>;
}

/** Answers a request beside the messages that arrive in the meantime, such as its cancellation. */
export function startOperation(
  service: DimseService,
  request: ServiceRequest,
  context: number,
  channel: MessageChannel,
): RunningOperation {
  const running: RunningOperation = { message: request.command.message, cancelled: false, over: Promise.resolve() };
  const respond: Operation["respond"] = (status, content = {}, data) =>
    channel.write(
      context,
      buildResponse(request.command, status, { ...content, hasDataSet: data !== undefined }),
      data,
    );
  const operation: Operation = { request, isCancelled: () => running.cancelled, respond, channel, context };
  running.over = service
    .run(operation)
    .catch((error: unknown) =>
      error instanceof ServiceRefused
        ? respond(error.status, { comment: error.message })
        : respond("cannotProcess", { comment: "the request cannot be processed" }),
    )
    // The peer is gone.
    .catch(() => {});
  return running;
}
