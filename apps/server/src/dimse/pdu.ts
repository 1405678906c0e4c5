import { trimEndMatching } from "../platform/text/trim-characters.ts";

/** Protocol data units of the DICOM upper layer (PS3.8 9.3), as bytes and back. Numbers in them are big endian. */
export const pduTypes = {
  associateRequest: 1,
  associateAccept: 2,
  associateReject: 3,
  data: 4,
  releaseRequest: 5,
  releaseReply: 6,
  abort: 7,
} as const;

/** PS3.8 table 9-26: reasons for which this side aborts an association. */
const abortReasons = {
  notSpecified: 0,
  unrecognizedPdu: 1,
  unexpectedPdu: 2,
  unrecognizedParameter: 4,
  invalidParameter: 6,
} as const;
export type AbortReason = keyof typeof abortReasons;

/** The peer sends data that violate the upper layer protocol, too many of them, or too late. */
export class PduError extends Error {
  override name = "PduError";
  readonly reason: AbortReason;
  constructor(reason: AbortReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** A presentation context that a peer proposes, with its transfer syntaxes. */
export interface Proposal {
  id: number;
  abstractSyntax: string;
  transferSyntaxes: string[];
}
export interface AssociateRequest {
  calledTitle: string;
  callingTitle: string;
  applicationContext: string;
  proposals: Proposal[];
  /** The longest PDU that the peer accepts; 0: any. */
  mostBytes: number;
  protocol: number;
  /** Storage classes for which the requestor states its roles (PS3.7 D.3.3.4). */
  roles: RoleSelection[];
}
/** The roles of the side that requests the association, for one class. */
export interface RoleSelection {
  sopClass: string;
  isScu: boolean;
  isScp: boolean;
}
/** An association that the peer has accepted. */
export interface AssociateAccept {
  contexts: NegotiatedContext[];
  mostBytes: number;
  roles: RoleSelection[];
}
/** The response to a proposal: the transfer syntax, or the reason for its rejection (PS3.8 table 9-18). */
export interface NegotiatedContext {
  id: number;
  result: 0 | 3 | 4;
  transferSyntax: string;
}
/** A fragment of a message (PS3.8 9.3.5.1). */
export interface Fragment {
  id: number;
  isCommand: boolean;
  isLast: boolean;
  bytes: Buffer;
}

const maxContexts = 128;
const titleBytes = 16;
const fixedBytes = 68;
const uidBytes = 64;

/** Parses an association request from the bytes after its header. */
export function readAssociateRequest(body: Buffer): AssociateRequest {
  if (body.length < fixedBytes) throw new PduError("invalidParameter", "a short association request");
  const request: AssociateRequest = {
    calledTitle: readTitle(body, 4),
    callingTitle: readTitle(body, 4 + titleBytes),
    applicationContext: "",
    proposals: [],
    mostBytes: 0,
    protocol: body.readUInt16BE(0),
    roles: [],
  };
  for (const { type, value } of readItems(body.subarray(fixedBytes))) {
    if (type === 0x10) request.applicationContext = readUid(value);
    else if (type === 0x20) request.proposals.push(readProposal(value));
    else if (type === 0x50) [request.mostBytes, request.roles] = [readMaxLength(value), readRoles(value)];
  }
  const ids = new Set(request.proposals.map(({ id }) => id));
  if (request.proposals.length > maxContexts || ids.size < request.proposals.length)
    throw new PduError("invalidParameter", "presentation contexts that repeat");
  return request;
}

const readTitle = (body: Buffer, at: number): string => body.toString("latin1", at, at + titleBytes).trim();
/** PS3.5 9.1: a UID has 64 characters at most. Some peers pad it. */
export function readUid(value: Buffer): string {
  if (value.length > uidBytes) throw new PduError("invalidParameter", "a UID of more than 64 bytes");
  return trimEndMatching(value.toString("latin1"), /[\0 ]/);
}

function* readItems(bytes: Buffer): Generator<{ type: number; value: Buffer }> {
  for (let at = 0; at < bytes.length;) {
    if (at + 4 > bytes.length) throw new PduError("invalidParameter", "half an item");
    const end = at + 4 + bytes.readUInt16BE(at + 2);
    if (end > bytes.length) throw new PduError("invalidParameter", "an item beyond its unit");
    yield { type: bytes[at]!, value: bytes.subarray(at + 4, end) };
    at = end;
  }
}

function readProposal(value: Buffer): Proposal {
  const id = value[0] ?? 0;
  if (value.length < 4 || id % 2 === 0) throw new PduError("invalidParameter", "a presentation context's number");
  const proposal: Proposal = { id, abstractSyntax: "", transferSyntaxes: [] };
  for (const { type, value: uid } of readItems(value.subarray(4))) {
    if (type === 0x30) proposal.abstractSyntax = readUid(uid);
    else if (type === 0x40) proposal.transferSyntaxes.push(readUid(uid));
  }
  return proposal;
}

function readMaxLength(value: Buffer): number {
  for (const { type, value: encodeItem } of readItems(value))
    if (type === 0x51 && encodeItem.length === 4) return encodeItem.readUInt32BE(0);
  return 0;
}

function readRoles(value: Buffer): RoleSelection[] {
  const roles: RoleSelection[] = [];
  for (const { type, value: role } of readItems(value)) {
    if (type !== 0x54) continue;
    const uidEnd = role.length < 4 ? Infinity : 2 + role.readUInt16BE(0);
    if (uidEnd + 2 > role.length) throw new PduError("invalidParameter", "half a role selection");
    const [isScu, isScp] = [role[uidEnd] === 1, role[uidEnd + 1] === 1];
    roles.push({ sopClass: readUid(role.subarray(2, uidEnd)), isScu, isScp });
  }
  return roles;
}

/** Parses the acceptance of an association from the bytes after its header. */
export function readAssociateAccept(body: Buffer): AssociateAccept {
  if (body.length < fixedBytes) throw new PduError("invalidParameter", "a short association acceptance");
  const accepted: AssociateAccept = { contexts: [], mostBytes: 0, roles: [] };
  for (const { type, value } of readItems(body.subarray(fixedBytes))) {
    if (type === 0x21) accepted.contexts.push(readContextResult(value));
    else if (type === 0x50) [accepted.mostBytes, accepted.roles] = [readMaxLength(value), readRoles(value)];
  }
  return accepted;
}

function readContextResult(value: Buffer): NegotiatedContext {
  if (value.length < 4) throw new PduError("invalidParameter", "half a presentation context");
  const context: NegotiatedContext = { id: value[0]!, result: value[2] === 0 ? 0 : 3, transferSyntax: "" };
  for (const { type, value: uid } of readItems(value.subarray(4)))
    if (type === 0x40) context.transferSyntax = readUid(uid);
  return context;
}

/** Returns the fragments of a data PDU, from the bytes after its header. */
export function readFragments(body: Buffer): Fragment[] {
  const fragments: Fragment[] = [];
  for (let at = 0; at < body.length;) {
    if (at + 6 > body.length) throw new PduError("invalidParameter", "half a fragment");
    const end = at + 4 + body.readUInt32BE(at);
    if (end > body.length || end < at + 6) throw new PduError("invalidParameter", "a fragment beyond its unit");
    const control = body[at + 5]!;
    const bytes = body.subarray(at + 6, end);
    fragments.push({ id: body[at + 4]!, isCommand: (control & 1) === 1, isLast: (control & 2) === 2, bytes });
    at = end;
  }
  return fragments;
}

export function encodePdu(type: keyof typeof pduTypes, body: Buffer = Buffer.alloc(4)): Buffer {
  const header = Buffer.alloc(6);
  header[0] = pduTypes[type];
  header.writeUInt32BE(body.length, 2);
  return Buffer.concat([header, body]);
}

export const encodeFragment = (id: number, bytes: Buffer, what: { isCommand: boolean; isLast: boolean }): Buffer => {
  const header = Buffer.alloc(6);
  header.writeUInt32BE(bytes.length + 2, 0);
  header[4] = id;
  header[5] = (what.isCommand ? 1 : 0) | (what.isLast ? 2 : 0);
  return encodePdu("data", Buffer.concat([header, bytes]));
};

/**
 * PS3.8 9.3.4: the source of the rejection (1: the service user, 2 and 3: its provider), and the reason within that
 * source.
 */
export const encodeAssociateReject = (permanent: boolean, source: 1 | 2 | 3, reason: number): Buffer =>
  encodePdu("associateReject", Buffer.from([0, permanent ? 1 : 2, source, reason]));

export const encodeAbort = (reason: AbortReason): Buffer =>
  encodePdu("abort", Buffer.from([0, 0, 2, abortReasons[reason]]));

const encodeItem = (type: number, value: Buffer): Buffer => {
  const header = Buffer.from([type, 0, 0, 0]);
  header.writeUInt16BE(value.length, 2);
  return Buffer.concat([header, value]);
};
const encodeTextItem = (type: number, value: string): Buffer => encodeItem(type, Buffer.from(value, "latin1"));
const padTitle = (title: string): Buffer => Buffer.from(title.padEnd(titleBytes).slice(0, titleBytes), "latin1");

export interface AssociateParties {
  calledTitle: string;
  callingTitle: string;
  mostBytes: number;
  roles?: readonly RoleSelection[];
}
const applicationContext = "1.2.840.10008.3.1.1.1";
export const isDicomContext = (name: string): boolean => name === applicationContext;
export const implementation = { uid: "2.25.311279640112412866712331250217346213187", version: "ARCADA" } as const;

function encodeRole({ sopClass, isScu, isScp }: RoleSelection): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(sopClass.length);
  const flags = Buffer.from([Number(isScu), Number(isScp)]);
  return encodeItem(0x54, Buffer.concat([length, Buffer.from(sopClass, "latin1"), flags]));
}

const encodeAssociate = (who: AssociateParties, contexts: Buffer[]): Buffer => {
  const most = Buffer.alloc(4);
  most.writeUInt32BE(who.mostBytes);
  const user = Buffer.concat([
    encodeItem(0x51, most),
    encodeTextItem(0x52, implementation.uid),
    ...(who.roles ?? []).map(encodeRole),
    encodeTextItem(0x55, implementation.version),
  ]);
  const titles = [padTitle(who.calledTitle), padTitle(who.callingTitle)];
  const head = [Buffer.from([0, 1, 0, 0]), ...titles, Buffer.alloc(32), encodeTextItem(0x10, applicationContext)];
  return Buffer.concat([...head, ...contexts, encodeItem(0x50, user)]);
};

export const encodeAssociateAccept = (who: AssociateParties, answered: readonly NegotiatedContext[]): Buffer => {
  const contexts = answered.map(({ id, result, transferSyntax }) =>
    encodeItem(0x21, Buffer.concat([Buffer.from([id, 0, result, 0]), encodeTextItem(0x40, transferSyntax)])),
  );
  return encodePdu("associateAccept", encodeAssociate(who, contexts));
};

export const encodeAssociateRequest = (who: AssociateParties, proposals: readonly Proposal[]): Buffer => {
  const contexts = proposals.map(({ id, abstractSyntax, transferSyntaxes }) => {
    const syntaxes = transferSyntaxes.map((one) => encodeTextItem(0x40, one));
    return encodeItem(
      0x20,
      Buffer.concat([Buffer.from([id, 0, 0, 0]), encodeTextItem(0x30, abstractSyntax), ...syntaxes]),
    );
  });
  return encodePdu("associateRequest", encodeAssociate(who, contexts));
};
