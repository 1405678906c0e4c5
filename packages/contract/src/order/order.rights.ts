import type { OrderState } from "./order.cycle.ts";

/** The receiver's read access: nothing, the line in its list with its own words and files, or everything. */
export type Reads = "nothing" | "header" | "all";
/**
 * The sender's original files that the receiver may download. `plain`: all but DICOM, which requires an accepted case.
 */
export type Downloads = "none" | "plain" | "all" | "forTime";
/** The state of the chat between both sides. */
export type Chat = "closed" | "open" | "forTime" | "readOnly";
/**
 * Files of these kinds, detected by their bytes, can be rebuilt without names. Other kinds stay behind where names are
 * hidden.
 */
export const cleanedKinds: ReadonlySet<string> = new Set(["dicom", "stl", "ply", "obj", "jpeg", "png", "bmp"]);

interface Rights {
  reads: Reads;
  downloads: Downloads;
  chat: Chat;
}

export const rightsRules = { downloadMonths: 12, chatDays: 14, shareDays: 14 } as const;

const working: Rights = { reads: "all", downloads: "all", chat: "open" };
const ended: Rights = { reads: "header", downloads: "none", chat: "readOnly" };
const unseen: Rights = { reads: "nothing", downloads: "none", chat: "closed" };

/** The receiver's rights by state, while the order has been handed over to it. */
export const receiverRights: Record<OrderState, Rights> = {
  draft: unseen,
  awaiting_sending: unseen,
  pending: { reads: "all", downloads: "plain", chat: "open" },
  awaiting_scheme: working,
  awaiting_design: working,
  awaiting_dispatch: working,
  awaiting_receipt: working,
  forwarded: working,
  completed: { reads: "all", downloads: "forTime", chat: "forTime" },
  cancelled: ended,
  refused: ended,
};

/** While the receiver prepares to forward an order, it keeps its read access. */
export const rightsOf = ({ state, holder }: { state: OrderState; holder: "sender" | "receiver" }): Rights =>
  state === "awaiting_sending" && holder === "receiver" ? working : receiverRights[state];

/**
 * Returns true if the receiver may now download one of the sender's original files; if names are hidden it gets a copy
 * without them. `completedAt` is an instant, ISO 8601.
 */
export function mayTakeOriginal(
  order: { state: OrderState; holder: "sender" | "receiver"; completedAt: string | null },
  file: { dicom: boolean },
  now: Date,
): boolean {
  const { downloads } = rightsOf(order);
  if (downloads === "forTime") return now < monthsAfter(new Date(order.completedAt ?? 0), rightsRules.downloadMonths);
  return downloads === "all" || (downloads === "plain" && !file.dicom);
}

/**
 * Returns the time until which the links of an order may show it; null: they may not. Links are valid while the
 * receiver reads the whole order: not before the hand-over, but also while the receiver prepares to forward it. A
 * completed order stays visible for some days. `completedAt` is an instant, ISO 8601.
 */
export function sharedUntil(order: {
  state: OrderState;
  holder: "sender" | "receiver";
  completedAt: string | null;
}): Date | null {
  const { completedAt } = order;
  if (rightsOf(order).reads !== "all") return null;
  return completedAt === null
    ? new Date(8_640_000_000_000_000)
    : new Date(Date.parse(completedAt) + rightsRules.shareDays * 86_400_000);
}

function monthsAfter(time: Date, months: number): Date {
  const later = new Date(time);
  later.setUTCMonth(later.getUTCMonth() + months);
  return later;
}
