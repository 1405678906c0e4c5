import type { ManualTransactionContext, MemberContext } from "../http/request-context.ts";

/** The proof that a signed-in user presents again before an action that cannot be undone. */
export interface Proof {
  password?: string | undefined;
  /** The code of a second factor. */
  code?: string | undefined;
  /** The result of the browser's passkey dialog. */
  passkey?: object | undefined;
  /**
   * Requires a proof even from users who have nothing to present, or a passkey alone: a signature is worth what it was
   * proven with.
   */
  mustShow?: true | undefined;
}
type Check = (context: ManualTransactionContext<MemberContext>, proof: Proof) => Promise<void>;

let check: Check | undefined;
/** Called by the composition root: the module that knows passwords and factors decides. */
export const onStepUp = (given: Check): void => void (check = given);

/** Refuses if the proof is not valid; guesses are counted as at the sign-in. */
export async function demandStepUp(context: ManualTransactionContext<MemberContext>, proof: Proof): Promise<void> {
  if (!check) throw new Error("nobody was named who checks passwords again");
  await check(context, proof);
}
