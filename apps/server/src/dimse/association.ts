import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { buildResponse, commands, isResponse, readCommand, type Command, type Status } from "./command-set.ts";
import { createMessageChannel, type AgreedContext, type MessageChannel } from "./message-channel.ts";
import { answerRoles, isStorageClass, negotiateContext } from "./presentation-contexts.ts";
import { startOperation, type DimseService, type RunningOperation } from "./service.ts";
import type { IncomingFile, AnnouncedObject } from "./incoming-file.ts";
import {
  encodeAbort,
  encodeAssociateAccept,
  encodeAssociateReject,
  isDicomContext,
  encodePdu,
  PduError,
  pduTypes,
  readAssociateRequest,
  readFragments,
  type NegotiatedContext,
  type Fragment,
} from "./pdu.ts";
import { readPdus, type PduTimeouts } from "./pdu-reader.ts";

/** The application of an association, for as long as it may send. */
export interface ObjectReceiver {
  /** Throws if no space is left for it. */
  open(announced: AnnouncedObject): Promise<IncomingFile>;
  /** The object is on the disk. Returns its outcome. */
  keep(file: IncomingFile, announced: AnnouncedObject): Promise<Status>;
  /** The services that it may use besides. */
  services?: readonly DimseService[];
  /** Called when the association has ended. */
  done(): Promise<void>;
}
/** The network address of a peer, and over TLS the names in its certificate. */
export interface ConnectedPeer {
  address: string;
  certificateNames: readonly string[];
}
export interface ListeningApplication {
  title: string;
  patience: PduTimeouts;
  /** "unknown": no such application; "busy": it has reached its number of associations. */
  admit(callingTitle: string, peer: ConnectedPeer): Promise<ObjectReceiver | "unknown" | "busy">;
  /** Called when the connection no longer waits for its admission. */
  admitted?(socket: Socket): void;
}

/** The longest accepted PDU, and the longest that storage programs send. */
const maxPduBytes = 131_072;
/**
 * The longest association request: 128 contexts of twenty transfer syntaxes each need 75 kB, and no peer offers so
 * many.
 */
const maxAssociateBytes = 65_536;
const maxCommandBytes = 16_384;
const maxIdentifierBytes = 65_536;

/** Serves one peer until one side ends the association. Never throws: an error ends the connection. */
export async function serveAssociation(socket: Socket, application: ListeningApplication): Promise<void> {
  const state: AssociationState = { ...initialState, socket, application, contexts: new Map() };
  try {
    // A peer that is not admitted yet must not send more than its request.
    const most = (): number => (state.sender ? maxPduBytes : maxAssociateBytes);
    const patience = { ...application.patience, mayBeSilent: () => state.operation !== null };
    for await (const { type, body } of readPdus(socket, most, patience))
      if (!(await handlePdu(state, type, body))) break;
    socket.end();
  } catch (error) {
    if (!socket.destroyed) socket.end(encodeAbort(error instanceof PduError ? error.reason : "notSpecified"));
  } finally {
    // Does not wait for a peer that keeps its own side open.
    setTimeout(() => socket.destroy(), 1000).unref();
    if (state.operation) state.operation.cancelled = true;
    state.channel?.close(new Error("the association has ended"));
    await state.operation?.over;
    await state.message?.file?.drop().catch(() => {});
    await state.sender?.done().catch(() => {});
  }
}

interface AssociationState {
  socket: Socket;
  application: ListeningApplication;
  /** Null before the association is established. */
  sender: ObjectReceiver | null;
  channel: MessageChannel | null;
  contexts: Map<number, AgreedContext>;
  title: string;
  message: PendingMessage | null;
  operation: RunningOperation | null;
}
const initialState = { sender: null, channel: null, title: "", message: null, operation: null } as const;
/** A message whose fragments are arriving. */
interface PendingMessage {
  context: number;
  pieces: Buffer[];
  bytes: number;
  command: Command | null;
  announced: AnnouncedObject | null;
  file: IncomingFile | null;
  /** The failure, if one is known before the end of the message. */
  failed: Status | null;
  /** The service to which the data set belongs, unless the message is an object. */
  service: DimseService | null;
}

/** Returns false if the association has ended. */
async function handlePdu(state: AssociationState, type: number, body: Buffer): Promise<boolean> {
  if (type === pduTypes.associateRequest && !state.sender) return acceptAssociation(state, body);
  if (type === pduTypes.abort) return false;
  if (!state.sender) throw new PduError("unexpectedPdu", "no association");
  if (type === pduTypes.data) {
    for (const fragment of readFragments(body)) await handleFragment(state, fragment);
    return true;
  }
  if (type !== pduTypes.releaseRequest)
    throw new PduError(type >= 1 && type <= 7 ? "unexpectedPdu" : "unrecognizedPdu", `unit ${type}`);
  state.socket.write(encodePdu("releaseReply"));
  return false;
}

/** PS3.8 table 9-21. */
type Rejection = readonly [permanent: boolean, source: 1 | 2 | 3, reason: number];
const rejections = {
  applicationContext: [true, 1, 2],
  calling: [true, 1, 3],
  called: [true, 1, 7],
  protocol: [true, 2, 2],
  busy: [false, 3, 2],
} as const satisfies Record<string, Rejection>;

async function acceptAssociation(state: AssociationState, body: Buffer): Promise<boolean> {
  const { socket, application } = state;
  const request = readAssociateRequest(body);
  const reject = (why: keyof typeof rejections): false => {
    const [permanent, source, reason]: Rejection = rejections[why];
    socket.write(encodeAssociateReject(permanent, source, reason));
    return false;
  };
  if ((request.protocol & 1) === 0) return reject("protocol");
  if (!isDicomContext(request.applicationContext)) return reject("applicationContext");
  if (request.calledTitle !== application.title) return reject("called");
  const sender = await application.admit(request.callingTitle, describePeer(socket));
  if (sender === "unknown") return reject("calling");
  if (sender === "busy") return reject("busy");
  state.sender = sender;
  application.admitted?.(socket);
  state.title = request.callingTitle;
  const services = sender.services ?? [];
  const results: NegotiatedContext[] = request.proposals.map((one) => negotiateContext(one, services));
  for (const [place, { id, result, transferSyntax }] of results.entries())
    if (result === 0)
      state.contexts.set(id, { id, abstractSyntax: request.proposals[place]!.abstractSyntax, transferSyntax });
  state.channel = createMessageChannel(socket, request.mostBytes, [...state.contexts.values()]);
  const roles = answerRoles(request.roles, services);
  socket.write(encodeAssociateAccept({ ...request, mostBytes: maxPduBytes, roles }, results));
  return true;
}

function describePeer(socket: Socket): ConnectedPeer {
  const certificate = socket instanceof TLSSocket ? socket.getPeerCertificate() : null;
  const alternatives = (certificate?.subjectaltname ?? "").split(", ").flatMap((name) => name.split(":", 2)[1] ?? []);
  const common: unknown = certificate?.subject?.CN;
  const names = typeof common === "string" ? [common, ...alternatives] : alternatives;
  return { address: socket.remoteAddress ?? "", certificateNames: names };
}

async function handleFragment(state: AssociationState, { id, isCommand, isLast, bytes }: Fragment): Promise<void> {
  const message = (state.message ??= createMessage(id));
  if (!state.contexts.has(id) || message.context !== id || isCommand !== (message.command === null))
    throw new PduError("unexpectedPdu", "a fragment out of its turn");
  if (isCommand) {
    message.bytes += bytes.length;
    if (message.bytes > maxCommandBytes) throw new PduError("invalidParameter", "a long command");
    message.pieces.push(Buffer.from(bytes));
    if (isLast) await beginMessage(state, message);
    return;
  }
  if (message.service) appendIdentifier(message, bytes);
  else if (!(await message.file?.add(bytes)) && message.file) {
    await message.file.drop();
    [message.file, message.failed] = [null, "outOfResources"];
  }
  if (isLast) await endMessage(state, message);
}

const createMessage = (context: number): PendingMessage => ({
  context,
  pieces: [],
  bytes: 0,
  command: null,
  announced: null,
  file: null,
  failed: null,
  service: null,
});

function appendIdentifier(message: PendingMessage, bytes: Buffer): void {
  message.bytes += bytes.length;
  if (message.bytes > maxIdentifierBytes) throw new PduError("invalidParameter", "a long identifier");
  message.pieces.push(Buffer.from(bytes));
}

async function beginMessage(state: AssociationState, message: PendingMessage): Promise<void> {
  const command = readCommand(Buffer.concat(message.pieces));
  message.command = command;
  const { abstractSyntax, transferSyntax } = state.contexts.get(message.context)!;
  if (isResponse(command)) {
    // PS3.7 9.3.1.2: the response to a C-STORE has no data set, nor have the others that are expected here.
    if (command.hasDataSet) throw new PduError("unexpectedPdu", "a response with a data set");
    state.message = null;
    return state.channel!.respond(command);
  }
  if (state.operation && command.field !== commands.cancel)
    throw new PduError("unexpectedPdu", "a command while another one is answered");
  if (command.field === commands.store && command.hasDataSet) {
    const { sopClass, sopInstance } = command;
    message.announced = { sopClass, sopInstance, transferSyntax, callingTitle: state.title };
    if (!isStorageClass(abstractSyntax) || sopClass !== abstractSyntax) message.failed = "classNotSupported";
    else if (!/^[0-9.]{1,64}$/.test(sopInstance)) message.failed = "invalidInstance";
    else await openFile(state, message);
  } else if (command.field !== commands.echo && command.field !== commands.cancel)
    requireService(state.sender!, message, abstractSyntax);
  if (!command.hasDataSet) await endMessage(state, message);
}

function requireService({ services = [] }: ObjectReceiver, message: PendingMessage, abstractSyntax: string): void {
  const { field, hasDataSet, sopClass } = message.command!;
  const offered = services.filter((one) => one.field === field);
  const service = offered.find((one) => one.abstractSyntax === abstractSyntax && sopClass === abstractSyntax);
  if (offered.length === 0 || !hasDataSet) message.failed = "unrecognizedOperation";
  else if (!service) message.failed = "classNotSupported";
  else [message.service, message.pieces, message.bytes] = [service, [], 0];
}

async function openFile(state: AssociationState, message: PendingMessage): Promise<void> {
  try {
    message.file = await state.sender!.open(message.announced!);
  } catch {
    message.failed = "outOfResources";
  }
}

async function endMessage(state: AssociationState, message: PendingMessage): Promise<void> {
  const { command, file, announced } = message;
  state.message = null;
  if (message.service) return beginOperation(state, message, message.service);
  if (command!.field === commands.cancel && state.operation?.message === command!.answered)
    state.operation.cancelled = true;
  const status = message.failed ?? (file && announced ? await storeObject(state, file, announced) : "success");
  if (command!.field === commands.cancel) return;
  // The end of the association is noticed where its next unit is awaited.
  void state.channel!.write(message.context, buildResponse(command!, status)).catch(() => {});
}

function beginOperation(state: AssociationState, message: PendingMessage, service: DimseService): void {
  const { context, command, pieces } = message;
  const { transferSyntax } = state.contexts.get(context)!;
  const request = { command: command!, identifier: Buffer.concat(pieces), transferSyntax, callingTitle: state.title };
  const running = startOperation(service, request, context, state.channel!);
  state.operation = running;
  void running.over.finally(() => state.operation === running && (state.operation = null));
}

async function storeObject(
  { sender }: AssociationState,
  file: IncomingFile,
  announced: AnnouncedObject,
): Promise<Status> {
  try {
    return await sender!.keep(file, announced);
  } catch {
    // The sender repeats an object that was not acknowledged.
    return "processingFailure";
  }
}
