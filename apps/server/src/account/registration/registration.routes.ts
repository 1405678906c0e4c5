import { accountRules } from "@arcada/contract/account/account.rules";
import { registrationCalls } from "@arcada/contract/account/registration.calls";
import { refuse } from "../../platform/http/refuse.ts";
import { routes } from "../../platform/http/serve-calls.ts";
import { requireReachable } from "../contact-channel.ts";
import { insertUser, targetKey, parseTarget, findUserByTarget } from "../account.store.ts";
import { requireTicket, issueTicket, redeemTicket } from "../ticket.writes.ts";
import type { ContactTarget } from "../account.store.ts";
import { requireKnownCountry } from "../profile/countries.ts";
import { hashPassword } from "../password/password-hash.ts";
import { requireGoodPassword } from "../password/password-policy.ts";
import { joinByInvitation } from "./join-by-invitation.ts";
import { startUserSession } from "../sign-in/sign-in.ts";
import { requireCode } from "../sign-in/verification-code.ts";

export const registrationRoutes = routes(registrationCalls, {
  registerVerify: async (input, context) => {
    const target = requireReachable(parseTarget(input.account, input.countryCode));
    await requireCode(context, targetKey(target), "register", input.code);
    const registered = (await findUserByTarget(context.db, target)) !== undefined;
    const ticket = await issueTicket(
      context.db,
      "register",
      targetKey(target),
      { ...target },
      accountRules.ticketSeconds,
    );
    return { ticket, registered };
  },

  join: { manualTransaction: (input, context) => joinByInvitation(context, input) },

  register: {
    manualTransaction: async (input, context) => {
      requireGoodPassword(input.password, context.config);
      requireKnownCountry(input.nation);
      await context.inTransaction(({ db }) => requireTicket(db, "register", input.ticket));
      const passwordHash = await hashPassword(input.password);
      return context.inTransaction(async (inside) => {
        const ticket = (await redeemTicket(inside.db, "register", input.ticket)) ?? refuse("ticketSpent");
        const target = ticket.data as unknown as ContactTarget;
        if (await findUserByTarget(inside.db, target)) refuse("accountTaken", { account: "accountTaken" });
        const uid = await insertUser(inside.db, {
          target,
          passwordHash,
          nickName: input.nickName,
          country: input.nation,
          intendedRole: input.intendedRole,
          language: inside.language,
        });
        return startUserSession(inside, { uid, remember: false, action: "account.register" });
      });
    },
  },
});
