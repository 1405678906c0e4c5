export interface LetterCountTable {
  day: string;
  /** Keyed hash of an address. */
  recipient: string;
  sent: number;
}
