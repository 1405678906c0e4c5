import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { Suspense, lazy, useState } from "react";
import { contactCalls, type ContactKind } from "@arcada/contract/account/contacts.calls";
import type { UserInfo } from "@arcada/contract/account/user-info.schema";
import type { RefusalError } from "../../data/call-errors.ts";
import { useTexts } from "../../i18n/texts.ts";
import type { TextKey } from "../../i18n/texts.ts";
import { toast } from "../../browser/toast.ts";
import { useCommand } from "../../data/use-command.ts";
import { BindContactForm } from "./bind-contact-form.tsx";
import { CodeField } from "../fields/code-field.tsx";
import { formatContact } from "./contacts.tsx";
import { FormError } from "../../ui/form/form-error.tsx";
import { useLightCallForm } from "../fields/use-call-form-without-library.ts";

const RequireIdentityProof = lazy(async () => ({
  default: (await import("../factor/require-identity-proof.tsx")).RequireIdentityProof,
}));

interface Props {
  kind: ContactKind;
  action: "bind" | "unbind";
  user: UserInfo;
  onClose: () => void;
}

/** Verifies the bound contact with a code, if there is one, then replaces or removes it. */
export function ContactDialog({ kind, action, user, onClose }: Props) {
  const t = useTexts("account");
  const [ticket, setTicket] = useState<string>();
  const [pendingProof, setPendingProof] = useState<string>();
  const unbind = useCommand(contactCalls.unbindContactInfo);
  const isBound = user[kind] !== null;
  const contact = t(`account.${kind}`);
  const title = action === "unbind" ? "account.unbindOf" : isBound ? "account.changeOf" : "account.bindOf";
  const handleProof = async (proof: string) => {
    if (action === "bind") return setTicket(proof);
    const refused = ({ name }: RefusalError) => setPendingProof(name === "proofNeeded" ? proof : undefined);
    if (await unbind.run({ kind, ticket: proof }, refused)) done("account.unbound");
  };
  const done = (text: TextKey) => {
    toast("success", t(text));
    onClose();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t(title, { contact })}
      closeOnClickOutside={false}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      {isBound && ticket === undefined ? (
        <VerifyContactForm
          kind={kind}
          user={user}
          action={action}
          onClose={onClose}
          done={(proof) => void handleProof(proof)}
        />
      ) : (
        <BindContactForm kind={kind} ticket={ticket} onClose={onClose} done={() => done("account.bound")} />
      )}
      <Suspense>
        {pendingProof !== undefined && (
          <RequireIdentityProof
            done={() => void handleProof(pendingProof)}
            onClose={() => setPendingProof(undefined)}
          />
        )}
      </Suspense>
    </Modal>
  );
}

interface VerifyContactProps {
  kind: ContactKind;
  action: "bind" | "unbind";
  user: UserInfo;
  onClose: () => void;
  done: (ticket: string) => void;
}

function VerifyContactForm({ kind, action, user, onClose, done }: VerifyContactProps) {
  const t = useTexts("account");
  const [sendFailure, setSendFailure] = useState<string>();
  const form = useLightCallForm(contactCalls.checkOriginalInfo, {
    defaults: { code: "" },
    input: ({ code }) => ({ kind, code }),
    done: ({ ticket }) => done(ticket),
  });
  return (
    <form onSubmit={form.submit} noValidate>
      <Stack gap="md">
        <Text size="sm">
          {t(action === "unbind" ? "account.unbindText" : "account.proveText")}{" "}
          <Text span fw={600} size="sm">
            <bdi>{formatContact(user, kind)}</bdi>
          </Text>
        </Text>
        <CodeField
          account={user[kind] ?? ""}
          countryCode={user.countryCode ?? "+86"}
          purpose="original"
          code={form.values.code}
          set={form.set}
          error={form.error("code")}
          onProblem={() => {}}
          isFirst
          onRefused={(refused) => setSendFailure(refused.msg)}
        />
        <FormError text={form.problem ?? sendFailure} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" loading={form.busy} {...(action === "unbind" && { color: "red" })}>
            {t(action === "unbind" ? "account.unbind" : "common.next")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
