import type { FactorNeeded } from "@arcada/contract/factor/factor.calls";

export interface Entered {
  token: string;
  remember: boolean;
}
/** The account that signs in. Both sign-in methods share it, so that changing the method keeps what was typed. */
export interface Who {
  account: string;
  countryCode: string;
  remember: boolean;
}
/** The props of every sign-in method. */
export interface WayProps {
  who: Who;
  setWho: (change: Partial<Who>) => void;
  done: (entered: Entered) => void;
  /** Called when the first step has succeeded and a second factor is required. */
  onSecondStep: (needed: FactorNeeded) => void;
  disabled: boolean;
}
