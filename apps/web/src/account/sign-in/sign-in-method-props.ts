import type { FactorNeeded } from "@arcada/contract/factor/second-step.calls";

export interface SignInResult {
  token: string;
  remember: boolean;
}
/** The account that signs in. Both sign-in methods share it, so that changing the method keeps what was typed. */
export interface AccountInput {
  account: string;
  countryCode: string;
  remember: boolean;
}
/** The props of every sign-in method. */
export interface SignInMethodProps {
  who: AccountInput;
  setWho: (change: Partial<AccountInput>) => void;
  done: (result: SignInResult) => void;
  /** Called when the first step has succeeded and a second factor is required. */
  onSecondStep: (needed: FactorNeeded) => void;
  disabled: boolean;
}
