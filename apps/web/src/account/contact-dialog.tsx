import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { Suspense, lazy, useState } from "react";
import type { UserInfo } from "@arcada/contract/account/account.calls";
import { profileCalls } from "@arcada/contract/account/profile.calls";
import type { ContactKind } from "@arcada/contract/account/profile.calls";
import type { RefusedAnswer } from "../kernel/refused.ts";
import { useTexts } from "../kernel/texts.ts";
import { toast } from "../kernel/toast.ts";
import { useCommand } from "../kernel/use-command.ts";
import { BindForm } from "./bind-form.tsx";
import { CodeField } from "./code-field.tsx";
import { shownContact } from "./contacts.tsx";
import { FormProblem } from "../ui/form-problem.tsx";
import { useFields } from "./use-fields.ts";

const ProveFirst = lazy(async () => ({ default: (await import("./factor/prove-first.tsx")).ProveFirst }));

interface Props {
  kind: ContactKind;
  does: "bind" | "unbind";
  user: UserInfo;
  onClose: () => void;
}

/** Verifies the bound contact with a code, if there is one, then replaces or removes it. */
export function ContactDialog({ kind, does, user, onClose }: Props) {
  const t = useTexts("account");
  const [ticket, setTicket] = useState<string>();
  const [waiting, setWaiting] = useState<string>();
  const unbind = useCommand(profileCalls.unbindContactInfo);
  const isBound = user[kind] !== null;
  const contact = t(`account.${kind}`);
  const title = does === "unbind" ? "account.unbindOf" : isBound ? "account.changeOf" : "account.bindOf";
  const proved = async (proof: string) => {
    if (does === "bind") return setTicket(proof);
    const refused = ({ name }: RefusedAnswer) => setWaiting(name === "proofNeeded" ? proof : undefined);
    if (await unbind.run({ kind, ticket: proof }, refused)) done("account.unbound");
  };
  const done = (text: string) => {
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
        <ProveForm kind={kind} user={user} does={does} onClose={onClose} done={(proof) => void proved(proof)} />
      ) : (
        <BindForm kind={kind} ticket={ticket} onClose={onClose} done={() => done("account.bound")} />
      )}
      <Suspense>
        {waiting !== undefined && (
          <ProveFirst done={() => void proved(waiting)} onClose={() => setWaiting(undefined)} />
        )}
      </Suspense>
    </Modal>
  );
}

interface ProveProps {
  kind: ContactKind;
  does: "bind" | "unbind";
  user: UserInfo;
  onClose: () => void;
  done: (ticket: string) => void;
}

function ProveForm({ kind, does, user, onClose, done }: ProveProps) {
  const t = useTexts("account");
  const [unsent, setUnsent] = useState<string>();
  const form = useFields(profileCalls.checkOriginalInfo, {
    start: { code: "" },
    input: ({ code }) => ({ kind, code }),
    done: ({ ticket }) => done(ticket),
  });
  return (
    <form onSubmit={form.submit} noValidate>
      <Stack gap="md">
        <Text size="sm">
          {t(does === "unbind" ? "account.unbindText" : "account.proveText")}{" "}
          <Text span fw={600} size="sm">
            <bdi>{shownContact(user, kind)}</bdi>
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
          onRefused={(refused) => setUnsent(refused.msg)}
        />
        <FormProblem text={form.problem ?? unsent} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" loading={form.busy} {...(does === "unbind" && { color: "red" })}>
            {t(does === "unbind" ? "account.unbind" : "common.next")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
