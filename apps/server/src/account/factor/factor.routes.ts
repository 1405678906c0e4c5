import { factorCalls } from "@arcada/contract/factor/factor.calls";
import { factorRules } from "@arcada/contract/factor/factor.rules";
import type { AuthenticatedContext } from "../../platform/http/request-context.ts";
import { bypassTenantScope } from "../../platform/database/database.ts";
import type { Db } from "../../platform/database/database.ts";
import { queueEmail } from "../../platform/mail/email.ts";
import { refuse, refuseAndKeep } from "../../platform/http/refuse.ts";
import { seal } from "../../platform/security/encrypted-secret.ts";
import { routes } from "../../platform/http/serve.ts";
import { secret } from "../../platform/runtime/services.ts";
import { languageOf, textOf } from "../../platform/text/texts.ts";
import { redeemTicket } from "../account.store.ts";
import { noteProof } from "../session.ts";
import { enter } from "../sign-in.ts";
import { passwordOf } from "../tries.ts";
import {
  demandFactorCode,
  factorChanged,
  firstRecoveryCodes,
  isFresh,
  newRecoveryCodes,
  proven,
  provenLately,
  totpFits,
} from "./factor.ts";
import {
  deleteIdentity,
  deletePasskey,
  forgetRecoveryCodes,
  identitiesOf,
  insertPasskey,
  keepTotp,
  passkeysOf,
  recoveryLeft,
  removeTotp,
  setPasskeySecond,
  totpOf,
} from "./factor.store.ts";
import { creationOptions, madePasskey, requestOptions, shownPasskey } from "./passkey.ts";
import { hasTwoSteps, takeStep } from "./second-step.ts";
import { newTotpSecret, totpFor } from "./totp.ts";

export const factorRoutes = routes(factorCalls, {
  signIn: async (input, context) => {
    const begun = await takeStep(context.db, input.step);
    if (input.passkey) {
      if (!(await shownPasskey(context, begun.uid, input.passkey))) refuseAndKeep("passkeyWrong");
    } else if (input.code) await demandFactorCode(context, begun.uid, input.code);
    else refuse("badInput", { code: "codeEmpty" });
    if (!(await redeemTicket(context.db, "step", input.step))) refuse("stepSpent");
    return enter(context, begun);
  },

  passkeyOptions: (_, context) => requestOptions(context, null),

  passkeySignIn: async (input, context) => {
    const uid = (await shownPasskey(context, null, input.response)) ?? refuseAndKeep("passkeyWrong");
    return enter(context, { uid, remember: input.remember, action: "signIn.passkey" });
  },

  proofOptions: (_, context) =>
    bypassTenantScope(context.db, async () => {
      const { uid } = context.asker;
      return requestOptions(context, { uid, passkeys: await passkeysOf(context.db, uid) });
    }),

  prove: {
    apart: (input, context) =>
      proven(context, input, async ({ db, asker }) => {
        await noteProof(db, asker.sessionId);
        return null;
      }),
  },

  list: (_, context) => bypassTenantScope(context.db, () => listOf(context)),

  totpStart: {
    apart: (input, context) =>
      provenLately(context, input, async ({ db, asker }) => {
        if ((await totpOf(db, asker.uid))?.confirmed_at) refuse("totpThere");
        const fresh = newTotpSecret();
        await keepTotp(db, asker.uid, seal(secret(), asker.uid, fresh));
        return totpFor(fresh, (await contactOf(db, asker.uid)) ?? asker.name);
      }),
  },

  totpConfirm: (input, context) =>
    bypassTenantScope(context.db, async () => {
      const { db, asker } = context;
      if (!(await totpFits(db, asker.uid, input.code, false))) refuse("factorWrong", { code: "factorWrong" });
      const recovery = await firstRecoveryCodes(db, asker.uid);
      await changed(context, "totpOn");
      return { recovery };
    }),

  totpRemove: {
    apart: (input, context) =>
      proven(context, input, async (inside) => {
        await removeTotp(inside.db, inside.asker.uid);
        await forgetIdleCodes(inside);
        await changed(inside, "totpOff");
        return null;
      }),
  },

  recoveryRenew: {
    apart: (input, context) =>
      proven(context, input, async (inside) => {
        if (!(await hasTwoSteps(inside.db, inside.asker.uid))) refuse("notFound");
        const recovery = await newRecoveryCodes(inside.db, inside.asker.uid);
        await changed(inside, "recoveryRenewed");
        return { recovery };
      }),
  },

  passkeyStart: {
    apart: (input, context) =>
      provenLately(context, input, async (inside) => {
        const { db, asker } = inside;
        const passkeys = await passkeysOf(db, asker.uid);
        if (passkeys.length >= factorRules.passkeys) refuse("passkeyTooMany");
        const account = (await contactOf(db, asker.uid)) ?? asker.name;
        return creationOptions(inside, { uid: asker.uid, account, name: asker.name, passkeys });
      }),
  },

  passkeyAdd: (input, context) =>
    bypassTenantScope(context.db, async () => {
      const { db, asker } = context;
      const made = (await madePasskey(context, asker.uid, input.response)) ?? refuseAndKeep("passkeyWrong");
      const { id, publicKey, counter, transports } = made;
      const kept = await insertPasskey(db, {
        id,
        uid: asker.uid,
        name: input.name,
        publicKey,
        counter,
        transports,
      });
      if (!kept) refuseAndKeep("passkeyWrong");
      await changed(context, "passkeyAdded");
      // Otherwise it would open the account while the institution that requires it stayed closed.
      const wanted = (await isRequired(db, asker.uid)) && !(await hasTwoSteps(db, asker.uid));
      return wanted ? askPasskeyToo(context) : { recovery: [] };
    }),

  passkeyRemove: {
    apart: ({ id, ...proof }, context) =>
      proven(context, proof, async (inside) => {
        const { db, asker } = inside;
        if (!(await deletePasskey(db, asker.uid, id))) refuse("notFound");
        if ((await passkeysOf(db, asker.uid)).length === 0) await setPasskeySecond(db, asker.uid, false);
        await forgetIdleCodes(inside);
        await changed(inside, "passkeyRemoved");
        return null;
      }),
  },

  passkeySecond: {
    apart: ({ on, ...proof }, context) =>
      on
        ? provenLately(context, proof, askPasskeyToo)
        : proven(context, proof, async (inside) => {
            await setPasskeySecond(inside.db, inside.asker.uid, false);
            await forgetIdleCodes(inside);
            await changed(inside, "passkeySecondOff");
            return { recovery: [] };
          }),
  },

  identityRemove: (input, context) =>
    bypassTenantScope(context.db, async () => {
      if (!(await deleteIdentity(context.db, context.asker.uid, input.issuer, input.subject))) refuse("notFound");
      await changed(context, "identityRemoved");
      return null;
    }),
});

async function askPasskeyToo(context: AuthenticatedContext) {
  const { db, asker } = context;
  if ((await passkeysOf(db, asker.uid)).length === 0) refuse("notFound");
  await setPasskeySecond(db, asker.uid, true);
  const recovery = await firstRecoveryCodes(db, asker.uid);
  await changed(context, "passkeySecondOn");
  return { recovery };
}

async function listOf({ db, asker, config }: AuthenticatedContext) {
  const { uid } = asker;
  const user = await db.selectFrom("users").select("passkey_second").where("id", "=", uid).executeTakeFirstOrThrow();
  return {
    hasPassword: (await passwordOf(db, uid)) !== null,
    required: await isRequired(db, uid),
    fresh: await isFresh(db, asker.sessionId),
    totp: Boolean((await totpOf(db, uid))?.confirmed_at),
    passkeySecond: user.passkey_second,
    recoveryLeft: await recoveryLeft(db, uid),
    passkeys: (await passkeysOf(db, uid)).map(({ id, name, made_at, used_at }) => ({
      id,
      name,
      madeAt: made_at,
      usedAt: used_at,
    })),
    identities: (await identitiesOf(db, uid)).map(({ issuer, subject, email, linked_at }) => ({
      issuer,
      subject,
      email,
      label: config.OIDC_PROVIDERS.find((one) => one.issuer === issuer)?.label ?? new URL(issuer).host,
      linkedAt: linked_at,
    })),
  };
}

async function isRequired(db: Db, uid: string): Promise<boolean> {
  const found = await db
    .selectFrom("membership")
    .innerJoin("institution", "institution.id", "membership.institution_id")
    .select("institution.id")
    .where("membership.user_id", "=", uid)
    .where("membership.state", "=", "normal")
    .where("institution.require_factor", "=", true)
    .executeTakeFirst();
  return found !== undefined;
}

const contactOf = async (db: Db, uid: string): Promise<string | null> =>
  (await db.selectFrom("contact").select("value").where("user_id", "=", uid).orderBy("kind").executeTakeFirst())
    ?.value ?? null;

/** Recovery codes are of no use once there is no second step. */
async function forgetIdleCodes({ db, asker }: AuthenticatedContext): Promise<void> {
  if (!(await hasTwoSteps(db, asker.uid))) await forgetRecoveryCodes(db, asker.uid);
}

type Change =
  | "totpOn"
  | "totpOff"
  | "recoveryRenewed"
  | "passkeyAdded"
  | "passkeyRemoved"
  | "passkeySecondOn"
  | "passkeySecondOff"
  | "identityRemoved";

/** Notifies the owner by email too: the change may have been made by someone at an unattended screen. */
async function changed(context: AuthenticatedContext, change: Change): Promise<void> {
  const { db, asker } = context;
  await factorChanged(context, `factor.${change}`);
  const owner = await db
    .selectFrom("users")
    .innerJoin("contact", "contact.user_id", "users.id")
    .select(["users.language", "contact.value"])
    .where("users.id", "=", asker.uid)
    .where("contact.kind", "=", "email")
    .executeTakeFirst();
  if (!owner) return;
  const language = languageOf(owner.language);
  await queueEmail(db, {
    to: owner.value,
    language,
    name: "factorChanged",
    values: { change: textOf(language, "letter", `factorChanged.what.${change}`) },
    link: "/profile/index",
  });
}
