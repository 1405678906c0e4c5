import type { Socket } from "node:net";
import { buildResponse, commands, readCommand, type Command, type Status } from "./command-set.ts";
import { negotiateContext, verificationClass, worklistModel } from "./presentation-contexts.ts";
import { startFind, type FindHandler, type RunningFind } from "./find-response.ts";
import type { IncomingFile, AnnouncedObject } from "./incoming-file.ts";
import {
  encodeAbort,
  encodeAssociateAccept,
  encodeAssociateReject,
  encodeFragment,
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
  /** Searches the work list, if there is one. */
  find?: FindHandler;
  /** Called when the association has ended. */
  done(): Promise<void>;
}
export interface ListeningApplication {
  title: string;
  patience: PduTimeouts;
  /** "unknown": no such application; "busy": it has reached its number of associations. */
  admit(callingTitle: string, address: string): Promise<ObjectReceiver | "unknown" | "busy">;
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
    for await (const { type, body } of readPdus(socket, most, application.patience))
      if (!(await handlePdu(state, type, body))) break;
    socket.end();
  } catch (error) {
    if (!socket.destroyed) socket.end(encodeAbort(error instanceof PduError ? error.reason : "notSpecified"));
  } finally {
    if (state.finding) state.finding.cancelled = true;
    await state.finding?.over;
    await state.message?.file?.drop().catch(() => {});
    await state.sender?.done().catch(() => {});
    // Does not wait for a peer that keeps its own side open.
    setTimeout(() => socket.destroy(), 1000).unref();
  }
}

interface AssociationState {
  socket: Socket;
  application: ListeningApplication;
  /** Null before the association is established. */
  sender: ObjectReceiver | null;
  contexts: Map<number, { abstractSyntax: string; transferSyntax: string }>;
  title: string;
  /** The longest PDU that the peer accepts. */
  peerMost: number;
  message: PendingMessage | null;
  finding: RunningFind | null;
}
const initialState = { sender: null, title: "", peerMost: 0, message: null, finding: null } as const;
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
  /** The fragments contain a search identifier. */
  isSearch: boolean;
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
  const sender = await application.admit(request.callingTitle, socket.remoteAddress ?? "");
  if (sender === "unknown") return reject("calling");
  if (sender === "busy") return reject("busy");
  state.sender = sender;
  application.admitted?.(socket);
  state.title = request.callingTitle;
  state.peerMost = request.mostBytes;
  const results: NegotiatedContext[] = request.proposals.map((one) => negotiateContext(one, sender.find !== undefined));
  for (const [place, { id, result, transferSyntax }] of results.entries())
    if (result === 0)
      state.contexts.set(id, { abstractSyntax: request.proposals[place]!.abstractSyntax, transferSyntax });
  socket.write(encodeAssociateAccept({ ...request, mostBytes: maxPduBytes }, results));
  return true;
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
  if (message.isSearch) appendIdentifier(message, bytes);
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
  isSearch: false,
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
  if (state.finding && command.field !== commands.cancel)
    throw new PduError("unexpectedPdu", "a command while a search is answered");
  if (command.field === commands.store && command.hasDataSet) {
    const { sopClass, sopInstance } = command;
    message.announced = { sopClass, sopInstance, transferSyntax, callingTitle: state.title };
    if ([verificationClass, worklistModel].includes(abstractSyntax) || sopClass !== abstractSyntax)
      message.failed = "classNotSupported";
    else if (!/^[0-9.]{1,64}$/.test(sopInstance)) message.failed = "invalidInstance";
    else await openFile(state, message);
  } else if (command.field === commands.find && command.hasDataSet && state.sender!.find) {
    if (abstractSyntax !== worklistModel || command.sopClass !== worklistModel) message.failed = "classNotSupported";
    else [message.isSearch, message.pieces, message.bytes] = [true, [], 0];
  } else if (command.field !== commands.echo && command.field !== commands.cancel)
    message.failed = "unrecognizedOperation";
  if (!command.hasDataSet) await endMessage(state, message);
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
  if (message.isSearch) return answerSearch(state, message);
  if (command!.field === commands.cancel && state.finding?.message === command!.answered)
    state.finding.cancelled = true;
  const status = message.failed ?? (file && announced ? await storeObject(state, file, announced) : "success");
  if (command!.field === commands.cancel) return;
  const answer = buildResponse(command!, status);
  state.socket.write(encodeFragment(message.context, answer, { isCommand: true, isLast: true }));
}

function answerSearch(state: AssociationState, { context, command, pieces: chunks }: PendingMessage): void {
  const { socket, sender, title, peerMost } = state;
  const { transferSyntax } = state.contexts.get(context)!;
  const connection = {
    context,
    mostBytes: peerMost,
    write: (bytes: Buffer) => void (socket.writable && socket.write(bytes)),
  };
  const searchRequest = { identifier: Buffer.concat(chunks), transferSyntax, callingTitle: title };
  const searchInProgress = startFind(sender!.find!, command!, searchRequest, connection);
  state.finding = searchInProgress;
  void searchInProgress.over.finally(() => state.finding === searchInProgress && (state.finding = null));
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
