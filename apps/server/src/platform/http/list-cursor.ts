import { z } from "zod";
import { isStorable } from "@arcada/contract/kernel/storable-text";
import { refuse } from "./refuse.ts";

/** The cursor of a list that is sorted by name: the next page begins after it. */
export interface NameCursor {
  name: string;
  id: string;
}

export const writeCursor = ({ sort_name, id }: { sort_name: string; id: string }): string =>
  Buffer.from(JSON.stringify([sort_name, id])).toString("base64url");

const cursorShape = z.tuple([z.string().refine(isStorable), z.uuid()]);
export function readCursor(cursor: string | undefined): NameCursor | null {
  if (!cursor) return null;
  const read = cursorShape.safeParse(parseJson(Buffer.from(cursor, "base64url").toString()));
  if (!read.success) return refuse("badInput", { cursor: "cursorUnknown" });
  const [name, id] = read.data;
  return { name, id };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
