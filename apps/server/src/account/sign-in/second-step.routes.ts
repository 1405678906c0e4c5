import { secondStepCalls } from "@arcada/contract/factor/second-step.calls";
import { refuse, refuseAndKeep } from "../../platform/http/refuse.ts";
import { routes } from "../../platform/http/serve-calls.ts";
import { redeemTicket } from "../ticket.writes.ts";
import { startUserSession } from "./sign-in.ts";
import { requireFactorCode } from "../factor/factor-proof.ts";
import { verifyPasskey } from "../factor/passkey.ts";
import { countSecondStepAttempt } from "../factor/second-step.ts";

export const secondStepRoutes = routes(secondStepCalls, {
  signIn: async (input, context) => {
    const firstStep = await countSecondStepAttempt(context.db, input.step);
    if (input.passkey) {
      if (!(await verifyPasskey(context, firstStep.uid, input.passkey))) refuseAndKeep("passkeyWrong");
    } else if (input.code) await requireFactorCode(context, firstStep.uid, input.code);
    else refuse("badInput", { code: "codeEmpty" });
    if (!(await redeemTicket(context.db, "step", input.step))) refuse("stepSpent");
    return startUserSession(context, firstStep);
  },
});
