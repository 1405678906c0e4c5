import { connect, type Socket } from "node:net";
import { connect as secureConnect, type ConnectionOptions as SecureOptions } from "node:tls";
import {
  readCommand,
  buildRequest,
  buildResponse,
  commands,
  isResponse,
  statusCodes,
  type Command,
  type Request,
} from "../../../../apps/server/src/dimse/command-set.ts";
import { verificationClass } from "../../../../apps/server/src/dimse/presentation-contexts.ts";
import {
  encodeAssociateRequest,
  encodeFragment,
  encodePdu,
  pduTypes,
  readAssociateRequest,
  readFragments,
  type Proposal,
  type RoleSelection,
} from "../../../../apps/server/src/dimse/pdu.ts";
import { readPdus, type Pdu } from "../../../../apps/server/src/dimse/pdu-reader.ts";

const explicitLittle = "1.2.840.10008.1.2.1";
/** A DICOM object without preamble and file meta information, as it is transmitted. */
export interface DicomObject {
  sopClass: string;
  sopInstance: string;
  dataSet: Buffer;
}
export interface AssociationOptions {
  port: number;
  callingTitle?: string;
  calledTitle?: string;
  proposals?: Proposal[];
  roles?: RoleSelection[];
  /** Speaks TLS. */
  tls?: SecureOptions;
}

/** A whole message of the peer. */
export interface DimseMessage {
  context: number;
  command: Command;
  data: Buffer | null;
}
type RequestContent = Pick<Request, "field" | "sopClass"> & Partial<Request>;

/** Sends as a device would. */
export class DimseClient {
  readonly socket: Socket;
  readonly #units: AsyncGenerator<Pdu>;
  #message = 0;
  #piece = 10_000;
  private constructor(socket: Socket) {
    this.socket = socket;
    this.#units = readPdus(socket, 1 << 20, { firstMs: 30_000, betweenMs: 30_000, withinMs: 30_000 });
  }

  /** Opens a connection without sending anything. */
  static async connect(port: number, tls?: SecureOptions): Promise<DimseClient> {
    const to = { port, host: "127.0.0.1", noDelay: true };
    const socket = tls ? secureConnect({ ...to, ...tls, servername: "localhost" }) : connect(to);
    const event = tls ? "secureConnect" : "connect";
    await new Promise<void>((resolve, reject) => socket.once(event, resolve).once("error", reject));
    socket.on("error", () => {});
    return new DimseClient(socket);
  }
  /** Returns the client and the PDU that answered its request: accepted is type 2. */
  static async associate({
    port,
    callingTitle = "CBCT1",
    calledTitle = "ARCADA",
    proposals = defaultProposals,
    roles = [],
    tls,
  }: AssociationOptions) {
    const client = await DimseClient.connect(port, tls);
    client.socket.write(encodeAssociateRequest({ callingTitle, calledTitle, mostBytes: 65_536, roles }, proposals));
    const unit = await client.readPdu();
    // The largest PDU that the peer accepts. An A-ASSOCIATE-AC has the same layout as a request.
    if (unit?.type === pduTypes.associateAccept)
      client.#piece = (readAssociateRequest(unit.body).mostBytes || 65_536) - 6;
    return { client, unit };
  }

  /** Returns the next PDU; null if the connection ended. */
  async readPdu(): Promise<Pdu | null> {
    const { value, done } = await this.#units.next();
    return done ? null : value;
  }
  async readResponse(): Promise<Command> {
    const unit = await this.readPdu();
    if (unit?.type !== 4) throw new Error(`no answer but ${unit ? `unit ${unit.type}` : "an end"}`);
    return readCommand(readFragments(unit.body)[0].bytes);
  }
  /** Returns the final status of a C-FIND, and the number of results before it. */
  async readFindResults(): Promise<{ status: number; answers: number }> {
    for (let answers = 0; ;) {
      const unit = await this.readPdu();
      if (unit?.type !== 4) throw new Error(`no answer but ${unit ? `unit ${unit.type}` : "an end"}`);
      const [fragment] = readFragments(unit.body);
      if (!fragment.isCommand) continue;
      const { status } = readCommand(fragment.bytes);
      if (status !== statusCodes.pending) return { status, answers };
      answers += 1;
    }
  }
  /** Reads the next message with its data set. */
  async readMessage(): Promise<DimseMessage> {
    const pieces: Record<"command" | "data", Buffer[]> = { command: [], data: [] };
    let command: Command | null = null;
    for (;;) {
      const unit = await this.readPdu();
      if (unit?.type !== 4) throw new Error(`no message but ${unit ? `unit ${unit.type}` : "an end"}`);
      for (const { id, isCommand, isLast, bytes } of readFragments(unit.body)) {
        pieces[isCommand ? "command" : "data"].push(Buffer.from(bytes));
        if (!isLast) continue;
        if (isCommand) command = readCommand(Buffer.concat(pieces.command));
        if (command && (!isCommand || !command.hasDataSet))
          return { context: id, command, data: isCommand ? null : Buffer.concat(pieces.data) };
      }
    }
  }
  /**
   * Sends a request and returns its responses up to the final one. `answer` returns the status for each request that
   * the peer sends in the meantime.
   */
  async request(
    context: number,
    content: RequestContent,
    data: Buffer,
    answer: (message: DimseMessage) => number = () => 0,
  ): Promise<DimseMessage[]> {
    this.#message += 1;
    const request = { sopInstance: "", ...content, message: this.#message, hasDataSet: true };
    this.send(context, buildRequest(request), true);
    this.send(context, data, false);
    for (const responses: DimseMessage[] = []; ;) {
      const message = await this.readMessage();
      if (isResponse(message.command)) {
        responses.push(message);
        if (message.command.status !== statusCodes.pending) return responses;
      } else {
        const status = answer(message) === statusCodes.success ? "success" : "processingFailure";
        this.send(message.context, buildResponse(message.command, status), true);
      }
    }
  }
  async echo(): Promise<number> {
    this.send(1, buildRequest(this.#command(commands.echo, verificationClass, "", false)), true);
    return (await this.readResponse()).status;
  }
  async store(object: DicomObject, context = 3): Promise<number> {
    this.beginStore(object, context);
    const piece = Math.min(this.#piece, 60_000);
    for (let at = 0; at < object.dataSet.length; at += piece)
      this.send(context, object.dataSet.subarray(at, at + piece), false, at + piece >= object.dataSet.length);
    return (await this.readResponse()).status;
  }
  beginStore({ sopClass, sopInstance }: Omit<DicomObject, "dataSet">, context = 3): void {
    this.send(context, buildRequest(this.#command(commands.store, sopClass, sopInstance, true)), true);
  }
  send(context: number, bytes: Buffer, isCommand: boolean, isLast = true): void {
    this.socket.write(encodeFragment(context, bytes, { isCommand, isLast }));
  }
  async release(): Promise<number | undefined> {
    this.socket.write(encodePdu("releaseRequest"));
    const unit = await this.readPdu();
    this.socket.destroy();
    return unit?.type;
  }
  #command(field: number, sopClass: string, sopInstance: string, hasDataSet: boolean) {
    this.#message += 1;
    return { field, message: this.#message, sopClass, sopInstance, hasDataSet };
  }
}

const ctImage = "1.2.840.10008.5.1.4.1.1.2";
const defaultProposals: Proposal[] = [
  { id: 1, abstractSyntax: verificationClass, transferSyntaxes: ["1.2.840.10008.1.2"] },
  { id: 3, abstractSyntax: ctImage, transferSyntaxes: ["1.2.840.10008.1.2", explicitLittle] },
];

/** The object in a file that is explicit little endian. */
export function readDicomObject(file: Uint8Array, sopClass: string, sopInstance: string): DicomObject {
  const bytes = Buffer.from(file);
  const metaBytes = bytes.readUInt32LE(132 + 8);
  return { sopClass, sopInstance, dataSet: bytes.subarray(132 + 12 + metaBytes) };
}
