import { connect, type Socket } from "node:net";
import { connect as secureConnect, type ConnectionOptions as SecureOptions } from "node:tls";
import { readCommand, requestBytes, commands, statuses, type Command } from "../apps/server/src/dimse/command.ts";
import { verification } from "../apps/server/src/dimse/contexts.ts";
import {
  associateRequest,
  fragmentPdu,
  pdu,
  pduTypes,
  readAssociateRequest,
  readFragments,
  type Proposal,
} from "../apps/server/src/dimse/pdu.ts";
import { pdusOf, type Pdu } from "../apps/server/src/dimse/pdu-reader.ts";

const explicitLittle = "1.2.840.10008.1.2.1";
/** A DICOM object without preamble and file meta information, as it is transmitted. */
export interface Sent {
  sopClass: string;
  sopInstance: string;
  dataSet: Buffer;
}
export interface Calling {
  port: number;
  callingTitle?: string;
  calledTitle?: string;
  proposals?: Proposal[];
  /** Speaks TLS. */
  tls?: SecureOptions;
}

/** Sends as a device would. */
export class DimseClient {
  readonly socket: Socket;
  readonly #units: AsyncGenerator<Pdu>;
  #message = 0;
  #piece = 10_000;
  private constructor(socket: Socket) {
    this.socket = socket;
    this.#units = pdusOf(socket, 1 << 20, { firstMs: 30_000, betweenMs: 30_000, withinMs: 30_000 });
  }

  /** Opens a connection without sending anything. */
  static async connected(port: number, tls?: SecureOptions): Promise<DimseClient> {
    const to = { port, host: "127.0.0.1", noDelay: true };
    const socket = tls ? secureConnect({ ...to, ...tls, servername: "localhost" }) : connect(to);
    const event = tls ? "secureConnect" : "connect";
    await new Promise<void>((resolve, reject) => socket.once(event, resolve).once("error", reject));
    socket.on("error", () => {});
    return new DimseClient(socket);
  }
  /** Returns the client and the PDU that answered its request: accepted is type 2. */
  static async calls({ port, callingTitle = "CBCT1", calledTitle = "ARCADA", proposals = usual, tls }: Calling) {
    const client = await DimseClient.connected(port, tls);
    client.socket.write(associateRequest({ callingTitle, calledTitle, mostBytes: 65_536 }, proposals));
    const unit = await client.hears();
    // The largest PDU that the peer accepts. An A-ASSOCIATE-AC has the same layout as a request.
    if (unit?.type === pduTypes.associateAccept)
      client.#piece = (readAssociateRequest(unit.body).mostBytes || 65_536) - 6;
    return { client, unit };
  }

  /** Returns the next PDU; null if the connection ended. */
  async hears(): Promise<Pdu | null> {
    const { value, done } = await this.#units.next();
    return done ? null : value;
  }
  async answer(): Promise<Command> {
    const unit = await this.hears();
    if (unit?.type !== 4) throw new Error(`no answer but ${unit ? `unit ${unit.type}` : "an end"}`);
    return readCommand(readFragments(unit.body)[0]!.bytes);
  }
  /** Returns the final status of a C-FIND, and the number of results before it. */
  async finds(): Promise<{ status: number; answers: number }> {
    for (let answers = 0; ;) {
      const unit = await this.hears();
      if (unit?.type !== 4) throw new Error(`no answer but ${unit ? `unit ${unit.type}` : "an end"}`);
      const [fragment] = readFragments(unit.body);
      if (!fragment!.isCommand) continue;
      const { status } = readCommand(fragment!.bytes);
      if (status !== statuses.pending) return { status, answers };
      answers += 1;
    }
  }
  async echoes(): Promise<number> {
    this.sends(1, requestBytes(this.#command(commands.echo, verification, "", false)), true);
    return (await this.answer()).status;
  }
  async stores(object: Sent, context = 3): Promise<number> {
    this.begins(object, context);
    const piece = Math.min(this.#piece, 60_000);
    for (let at = 0; at < object.dataSet.length; at += piece)
      this.sends(context, object.dataSet.subarray(at, at + piece), false, at + piece >= object.dataSet.length);
    return (await this.answer()).status;
  }
  begins({ sopClass, sopInstance }: Omit<Sent, "dataSet">, context = 3): void {
    this.sends(context, requestBytes(this.#command(commands.store, sopClass, sopInstance, true)), true);
  }
  sends(context: number, bytes: Buffer, isCommand: boolean, isLast = true): void {
    this.socket.write(fragmentPdu(context, bytes, { isCommand, isLast }));
  }
  async releases(): Promise<number | undefined> {
    this.socket.write(pdu("releaseRequest"));
    const unit = await this.hears();
    this.socket.destroy();
    return unit?.type;
  }
  #command(field: number, sopClass: string, sopInstance: string, hasDataSet: boolean) {
    this.#message += 1;
    return { field, message: this.#message, sopClass, sopInstance, hasDataSet };
  }
}

const ctImage = "1.2.840.10008.5.1.4.1.1.2";
const usual: Proposal[] = [
  { id: 1, abstractSyntax: verification, transferSyntaxes: ["1.2.840.10008.1.2"] },
  { id: 3, abstractSyntax: ctImage, transferSyntaxes: ["1.2.840.10008.1.2", explicitLittle] },
];

/** The object in a file that is explicit little endian. */
export function objectIn(file: Uint8Array, sopClass: string, sopInstance: string): Sent {
  const bytes = Buffer.from(file);
  const metaBytes = bytes.readUInt32LE(132 + 8);
  return { sopClass, sopInstance, dataSet: bytes.subarray(132 + 12 + metaBytes) };
}
