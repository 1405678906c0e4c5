import type { Socket } from "node:net";
import { answerTo, commands, readCommand, type Command, type Status } from "./command.ts";
import { answerProposal, verification, worklist } from "./contexts.ts";
import { beginFinding, type Find, type Finding } from "./finding.ts";
import type { IncomingFile } from "./incoming-file.ts";
import {
  abort,
  associateAccept,
  associateReject,
  fragmentPdu,
  isDicomContext,
  pdu,
  PduError,
  pduTypes,
  readAssociateRequest,
  readFragments,
  type Answered,
  type Fragment,
} from "./pdu.ts";
import { pdusOf, type Patience } from "./pdu-reader.ts";

/** Description of an object, known before its bytes arrive. */
export interface Announced {
  sopClass: string;
  sopInstance: string;
  transferSyntax: string;
  callingTitle: string;
}
/** The application of an association, for as long as it may send. */
export interface Sender {
  /** Throws if no space is left for it. */
  open(announced: Announced): Promise<IncomingFile>;
  /** The object is on the disk. Returns its outcome. */
  keep(file: IncomingFile, announced: Announced): Promise<Status>;
  /** Searches the work list, if there is one. */
  find?: Find;
  /** Called when the association has ended. */
  done(): Promise<void>;
}
export interface House {
  title: string;
  patience: Patience;
  /** "unknown": no such application; "busy": it has reached its number of associations. */
  admit(callingTitle: string, address: string): Promise<Sender | "unknown" | "busy">;
  /** Called when the connection no longer waits for its admission. */
  admitted?(socket: Socket): void;
}

/** The longest accepted PDU, and the longest that storage programs send. */
const pduMost = 131_072;
/**
 * The longest association request: 128 contexts of twenty transfer syntaxes each need 75 kB, and no peer offers so
 * many.
 */
const associateMost = 65_536;
const commandMost = 16_384;
const identifierMost = 65_536;

/** Serves one peer until one side ends the association. Never throws: an error ends the connection. */
export async function serveAssociation(socket: Socket, house: House): Promise<void> {
  const course: Course = { ...beginning, socket, house, contexts: new Map() };
  try {
    // A peer that is not admitted yet must not send more than its request.
    const most = (): number => (course.sender ? pduMost : associateMost);
    for await (const { type, body } of pdusOf(socket, most, house.patience))
      if (!(await take(course, type, body))) break;
    socket.end();
  } catch (error) {
    if (!socket.destroyed) socket.end(abort(error instanceof PduError ? error.reason : "notSpecified"));
  } finally {
    if (course.finding) course.finding.cancelled = true;
    await course.finding?.over;
    await course.message?.file?.drop().catch(() => {});
    await course.sender?.done().catch(() => {});
    // Does not wait for a peer that keeps its own side open.
    setTimeout(() => socket.destroy(), 1000).unref();
  }
}

interface Course {
  socket: Socket;
  house: House;
  /** Null before the association is established. */
  sender: Sender | null;
  contexts: Map<number, { abstractSyntax: string; transferSyntax: string }>;
  title: string;
  /** The longest PDU that the peer accepts. */
  peerMost: number;
  message: Message | null;
  finding: Finding | null;
}
const beginning = { sender: null, title: "", peerMost: 0, message: null, finding: null } as const;
/** A message whose fragments are arriving. */
interface Message {
  context: number;
  pieces: Buffer[];
  bytes: number;
  command: Command | null;
  announced: Announced | null;
  file: IncomingFile | null;
  /** The failure, if one is known before the end of the message. */
  failed: Status | null;
  /** The fragments contain a search identifier. */
  isSearch: boolean;
}

/** Returns false if the association has ended. */
async function take(course: Course, type: number, body: Buffer): Promise<boolean> {
  if (type === pduTypes.associateRequest && !course.sender) return begin(course, body);
  if (type === pduTypes.abort) return false;
  if (!course.sender) throw new PduError("unexpectedPdu", "no association");
  if (type === pduTypes.data) {
    for (const fragment of readFragments(body)) await takeFragment(course, fragment);
    return true;
  }
  if (type !== pduTypes.releaseRequest)
    throw new PduError(type >= 1 && type <= 7 ? "unexpectedPdu" : "unrecognizedPdu", `unit ${type}`);
  course.socket.write(pdu("releaseReply"));
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

async function begin(course: Course, body: Buffer): Promise<boolean> {
  const { socket, house } = course;
  const request = readAssociateRequest(body);
  const reject = (why: keyof typeof rejections): false => {
    const [permanent, source, reason]: Rejection = rejections[why];
    socket.write(associateReject(permanent, source, reason));
    return false;
  };
  if ((request.protocol & 1) === 0) return reject("protocol");
  if (!isDicomContext(request.applicationContext)) return reject("applicationContext");
  if (request.calledTitle !== house.title) return reject("called");
  const sender = await house.admit(request.callingTitle, socket.remoteAddress ?? "");
  if (sender === "unknown") return reject("calling");
  if (sender === "busy") return reject("busy");
  course.sender = sender;
  house.admitted?.(socket);
  course.title = request.callingTitle;
  course.peerMost = request.mostBytes;
  const answered: Answered[] = request.proposals.map((one) => answerProposal(one, sender.find !== undefined));
  for (const [place, { id, result, transferSyntax }] of answered.entries())
    if (result === 0)
      course.contexts.set(id, { abstractSyntax: request.proposals[place]!.abstractSyntax, transferSyntax });
  socket.write(associateAccept({ ...request, mostBytes: pduMost }, answered));
  return true;
}

async function takeFragment(course: Course, { id, isCommand, isLast, bytes }: Fragment): Promise<void> {
  const message = (course.message ??= fresh(id));
  if (!course.contexts.has(id) || message.context !== id || isCommand !== (message.command === null))
    throw new PduError("unexpectedPdu", "a fragment out of its turn");
  if (isCommand) {
    message.bytes += bytes.length;
    if (message.bytes > commandMost) throw new PduError("invalidParameter", "a long command");
    message.pieces.push(Buffer.from(bytes));
    if (isLast) await beginMessage(course, message);
    return;
  }
  if (message.isSearch) takeIdentifier(message, bytes);
  else if (!(await message.file?.add(bytes)) && message.file) {
    await message.file.drop();
    [message.file, message.failed] = [null, "outOfResources"];
  }
  if (isLast) await endMessage(course, message);
}

const fresh = (context: number): Message => ({
  context,
  pieces: [],
  bytes: 0,
  command: null,
  announced: null,
  file: null,
  failed: null,
  isSearch: false,
});

function takeIdentifier(message: Message, bytes: Buffer): void {
  message.bytes += bytes.length;
  if (message.bytes > identifierMost) throw new PduError("invalidParameter", "a long identifier");
  message.pieces.push(Buffer.from(bytes));
}

async function beginMessage(course: Course, message: Message): Promise<void> {
  const command = readCommand(Buffer.concat(message.pieces));
  message.command = command;
  const { abstractSyntax, transferSyntax } = course.contexts.get(message.context)!;
  if (course.finding && command.field !== commands.cancel)
    throw new PduError("unexpectedPdu", "a command while a search is answered");
  if (command.field === commands.store && command.hasDataSet) {
    const { sopClass, sopInstance } = command;
    message.announced = { sopClass, sopInstance, transferSyntax, callingTitle: course.title };
    if ([verification, worklist].includes(abstractSyntax) || sopClass !== abstractSyntax)
      message.failed = "classNotSupported";
    else if (!/^[0-9.]{1,64}$/.test(sopInstance)) message.failed = "invalidInstance";
    else await openFile(course, message);
  } else if (command.field === commands.find && command.hasDataSet && course.sender!.find) {
    if (abstractSyntax !== worklist || command.sopClass !== worklist) message.failed = "classNotSupported";
    else [message.isSearch, message.pieces, message.bytes] = [true, [], 0];
  } else if (command.field !== commands.echo && command.field !== commands.cancel)
    message.failed = "unrecognizedOperation";
  if (!command.hasDataSet) await endMessage(course, message);
}

async function openFile(course: Course, message: Message): Promise<void> {
  try {
    message.file = await course.sender!.open(message.announced!);
  } catch {
    message.failed = "outOfResources";
  }
}

async function endMessage(course: Course, message: Message): Promise<void> {
  const { command, file, announced } = message;
  course.message = null;
  if (message.isSearch) return search(course, message);
  if (command!.field === commands.cancel && course.finding?.message === command!.answered)
    course.finding.cancelled = true;
  const status = message.failed ?? (file && announced ? await keep(course, file, announced) : "success");
  if (command!.field === commands.cancel) return;
  const answer = answerTo(command!, status);
  course.socket.write(fragmentPdu(message.context, answer, { isCommand: true, isLast: true }));
}

function search(course: Course, { context, command, pieces }: Message): void {
  const { socket, sender, title, peerMost } = course;
  const { transferSyntax } = course.contexts.get(context)!;
  const line = {
    context,
    mostBytes: peerMost,
    write: (bytes: Buffer) => void (socket.writable && socket.write(bytes)),
  };
  const asked = { identifier: Buffer.concat(pieces), transferSyntax, callingTitle: title };
  const finding = beginFinding(sender!.find!, command!, asked, line);
  course.finding = finding;
  void finding.over.finally(() => course.finding === finding && (course.finding = null));
}

async function keep({ sender }: Course, file: IncomingFile, announced: Announced): Promise<Status> {
  try {
    return await sender!.keep(file, announced);
  } catch {
    // The sender repeats an object that was not acknowledged.
    return "processingFailure";
  }
}
