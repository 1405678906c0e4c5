import type { FactorNeeded } from "@arcada/contract/factor/factor.calls";

export interface Entered {
  token: string;
  remember: boolean;
}
/** Who signs in: the same for both ways, so that changing the way keeps it. */
export interface Who {
  account: string;
  countryCode: string;
  remember: boolean;
}
/** What each way to sign in is given. */
export interface WayProps {
  who: Who;
  setWho: (change: Partial<Who>) => void;
  done: (entered: Entered) => void;
  /** The first step has succeeded and a second is asked for. */
  onSecondStep: (needed: FactorNeeded) => void;
  disabled: boolean;
}
