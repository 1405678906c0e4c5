import type { Order } from "@arcada/contract/order/order.calls";

type Message = Order["messages"][number];
type OrderEvent = Order["events"][number];
/** An entry of the conversation: a message, a question of the laboratory, or the answer to it. */
export type ThreadEntry =
  | { kind: "message"; id: string; time: string; mine: boolean; message: Message }
  | { kind: "question" | "answer"; id: string; time: string; mine: boolean; event: OrderEvent };

const kinds: Record<string, "question" | "answer"> = { requestInfo: "question", supplyInfo: "answer" };

/** Returns the one thread of an order, in the order of time. */
export function buildThread({ messages, events, mine: ownSide }: Pick<Order, "messages" | "events" | "mine">) {
  const questions = events.flatMap((event): ThreadEntry[] => {
    const kind = kinds[event.action];
    return kind ? [{ kind, id: event.id, time: event.time, mine: event.side === ownSide, event }] : [];
  });
  const said = messages.map((message): ThreadEntry => ({
    kind: "message",
    id: message.id,
    time: message.time,
    mine: message.mine,
    message,
  }));
  return [...said, ...questions].toSorted((one, other) => Date.parse(one.time) - Date.parse(other.time));
}

/** Cuts a text at the people whom it calls by name, the longest name first: one name may begin with another. */
export function splitMentions(text: string, names: readonly string[]): { text: string; isMention: boolean }[] {
  const called = names.map((name) => `@${name}`).toSorted((one, other) => other.length - one.length);
  if (called.length === 0) return [{ text, isMention: false }];
  const parts: { text: string; isMention: boolean }[] = [];
  let plain = 0;
  for (let at = text.indexOf("@"); at >= 0; at = text.indexOf("@", at + 1)) {
    const name = called.find((one) => text.startsWith(one, at));
    if (name === undefined) continue;
    if (at > plain) parts.push({ text: text.slice(plain, at), isMention: false });
    parts.push({ text: name, isMention: true });
    plain = at + name.length;
    at = plain - 1;
  }
  return plain < text.length ? [...parts, { text: text.slice(plain), isMention: false }] : parts;
}
