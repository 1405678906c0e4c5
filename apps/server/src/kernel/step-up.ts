import type { ApartContext, MemberContext } from "./asker.ts";

/** What somebody who is signed in shows once more before something that cannot be taken back. */
export interface Proof {
  password?: string | undefined;
  /** Of a second factor. */
  code?: string | undefined;
  /** What the browser's dialog gave. */
  passkey?: object | undefined;
  /** Who has nothing to show, or a passkey alone, is not let by without it: a signature is worth what it was proven with. */
  mustShow?: true | undefined;
}
type Check = (context: ApartContext<MemberContext>, proof: Proof) => Promise<void>;

let check: Check | undefined;
/** Called by the composition: who knows passwords and factors decides. */
export const onStepUp = (given: Check): void => void (check = given);

/** Refuses where the proof does not hold; guesses are counted as at the door. */
export async function demandStepUp(context: ApartContext<MemberContext>, proof: Proof): Promise<void> {
  if (!check) throw new Error("nobody was named who checks passwords again");
  await check(context, proof);
}
