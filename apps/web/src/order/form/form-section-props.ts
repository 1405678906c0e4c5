import type { Draft } from "./order-draft.ts";

/** The props of each part of the form. */
export interface FormSectionProps {
  draft: Draft;
  change: (change: Partial<Draft>) => void;
  /** Returns the error of a field. Missing fields are reported only after the first attempt to send. */
  error: (...names: string[]) => string | undefined;
}
