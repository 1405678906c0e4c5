import { setupCalls, setupRules } from "@arcada/contract/account/setup.calls";
import type { Parsed } from "@arcada/contract/kernel/call";
import { isEmail } from "@arcada/contract/account/account.rules";
import type { Config } from "../../platform/runtime/config.ts";
import type { Context } from "../../platform/http/request-context.ts";
import { refuse } from "../../platform/http/refuse.ts";
import { routes } from "../../platform/http/serve-calls.ts";
import { hashPassword } from "../password/password-hash.ts";
import { requireGoodPassword } from "../password/password-policy.ts";
import { startUserSession } from "../sign-in/sign-in.ts";
import { replacePassword } from "../password/replace-password.ts";
import { createOperatorAccount } from "./create-operator-account.ts";
import { redeemSetupLink, requireSetupLink } from "./setup-link.ts";
import type { SetupLink } from "./setup-link.ts";

export const setupRoutes = routes(setupCalls, {
  openSetup: async ({ link }, { db, config }) => {
    const { purpose, account } = await requireSetupLink(db, link);
    return { purpose, account, passwordMin: passwordMinFor(purpose, config) };
  },

  finishSetup: {
    manualTransaction: async (input, context) => {
      const link = await context.inTransaction(({ db }) => requireSetupLink(db, input.link));
      requireFields(link, input, context.config);
      const hash = await hashPassword(input.password);
      return context.inTransaction((inside) => finishSetup(inside, input, hash));
    },
  },
});

type SetupInput = Parsed<typeof setupCalls.finishSetup>;

function requireFields({ purpose }: SetupLink, { email, name, password }: SetupInput, config: Config): void {
  if (purpose === "first" && !email) refuse("badInput", { email: "emailShape" });
  if (purpose !== "password" && !name) refuse("badInput", { name: "required" });
  if (password.length < passwordMinFor(purpose, config)) refuse("badInput", { password: "passwordShort" });
  requireGoodPassword(password, config);
}

/**
 * An operator's password must be long enough for a sign-in from an unknown browser without a code, because a new
 * installation may have no mail yet.
 */
const passwordMinFor = (purpose: SetupLink["purpose"], { PASSWORD_MIN_LENGTH }: Config): number =>
  purpose === "password" ? PASSWORD_MIN_LENGTH : Math.max(PASSWORD_MIN_LENGTH, setupRules.operatorPasswordMin);

async function finishSetup(context: Context, input: SetupInput, hash: string): Promise<{ token: string | null }> {
  const { db, address, language } = context;
  const link = await redeemSetupLink(db, input.link);
  if (link.uid !== null) {
    await replacePassword(db, link.uid, hash, address);
    return { token: null };
  }
  const email = link.account ?? input.email ?? "";
  if (!isEmail(email)) refuse("badInput", { email: "emailShape" });
  const uid = await createOperatorAccount(db, { email, name: input.name ?? email, passwordHash: hash, language });
  return startUserSession(context, { uid, remember: false, action: "account.setup" });
}
