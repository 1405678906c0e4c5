import { Button, Group, Stack } from "@mantine/core";
import { Suspense, lazy, useState } from "react";
import { accountProblem } from "@arcada/contract/account/account.rules";
import { profileCalls } from "@arcada/contract/account/profile.calls";
import type { ContactKind } from "@arcada/contract/account/profile.calls";
import { firstField } from "../kernel/focus.ts";
import type { RefusedAnswer } from "../kernel/refused.ts";
import { useTexts } from "../kernel/texts.ts";
import { FormProblem } from "../ui/form-problem.tsx";
import { useFirstFocus } from "../kernel/use-first-focus.ts";
import { AccountField, usualCountryCode } from "./account-field.tsx";
import { CodeField } from "./code-field.tsx";
import { useFields } from "./use-fields.ts";

const ProveFirst = lazy(async () => ({ default: (await import("./factor/prove-first.tsx")).ProveFirst }));

interface Props {
  kind: ContactKind;
  /** The ticket for the existing contact that the new one replaces. */
  ticket?: string | undefined;
  onClose?: () => void;
  done: (account: string) => void;
}

/** A new phone number or e-mail address, and the code that is sent there. */
export function BindForm({ kind, ticket, onClose, done }: Props) {
  const t = useTexts("account");
  const place = useFirstFocus<HTMLFormElement>();
  const [unsent, setUnsent] = useState<{ problem?: string; refused?: RefusedAnswer }>({});
  const { form, isProofAsked, setProofAsked } = useBinding({ kind, ticket, done });
  const { values } = form;
  const problem = unsent.problem ?? (isOther(kind, values.account) ? `${kind}Shape` : undefined);
  const refused = unsent.refused ?? form.refused;
  return (
    <>
      <form
        ref={place}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isOf(kind, values.account)) {
            firstField(place.current)?.focus();
            return setUnsent({ problem: `${kind}Shape` });
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
              setUnsent({});
              form.set(change);
            }}
            error={form.error("account") ?? (problem && t(`common.field.${problem}`))}
          />
          <CodeField
            account={values.account}
            countryCode={values.countryCode}
            purpose="bind"
            code={values.code}
            set={form.set}
            error={form.error("code")}
            onProblem={() => setUnsent({ problem: `${kind}Shape` })}
            onRefused={(no) => setUnsent({ refused: no })}
            disabled={isOther(kind, values.account)}
          />
          <FormProblem
            text={refused?.show === "form" && !form.error("account") && !form.error("code") ? refused.msg : undefined}
          />
          <Buttons busy={form.busy} onClose={onClose} />
        </Stack>
      </form>
      <Suspense>
        {isProofAsked && <ProveFirst done={() => void form.submit()} onClose={() => setProofAsked(false)} />}
      </Suspense>
    </>
  );
}

/** Asks for a proof of identity first if the server requires it. */
function useBinding({ kind, ticket, done }: Pick<Props, "kind" | "ticket" | "done">) {
  const [isProofAsked, setProofAsked] = useState(false);
  const form = useFields(profileCalls.setContactInfo, {
    start: { account: "", countryCode: usualCountryCode(), code: "" },
    input: ({ countryCode, ...same }) => ({
      ...same,
      ...(kind === "phone" && { countryCode }),
      ...(ticket !== undefined && { ticket }),
    }),
    done: (_, { account }) => done(account),
    heard: ({ name }) => setProofAsked(name === "proofNeeded"),
  });
  return { form, isProofAsked, setProofAsked };
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
const isOther = (kind: ContactKind, account: string): boolean =>
  accountProblem(account) === null && account.includes("@") !== (kind === "email");
const isOf = (kind: ContactKind, account: string): boolean =>
  accountProblem(account) === null && !isOther(kind, account);
