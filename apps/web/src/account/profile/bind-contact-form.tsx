import { Button, Group, Stack } from "@mantine/core";
import { Suspense, lazy, useState } from "react";
import { accountProblem } from "@arcada/contract/account/account.rules";
import { contactCalls, type ContactKind } from "@arcada/contract/account/contacts.calls";
import { findFirstField } from "../../browser/focus-restoration.ts";
import type { RefusalError } from "../../data/call-errors.ts";
import { translateFieldMessage } from "../../data/field-validation.ts";
import { useTexts } from "../../i18n/texts.ts";
import { FormError } from "../../ui/form/form-error.tsx";
import { useFocusFirstField } from "../use-focus-first-field.ts";
import { AccountField, getDefaultCountryCode } from "../fields/account-field.tsx";
import { CodeField } from "../fields/code-field.tsx";
import { useLightCallForm } from "../fields/use-call-form-without-library.ts";

const RequireIdentityProof = lazy(async () => ({
  default: (await import("../factor/require-identity-proof.tsx")).RequireIdentityProof,
}));

interface Props {
  kind: ContactKind;
  /** The ticket for the existing contact that the new one replaces. */
  ticket?: string | undefined;
  onClose?: () => void;
  done: (account: string) => void;
}

/** A new phone number or e-mail address, and the code that is sent there. */
export function BindContactForm({ kind, ticket, onClose, done }: Props) {
  const t = useTexts("account");
  const formRef = useFocusFirstField<HTMLFormElement>();
  const [sendFailure, setSendFailure] = useState<{ problem?: string; refused?: RefusalError }>({});
  const { form, isProofRequired, setProofRequired } = useBindContact({ kind, ticket, done });
  const { values } = form;
  const problem = sendFailure.problem ?? (isOtherKind(kind, values.account) ? `${kind}Shape` : undefined);
  const refused = sendFailure.refused ?? form.refused;
  return (
    <>
      <form
        ref={formRef}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isOfKind(kind, values.account)) {
            findFirstField(formRef.current)?.focus();
            return setSendFailure({ problem: `${kind}Shape` });
          }
          void form.submit(event);
        }}
        noValidate
      >
        <Stack gap="md">
          <AccountField
            kind={kind}
            account={values.account}
            countryCode={values.countryCode}
            set={(change) => {
              setSendFailure({});
              form.set(change);
            }}
            error={form.error("account") ?? translateFieldMessage(t, problem)}
          />
          <CodeField
            account={values.account}
            countryCode={values.countryCode}
            purpose="bind"
            code={values.code}
            set={form.set}
            error={form.error("code")}
            onProblem={() => setSendFailure({ problem: `${kind}Shape` })}
            onRefused={(refusal) => setSendFailure({ refused: refusal })}
            disabled={isOtherKind(kind, values.account)}
          />
          <FormError
            text={refused?.show === "form" && !form.error("account") && !form.error("code") ? refused.msg : undefined}
          />
          <Buttons busy={form.busy} onClose={onClose} />
        </Stack>
      </form>
      <Suspense>
        {isProofRequired && (
          <RequireIdentityProof done={() => void form.submit()} onClose={() => setProofRequired(false)} />
        )}
      </Suspense>
    </>
  );
}

/** Asks for a proof of identity first if the server requires it. */
function useBindContact({ kind, ticket, done }: Pick<Props, "kind" | "ticket" | "done">) {
  const [isProofRequired, setProofRequired] = useState(false);
  const form = useLightCallForm(contactCalls.setContactInfo, {
    defaults: { account: "", countryCode: getDefaultCountryCode(), code: "" },
    input: ({ countryCode, ...same }) => ({
      ...same,
      ...(kind === "phone" && { countryCode }),
      ...(ticket !== undefined && { ticket }),
    }),
    done: (_, { account }) => done(account),
    onRefused: ({ name }) => setProofRequired(name === "proofNeeded"),
  });
  return { form, isProofRequired, setProofRequired };
}

function Buttons({ busy, onClose }: { busy: boolean; onClose: (() => void) | undefined }) {
  const t = useTexts("account");
  return (
    <Group justify="flex-end">
      {onClose && (
        <Button variant="default" onClick={onClose}>
          {t("common.cancel")}
        </Button>
      )}
      <Button type="submit" loading={busy}>
        {t("account.bind")}
      </Button>
    </Group>
  );
}

/** True for a valid account of the other kind: an e-mail address instead of a number, or the reverse. */
const isOtherKind = (kind: ContactKind, account: string): boolean =>
  accountProblem(account) === null && account.includes("@") !== (kind === "email");
const isOfKind = (kind: ContactKind, account: string): boolean =>
  accountProblem(account) === null && !isOtherKind(kind, account);
