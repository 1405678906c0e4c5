import type { Generated } from "kysely";
import type { Side } from "./order.ts";

export interface OrderReadingTable {
  institution_id: string;
  order_id: string;
  user_id: string;
  side: Side;
  /** Time of the last message that was read. */
  up_to: string;
  at: Generated<string>;
}
export interface OrderPinTable {
  institution_id: string;
  order_id: string;
  id: string;
  number: number;
  file_id: string;
  /** SHA-256 of the model file's content. */
  surface: string;
  x: number;
  y: number;
  z: number;
  text: string;
  user_id: string;
  side: Side;
  at: Generated<string>;
  settled_by: string | null;
  settled_at: string | null;
}
export interface OrderPinAnswerTable {
  institution_id: string;
  order_id: string;
  pin_id: string;
  id: string;
  text: string;
  user_id: string;
  side: Side;
  at: Generated<string>;
}
export interface OrderPictureTable {
  institution_id: string;
  original: string;
  /** Side length of the square that encloses it, in pixels. */
  side: number;
  sha256: string;
}
