import { connect, type Socket } from "node:net";
import { connect as connectTls, type SecureContextOptions } from "node:tls";
import { bcp195 } from "../platform/security/tls-profile.ts";
import { isResponse, readCommand } from "./command-set.ts";
import { createMessageChannel, type AgreedContext, type MessageChannel } from "./message-channel.ts";
import {
  encodeAbort,
  encodeAssociateRequest,
  encodePdu,
  pduTypes,
  readAssociateAccept,
  readFragments,
  type Proposal,
  type RoleSelection,
} from "./pdu.ts";
import { readPdus, type Pdu } from "./pdu-reader.ts";

/** The application to which this side connects. */
export interface RemoteApplication {
  /** Tried one after another; all of them may be reached. */
  addresses: readonly string[];
  /** The name that its certificate must have. */
  host: string;
  port: number;
  calledTitle: string;
  callingTitle: string;
  tls: SecureContextOptions | null;
}
export interface OpenAssociation {
  channel: MessageChannel;
  /** Ends it in an orderly way. */
  release(): Promise<void>;
  abort(): void;
}

export type AssociationProblem = "refused" | "timeout" | "tls" | "rejected" | "aborted" | "network";
/** No association, or one that ended before its work was done. `detail` is for the operator, in English. */
export class AssociationFailed extends Error {
  override name = "AssociationFailed";
  readonly problem: AssociationProblem;
  constructor(problem: AssociationProblem, detail: string) {
    super(detail);
    this.problem = problem;
  }
}

const maxPduBytes = 131_072;
const patience = { firstMs: 15_000, betweenMs: 90_000, withinMs: 30_000 };
const connectMs = 10_000;

/** Requests an association. Throws AssociationFailed. */
export async function openAssociation(
  application: RemoteApplication,
  proposals: readonly Proposal[],
  roles: readonly RoleSelection[] = [],
): Promise<OpenAssociation> {
  const socket = await connectToOne(application);
  const units = readPdus(socket, maxPduBytes, patience);
  const { calledTitle, callingTitle } = application;
  socket.write(encodeAssociateRequest({ calledTitle, callingTitle, mostBytes: maxPduBytes, roles }, proposals));
  const answer = await readAnswer(units, socket);
  const accepted = readAssociateAccept(answer);
  const contexts = accepted.contexts.flatMap(({ id, result, transferSyntax }): AgreedContext[] => {
    const proposal = proposals.find((one) => one.id === id);
    // A peer that chooses what was not proposed has accepted nothing.
    return result === 0 && proposal?.transferSyntaxes.includes(transferSyntax)
      ? [{ id, abstractSyntax: proposal.abstractSyntax, transferSyntax }]
      : [];
  });
  const channel = createMessageChannel(socket, accepted.mostBytes, contexts);
  const ended = takeResponses(units, channel, socket);
  return {
    channel,
    release: async () => {
      if (socket.writable) socket.write(encodePdu("releaseRequest"));
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 3000).unref())]);
      socket.destroy();
    },
    abort: () => {
      if (socket.writable) socket.end(encodeAbort("notSpecified"));
      setTimeout(() => socket.destroy(), 1000).unref();
    },
  };
}

async function connectToOne(application: RemoteApplication): Promise<Socket> {
  let last: unknown;
  for (const address of application.addresses) {
    try {
      return await connectTo(application, address);
    } catch (error) {
      last = error;
    }
  }
  throw toFailure(last);
}

function connectTo({ host, port, tls }: RemoteApplication, address: string): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const to = { host: address, port, noDelay: true };
  // SNI may not name an address.
  const servername = /^[\d.]+$|:/.test(host) ? "" : host;
  const socket = tls ? connectTls({ ...bcp195, ...tls, ...to, servername }) : connect(to);
  const late = setTimeout(() => {
    reject(new AssociationFailed("timeout", "the connection was not answered in time"));
    socket.destroy();
  }, connectMs);
  socket.once(tls ? "secureConnect" : "connect", () => {
    clearTimeout(late);
    resolve(socket);
  });
  // The listener stays: the error of a broken connection would end this process.
  socket.on("error", (error) => {
    clearTimeout(late);
    reject(error);
  });
  return promise;
}

const tlsError = /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|UNABLE_TO|SELF_SIGNED|EPROTO|ERR_OSSL)/;

function toFailure(error: unknown): AssociationFailed {
  if (error instanceof AssociationFailed) return error;
  const { code = "", message = "no address" } = (error ?? {}) as { code?: string; message?: string };
  if (code === "ECONNREFUSED") return new AssociationFailed("refused", "nothing listens on this port");
  if (code === "ETIMEDOUT") return new AssociationFailed("timeout", "the connection was not answered in time");
  return new AssociationFailed(tlsError.test(code) ? "tls" : "network", code ? `${code}: ${message}` : message);
}

async function readAnswer(units: AsyncGenerator<Pdu>, socket: Socket): Promise<Buffer> {
  try {
    const { value: unit, done } = await units.next();
    if (done) throw new AssociationFailed("aborted", "the peer closed the connection before it answered");
    if (unit.type === pduTypes.associateAccept) return Buffer.from(unit.body);
    if (unit.type === pduTypes.associateReject) throw new AssociationFailed("rejected", explainRejection(unit.body));
    throw new AssociationFailed("aborted", "the peer aborted the association");
  } catch (error) {
    socket.destroy();
    throw toFailure(error);
  }
}

/** PS3.8 table 9-21. */
const rejectionReasons: Record<string, string> = {
  "1.1": "the peer gives no reason",
  "1.2": "the peer does not know the application context",
  "1.3": "the peer does not know our AE title",
  "1.7": "the peer has another AE title",
  "2.2": "the peer does not support this version of the protocol",
  "3.1": "the peer is overloaded",
  "3.2": "the peer has reached its limit of associations",
};
const explainRejection = (body: Buffer): string =>
  rejectionReasons[`${body[2]}.${body[3]}`] ??
  `the peer rejects the association (source ${body[2]}, reason ${body[3]})`;

/** Passes the responses of the peer on until the association has ended. */
async function takeResponses(units: AsyncGenerator<Pdu>, channel: MessageChannel, socket: Socket): Promise<void> {
  let reason = new AssociationFailed("aborted", "the peer ended the association");
  const pieces: Buffer[] = [];
  try {
    for await (const { type, body } of units) {
      if (type !== pduTypes.data) break;
      for (const { isCommand, isLast, bytes } of readFragments(body)) {
        if (!isCommand) continue;
        pieces.push(Buffer.from(bytes));
        if (pieces.length > 64) throw new AssociationFailed("aborted", "the peer sends an endless response");
        if (!isLast) continue;
        const command = readCommand(Buffer.concat(pieces.splice(0)));
        if (isResponse(command)) channel.respond(command);
      }
    }
  } catch (error) {
    reason = toFailure(error);
  } finally {
    channel.close(reason);
    socket.destroy();
  }
}
