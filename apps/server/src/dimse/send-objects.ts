import { commands, statusCodes, type Request } from "./command-set.ts";
import type { AgreedContext, MessageChannel, OutgoingData } from "./message-channel.ts";
import type { Proposal } from "./pdu.ts";
import { explicitLittleEndian, implicitLittleEndian } from "./presentation-contexts.ts";

/** A stored object that is sent by C-STORE. */
export interface OutgoingObject {
  sopClass: string;
  sopInstance: string;
  /** The transfer syntax in which it is stored. */
  transferSyntax: string;
  /** Its data set, without preamble and file meta information, in one of the transfer syntaxes that it is offered in. */
  read(transferSyntax: string): Promise<OutgoingData>;
}

/** The result of one object; `problem` is for people who look for a fault, in English. */
export type SendResult =
  | { outcome: "stored" | "warning" }
  /** `status` null: the peer accepts neither its class nor one of its transfer syntaxes, or it cannot be decoded. */
  | { outcome: "failed"; status: number | null; problem: string };

/** PS3.8 9.3.2.2: contexts have odd numbers from 1 to 255. */
const maxContexts = 128;

/**
 * Returns what an association must propose for these objects: each class in the syntaxes in which its objects are
 * stored, one context each so that the peer can accept every one of them, and as plain values.
 */
export function proposeContexts(objects: readonly Pick<OutgoingObject, "sopClass" | "transferSyntax">[]): Proposal[] {
  const plain = [explicitLittleEndian, implicitLittleEndian];
  const syntaxes = new Map<string, Set<string>>();
  for (const { sopClass, transferSyntax } of objects)
    syntaxes.set(sopClass, (syntaxes.get(sopClass) ?? new Set(plain)).add(transferSyntax));
  return [...syntaxes]
    .flatMap(([abstractSyntax, all]) => [...all].map((syntax) => ({ abstractSyntax, transferSyntaxes: [syntax] })))
    .slice(0, maxContexts)
    .map((proposal, place) => ({ id: place * 2 + 1, ...proposal }));
}

/** Sends one object as it is stored if the peer accepts that, else as plain values. Throws if the association ends. */
export async function sendObject(
  channel: MessageChannel,
  object: OutgoingObject,
  originator?: Request["originator"],
): Promise<SendResult> {
  const context = chooseContext(channel.contexts, object);
  if (!context) return failed(null, `the peer does not accept the class ${object.sopClass}`);
  let data: OutgoingData;
  try {
    data = await object.read(context.transferSyntax);
  } catch (error) {
    const { transferSyntax } = object;
    return failed(
      null,
      `the transfer syntax ${transferSyntax} is not accepted and cannot be decoded: ${messageOf(error)}`,
    );
  }
  const { sopClass, sopInstance } = object;
  const request = { field: commands.store, sopClass, sopInstance, ...(originator && { originator }) };
  const { status, comment } = await channel.request(context.id, request, data);
  if (status === statusCodes.success) return { outcome: "stored" };
  // PS3.4 table B.2-1: warnings are B000, B006 and B007. 0111: the peer has the object.
  if (status >> 12 === 0xb || status === statusCodes.duplicate) return { outcome: "warning" };
  return failed(status, `status ${status.toString(16).toUpperCase().padStart(4, "0")}${comment && `: ${comment}`}`);
}

const failed = (status: number | null, problem: string): SendResult => ({ outcome: "failed", status, problem });
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : "unreadable");

function chooseContext(
  contexts: readonly AgreedContext[],
  { sopClass, transferSyntax }: OutgoingObject,
): AgreedContext | undefined {
  const own = contexts.filter(({ abstractSyntax }) => abstractSyntax === sopClass);
  for (const syntax of [transferSyntax, explicitLittleEndian, implicitLittleEndian]) {
    const found = own.find((context) => context.transferSyntax === syntax);
    if (found) return found;
  }
  return undefined;
}
