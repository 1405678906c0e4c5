import type { OrderState } from "./order.lifecycle.ts";

/** The receiver's read access: nothing, the line in its list with its own words and files, or everything. */
export type ReadAccess = "nothing" | "header" | "all";
/**
 * The sender's original files that the receiver may download. `plain`: all but DICOM, which requires an accepted case.
 */
export type DownloadAccess = "none" | "plain" | "all" | "forTime";
/** The state of the chat between both sides. */
export type ChatAccess = "closed" | "open" | "forTime" | "readOnly";
/**
 * Files of these kinds, detected by their bytes, can be rebuilt without names. Other kinds stay behind where names are
 * hidden.
 */
export const cleanableKinds: ReadonlySet<string> = new Set(["dicom", "stl", "ply", "obj", "3mf", "jpeg", "png", "bmp"]);

interface ReceiverRights {
  reads: ReadAccess;
  downloads: DownloadAccess;
  chat: ChatAccess;
}

export const rightsRules = { downloadMonths: 12, chatDays: 14, shareDays: 14 } as const;

const workingRights: ReceiverRights = { reads: "all", downloads: "all", chat: "open" };
const endedRights: ReceiverRights = { reads: "header", downloads: "none", chat: "readOnly" };
const noRights: ReceiverRights = { reads: "nothing", downloads: "none", chat: "closed" };

/** The receiver's rights by state, while the order has been handed over to it. */
export const receiverRights: Record<OrderState, ReceiverRights> = {
  draft: noRights,
  awaiting_sending: noRights,
  pending: { reads: "all", downloads: "plain", chat: "open" },
  awaiting_scheme: workingRights,
  awaiting_design: workingRights,
  awaiting_dispatch: workingRights,
  awaiting_receipt: workingRights,
  forwarded: workingRights,
  completed: { reads: "all", downloads: "forTime", chat: "forTime" },
  cancelled: endedRights,
  refused: endedRights,
};

/** While the receiver prepares to forward an order, it keeps its read access. */
export const findRights = ({ state, holder }: { state: OrderState; holder: "sender" | "receiver" }): ReceiverRights =>
  state === "awaiting_sending" && holder === "receiver" ? workingRights : receiverRights[state];

/**
 * Returns true if the receiver may now download one of the sender's original files; if names are hidden it gets a copy
 * without them. `completedAt` is an instant, ISO 8601.
 */
export function mayDownloadOriginal(
  order: { state: OrderState; holder: "sender" | "receiver"; completedAt: string | null },
  file: { dicom: boolean },
  now: Date,
): boolean {
  const { downloads } = findRights(order);
  if (downloads === "forTime") return now < monthsAfter(new Date(order.completedAt ?? 0), rightsRules.downloadMonths);
  return downloads === "all" || (downloads === "plain" && !file.dicom);
}

/**
 * Returns the time until which the links of an order may show it; null: they may not. Links are valid while the
 * receiver reads the whole order: not before the hand-over, but also while the receiver prepares to forward it. A
 * completed order stays visible for some days. `completedAt` is an instant, ISO 8601.
 */
export function sharingEnd(order: {
  state: OrderState;
  holder: "sender" | "receiver";
  completedAt: string | null;
}): Date | null {
  const { completedAt } = order;
  if (findRights(order).reads !== "all") return null;
  return completedAt === null
    ? new Date(8_640_000_000_000_000)
    : new Date(Date.parse(completedAt) + rightsRules.shareDays * 86_400_000);
}

function monthsAfter(time: Date, months: number): Date {
  const shifted = new Date(time);
  shifted.setUTCMonth(shifted.getUTCMonth() + months);
  return shifted;
}
