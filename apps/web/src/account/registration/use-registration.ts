import { useRef, useState } from "react";
import { registrationCalls } from "@arcada/contract/account/registration.calls";
import { deleteDraft, readDraft, saveDraft } from "../../browser/drafts.ts";
import type { RefusalError } from "../../data/call-errors.ts";
import { validateInput } from "../../data/field-validation.ts";
import { useCommand } from "../../data/use-command.ts";
import { currentLanguage } from "../../i18n/texts.ts";
import { handOffAccount, readHandedOffAccount } from "../../session/carry-values-across-sign-in.ts";
import { getDefaultCountryCode, isPhoneNumber } from "../fields/account-field.tsx";
import { getDefaultCountry } from "../fields/format-country.ts";
import { useLightCallForm } from "../fields/use-call-form-without-library.ts";
import type { IntendedRole } from "./person-fields.tsx";

const draftKey = "register";
const getDraftDefaults = () => ({
  nickName: "",
  nation: getDefaultCountry(currentLanguage()),
  intendedRole: "" as IntendedRole | "",
  agree: false,
});

interface Values extends ReturnType<typeof getDraftDefaults>, Record<string, unknown> {
  account: string;
  countryCode: string;
  code: string;
  password: string;
  confirm: string;
}
const toAccount = ({ account, countryCode, code }: Values) => ({
  account,
  ...(isPhoneNumber(account) && { countryCode }),
  code,
});

/**
 * The form of a registration. Its submit first trades the code for a ticket, then registers with it. The ticket is kept
 * while account and code stay the same, because a code can be used only once.
 */
export function useRegistration(done: (token: string) => void) {
  const ticket = useRef<{ of: string; secret: string } | null>(null);
  const [sendFailure, setSendFailure] = useState<{ problem?: string; refused?: RefusalError }>({});
  const [isRegistered, setRegistered] = useState(false);
  const verify = useCommand(registrationCalls.registerVerify, { shownBy: "form" });
  const form = useLightCallForm<typeof registrationCalls.register, Values>(registrationCalls.register, {
    defaults: {
      ...(readDraft(draftKey, getDraftDefaults()) ?? getDraftDefaults()),
      account: readHandedOffAccount(),
      countryCode: getDefaultCountryCode(),
      code: "",
      password: "",
      confirm: "",
    },
    findProblems: (values) => validateInput(registrationCalls.registerVerify, toAccount(values)),
    prepare: async (values, refuse) => {
      const of = JSON.stringify(toAccount(values));
      if (ticket.current?.of === of) return true;
      const outcome = await verify.run(toAccount(values), refuse);
      if (!outcome) return false;
      ticket.current = { of, secret: outcome.data.ticket };
      setRegistered(outcome.data.registered);
      return !outcome.data.registered;
    },
    input: ({ intendedRole, password, confirm, agree, nickName, nation }) => ({
      ticket: ticket.current?.secret ?? "",
      // The schema answers for what has not been chosen yet.
      intendedRole: intendedRole as IntendedRole,
      agree: agree as true,
      password,
      confirm,
      nickName,
      nation,
    }),
    // It has expired: a new code earns a new one.
    onRefused: ({ name }) => void (name === "ticketSpent" && (ticket.current = null)),
    done: ({ token }) => {
      deleteDraft(draftKey);
      done(token);
    },
  });
  const set = (change: Partial<Values>) => {
    if (change.account !== undefined || change.countryCode !== undefined) {
      setSendFailure({});
      setRegistered(false);
    }
    // The account is kept over a reload, and on the way to the sign-in and back.
    if (change.account !== undefined) handOffAccount(change.account);
    form.set(change);
    const { nickName, nation, intendedRole, agree } = { ...form.values, ...change };
    saveDraft(draftKey, { nickName, nation, intendedRole, agree });
  };
  const { refused } = verify;
  return {
    form: { ...form, problem: form.problem ?? (refused?.show === "form" ? readProblem(refused) : undefined) },
    set,
    sendFailure,
    setSendFailure,
    isTaken: isRegistered || sendFailure.refused?.name === "accountTaken" || form.refused?.name === "accountTaken",
  };
}

/** The message of a refused code, unless it stands beside its field. */
const readProblem = (refused: RefusalError): string | undefined =>
  refused.details && typeof refused.details === "object" && "code" in refused.details ? undefined : refused.msg;
