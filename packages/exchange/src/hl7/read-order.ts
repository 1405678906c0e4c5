import type { Hl7Order } from "@arcada/contract/hl7/hl7-intent";
import { allTeeth } from "@arcada/contract/kernel/tooth-numbers";
import type { Hl7Message, Hl7Segment } from "./hl7-message.ts";
import { cutText } from "./cut-text.ts";
import { readHl7LocalTime } from "./read-time.ts";

const limits = { orders: 20, observations: 64, number: 100, words: 200 } as const;

/** The codes of ORC-1 that ask for something, and those that take it back. */
const actions: Readonly<Record<string, Hl7Order["action"]>> = {
  NW: "request",
  XO: "request",
  XX: "request",
  RP: "request",
  CA: "cancel",
  OC: "cancel",
  DC: "cancel",
};

/** Reads every order of a message. `notes` says what was left out. */
export function readHl7Orders({ segments }: Hl7Message, notes: string[]): Hl7Order[] {
  const groups: { orc: Hl7Segment; rest: Hl7Segment[] }[] = [];
  for (const segment of segments) {
    if (segment.name === "ORC") groups.push({ orc: segment, rest: [] });
    else groups.at(-1)?.rest.push(segment);
  }
  if (groups.length > limits.orders) notes.push(`only the first ${limits.orders} orders were read`);
  return groups.slice(0, limits.orders).flatMap(({ orc, rest }) => {
    const order = readOrder(orc, rest, notes);
    return order ? [order] : [];
  });
}

function readOrder(orc: Hl7Segment, rest: readonly Hl7Segment[], notes: string[]): Hl7Order | null {
  const control = (orc.get(1) ?? "").toUpperCase();
  const action = actions[control];
  if (action === undefined) {
    notes.push(`ORC-1 ${/^\w{1,4}$/.test(control) ? control : "?"} is not used`);
    return null;
  }
  const obr = rest.find(({ name }) => name === "OBR");
  const text = (segment: Hl7Segment | undefined, field: number, component: number, most: number): string =>
    cutText(segment?.get(field, component) ?? "", most);
  const placer = text(orc, 2, 1, limits.number) || text(obr, 2, 1, limits.number);
  if (placer === "") {
    notes.push("ORC-2 is missing");
    return null;
  }
  const time = orc.get(7, 4) || obr?.get(27, 4) || obr?.get(36) || orc.get(15) || "";
  return {
    action,
    placer,
    filler: text(orc, 3, 1, limits.number) || text(obr, 3, 1, limits.number),
    accession: text(obr, 18, 1, 16),
    code: text(obr, 4, 1, limits.number),
    description: text(obr, 4, 2, limits.words) || text(obr, 4, 1, limits.words),
    reason: text(obr, 31, 2, limits.words) || text(obr, 31, 1, limits.words) || text(obr, 13, 1, limits.words),
    requester: [text(orc, 12, 3, 80), text(orc, 12, 2, 80)].filter(Boolean).join(" "),
    scheduledAt: readHl7LocalTime(time) ?? null,
    teeth: readTeeth(rest, notes),
  };
}

/** The standard has no field for a tooth: sites agree on an OBX with FDI numbers. */
function readTeeth(segments: readonly Hl7Segment[], notes: string[]): number[] {
  const teeth = new Set<number>();
  for (const obx of segments.filter(({ name }) => name === "OBX").slice(0, limits.observations)) {
    const code = `${obx.get(3, 1) ?? ""} ${obx.get(3, 2) ?? ""}`.toLowerCase();
    if (!/tooth|teeth|fdi|zahn|牙/.test(code)) continue;
    for (let at = 1; at <= Math.min(obx.count(5), 32); at++)
      for (const part of (obx.get(5, 1, at) ?? "")
        .split(/[\s,;]+/)
        .filter(Boolean)
        .slice(0, 52)) {
        const tooth = /^\d{2}$/.test(part) ? Number(part) : 0;
        if (allTeeth.includes(tooth)) teeth.add(tooth);
        else notes.push("OBX-5 has something that is no FDI number");
      }
  }
  return [...teeth];
}
