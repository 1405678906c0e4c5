/** A comment as it is kept. Its place lies in its model's own space, mm. */
export interface KeptPin {
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
  /** Its words and its place. */
  mayChange: boolean;
  mayRemove: boolean;
}

/** Where comments at places of models are kept: with a study's marks, or with an order. */
export interface PinStore {
  list: readonly KeptPin[];
  mayAdd: boolean;
  /** Answers the comment's id, or null where it was refused. */
  put: (pin: { id: string | null; model: string; point: readonly number[]; text: string }) => Promise<string | null>;
  remove: (id: string) => void;
  /** Absent where nobody answers. */
  answer?: (id: string, text: string) => Promise<boolean>;
  settle?: (id: string, settled: boolean) => void;
}
