/** A comment as stored. Its point is in its model's own space, mm. */
export interface StoredPin {
  id: string;
  number: number;
  model: string;
  point: readonly number[];
  text: string;
  author: string | null;
  /** ISO 8601. */
  at: string | null;
  isSettled: boolean;
  replies: readonly { id: string; who: string; at: string; text: string }[];
  /** True if the user may change its text and its point. */
  mayChange: boolean;
  mayRemove: boolean;
}

/** Stores comments on points of models: with a study's annotations, or with an order. */
export interface PinStore {
  list: readonly StoredPin[];
  mayAdd: boolean;
  /** Returns the comment's id, or null if it was refused. */
  put: (pin: { id: string | null; model: string; point: readonly number[]; text: string }) => Promise<string | null>;
  remove: (id: string) => void;
  /** Absent if replies are not possible. */
  reply?: (id: string, text: string) => Promise<boolean>;
  settle?: (id: string, settled: boolean) => void;
}
